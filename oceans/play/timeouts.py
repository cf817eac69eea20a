"""What happens when time runs out (docs/correspondence.md, 4). One routine decides, under the lock of the match; it is
called by the tick and by a move that comes too late, so exactly one ending is ever stored."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from accounts import holidays, news
from oceans import ledger, rated_games
from oceans.models import Match, Seat, TimeOut
from oceans.play import clocks
from oceans.play.transition import Position, advance, cancel, locked, running, tell
from oceans.refusals import Busy, NotRunning
from oceans.rules import engine
from oceans.rules.engine import MatchState
from oceans.rules.look import look

Outcome = TimeOut.Outcome

MOST_ATTEMPTS: Final = 5
"""Failures in a row after which a match is parked."""
ABANDONED_AFTER: Final = timedelta(days=30)
"""How long an untimed match waits for anybody to come back."""


def run_out_clock(*, match_id: int, now: datetime) -> bool:
    """Answer for every seat whose time is over; False if none is, for somebody moved first or another run judges, or
    if it must wait for the next tick."""
    try:
        with running(match_id, now, skip_locked=True) as here:
            judged = judge(here)
            if not judged:
                clocks.note_earliest(here)
                here.match.save(update_fields=["due_s"])
    except (NotRunning, Busy):
        return False
    return judged


def judge(here: Position) -> bool:
    """Judge the seats whose time is over, if there are any, and store what follows. Whether there were any.

    Raises Busy if a day of leave may have to be spent for somebody whose leave is being changed at this moment.
    """
    late = [seat for seat in here.seats if seat.effective_s is not None and seat.effective_s <= here.service_s]
    if not late:
        return False
    spent = [seat for seat in late if _spend_leave(here, seat)]
    for seat in spent:
        _write(here, seat, Outcome.LEAVE_SPENT, spent_days=1)
        clocks.add_leave_day(here, seat)
    late = [seat for seat in late if seat not in spent]
    if late:
        _decide(here, late)
    else:
        clocks.note_earliest(here)
        here.match.save(update_fields=["due_s"])
        for seat in spent:
            ledger.write_seat(seat)
    return True


def outcome_for(match: Match, seats: Sequence[Seat], seat: Seat) -> Outcome:
    """What it means if this seat alone is out of time and no leave is spent, as things are now (table 4)."""
    if _is_unbegun(match, seats, seat) and _cancels_unbegun(match):
        return Outcome.CANCELLED
    if match.seat_count == 2:
        return Outcome.LOST if seat.has_moved else Outcome.FORFEITED
    return Outcome.RETIRED if seat.misses + 1 >= match.patience else Outcome.DEFAULT_MOVE


def takes_leave(match: Match, seats: Sequence[Seat], seat: Seat) -> bool:
    """Whether a day of leave may be spent instead, if its player has one and wants that."""
    return clocks.allows_leave(match, seat) and not _is_unbegun(match, seats, seat)


def end_abandoned(now: datetime, limit: int = 50) -> int:
    """End matches without a clock in which nobody has moved or been seen for a month; return how many."""
    since = now - ABANDONED_AFTER
    quiet = Match.objects.filter(status=Match.Status.RUNNING, due_s=None, moved_at__lt=since)
    quiet = quiet.exclude(seats__user__last_seen_at__gte=since)
    ended = 0
    for match_id in list(quiet.order_by("moved_at").values_list("pk", flat=True)[:limit]):
        with locked(match_id, now, skip_locked=True) as here:
            moved_at = here.match.moved_at
            if here.match.is_running and here.match.due_s is None and moved_at is not None and moved_at < since:
                cancel(here, Match.EndedBy.ABANDONED)
                ended += 1
    return ended


def note_failure(*, match_id: int, now: datetime) -> bool:
    """Count a failed attempt to play on without a person; after several the match is parked and its clocks stand.
    Whether it is parked now."""
    with locked(match_id, now) as here:
        match = here.match
        match.attempts += 1
        if match.is_running and match.attempts >= MOST_ATTEMPTS:
            match.status, match.parked_at, match.due_s = Match.Status.PARKED, now, None
            for seat in here.seats:
                clocks.stop(here, seat)
                seat.is_due = False
                ledger.write_seat(seat)
        match.save(update_fields=["attempts", "status", "parked_at", "due_s"])
        return match.status == Match.Status.PARKED


def unpark(*, match_id: int, now: datetime) -> None:
    """Let a parked match go on, clocks where they stood. Raises NotRunning if it is not parked."""
    with locked(match_id, now) as here:
        match = here.match
        if match.status != Match.Status.PARKED:
            raise NotRunning
        match.status, match.parked_at, match.attempts = Match.Status.RUNNING, None, 0
        here.before = ledger.load(match)
        for number in ledger.due_seats(here.state):
            here.seats[number].is_due = True
            clocks.run(here, here.state, here.seats[number])
            ledger.write_seat(here.seats[number])
        clocks.note_earliest(here)
        match.save(update_fields=["status", "parked_at", "attempts", "due_s"])


def _decide(here: Position, late: Sequence[Seat]) -> None:
    """Table 4: what it means that these seats are out of time."""
    match, state = here.match, here.state
    two = match.seat_count == 2
    if any(_is_unbegun(match, here.seats, seat) for seat in late) and _cancels_unbegun(match):
        _write_all(here, late, Outcome.CANCELLED)
        rated_games.note_no_show(match, [seat.user_id for seat in late if not seat.has_moved], here.now)
        cancel(here, Match.EndedBy.NEVER_MOVED)
        return
    if two and len(late) == 2:
        _write_all(here, late, Outcome.DRAWN)
        advance(here, engine.draw(state), ended_by=Match.EndedBy.DRAWN_ON_TIME)
        return
    if two:
        (seat,) = late
        _write_all(here, late, outcome_for(match, here.seats, seat))
        if not seat.has_moved:
            rated_games.note_no_show(match, [seat.user_id], here.now)
        advance(here, engine.retire(state, seat.number), ended_by=Match.EndedBy.TIME)
        return
    _play_defaults(here, late)


def _is_unbegun(match: Match, seats: Iterable[Seat], seat: Seat) -> bool:
    """Whether the seat was never taken up: of two seats one without a move, of more any as long as nobody moved."""
    if match.seat_count == 2:
        return not seat.has_moved
    return not any(other.has_moved for other in seats)


def _cancels_unbegun(match: Match) -> bool:
    """Whether a first move that was never made cancels the match; in events it does not, but on ladders."""
    return not match.event or match.event.startswith("ladder:")


def _play_defaults(here: Position, late: Sequence[Seat]) -> None:
    """Three seats or more: the game answers for those who are late; who was late too often is retired."""
    after = here.state
    for seat in late:
        after = _default_for(after, seat.number)
        seat.misses += 1
    leaving = [seat for seat in late if seat.misses >= here.match.patience]
    for seat in leaving:
        if after.over is None and seat.number in after.progress().staying:
            after = engine.retire(after, seat.number)
    _write_all(here, [seat for seat in late if seat not in leaving], Outcome.DEFAULT_MOVE)
    _write_all(here, leaving, Outcome.RETIRED)
    orders = ledger.orders_of(here.match, after.game)
    after, left = engine.settle(after, orders)
    turn = here.state.turn
    advance(
        here, after, orders=left, orders_before=orders, ended_by=Match.EndedBy.TIME if leaving else Match.EndedBy.PLAYED
    )
    if after.over is None:
        for seat in late:
            tell(here, seat, news.Kind.TIMED_OUT, f"turn{turn}", turn=turn)


def _default_for(state: MatchState, seat: int) -> MatchState:
    due = engine.due(state)
    if due is None or seat not in due.asks:
        return state
    move = state.game.on_clock(look(state, seat), due.asks[seat])
    return engine.submit(state, seat, move, cause="clock")


def _spend_leave(here: Position, seat: Seat) -> bool:
    """Spend a day of leave instead, if the match and the player allow it; says so once for all matches it serves.

    Where nobody is told who is asked it serves this match alone: a clock elsewhere that gains a day would tell.
    """
    known = [seat] if engine.is_unnamed(here.state) else here.seats
    if seat.is_bot or not takes_leave(here.match, known, seat):
        return False
    try:
        if not holidays.spend_day(seat.user_id, here.now):
            return False
    except holidays.Busy:
        raise Busy from None
    others = [] if engine.is_unnamed(here.state) else clocks.serve_leave_elsewhere(here, seat)
    tell(here, seat, news.Kind.LEAVE_SPENT, f"leave{seat.deadline_s}", matches=[here.match.pk, *others])
    return True


def _write_all(here: Position, seats: Iterable[Seat], outcome: str) -> None:
    for seat in seats:
        _write(here, seat, outcome)


def _write(here: Position, seat: Seat, outcome: str, spent_days: int = 0) -> None:
    assert seat.started_s is not None and seat.deadline_s is not None and seat.effective_s is not None
    TimeOut.objects.create(
        match=here.match,
        seat=seat.number,
        user_id=seat.user_id,
        turn=here.match.turn,
        started_s=seat.started_s,
        deadline_s=seat.deadline_s,
        effective_s=seat.effective_s,
        judged_s=here.service_s,
        judged_at=here.now,
        outcome=outcome,
        spent_days=spent_days,
    )
