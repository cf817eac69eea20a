"""Every write of ratings: the result log, and the cards that follow from it (docs/competition.md, 2).

    record_result            one finished match: one row of the log, and the cards of its seats
    void, unvoid, re_rank    a ruling on a result: one more row, and a replay from that day on
    link, unlink             accounts that belong together: rulings on what they have played with each other
    rebuild                  all cards again from the log
    award_ranks              permanent ranks reached by the end of a day

One writer at a time, by an advisory lock. All results of a day use the ratings of its morning, so a card is touched
only by its own results, and their order cannot show. A day is never reopened: rows get the day they are applied on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext as _

from oceans.queries import Ended
from oceans.refusals import Refusal
from tournaments import ranks, replays
from tournaments.endings import reason_of
from tournaments.locks import alone
from tournaments.models import EventMatch, LinkedAccounts, Rating, RatingChange, RatingDay, RatingEvent, TitleHeld
from tournaments.players import Player
from tournaments.pools import params_of
from tournaments.rate import Rating as Strength
from tournaments.rate import after_day, change_by, grown, part_of, shown_until
from tournaments.replays import COUNTED, NONE, logged
from tournaments.result_log import OVERALL, Card, LoggedResult, card_after, code_of, counted

Kind = RatingEvent.Kind

LOCK: Final = 0x726174696E67
"""The advisory lock of PostgreSQL that makes one applier of all."""
REBUILD_LOCK: Final = 0x7265626C64
"""The one that keeps two rebuilds out of each other's shadows."""
DAY_S: Final = 86_400


def day_of(now: datetime) -> int:
    """The UTC date of an instant as days since 1970."""
    return int(now.timestamp() // DAY_S)


def record_result(ended: Ended, now: datetime) -> bool:
    """Log a finished match and rate it, once; False if that has been done or there is nothing to log."""
    if ended.places is None or len(ended.users) < 2 or ended.finished_at is None:
        return False
    with alone(LOCK):
        if RatingEvent.objects.filter(match=ended.id, kind=Kind.RESULT).exists():
            return False
        event = RatingEvent(
            match_id=ended.id,
            pool=ended.game,
            day=_open_day(now),
            seats=[list(seat) for seat in zip(ended.users, ended.places, ended.moved, ended.bots, strict=True)],
            rated=ended.was_to_count,
            related=_are_related(ended.users, ended.started_at or ended.finished_at),
            streak=ended.unrated_because == "streak",
            reason=_reason(ended),
            finished_at=ended.finished_at,
            logged_at=now,
        )
        event.code = code_of(logged(event))
        event.save()
        if event.code == COUNTED:
            for pool in (event.pool, OVERALL):
                _rate(pool, event)
        return True


def void(match_id: int, by: int | None, why: str, now: datetime) -> None:
    """Rule that a result does not count. Raises Refusal if it does not count already."""
    _rule(match_id, Kind.VOID, by, why, now)


def unvoid(match_id: int, by: int | None, why: str, now: datetime) -> None:
    """Take such a ruling back. Raises Refusal if there is none."""
    _rule(match_id, Kind.UNVOID, by, why, now)


def re_rank(match_id: int, ranks: Sequence[int], by: int | None, why: str, now: datetime) -> None:
    """Rule that the seats of a result, in their order, had these ranks. Raises Refusal if they do not fit."""
    with alone(LOCK):
        result = _result_of(match_id)
        old = logged(result, replays.rulings([match_id]).get(match_id, NONE))
        if len(ranks) != len(old.seats):
            raise Refusal(_("Name one rank for each of the %(n)d seats.") % {"n": len(old.seats)})
        if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
            raise Refusal(_("Ranks begin with 1, and after ties the next ones are left out, as in 1 2 2 4."))
        if tuple(ranks) == tuple(seat.rank for seat in old.seats):
            raise Refusal(_("These are the ranks of this game already."))
        seats = [[seat.player, rank, seat.moved, seat.bot] for seat, rank in zip(old.seats, ranks, strict=True)]
        _log_ruling(result, Kind.RE_RANK, by, why, now, seats)
        _replay([result])


def link(
    one: int, other: int, *, since: datetime, until: datetime | None, by: int | None, why: str, now: datetime
) -> LinkedAccounts:
    """Note that two accounts belong together for a time; what they began with each other in it does not count.

    Raises Refusal if that is no pair or no span of time.
    """
    if one == other:
        raise Refusal(_("Name two different accounts."))
    if until is not None and until <= since:
        raise Refusal(_("The end must be later than the beginning."))
    with alone(LOCK):
        made = LinkedAccounts.objects.create(
            low_id=min(one, other),
            high_id=max(one, other),
            since=since,
            until=until,
            why=why[:200],
            by_id=by,
            made_at=now,
        )
        _rule_on_related(made, Kind.RELATED, by, why, now)
        return made


def unlink(linked: LinkedAccounts, by: int | None, now: datetime) -> None:
    """Take such a note back, as if it had never been."""
    with alone(LOCK):
        if linked.pk is None or not LinkedAccounts.objects.filter(pk=linked.pk).exists():
            return
        _rule_on_related(linked, Kind.UNRELATED, by, "", now)
        linked.delete()


def rebuild() -> int:
    """All cards again from the log; return how many stored rows that changed.

    What is over is replayed into shadow tables while results are still being rated. Then, with the applier stopped,
    the open day is added, and what was ruled on meanwhile, and shadow and stored rows change places. Readers see the
    old ratings until that is done. Raises Refusal if another rebuild is at work.
    """
    with _only_rebuild():
        replays.clear()
        ruled_until = _newest_ruling()
        today = _newest_day()
        for pool in _pools():
            replays.into(replays.SHADOWS, pool, 0, before=today)
        with alone(LOCK):
            ruled = RatingEvent.objects.exclude(kind=Kind.RESULT).filter(pk__gt=ruled_until).values("match")
            again = RatingEvent.objects.filter(kind=Kind.RESULT, match__in=ruled).order_by("day").first()
            first = min(today, again.day) if again else today
            for pool in _pools():
                replays.into(replays.SHADOWS, pool, first)
            differing = replays.swap()
        replays.clear()
        return differing


def award_ranks(now: datetime) -> int:
    """Give the permanent ranks reached by the end of yesterday; return how many were new."""
    today = day_of(now)
    lately = Rating.objects.filter(day__lt=today, day__gte=today - 3, peak__isnull=False).exclude(pool=OVERALL)
    reached = {(card.user_id, card.pool): ranks.reached(card.peak, card.wins) for card in lately}
    held = set(TitleHeld.objects.filter(user__in={user for user, _pool in reached}).values_list("user", "pool", "step"))
    new = [
        TitleHeld(user_id=user, pool=pool, step=step, reached_on=today - 1)
        for (user, pool), rank in reached.items()
        for step in range(1, rank.step + 1 if rank else 1)
        if (user, pool, step) not in held
    ]
    TitleHeld.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def whole_log() -> list[LoggedResult]:
    """Every result with the rulings on it."""
    ruled = replays.rulings()
    results = RatingEvent.objects.filter(kind=Kind.RESULT).order_by("pk")
    return [logged(event, ruled.get(event.match_id, NONE)) for event in results.iterator()]


def strength_on(card: Rating | None, pool: str, day: int) -> Strength:
    """How strong a player is in a pool on a day; None is a newcomer. A day before the card's is taken as the card's."""
    if card is None:
        return grown(None, day, params_of(pool))
    return grown(Strength(card.r, card.rd, card.day), max(day, card.day), params_of(pool))


def _reason(ended: Ended) -> str:
    """The finish reason, or the one an event gave to a match that it closed."""
    closed = EventMatch.objects.filter(match=ended.id).exclude(reason="").values_list("reason", flat=True).first()
    return "abandoned" if closed == "abandoned" else reason_of(ended)


def _pools() -> list[str]:
    return [*RatingEvent.objects.order_by("pool").values_list("pool", flat=True).distinct(), OVERALL]


def _newest_day() -> int:
    """The day of the newest row of the log; rows never have an earlier day than those before them."""
    return RatingEvent.objects.order_by("-pk").values_list("day", flat=True).first() or 0


def _newest_ruling() -> int:
    rows = RatingEvent.objects.exclude(kind=Kind.RESULT).order_by("-pk")
    return rows.values_list("pk", flat=True).first() or 0


def _open_day(now: datetime) -> int:
    """The day that a row logged now belongs to."""
    return max(day_of(now), _newest_day())


@contextmanager
def _only_rebuild() -> Iterator[None]:
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [REBUILD_LOCK])
        if not cursor.fetchone()[0]:
            raise Refusal(_("Another rebuild is at work: wait until it is done."))
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [REBUILD_LOCK])


def _are_related(users: Sequence[int], at: datetime) -> bool:
    """Whether two of these users were linked at an instant."""
    links = LinkedAccounts.objects.filter(low__in=users, high__in=users, since__lte=at)
    return links.filter(Q(until=None) | Q(until__gt=at)).exists()


def _rule_on_related(linked: LinkedAccounts, kind: str, by: int | None, why: str, now: datetime) -> None:
    """Rule on what two linked accounts have played with each other."""
    both = RatingEvent.objects.filter(kind=Kind.RESULT, match__seats__user=linked.low_id)
    both = both.filter(match__seats__user=linked.high_id, match__started_at__gte=linked.since)
    if linked.until is not None:
        both = both.filter(match__started_at__lt=linked.until)
    results = list(both.order_by("pk"))
    for result in results:
        _log_ruling(result, kind, by, why, now)
    _replay(results)


def _rule(match_id: int, kind: str, by: int | None, why: str, now: datetime) -> None:
    with alone(LOCK):
        result = _result_of(match_id)
        if replays.rulings([match_id]).get(match_id, NONE).is_void == (kind == Kind.VOID):
            raise Refusal(_("That is how this result counts already."))
        _log_ruling(result, kind, by, why, now)
        _replay([result])


def _result_of(match_id: int) -> RatingEvent:
    result = RatingEvent.objects.filter(match=match_id, kind=Kind.RESULT).first()
    if result is None:
        raise Refusal(_("This game has no result yet, so there is nothing to rule on."))
    return result


def _log_ruling(
    result: RatingEvent, kind: str, by: int | None, why: str, now: datetime, seats: Sequence[Sequence[object]] = ()
) -> None:
    RatingEvent.objects.create(
        kind=kind,
        match_id=result.match_id,
        pool=result.pool,
        day=_open_day(now),
        seats=list(seats),
        reason=result.reason,
        code=result.code,
        by_id=by,
        why=why[:200],
        finished_at=result.finished_at,
        logged_at=now,
    )


def _replay(results: Iterable[RatingEvent]) -> None:
    """Rate again from the first day of these results on, in their pools and in the one of all games."""
    first: dict[str, int] = {}
    for result in results:
        for pool in (result.pool, OVERALL):
            first[pool] = min(result.day, first.get(pool, result.day))
    for pool, day in first.items():
        replays.into(replays.STORED, pool, day)


def _rate(pool: str, event: RatingEvent) -> None:
    """Add a counted result of today to the cards of its seats. Eight queries, however many sit there."""
    players = [int(player) for player in counted(logged(event)).ranks]
    before = replays.cards_before(replays.STORED, pool, event.day, players)
    changes = []
    for player in players:
        start = grown(before[player].rating if player in before else None, event.day, params_of(pool))
        changes.append(
            RatingChange(event=event, pool=pool, user_id=player, day=event.day, start_r=start.r, start_rd=start.rd)
        )
    RatingChange.objects.bulk_create(changes)
    _recompute(pool, players, event.day, before)


def _recompute(pool: str, players: Sequence[int], day: int, before: Mapping[Player, Card]) -> None:
    """Cards from the results of the day and the cards of the day before."""
    todays = RatingChange.objects.filter(pool=pool, user__in=players, day=day).select_related("event").order_by("event")
    own: dict[int, list[RatingChange]] = {player: [] for player in players}
    for change in todays:
        own[change.user_id].append(change)
    ruled = replays.rulings({change.event.match_id for changes in own.values() for change in changes})
    starts: dict[int, dict[Player, Strength]] = {}
    for event_id, user_id, r, rd in RatingChange.objects.filter(
        pool=pool, event__in={change.event_id for changes in own.values() for change in changes}
    ).values_list("event_id", "user_id", "start_r", "start_rd"):
        starts.setdefault(event_id, {})[user_id] = Strength(r, rd, day)
    cards = []
    for player, changes in own.items():
        results = [counted(logged(change.event, ruled.get(change.event.match_id, NONE))) for change in changes]
        parts = [
            part_of(player, result.ranks, starts[change.event_id])
            for change, result in zip(changes, results, strict=True)
        ]
        start = starts[changes[0].event_id][player]
        for change, part in zip(changes, parts, strict=True):
            change.change = change_by(part, start, parts)
        card = card_after(before.get(player), player, after_day(start, parts, params_of(pool)), results)
        cards.append((player, card))
    RatingChange.objects.bulk_update([change for changes in own.values() for change in changes], ["change"])
    _store(pool, cards)


def _store(pool: str, cards: Iterable[tuple[int, Card]]) -> None:
    days, newest = [], []
    for player, card in cards:
        fields = {
            "pool": pool,
            "user_id": player,
            "day": card.rating.day,
            "r": card.rating.r,
            "rd": card.rating.rd,
            "games": card.games,
            "wins": card.wins,
            "draws": card.draws,
            "losses": card.losses,
            "peak": card.peak,
        }
        days.append(RatingDay(**fields))
        newest.append(Rating(**fields, shown_until=shown_until(card.rating, card.games, params_of(pool))))
    counts = ["r", "rd", "games", "wins", "draws", "losses", "peak"]
    RatingDay.objects.bulk_create(
        days, update_conflicts=True, unique_fields=["pool", "user", "day"], update_fields=counts
    )
    Rating.objects.bulk_create(
        newest,
        update_conflicts=True,
        unique_fields=["pool", "user"],
        update_fields=[*counts, "day", "shown_until"],
    )
