"""How the clocks of a match go on when the turn passes (docs/correspondence.md, 1 to 3); the arithmetic is clock.py's.

A clock runs exactly while its seat must answer and has not. It gets its increment when the turn passes: when, after an
answer, somebody else must decide too or instead, or has decided at once by a standing order. A run of answers by one
seat is one visit and earns nothing. Where a game does not say whom it waits for, clocks come out of the wait as they
went into it: what was used up or earned would tell who was asked.
"""

from dataclasses import asdict, fields
from datetime import datetime
from typing import TYPE_CHECKING

from accounts import leave
from oceans import clock, ledger
from oceans.clock import Freezes, Pace, SeatClock
from oceans.models import Match, Seat
from oceans.rules import engine
from oceans.rules.engine import MatchState

if TYPE_CHECKING:
    from oceans.play.transition import Position

ANSWERS = ("seat", "order", "clock")
"""Causes of log entries that earn a seat its increment."""
COLUMNS = tuple(field.name for field in fields(SeatClock))


def pass_turn(here: "Position", after: MatchState) -> list[Seat]:
    """Stop, credit and start the clocks of a match that goes from `here.before` to `after`, on the rows in hand.

    Returns the seats whose turn begins.
    """
    before = here.before
    if before is None:
        for seat in here.seats:
            put(seat, clock.fresh(_pace(here)))
        return _begin_turns(here, after, ledger.due_seats(after))
    was_due, is_due = ledger.due_seats(before), ledger.due_seats(after)
    if before.turn == after.turn:
        for number in was_due - is_due:
            stop(here, here.seats[number])
        return _begin_turns(here, after, is_due - was_due)
    if engine.is_unnamed(before):
        for number in was_due:
            stop(here, here.seats[number])
        return _begin_turns(here, after, is_due)
    entries = after.log[len(before.log) :]
    asked, asks = _asked(before), _asked(after)
    answered = {entry.seat for entry in entries if entry.cause in ANSWERS}
    is_one_visit = len(asked) == 1 and asked == asks and answered <= asked
    if is_one_visit and not any(entry.cause == "clock" for entry in entries):
        return []
    for number in asked:
        stop(here, here.seats[number])
    # An order that has answered and now asks its owner alone has not handed over.
    goes_on = asks - asked if len(asks) == 1 else frozenset()
    for number in sorted(answered - goes_on):
        seat = here.seats[number]
        if leave_of(here, seat) is None:
            put(seat, clock.credit(_pace(here), clock_of(seat)))
    return _begin_turns(here, after, is_due)


def run(here: "Position", after: MatchState, seat: Seat) -> None:
    """Let a seat's clock run from now on, at this state of the match."""
    seat.held_s = seat.bank_s if engine.is_unnamed(after) else None
    put(seat, clock.resume(_pace(here), clock_of(seat), here.now_s, freezes_of(here, seat)))


def stop(here: "Position", seat: Seat) -> None:
    """Let a seat's clock stand with what is left, or with what it had where nobody is told who is asked: neither what
    was used nor a day of leave that was spent may show afterwards."""
    if seat.held_s is not None:
        put(seat, SeatClock(seat.held_s))
        seat.held_s = None
    else:
        put(seat, clock.stop(clock_of(seat), here.now_s, freezes_of(here, seat)))


def add_gift(here: "Position", seat: Seat) -> bool:
    """Add what an opponent gives; False if the clock is as full as it may be, or there is none."""
    pace, old = _pace(here), clock_of(seat)
    new = clock.give_time(pace, old, here.now_s, freezes_of(here, seat)) if pace.is_timed else old
    put(seat, new)
    return new != old


def add_leave_day(here: "Position", seat: Seat) -> None:
    """Add the day of leave that was spent for this seat."""
    put(seat, clock.extend(clock_of(seat), clock.DAY, here.now_s, freezes_of(here, seat)))
    seat.leave_days += 1


def serve_leave_elsewhere(here: "Position", seat: Seat) -> list[int]:
    """Let the day that was spent at this seat serve the player's other running clocks too; return their matches.

    Those matches are not locked: a clock that stops at this very moment needs no day, and their earliest deadline is
    put right when the tick looks at them.
    """
    others = Seat.objects.filter(user=seat.user_id, deadline_s__isnull=False, match__status=Match.Status.RUNNING)
    served = []
    for other in others.exclude(match=here.match).select_related("match").order_by("match"):
        if not allows_leave(other.match, other):
            continue
        frozen = clock.freezes_at(here.now, here.now_s, weekend=other.match.weekend)
        longer = clock.extend(clock_of(other), clock.DAY, here.now_s, frozen)
        same = Seat.objects.filter(pk=other.pk, deadline_s=other.deadline_s)
        if same.update(**asdict(longer), leave_days=other.leave_days + 1):
            served.append(other.match_id)
    return served


def note_earliest(here: "Position") -> None:
    """Set when the match must be looked at next, on the row in hand."""
    ends = (seat.effective_s for seat in here.seats if seat.effective_s is not None)
    here.match.due_s = min(ends, default=None)


def allows_leave(match: Match, seat: Seat) -> bool:
    """Whether the seat may use one more day of leave in this match."""
    return leave_days_left(match, seat) > 0


def leave_days_left(match: Match, seat: Seat) -> int:
    """How many more days of leave the match allows the seat."""
    if match.leave_allowed == "all":
        return leave.MOST
    return 0 if match.leave_allowed == "none" else max(0, int(match.leave_allowed) - seat.leave_days)


def leave_of(here: "Position", seat: Seat) -> tuple[datetime, datetime] | None:
    """The span for which the leave that the player is on stops the seat's clock; None if it does not."""
    if seat.is_bot or not allows_leave(here.match, seat):
        return None
    taken = here.leave_of(seat.user_id)
    if taken is None or taken.begun_at is None:
        return None
    days = min(taken.days, leave_days_left(here.match, seat))
    return taken.begun_at, leave.ends_at(taken.begun_at, days)


def freezes_of(here: "Position", seat: Seat) -> Freezes:
    """When the seat's clock stands."""
    return clock.freezes_at(here.now, here.now_s, weekend=here.match.weekend, leave=leave_of(here, seat))


def clock_of(seat: Seat) -> SeatClock:
    """The clock in the columns of a seat."""
    return SeatClock(**{column: getattr(seat, column) for column in COLUMNS})


def put(seat: Seat, new: SeatClock) -> None:
    """Set the columns of a seat from a clock."""
    for column in COLUMNS:
        setattr(seat, column, getattr(new, column))


def _pace(here: "Position") -> Pace:
    return clock.PACES[here.match.pace]


def _asked(state: MatchState) -> frozenset[int]:
    due = engine.due(state)
    return frozenset(due.asks) if due else frozenset()


def _begin_turns(here: "Position", after: MatchState, numbers: frozenset[int]) -> list[Seat]:
    begun = [here.seats[number] for number in sorted(numbers)]
    for seat in begun:
        seat.turn_since_at = here.now
        run(here, after, seat)
    return begun
