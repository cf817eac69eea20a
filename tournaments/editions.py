"""Events that come again: where everybody plays at the start, and the next edition of leagues, cups and mini cups.

Called by running.py under the lock of the event.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from tournaments import cups, leagues, lots, pairing, plans
from tournaments.event_rows import value_of
from tournaments.models import Entrant, Tournament
from tournaments.players import Player, id_key
from tournaments.snake import even_sizes, snake

Format = Tournament.Format

REPEATED: Final = (
    *("text", "format", "game", "pace", "weekend", "leave_allowed"),
    *("rated", "starts", "most", "ticket_to", "by_ticket"),
)
"""What an edition has of the one before."""
LEAGUE_PAUSE: Final = timedelta(days=7)
MISSES_OF_LEAVERS: Final = 2
"""Misses in an edition of the league after which a player is not carried over to the next one."""


def layout(event: Tournament, ratings: Mapping[int, float]) -> list[tuple[int, int, int]]:
    """(user, level, group) of everybody in order of start numbers."""
    ranked = sorted(ratings, key=lambda user: (-ratings[user], id_key(user)))
    if event.shape.get("numbers") == "lots":
        ranked = [int(user) for user in lots.draw(event.seed, "numbers", ranked)]
    if event.format == Format.CUP:
        strengths: dict[Player, float] = dict(ratings.items())
        return _by_home(ranked, cups.draw_groups(strengths, int(event.shape["limit"])))
    if event.format == Format.SWISS and len(ranked) > pairing.MOST_ENTRANTS:
        sections = -(-len(ranked) // pairing.MOST_ENTRANTS)
        return _by_home(ranked, snake(ranked, even_sizes(len(ranked), sections)))
    if event.format == Format.LEAGUE:
        return _league(event, ratings)
    return [(user, 1, 1) for user in ranked]


def _by_home(ranked: Sequence[int], groups: Sequence[Sequence[Player]]) -> list[tuple[int, int, int]]:
    home = {user: number for number, group in enumerate(groups, start=1) for user in group}
    return [(user, 1, home[user]) for user in ranked]


def open_next_at_start(event: Tournament, now: datetime) -> None:
    """When an edition of a mini cup, a monthly cup or the league starts, the next one opens for entries. Whoever plays
    in the league is in the next edition too, until he signs off."""
    if not event.series:
        return
    if event.format == Format.MINI_CUP:
        _again(event, now)
    elif event.format == Format.CUP:
        _again(event, now, starts_at=first_of_next_month(now))
    elif event.format == Format.LEAGUE:
        following = _again(event, now)
        if following is not None:
            _carry_over(event, following, now)


def open_next_at_end(event: Tournament, now: datetime) -> None:
    """The league goes on a week after an edition, with those who stay; what was called off is followed too."""
    if not event.series:
        return
    if event.format == Format.LEAGUE and event.started_at is not None:
        following = let_go(event, now)
        if following is not None:
            following.starts_at = following.due_at = now + LEAGUE_PAUSE
            following.save(update_fields=["starts_at", "due_at"])
    elif event.format == Format.CUP and event.started_at is None:
        _again(event, now, starts_at=first_of_next_month(now))
    elif event.format == Format.MINI_CUP and event.started_at is None:
        _again(event, now)


def set_date(event: Tournament, now: datetime) -> None:
    """When an edition of the league that is open starts, after somebody has entered or left, or too few were fit.

    The first one when seven have been in for a week. A later one has its date from the end of the one before; if too
    few were in by then, it starts as soon as there are enough.
    """
    if not event.is_open or event.format != Format.LEAGUE:
        return
    if event.edition == 1:
        if event.entered < leagues.SMALLEST:
            event.starts_at = None
        elif event.starts_at is None:
            event.starts_at = now + LEAGUE_PAUSE
        event.due_at = event.starts_at
    elif event.starts_at is not None and event.starts_at <= now:
        event.due_at = now if event.entered >= leagues.FEWEST else None
    event.save(update_fields=["starts_at", "due_at"])


def first_of_next_month(now: datetime) -> datetime:
    """Day 1 of the next month, 00:00 UTC."""
    later = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0) + timedelta(days=32)
    return later.replace(day=1)


def _again(event: Tournament, now: datetime, starts_at: datetime | None = None) -> Tournament | None:
    """The next edition, open for entries; None if there is one already."""
    fields = {name: getattr(event, name) for name in REPEATED}
    base = event.name.rsplit(" #", 1)[0]
    following, is_new = Tournament.objects.get_or_create(
        series=event.series,
        edition=event.edition + 1,
        defaults={
            **fields,
            "shape": {name: value for name, value in event.shape.items() if name != plans.SEEDS},
            "name": f"{base} #{event.edition + 1}",
            "conditions": event.conditions,
            "starts_at": starts_at,
            "due_at": starts_at,
            "made_at": now,
        },
    )
    if not is_new:
        return None
    following.directors.set(event.directors.all())
    return following


def _carry_over(event: Tournament, following: Tournament, now: datetime) -> None:
    """Whoever starts, or waits for his bar to be lifted, is in the following edition."""
    staying = event.entrants.filter(state__in=[Entrant.State.IN, Entrant.State.WAITING])
    Entrant.objects.bulk_create(
        [Entrant(tournament=following, user_id=one.user_id, entered_at=now) for one in staying], ignore_conflicts=True
    )
    _count(following)


def let_go(event: Tournament, now: datetime) -> Tournament | None:
    """Who left an edition of the league or missed too much is not in the following one, unless he has signed up again
    since. Return that edition, under its lock; None if it is not open."""
    editions = Tournament.objects.select_for_update(no_key=True).filter(series=event.series)
    following = editions.filter(edition=event.edition + 1).first()
    if following is None or not following.is_open:
        return None
    gone = event.entrants.exclude(state__in=[Entrant.State.IN, Entrant.State.WAITING])
    missed = event.entrants.filter(misses__gte=MISSES_OF_LEAVERS)
    carried = following.entrants.filter(state=Entrant.State.IN, entered_at__lte=event.started_at)
    carried.filter(user__in=[one.user_id for one in (*gone, *missed)]).update(
        state=Entrant.State.WITHDRAWN, left_at=now
    )
    _count(following)
    return following


def _count(event: Tournament) -> None:
    event.entered = event.entrants.filter(state=Entrant.State.IN).count()
    event.save(update_fields=["entered"])


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
    """The tables of the last edition by level and group. Who left it counts as last, so that others move up to his
    place; he, and who missed too much, comes in as relegated if he has signed up again."""
    value = value_of(event)
    gone = set(event.entrants.exclude(state=Entrant.State.IN).values_list("user", flat=True))
    relegated = gone | set(event.entrants.filter(misses__gte=MISSES_OF_LEAVERS).values_list("user", flat=True))
    levels: dict[int, list[list[leagues.LeagueLine]]] = {}
    for (level, group), members in plans.groups_of(value).items():
        table = plans.group_table(value, level, group)
        most = plans.most_points(value, members, table)
        lines = [
            leagues.LeagueLine(line.player, line.strict, int(line.values["points"]), most) for line in table.standings
        ]
        placed = {line.player for line in lines}
        unplaced = [one.player for one in members if one.player not in placed]
        lines += [leagues.LeagueLine(player, len(lines) + n, 0, 0) for n, player in enumerate(unplaced, start=1)]
        lines.sort(key=lambda line: line.player in gone)
        lines = [replace(line, place=place) for place, line in enumerate(lines, start=1)]
        below = max(leagues.LAST_STAYING + 1, len(lines))
        levels.setdefault(level, []).append(
            [replace(line, place=max(line.place, below)) if line.player in relegated else line for line in lines]
        )
    return [levels[level] for level in sorted(levels)]
