"""The arithmetic of clocks (docs/correspondence.md, 2, 3 and 6). Pure: seconds of service time in, seconds out.

A seat's clock either stands, holding `bank_s`, or runs towards `deadline_s`. A freeze (a weekend, leave) is worked into
the deadline when a turn starts: the deadline lies later by every frozen second before it, and what is left when the
clock stops counts no frozen second. So a freeze never refills a clock, and nothing has to happen when one begins or
ends by itself. Service time itself stands during outages (service.py), which therefore cost nobody anything.

    stands --resume--> runs --hand_over--> stands, with the increment
                        |--stop----------> stands, as it is (sealed answers wait, or the match is parked)

Called by play, leaves and the tick; pages read the stored columns.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import merge
from typing import Final, NamedTuple

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY

GIFT_S: Final = DAY
"""What an opponent may give at a time."""
LEAST_AFTER_FREEZE_S: Final = DAY
"""What every running clock of a player has at least after leave, and everybody's after an outage."""
NOTICE_MOST_S: Final = 72 * HOUR
"""How long after its deadline a seat waits at most for its final reminder to go out."""
NOTICE_BEFORE_S: Final = 12 * HOUR
"""How long before a time-out the final reminder must have gone out; for short turns an eighth of the turn."""
REMIND_LEAST_S: Final = HOUR
REMIND_MOST_S: Final = 48 * HOUR
"""The final reminder is due at least and at most so long before the end of the turn."""
SHORT_TURN_S: Final = 2 * HOUR
"""Turns shorter than this are for people who are here together; no mail could help them."""

SATURDAY_S: Final = 2 * DAY
"""The first Saturday of Unix time, which began on a Thursday."""
WEEKEND_S: Final = 2 * DAY


@dataclass(frozen=True, slots=True)
class Pace:
    """How much time players have, in seconds. A pace without a start is untimed."""

    start_s: int
    increment_s: int
    cap_s: int

    @property
    def is_timed(self) -> bool:
        return self.start_s > 0

    @property
    def is_per_move(self) -> bool:
        """Whether each turn has the same time and what is unused is lost."""
        return self.is_timed and self.start_s == self.increment_s == self.cap_s


def _days_per_move(days: int) -> Pace:
    return Pace(days * DAY, days * DAY, days * DAY)


PACES: Final[dict[str, Pace]] = {
    "classic": Pace(240 * HOUR, 36 * HOUR, 240 * HOUR),
    "steady": Pace(72 * HOUR, 36 * HOUR, 120 * HOUR),
    "brisk": Pace(72 * HOUR, 12 * HOUR, 120 * HOUR),
    "daily": Pace(24 * HOUR, 4 * HOUR, 72 * HOUR),
    "days-1": _days_per_move(1),
    "days-2": _days_per_move(2),
    "days-3": _days_per_move(3),
    "days-5": _days_per_move(5),
    "days-7": _days_per_move(7),
    "live": Pace(5 * MINUTE, 30, 10 * MINUTE),
    "untimed": Pace(0, 0, 0),
}


class Span(NamedTuple):
    """Seconds of service time, the first included, the last not."""

    from_s: int
    to_s: int


@dataclass(frozen=True, slots=True)
class Freezes:
    """When a seat's clock stands, in service time as it maps to the calendar now."""

    calendar_s: int = 0
    """Unix time minus service time."""
    weekend: bool = False
    leave: Span | None = None

    def after(self, now_s: int) -> Iterator[Span]:
        """The spans that end after `now_s`, in order and apart; endless where weekends are free."""
        leave = [self.leave] if self.leave and self.leave.to_s > now_s else []
        pending: Span | None = None
        for span in merge(self._weekends_after(now_s), leave):
            if pending is None:
                pending = span
            elif span.from_s <= pending.to_s:
                pending = Span(pending.from_s, max(pending.to_s, span.to_s))
            else:
                yield pending
                pending = span
        if pending is not None:
            yield pending

    def _weekends_after(self, now_s: int) -> Iterator[Span]:
        if not self.weekend:
            return
        saturday_s = now_s - (now_s + self.calendar_s - SATURDAY_S) % WEEK
        while True:
            if saturday_s + WEEKEND_S > now_s:
                yield Span(saturday_s, saturday_s + WEEKEND_S)
            saturday_s += WEEK


NO_FREEZES: Final = Freezes()


def freezes_at(
    now: datetime, now_s: int, *, weekend: bool = False, leave: tuple[datetime, datetime] | None = None
) -> Freezes:
    """What the calendar means for a seat's clock at this instant, which is second `now_s` of service time.

    `leave` is when the leave that the player is on began and when it will end.
    """
    calendar_s = int(now.timestamp()) - now_s
    if leave is None:
        return Freezes(calendar_s, weekend)
    begun, until = (int(instant.timestamp()) - calendar_s for instant in leave)
    return Freezes(calendar_s, weekend, Span(begun, until))


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat; everything in seconds, instants in service time.

    bank_s: what is left while the clock stands; what was left when the turn began, and time given since, while it runs.
    started_s, deadline_s: the turn, while the clock runs; else None.
    remind_s: when the final reminder is due; None while it is owed, once it has ended, and for turns without one.
    notice_s: when that reminder had gone out or could not go out.
    effective_s: when the seat may be timed out.
    """

    bank_s: int
    started_s: int | None = None
    deadline_s: int | None = None
    notice_s: int | None = None
    effective_s: int | None = None
    remind_s: int | None = None

    @property
    def is_running(self) -> bool:
        return self.deadline_s is not None


def fresh(pace: Pace) -> SeatClock:
    """A full clock that stands."""
    return SeatClock(pace.start_s)


def start(pace: Pace, now_s: int, freezes: Freezes = NO_FREEZES) -> SeatClock:
    """A full clock that runs from now on."""
    return resume(pace, fresh(pace), now_s, freezes)


def resume(pace: Pace, clock: SeatClock, now_s: int, freezes: Freezes = NO_FREEZES) -> SeatClock:
    """Let a clock run from now on; one that runs goes on as it is. Clocks of untimed matches never run."""
    if clock.is_running or not pace.is_timed:
        return clock
    is_short = clock.bank_s < SHORT_TURN_S
    begun = SeatClock(clock.bank_s, started_s=now_s, notice_s=now_s if is_short else None)
    return _laid(begun, clock.bank_s, now_s, freezes)


def stop(clock: SeatClock, now_s: int, freezes: Freezes = NO_FREEZES) -> SeatClock:
    """Let a clock stand with what is left, without an increment: sealed answers wait, or nobody can play."""
    return SeatClock(left(clock, now_s, freezes))


def credit(pace: Pace, clock: SeatClock) -> SeatClock:
    """Give a standing clock what a hand-over earns. Time over the cap is lost."""
    return SeatClock(min(pace.cap_s, clock.bank_s + pace.increment_s))


def hand_over(
    pace: Pace, clock: SeatClock, now_s: int, freezes: Freezes = NO_FREEZES, *, earns: bool = True
) -> SeatClock:
    """The turn passes: stop the clock and credit the increment, which moves made while on leave do not earn."""
    stopped = stop(clock, now_s, freezes)
    return credit(pace, stopped) if earns else SeatClock(min(pace.cap_s, stopped.bank_s))


def left(clock: SeatClock, now_s: int, freezes: Freezes = NO_FREEZES) -> int:
    """What is left of a clock, not counting frozen seconds; never more than the turn began with."""
    if clock.deadline_s is None:
        return clock.bank_s
    return min(clock.bank_s, _counted(now_s, clock.deadline_s, freezes))


def extend(clock: SeatClock, seconds: int, now_s: int, freezes: Freezes = NO_FREEZES) -> SeatClock:
    """Add time to a clock, whether it runs or stands. A reminder that went out already is not repeated."""
    longer = replace(clock, bank_s=clock.bank_s + seconds)
    if not clock.is_running:
        return longer
    return _laid(longer, left(clock, now_s, freezes) + seconds, now_s, freezes)


def give_time(pace: Pace, clock: SeatClock, now_s: int, freezes: Freezes = NO_FREEZES) -> SeatClock:
    """Add what an opponent gives, up to twice the cap; the same clock comes back if it is as full as that."""
    room = 2 * pace.cap_s - left(clock, now_s, freezes)
    return extend(clock, min(GIFT_S, room), now_s, freezes) if room > 0 else clock


def refreeze(clock: SeatClock, now_s: int, before: Freezes, after: Freezes) -> SeatClock:
    """Leave begins or ends: what is left stays what it was, and the deadline moves. After a change that leaves time
    for it, the final reminder is due again, for what it said is no longer so."""
    if not clock.is_running:
        return clock
    remaining = left(clock, now_s, before)
    if clock.remind_s is None and clock.bank_s >= SHORT_TURN_S and remaining > _lead(clock.bank_s):
        clock = replace(clock, notice_s=None)
    return _laid(clock, remaining, now_s, after)


def at_least_a_day(clock: SeatClock, now_s: int, freezes: Freezes = NO_FREEZES) -> SeatClock:
    """After leave or an outage: a running clock has a day at least."""
    missing = LEAST_AFTER_FREEZE_S - left(clock, now_s, freezes)
    return extend(clock, missing, now_s, freezes) if clock.is_running and missing > 0 else clock


def reminded(clock: SeatClock) -> SeatClock:
    """The final reminder is owed now."""
    return replace(clock, remind_s=None)


def noticed(clock: SeatClock, notice_s: int) -> SeatClock:
    """The final reminder went out, or could not go out, at this second."""
    if clock.deadline_s is None or clock.notice_s is not None:
        return clock
    return replace(clock, notice_s=notice_s, effective_s=_effective(clock.deadline_s, notice_s, clock.bank_s))


def out_of_time(clock: SeatClock, now_s: int) -> bool:
    """Whether the seat may be timed out. A move before that instant is accepted, whatever sweeps do."""
    return clock.effective_s is not None and now_s >= clock.effective_s


def _laid(clock: SeatClock, left_s: int, now_s: int, freezes: Freezes) -> SeatClock:
    """A clock that runs with so much left. While there was no notice a reminder is due, or due again: one that waits to
    be sent speaks of a deadline that has moved."""
    deadline_s = _after(left_s, now_s, freezes)
    remind_s = None
    if clock.notice_s is None:
        lead_s = _lead(clock.bank_s)
        remind_s = max(_after(max(0, left_s - lead_s), now_s, freezes), deadline_s - REMIND_MOST_S)
    return replace(
        clock,
        deadline_s=deadline_s,
        remind_s=remind_s,
        effective_s=_effective(deadline_s, clock.notice_s, clock.bank_s),
    )


def _lead(turn_s: int) -> int:
    """How long before the end of a turn of that length the final reminder is due."""
    return min(REMIND_MOST_S, max(REMIND_LEAST_S, turn_s // 5))


def _effective(deadline_s: int, notice_s: int | None, turn_s: int) -> int:
    """Nobody is timed out without notice, and no opponent waits for ever for a mail to go out."""
    latest_s = deadline_s + NOTICE_MOST_S
    if notice_s is None:
        return latest_s
    return min(latest_s, max(deadline_s, notice_s + min(NOTICE_BEFORE_S, turn_s // 8)))


def _after(left_s: int, now_s: int, freezes: Freezes) -> int:
    """The second at which so much time has run, freezes left out."""
    at_s = now_s
    for span in freezes.after(now_s):
        running_s = max(0, span.from_s - at_s)
        if left_s < running_s:
            break
        left_s -= running_s
        at_s = span.to_s
    return at_s + left_s


def _counted(from_s: int, to_s: int, freezes: Freezes) -> int:
    """How many of these seconds are not frozen."""
    counted_s = max(0, to_s - from_s)
    for span in freezes.after(from_s):
        if span.from_s >= to_s:
            break
        counted_s -= min(span.to_s, to_s) - max(span.from_s, from_s)
    return counted_s
