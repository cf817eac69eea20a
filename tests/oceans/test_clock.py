"""Clocks as arithmetic (docs/correspondence.md, 2, 3 and 6): banks, freezes, gifts, reminders and notice."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oceans import clock
from oceans.clock import DAY, HOUR, MINUTE, NO_FREEZES, PACES, WEEK, Freezes, SeatClock, Span

CLASSIC, DAILY, LIVE = PACES["classic"], PACES["daily"], PACES["live"]
FRIDAY_EVENING = datetime(2026, 7, 3, 20, 0, tzinfo=UTC)

TIMED = st.sampled_from([pace for pace in PACES.values() if pace.is_timed])
SECONDS = st.integers(0, 60 * DAY)


@st.composite
def freezes(draw):
    """Free weekends or not, leave or not, at any place in the calendar."""
    begun = draw(st.none() | st.integers(-30 * DAY, 30 * DAY))
    leave = None if begun is None else Span(begun, begun + draw(st.integers(1, 30)) * DAY)
    return Freezes(draw(st.integers(0, 10 * WEEK)), draw(st.booleans()), leave)


def weekend_at(now: datetime, now_s: int = 0) -> Freezes:
    return clock.freezes_at(now, now_s, weekend=True)


# Banks


def test_the_paces_are_those_of_the_table():
    in_hours = {name: (p.start_s / HOUR, p.increment_s / HOUR, p.cap_s / HOUR) for name, p in PACES.items()}
    assert in_hours["classic"] == (240, 36, 240)
    assert in_hours["steady"] == (72, 36, 120)
    assert in_hours["brisk"] == (72, 12, 120)
    assert in_hours["daily"] == (24, 4, 72)
    assert [in_hours[f"days-{days}"][0] for days in (1, 2, 3, 5, 7)] == [24, 48, 72, 120, 168]
    assert (LIVE.start_s, LIVE.increment_s, LIVE.cap_s) == (300, 30, 600)


def test_a_hand_over_earns_the_increment_and_loses_what_is_over_the_cap():
    running = clock.start(DAILY, 1000)
    assert clock.hand_over(DAILY, running, 1000 + 10 * HOUR) == SeatClock(18 * HOUR)
    assert clock.hand_over(CLASSIC, clock.start(CLASSIC, 0), HOUR) == SeatClock(240 * HOUR)


def test_a_move_made_on_leave_earns_nothing():
    assert clock.hand_over(DAILY, clock.start(DAILY, 0), 10 * HOUR, earns=False) == SeatClock(14 * HOUR)


def test_unused_time_is_lost_where_each_move_has_its_own():
    pace = PACES["days-2"]
    assert pace.is_per_move and not DAILY.is_per_move
    assert clock.hand_over(pace, clock.start(pace, 0), 47 * HOUR) == SeatClock(48 * HOUR)
    assert clock.hand_over(pace, clock.start(pace, 0), HOUR) == SeatClock(48 * HOUR)


def test_a_clock_that_stops_without_a_hand_over_goes_on_where_it_stood():
    stopped = clock.stop(clock.start(CLASSIC, 0), 100 * HOUR)
    assert stopped == SeatClock(140 * HOUR)
    assert clock.resume(CLASSIC, stopped, 500 * HOUR).deadline_s == 640 * HOUR


def test_an_untimed_match_has_no_deadlines():
    standing = clock.start(PACES["untimed"], 5)
    assert not standing.is_running and not clock.out_of_time(standing, 10**9)


@given(TIMED, SECONDS, SECONDS, freezes())
def test_a_clock_never_holds_more_than_it_began_with(pace, now_s, later_s, frozen):
    running = clock.start(pace, now_s, frozen)
    assert 0 <= clock.left(running, now_s + later_s, frozen) <= pace.start_s
    assert clock.stop(running, now_s, frozen) == clock.fresh(pace)


@given(TIMED, SECONDS, freezes(), st.integers(0, 60 * DAY), st.integers(0, 5 * DAY))
def test_time_only_runs_down(pace, now_s, frozen, after_s, span_s):
    running = clock.start(pace, now_s, frozen)
    before, after = (clock.left(running, now_s + at, frozen) for at in (after_s, after_s + span_s))
    assert before - span_s <= after <= before


# Gifts


def test_a_gift_is_a_day_up_to_twice_the_cap():
    running = clock.start(DAILY, 0)
    assert clock.give_time(DAILY, running, 0).deadline_s == 48 * HOUR
    full = SeatClock(bank_s=2 * DAILY.cap_s)
    assert clock.give_time(DAILY, full, 0) is full
    assert clock.give_time(DAILY, SeatClock(140 * HOUR), 0) == SeatClock(144 * HOUR)


@given(TIMED, st.lists(st.integers(0, DAY), max_size=8), freezes())
def test_gifts_never_exceed_twice_the_cap(pace, pauses, frozen):
    running, now_s = clock.start(pace, 0, frozen), 0
    for pause in pauses:
        now_s += pause
        running = clock.give_time(pace, running, now_s, frozen)
        assert clock.left(running, now_s, frozen) <= 2 * pace.cap_s


# Freezes


def test_four_weekends_stop_a_clock_and_never_refill_it():
    """Two days for a move, from Friday evening on: four hours, a weekend, and the rest from Monday."""
    pace = PACES["days-2"]
    running = clock.start(pace, 0, weekend_at(FRIDAY_EVENING))
    deadline = FRIDAY_EVENING + timedelta(seconds=running.deadline_s)
    assert deadline == datetime(2026, 7, 7, 20, 0, tzinfo=UTC)
    week_later = weekend_at(FRIDAY_EVENING + timedelta(days=28), 28 * DAY)
    assert clock.left(running, 28 * DAY, week_later) == 0


def test_a_turn_that_begins_on_a_weekend_runs_from_monday():
    saturday = FRIDAY_EVENING + timedelta(hours=10)
    running = clock.start(PACES["days-1"], 0, weekend_at(saturday))
    assert saturday + timedelta(seconds=running.deadline_s) == datetime(2026, 7, 7, 0, 0, tzinfo=UTC)


def test_a_deadline_never_falls_into_a_weekend():
    friday = datetime(2026, 7, 3, 0, 0, tzinfo=UTC)
    running = clock.start(PACES["days-1"], 0, weekend_at(friday))
    assert friday + timedelta(seconds=running.deadline_s) == datetime(2026, 7, 6, 0, 0, tzinfo=UTC)


def test_leave_and_weekend_that_overlap_are_frozen_once():
    leave = (FRIDAY_EVENING + timedelta(hours=2), FRIDAY_EVENING + timedelta(hours=2, days=3))
    both = clock.freezes_at(FRIDAY_EVENING, 0, weekend=True, leave=leave)
    running = clock.start(PACES["days-1"], 0, both)
    assert running.deadline_s == 3 * DAY + DAY
    assert next(both.after(0)) == Span(2 * HOUR, 2 * HOUR + 3 * DAY)


@given(SECONDS, st.integers(0, 20 * DAY), freezes())
def test_what_is_laid_out_is_what_is_counted(now_s, left_s, frozen):
    running = clock.resume(CLASSIC, SeatClock(left_s), now_s, frozen)
    assert clock.left(running, now_s, frozen) == left_s
    assert clock.left(running, running.deadline_s, frozen) == 0
    assert running.deadline_s - now_s >= left_s


@given(SECONDS, st.integers(0, 20 * DAY), freezes(), st.integers(0, 30 * DAY), freezes())
def test_leave_that_begins_or_ends_keeps_what_is_left(now_s, left_s, before, after_s, after):
    running = clock.resume(CLASSIC, SeatClock(left_s), now_s, before)
    later_s = now_s + after_s
    moved = clock.refreeze(running, later_s, before, after)
    assert clock.left(moved, later_s, after) == clock.left(running, later_s, before)


@given(SECONDS, st.integers(0, 20 * DAY), st.integers(0, 30 * DAY), freezes())
def test_after_leave_a_clock_has_a_day_and_doing_it_twice_changes_nothing(now_s, left_s, after_s, frozen):
    running = clock.resume(CLASSIC, SeatClock(left_s), now_s, frozen)
    once = clock.at_least_a_day(running, now_s + after_s, frozen)
    assert clock.left(once, now_s + after_s, frozen) == max(DAY, clock.left(running, now_s + after_s, frozen))
    assert clock.at_least_a_day(once, now_s + after_s, frozen) == once


@pytest.mark.parametrize("year", [2020, 2027, 2038, 2040])
def test_weekends_are_those_of_the_calendar(year):
    at = datetime(year, 1, 1, tzinfo=UTC)
    for _ in range(100):
        spans = weekend_at(at).after(0)
        first = next(spans)
        begun, until = (at + timedelta(seconds=second) for second in first)
        assert (begun.weekday(), begun.time().isoformat()) == (5, "00:00:00")
        assert until - begun == timedelta(days=2) and until > at
        at += timedelta(days=3, hours=7, minutes=11)


# Reminders and notice


def test_the_reminder_comes_when_four_fifths_are_gone():
    assert clock.start(PACES["days-5"], 0).remind_s == 4 * DAY


def test_the_reminder_comes_an_hour_before_the_end_at_least_and_two_days_at_most():
    assert clock.start(CLASSIC, 0).remind_s == 240 * HOUR - 48 * HOUR
    short = clock.resume(DAILY, SeatClock(3 * HOUR), 0)
    assert short.deadline_s - short.remind_s == HOUR


def test_turns_of_minutes_need_no_mail():
    live = clock.start(LIVE, 100)
    assert (live.remind_s, live.notice_s, live.effective_s) == (None, 100, 100 + 5 * MINUTE)


def test_without_notice_a_seat_waits_three_days_at_most():
    running = clock.start(PACES["days-5"], 0)
    assert not clock.out_of_time(running, running.deadline_s + 72 * HOUR - 1)
    assert clock.out_of_time(running, running.deadline_s + 72 * HOUR)


def test_notice_in_time_leaves_the_deadline_as_it_is():
    running = clock.start(PACES["days-5"], 0)
    noticed = clock.noticed(running, running.remind_s + MINUTE)
    assert noticed.effective_s == running.deadline_s
    assert not clock.out_of_time(noticed, running.deadline_s - 1)
    assert clock.out_of_time(noticed, running.deadline_s)


def test_late_notice_leaves_an_eighth_of_the_turn_and_twelve_hours_at_most():
    running = clock.start(PACES["days-5"], 0)
    assert clock.noticed(running, running.deadline_s).effective_s == running.deadline_s + 12 * HOUR
    daily = clock.start(DAILY, 0)
    assert clock.noticed(daily, daily.deadline_s).effective_s == daily.deadline_s + 3 * HOUR


def test_the_first_notice_counts():
    once = clock.noticed(clock.start(DAILY, 0), 1000)
    assert clock.noticed(once, 5000) == once
    assert clock.noticed(SeatClock(5), 1000) == SeatClock(5)


def test_a_reminder_that_waits_to_be_sent_is_due_again_when_its_deadline_moves():
    """It speaks of a moment that is no longer so, and nothing else would warn of the new one."""
    owed = clock.reminded(clock.start(PACES["days-5"], 0))
    now_s = 4 * DAY + HOUR
    for moved in (
        clock.give_time(PACES["days-5"], owed, now_s),
        clock.at_least_a_day(owed, owed.deadline_s - HOUR),
        clock.refreeze(owed, now_s, clock.NO_FREEZES, Freezes(leave=Span(now_s, now_s + DAY))),
    ):
        assert moved.deadline_s > owed.deadline_s
        assert moved.remind_s is not None
        assert moved.remind_s < moved.deadline_s
    sent = clock.noticed(owed, now_s)
    assert clock.give_time(PACES["days-5"], sent, now_s).remind_s is None


def test_leave_that_moves_the_deadline_far_asks_for_a_new_reminder():
    running = clock.noticed(clock.reminded(clock.start(PACES["days-5"], 0)), 4 * DAY)
    away = Freezes(leave=Span(HOUR, HOUR + 20 * DAY))
    moved = clock.refreeze(running, HOUR, NO_FREEZES, away)
    assert (moved.notice_s, moved.deadline_s) == (None, 25 * DAY)
    assert moved.remind_s == 24 * DAY
    late = clock.refreeze(running, 4 * DAY + HOUR, NO_FREEZES, Freezes(leave=Span(4 * DAY + HOUR, 9 * DAY)))
    assert (late.notice_s, late.remind_s) == (4 * DAY, None)


@given(TIMED, SECONDS, st.none() | st.integers(0, 90 * DAY), freezes())
def test_nobody_is_out_of_time_early_or_waits_for_ever(pace, now_s, notice_after_s, frozen):
    running = clock.start(pace, now_s, frozen)
    if notice_after_s is not None:
        running = clock.noticed(running, now_s + notice_after_s)
    assert running.deadline_s <= running.effective_s <= running.deadline_s + 72 * HOUR
    if running.notice_s is not None and running.effective_s < running.deadline_s + 72 * HOUR:
        assert running.effective_s - running.notice_s >= min(12 * HOUR, pace.start_s // 8)


@given(TIMED, SECONDS, freezes())
def test_a_reminder_is_due_within_its_turn(pace, now_s, frozen):
    running = clock.start(pace, now_s, frozen)
    if running.remind_s is not None:
        assert now_s <= running.remind_s
        assert HOUR <= running.deadline_s - running.remind_s <= 48 * HOUR
