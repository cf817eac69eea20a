"""What leave and outages do to the clocks of running matches, beyond what a turn works into its deadline when it
starts. Each function runs inside one transaction or is safe to repeat; matches are locked in order of their ids.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from accounts import holidays, leave
from accounts.queries import leaves_now
from oceans import clock, ledger
from oceans.clock import SeatClock
from oceans.models import Match, Outage, Seat
from oceans.play import clocks
from oceans.play.transition import Position, locked

Change = Callable[[Position, Seat], SeatClock]
"""What becomes of a running clock."""


def register() -> None:
    """Be told when leave begins and ends; once, from AppConfig.ready."""
    holidays.register(on_begin=begin, on_end=end)


def begin(user_id: int, begun: datetime, until: datetime) -> None:
    """Leave begins: the player's clocks stand in all matches that allow it, and have a day at least afterwards.

    A clock that has run out already is left to be judged as of its deadline.
    """
    for match_id in _running(user_id):
        _change(match_id, begun, user_id, _frozen)


def end(user_id: int, at: datetime) -> None:
    """Leave ends, by hand or by itself: clocks run from that moment on, those that run with a day at least. To be
    called while the leave is still open."""
    current = leaves_now().get(user=user_id)
    days = leave.days_used(current.begun_at or current.starts_at, at)
    for match_id in _running(user_id):
        _change(match_id, at, user_id, partial(_thawed, days=days))


def make_good(now: datetime, budget_s: float = 20.0, seconds: Callable[[], float] = time.monotonic) -> bool:
    """After long outages: give every clock that ran through one a day at least, counted from its end. Whether all of
    them have it now; nobody is timed out before."""
    until = seconds() + budget_s
    for outage in Outage.objects.filter(is_made_good=False).order_by("id"):
        for match_id in _short_after(outage.at_s, now):
            if seconds() >= until:
                return False
            _change(match_id, now, None, partial(_made_good, at_s=outage.at_s))
        Outage.objects.filter(pk=outage.pk).update(is_made_good=True)
    return True


def _running(user_id: int) -> list[int]:
    seats = Seat.objects.filter(user=user_id, ended_at=None, match__status=Match.Status.RUNNING)
    return list(seats.exclude(match__leave_allowed="none").order_by("match").values_list("match_id", flat=True))


def _short_after(at_s: int, now: datetime) -> list[int]:
    """Matches with a clock that may have had less than a day left at that second. Weekends may lie before its end."""
    end_s = at_s + clock.LEAST_AFTER_FREEZE_S
    ran = Seat.objects.filter(started_s__lte=at_s, deadline_s__isnull=False, match__status=Match.Status.RUNNING)
    short = ran.filter(match__weekend=False, deadline_s__lt=end_s) | ran.filter(
        match__weekend=True, deadline_s__lt=end_s + clock.WEEKEND_S
    )
    return sorted(set(short.values_list("match_id", flat=True)))


def _change(match_id: int, now: datetime, user_id: int | None, change: Change) -> None:
    """Change the running clocks of a match (of one player, or of all) under its lock."""
    with locked(match_id, now) as here:
        if not here.match.is_running:
            return
        for seat in here.seats:
            if user_id in (None, seat.user_id):
                clocks.put(seat, change(here, seat))
                ledger.write_seat(seat)
        clocks.note_earliest(here)
        here.match.save(update_fields=["due_s"])


def _frozen(here: Position, seat: Seat) -> SeatClock:
    old, freezes = clocks.clock_of(seat), clocks.freezes_of(here, seat)
    if old.deadline_s is None or old.deadline_s <= here.now_s or freezes.leave is None:
        return old
    awake = clock.freezes_at(here.now, here.now_s, weekend=here.match.weekend)
    return clock.at_least_a_day(clock.refreeze(old, here.now_s, awake, freezes), here.now_s, freezes)


def _thawed(here: Position, seat: Seat, *, days: int) -> SeatClock:
    old, freezes = clocks.clock_of(seat), clocks.freezes_of(here, seat)
    if freezes.leave is None:
        return old
    seat.leave_days += min(days, clocks.leave_days_left(here.match, seat))
    if not old.is_running or _ran_out_before(old, freezes.leave.from_s):
        return old
    awake = clock.freezes_at(here.now, here.now_s, weekend=here.match.weekend)
    return clock.at_least_a_day(clock.refreeze(old, here.now_s, freezes, awake), here.now_s, awake)


def _made_good(here: Position, seat: Seat, *, at_s: int) -> SeatClock:
    old = clocks.clock_of(seat)
    if old.started_s is None or old.started_s > at_s:
        return old
    then = here.now - timedelta(seconds=here.now_s - at_s)
    return clock.at_least_a_day(old, at_s, clock.freezes_at(then, at_s, weekend=here.match.weekend))


def _ran_out_before(old: SeatClock, second: int) -> bool:
    return old.deadline_s is not None and old.deadline_s <= second
