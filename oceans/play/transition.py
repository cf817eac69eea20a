"""One step of one match: locked, loaded, moved on by the kernel, recorded, and followed by what it owes to others."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts import failpoints, news
from accounts.models import Leave
from accounts.notices import notify
from accounts.queries import leaves_now
from oceans import effects, ledger
from oceans.models import Match, Seat, ServiceClock, TimeOut
from oceans.play import bots, clocks
from oceans.refusals import NotRunning
from oceans.rules import engine
from oceans.rules.engine import MatchState
from oceans.rules.orders import Orders

TURN_NEWS_AFTER: Final = timedelta(minutes=30)
"""How long a player has to come back by himself before he is told that it is his turn."""

ON_TIME: Final = (Match.EndedBy.TIME, Match.EndedBy.DRAWN_ON_TIME)
STREAK: Final = "streak"
"""Why a rated match lost on time may not count: the player lost on time before and finished none normally since."""

# Every move asks this; the ORM would take longer to put it together than all else under the lock.
SEATS: Final = """
    SELECT seat.*, person.is_bot, person.email
    FROM oceans_seat seat JOIN accounts_user person ON person.id = seat.user_id
    WHERE seat.match_id = %s ORDER BY seat.number
"""


@dataclass(slots=True)
class Position:
    """A match under its lock: its rows, its state, and the time.

    `seats` are in order of their numbers; each knows `is_bot` and `email` of its user. `service_s` is what deadlines
    are judged by; a turn that begins now begins at `now_s`. `calls_bots`: bots that are due answer after the commit.
    """

    match: Match
    seats: list[Seat]
    now: datetime
    service_s: int
    now_s: int
    before: MatchState | None = field(default=None, repr=False)
    """The state as far as it is stored; None where the match has not begun or nobody asked."""
    calls_bots: bool = True
    _away: dict[int, Leave] | None = None

    @property
    def state(self) -> MatchState:
        """The state of a match that was loaded."""
        assert self.before is not None
        return self.before

    def leave_of(self, user_id: int) -> Leave | None:
        """The leave that a player is on; the first question costs one query."""
        if self._away is None:
            users = [seat.user_id for seat in self.seats]
            away = leaves_now().filter(user__in=users)
            self._away = {one.user_id: one for one in away}
        return self._away.get(user_id)

    def seat_of(self, user_id: int) -> Seat | None:
        return next((seat for seat in self.seats if seat.user_id == user_id), None)


@contextmanager
def locked(match_id: int, now: datetime, *, skip_locked: bool = False) -> Iterator[Position]:
    """A transaction that holds the lock of a match. Raises NotRunning if there is no such match, or if it is locked
    by somebody else and should be skipped."""
    with transaction.atomic():
        row = Match.objects.select_for_update(no_key=True, skip_locked=skip_locked).filter(pk=match_id).first()
        if row is None:
            raise NotRunning
        failpoints.reach("move.locked")
        service = ServiceClock.objects.first() or ServiceClock(last_wall=now)
        yield Position(row, seats_of(row), now, service.service_s, service.at(now))
        failpoints.reach("move.before_commit")
    failpoints.reach("move.after_commit")


@contextmanager
def running(match_id: int, now: datetime, *, skip_locked: bool = False) -> Iterator[Position]:
    """`locked`, with the state of a running match. Raises NotRunning if it is not running."""
    with locked(match_id, now, skip_locked=skip_locked) as here:
        if not here.match.is_running:
            raise NotRunning
        here.before = ledger.load(here.match)
        yield here


def seats_of(match: Match) -> list[Seat]:
    """The seats of a match with what play needs to know of their users."""
    return [ledger.remember(seat) for seat in Seat.objects.raw(SEATS, [match.pk])]


def started(here: Position) -> None:
    """Deal the first cards to the seats in `here`, which are not stored yet, and start the clocks."""
    match = here.match
    Seat.objects.bulk_create(here.seats)
    match.status, match.started_at = Match.Status.RUNNING, here.now
    here.seats = seats_of(match)
    after, orders = engine.settle(engine.start(ledger.setup_of(match), ledger.keys_of(match)))
    advance(here, after, orders=orders)


def advance(
    here: Position,
    after: MatchState,
    *,
    actor: int | None = None,
    orders: Orders | None = None,
    orders_before: Orders | None = None,
    ended_by: str = Match.EndedBy.PLAYED,
) -> None:
    """Store that the match went on to `after`, with all that follows for clocks, result and news.

    `actor` is the seat whose own answer did it, None if no person did. `orders` are the standing orders left.
    """
    before, match = here.before, here.match
    waited = _visit(here, after, actor)
    fresh = clocks.pass_turn(here, after)
    if after.over is not None:
        finish(here, ended_by)
    clocks.note_earliest(here)
    match.attempts = 0
    ledger.record(
        match,
        here.seats,
        before,
        after,
        now=here.now,
        orders=orders,
        orders_before=orders_before,
        waited_s=waited,
    )
    here.before = after
    for seat in fresh:
        if seat.number != actor:
            _tell_turn(here, seat)
    if here.calls_bots and any(seat.is_bot and seat.is_due for seat in here.seats):
        bots.follow(match.pk, here.now)


def finish(here: Position, ended_by: str) -> None:
    """End the match with a result, on the rows in hand; the caller records them."""
    match = here.match
    match.status, match.finished_at, match.ended_by = Match.Status.FINISHED, here.now, ended_by
    if match.rated and ended_by in ON_TIME and _is_streak(here):
        match.unrated_because = STREAK
    _end_seats(here)
    for seat in here.seats:
        tell(here, seat, news.Kind.RESULT, "end")
    effects.owe_end(match.pk, here.now)


def cancel(here: Position, reason: str) -> None:
    """End the match without a result and store that. Those who sat at it are told."""
    match = here.match
    had_begun = match.started_at is not None
    match.status, match.finished_at, match.ended_by = Match.Status.CANCELLED, here.now, reason
    match.due_s = None
    match.save(update_fields=["status", "finished_at", "ended_by", "due_s"])
    _end_seats(here)
    for seat in here.seats:
        ledger.write_seat(seat)
        tell(here, seat, news.Kind.CANCELLED, "end")
    ledger.clear_waiting(match)
    if had_begun or match.event:
        effects.owe_end(match.pk, here.now)


def tell(
    here: Position, seat: Seat, kind: str, what: str, *, after: timedelta = timedelta(), **context: object
) -> None:
    """Owe the person at a seat one piece of news about the match; house bots and people without mail get none."""
    if seat.is_bot or not seat.email:
        return
    notify(
        user_id=seat.user_id,
        kind=kind,
        key=f"m{here.match.pk}:{what}",
        context={"match": here.match.pk, "seat": seat.number, **context},
        now=here.now,
        due_at=here.now + after,
    )


def _tell_turn(here: Position, seat: Seat) -> None:
    turn = here.match.turn
    tell(here, seat, news.Kind.YOUR_TURN, f"turn{turn}", after=TURN_NEWS_AFTER, turn=turn)


def _visit(here: Position, after: MatchState, actor: int | None) -> dict[int, int]:
    """Note who has played: by own hand or by order. Returns how long the actor took, if his visit begins with this."""
    known = len(here.before.log) if here.before else 0
    playing = {entry.seat for entry in after.log[known:] if entry.cause in ("seat", "order")} | {actor}
    for seat in here.seats:
        if seat.number in playing:
            seat.misses, seat.has_moved = 0, True
    since = here.seats[actor].turn_since_at if actor is not None else None
    if actor is None or since is None:
        return {}
    here.seats[actor].turn_since_at = None
    return {actor: max(0, int((here.now - since).total_seconds()))}


def _end_seats(here: Position) -> None:
    for seat in here.seats:
        clocks.stop(here, seat)
        seat.is_due, seat.turn_since_at, seat.ended_at = False, None, here.now


def _is_streak(here: Position) -> bool:
    """Whether a seat that ran out of time now had lost on time before, with no match finished normally since."""
    late = here.match.time_outs.filter(judged_at=here.now).values_list("user_id", flat=True)
    return any(_lost_on_time_lately(user_id, here.match.pk) for user_id in late)


def _lost_on_time_lately(user_id: int, match_id: int) -> bool:
    lost = (TimeOut.Outcome.LOST, TimeOut.Outcome.FORFEITED, TimeOut.Outcome.DRAWN, TimeOut.Outcome.RETIRED)
    own = TimeOut.objects.filter(user_id=user_id, outcome__in=lost)
    last = own.exclude(match=match_id).order_by("judged_at").last()
    if last is None:
        return False
    # Others may have played to its end a match from which he was retired.
    normal = Seat.objects.filter(
        ~Exists(own.filter(match=OuterRef("match"))),
        user_id=user_id,
        ended_at__gt=last.judged_at,
        match__status=Match.Status.FINISHED,
        match__ended_by__in=(Match.EndedBy.PLAYED, Match.EndedBy.RESIGNED),
    )
    return not normal.exclude(match=match_id).exists()
