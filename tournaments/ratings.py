"""Every write of ratings: the result log, and the cards that follow from it (docs/competition.md, 2).

    record_result   one finished match: one row of the log, and the cards of its seats
    void, unvoid    a ruling that a result does not count: one more row, and a replay from that day on
    rebuild         all cards again from the log
    award_ranks     permanent ranks reached by the end of a day

One writer at a time, by an advisory lock. All results of a day use the ratings of its morning, so a card is touched
only by its own results, and their order cannot show. A day is never reopened: rows get the day they are applied on.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db import connection, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from oceans.queries import Ended
from oceans.refusals import Refusal
from tournaments import ranks
from tournaments.endings import reason_of
from tournaments.models import EventMatch, Rating, RatingChange, RatingDay, RatingEvent, TitleHeld
from tournaments.players import Player
from tournaments.rate import Rating as Strength
from tournaments.rate import after_day, change_by, grown, part_of
from tournaments.result_log import OVERALL, Card, LoggedResult, LoggedSeat, card_after, code_of, counted

LOCK: Final = 0x726174696E67
"""The advisory lock of PostgreSQL that makes one applier of all."""
DAY_S: Final = 86_400
COUNTED: Final = "ok"


def day_of(now: datetime) -> int:
    """The UTC date of an instant as days since 1970."""
    return int(now.timestamp() // DAY_S)


def record_result(ended: Ended, now: datetime) -> bool:
    """Log a finished match and rate it, once; False if that has been done or there is nothing to log."""
    if ended.places is None or len(ended.users) < 2 or ended.finished_at is None:
        return False
    with _alone():
        if RatingEvent.objects.filter(match=ended.id, kind=RatingEvent.Kind.RESULT).exists():
            return False
        newest = RatingEvent.objects.aggregate(day=Max("day"))["day"] or 0
        event = RatingEvent(
            match_id=ended.id,
            pool=ended.game,
            day=max(day_of(now), newest),
            seats=[list(seat) for seat in zip(ended.users, ended.places, ended.moved, ended.bots, strict=True)],
            rated=ended.was_to_count,
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
    _rule(match_id, RatingEvent.Kind.VOID, by, why, now)


def unvoid(match_id: int, by: int | None, why: str, now: datetime) -> None:
    """Take such a ruling back. Raises Refusal if there is none."""
    _rule(match_id, RatingEvent.Kind.UNVOID, by, why, now)


def rebuild() -> int:
    """All cards again, from the log alone; return how many there are. Readers see the old ones until it is done."""
    with _alone():
        pools = set(RatingEvent.objects.values_list("pool", flat=True)) | {OVERALL}
        for pool in sorted(pools):
            _replay(pool, 0)
        return Rating.objects.count()


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


def logged(event: RatingEvent, *, is_void: bool = False) -> LoggedResult:
    """A row of the log as the pure functions read it."""
    seats = tuple(LoggedSeat(user, rank, moved, bot) for user, rank, moved, bot in event.seats)
    return LoggedResult(
        number=event.match_id,
        pool=event.pool,
        day=event.day,
        seats=seats,
        rated=event.rated,
        reason=event.reason,
        related=event.related,
        streak=event.streak,
        void=is_void,
    )


def whole_log() -> list[LoggedResult]:
    """Every result with the rulings on it."""
    voided = _voided()
    results = RatingEvent.objects.filter(kind=RatingEvent.Kind.RESULT).order_by("pk")
    return [logged(event, is_void=event.match_id in voided) for event in results.iterator()]


def strength_on(card: Rating | None, day: int) -> Strength:
    """How strong a player is on a day; None is a newcomer."""
    return grown(Strength(card.r, card.rd, card.day) if card else None, day)


@contextmanager
def _alone() -> Iterator[None]:
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        yield


def _reason(ended: Ended) -> str:
    """The finish reason, or the one an event gave to a match that it closed."""
    closed = EventMatch.objects.filter(match=ended.id).exclude(reason="").values_list("reason", flat=True).first()
    return "abandoned" if closed == "abandoned" else reason_of(ended)


def _rule(match_id: int, kind: str, by: int | None, why: str, now: datetime) -> None:
    with _alone():
        result = RatingEvent.objects.filter(match=match_id, kind=RatingEvent.Kind.RESULT).first()
        if result is None:
            raise Refusal(_("This game has no result yet, so there is nothing to rule on."))
        if (match_id in _voided()) == (kind == RatingEvent.Kind.VOID):
            raise Refusal(_("That is how this result counts already."))
        RatingEvent.objects.create(
            kind=kind,
            match_id=match_id,
            pool=result.pool,
            day=max(day_of(now), result.day),
            reason=result.reason,
            code=result.code,
            by_id=by,
            why=why[:200],
            finished_at=result.finished_at,
            logged_at=now,
        )
        for pool in (result.pool, OVERALL):
            _replay(pool, result.day)


def _voided() -> set[int]:
    """Matches whose last ruling is that they do not count."""
    rulings = RatingEvent.objects.exclude(kind=RatingEvent.Kind.RESULT).order_by("pk").values_list("match_id", "kind")
    return {match_id for match_id, kind in dict(rulings).items() if kind == RatingEvent.Kind.VOID}


def _rate(pool: str, event: RatingEvent) -> None:
    """Add a counted result of today to the cards of its seats."""
    players = [int(player) for player in counted(logged(event)).ranks]
    before = _cards_before(pool, players, event.day)
    changes = []
    for player in players:
        start = grown(before[player].rating if player in before else None, event.day)
        changes.append(
            RatingChange(event=event, pool=pool, user_id=player, day=event.day, start_r=start.r, start_rd=start.rd)
        )
    RatingChange.objects.bulk_create(changes)
    for player in players:
        _recompute(pool, player, event.day, before.get(player))


def _recompute(pool: str, player: int, day: int, before: Card | None) -> None:
    """A card from its results of the day and the card of the day before."""
    own = list(RatingChange.objects.filter(pool=pool, user=player, day=day).select_related("event"))
    starts: dict[int, dict[Player, Strength]] = {change.event_id: {} for change in own}
    for change in RatingChange.objects.filter(pool=pool, event__in=starts):
        starts[change.event_id][change.user_id] = Strength(change.start_r, change.start_rd, day)
    results = [counted(logged(change.event)) for change in own]
    parts = [
        part_of(player, result.ranks, starts[change.event_id]) for change, result in zip(own, results, strict=True)
    ]
    start = starts[own[0].event_id][player]
    for change, part in zip(own, parts, strict=True):
        change.change = change_by(part, start, parts)
    RatingChange.objects.bulk_update(own, ["change"])
    _store(pool, player, card_after(before, player, after_day(start, parts), results))


def _store(pool: str, player: int, card: Card) -> None:
    fields = {
        "r": card.rating.r,
        "rd": card.rating.rd,
        "games": card.games,
        "wins": card.wins,
        "draws": card.draws,
        "losses": card.losses,
        "peak": card.peak,
    }
    RatingDay.objects.update_or_create(pool=pool, user_id=player, day=card.rating.day, defaults=fields)
    Rating.objects.update_or_create(pool=pool, user_id=player, defaults={**fields, "day": card.rating.day})


def _cards_before(pool: str, players: Iterable[int], day: int) -> dict[int, Card]:
    """The cards as they stood before a day; none for newcomers."""
    history = RatingDay.objects.filter(pool=pool, user__in=list(players), day__lt=day).order_by("day")
    return {row.user_id: card_of(row) for row in history}


def card_of(row: Rating | RatingDay) -> Card:
    """A stored card as the pure functions read it."""
    return Card(Strength(row.r, row.rd, row.day), row.games, row.wins, row.draws, row.losses, row.peak)


def _replay(pool: str, day: int) -> None:
    """Forget everything of a pool from a day on and rate it again from the log."""
    RatingChange.objects.filter(pool=pool, day__gte=day).delete()
    RatingDay.objects.filter(pool=pool, day__gte=day).delete()
    touched = list(Rating.objects.filter(pool=pool, day__gte=day).values_list("user", flat=True))
    Rating.objects.filter(pool=pool, user__in=touched).delete()
    for player, card in _cards_before(pool, touched, day).items():
        _store(pool, player, card)
    voided = _voided()
    events = RatingEvent.objects.filter(kind=RatingEvent.Kind.RESULT, code=COUNTED, day__gte=day).order_by("day", "pk")
    if pool != OVERALL:
        events = events.filter(pool=pool)
    for event in events.exclude(match__in=voided):
        _rate(pool, event)
