"""Events that come again: where everybody plays at the start, and the next edition of leagues, cups and mini cups.

Called by running.py under the lock of the event.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from tournaments import cups, leagues, plans
from tournaments.event_rows import value_of
from tournaments.models import Entrant, Tournament
from tournaments.players import Player, id_key

Format = Tournament.Format

LEAGUE_PAUSE: Final = timedelta(days=7)
MISSES_OF_LEAVERS: Final = 2
"""Misses in an edition of the league after which a player is not carried over to the next one."""


def layout(event: Tournament, ratings: Mapping[int, float]) -> list[tuple[int, int, int]]:
    """(user, level, group) of everybody in order of start numbers."""
    ranked = sorted(ratings, key=lambda user: (-ratings[user], id_key(user)))
    if event.format == Format.CUP:
        strengths: dict[Player, float] = dict(ratings.items())
        groups = cups.draw_groups(strengths, int(event.shape["limit"]))
        home = {user: number for number, group in enumerate(groups, start=1) for user in group}
        return [(user, 1, home[user]) for user in ranked]
    if event.format == Format.LEAGUE:
        return _league(event, ratings)
    return [(user, 1, 1) for user in ranked]


def open_next_at_start(event: Tournament, now: datetime) -> None:
    """When a mini cup starts, the next one opens; when a monthly cup starts, the one of the next month."""
    if not event.series:
        return
    if event.format == Format.MINI_CUP:
        _again(event, now)
    elif event.format == Format.CUP:
        _again(event, now, starts_at=first_of_next_month(now))


def open_next_at_end(event: Tournament, now: datetime) -> None:
    """The league goes on a week after an edition, with those who stay; a monthly cup called off is followed too."""
    if not event.series:
        return
    if event.format == Format.LEAGUE and event.state == Tournament.State.FINISHED:
        following = _again(event, now, starts_at=now + LEAGUE_PAUSE)
        if following is not None:
            _carry_over(event, following, now)
    elif event.state == Tournament.State.CANCELLED and event.started_at is None:
        if event.format == Format.CUP:
            _again(event, now, starts_at=first_of_next_month(now))
        elif event.format == Format.MINI_CUP:
            _again(event, now)


def first_of_next_month(now: datetime) -> datetime:
    """Day 1 of the next month, 00:00 UTC."""
    later = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0) + timedelta(days=32)
    return later.replace(day=1)


def _again(event: Tournament, now: datetime, starts_at: datetime | None = None) -> Tournament | None:
    """The next edition, open for entries; None if there is one already."""
    fields = {
        name: getattr(event, name)
        for name in ("text", "format", "shape", "game", "pace", "weekend", "leave_allowed", "rated", "starts", "most")
    }
    base = event.name.rsplit(" #", 1)[0]
    following, is_new = Tournament.objects.get_or_create(
        series=event.series,
        edition=event.edition + 1,
        defaults={
            **fields,
            "name": f"{base} #{event.edition + 1}",
            "conditions": event.conditions,
            "starts_at": starts_at,
            "due_at": starts_at,
            "made_at": now,
        },
    )
    return following if is_new else None


def _carry_over(event: Tournament, following: Tournament, now: datetime) -> None:
    """Whoever played stays in, but for those who left or missed too much."""
    staying = event.entrants.filter(Q(state=Entrant.State.IN), misses__lt=MISSES_OF_LEAVERS, user__closed_at=None)
    staying = staying.exclude(seed=None)
    Entrant.objects.bulk_create(
        [Entrant(tournament=following, user_id=one.user_id, entered_at=now) for one in staying], ignore_conflicts=True
    )
    following.entered = following.entrants.filter(state=Entrant.State.IN).count()
    following.save(update_fields=["entered"])


def _league(event: Tournament, ratings: Mapping[int, float]) -> list[tuple[int, int, int]]:
    last = (
        Tournament.objects.filter(series=event.series, edition__lt=event.edition, state=Tournament.State.FINISHED)
        .order_by("-edition")
        .first()
    )
    levels = _final_groups(last) if last else []
    strengths: dict[Player, float] = dict(ratings.items())
    before = {int(line.player) for groups in levels for group in groups for line in group}
    built = leagues.next_edition(
        levels, strengths, leaving=before - ratings.keys(), new=[user for user in ratings if user not in before]
    )
    return [
        (int(user), level, number)
        for level, groups in enumerate(built.levels, start=1)
        for number, group in enumerate(groups, start=1)
        for user in group
    ]


def _final_groups(event: Tournament) -> list[list[list[leagues.LeagueLine]]]:
    """The tables of the last edition by level and group; who was struck out comes last."""
    value = value_of(event)
    levels: dict[int, list[list[leagues.LeagueLine]]] = {}
    for (level, group), members in plans.groups_of(value).items():
        table = plans.group_table(value, level, group)
        most = 2 * max(0, len(table.standings) - 1)
        lines = [
            leagues.LeagueLine(line.player, line.strict, int(line.values["points"]), most) for line in table.standings
        ]
        placed = {line.player for line in lines}
        unplaced = [one.player for one in members if one.player not in placed]
        lines += [leagues.LeagueLine(player, len(lines) + n, 0, 0) for n, player in enumerate(unplaced, start=1)]
        levels.setdefault(level, []).append(lines)
    return [levels[level] for level in sorted(levels)]
