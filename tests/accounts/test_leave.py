"""Days of leave: earned, spent, and given back."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import holidays, leave
from accounts.leave import DAY, Spent
from accounts.models import User

JOINED = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "spent", "left"),
    [
        (0, [], 5),
        (11, [], 5),
        (12, [], 6),
        (300, [], 30),
        (3000, [], 30),
        (0, [(0, 5)], 0),
        (12, [(0, 5)], 1),
        (3000, [(3000, 30)], 0),
        (3012, [(3000, 30)], 1),
        (3012, [(2999, 1)], 30),
        (24, [(36, 7)], 0),
    ],
)
def test_days_left(days, spent, left):
    taken = [Spent(JOINED + at * DAY, count) for at, count in spent]
    assert leave.days_left(JOINED, taken, JOINED + days * DAY) == left


@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(1, 30)), max_size=20), st.integers(0, 3000))
def test_there_are_never_fewer_than_none_or_more_than_thirty(spent, days):
    taken = [Spent(JOINED + at * DAY, count) for at, count in spent]
    assert 0 <= leave.days_left(JOINED, taken, JOINED + days * DAY) <= leave.MOST


@pytest.mark.parametrize(("hours", "used"), [(0, 1), (1, 1), (24, 1), (25, 2), (72, 3)])
def test_a_day_that_has_begun_is_used(hours, used):
    assert leave.days_used(JOINED, JOINED + timedelta(hours=hours)) == used


@pytest.fixture
def told(monkeypatch):
    """What the listeners of leave were told."""
    calls = []
    monkeypatch.setattr(holidays, "_listeners", [])
    holidays.register(
        on_begin=lambda user_id, at, until: calls.append(("begin", at, until)),
        on_end=lambda user_id, at: calls.append(("end", at)),
    )
    return calls


@pytest.fixture
def away(db, now):
    return User.objects.create_user("away", date_joined=now)


def test_three_days_end_after_72_hours_once_however_late_the_tick(told, away, now):
    holidays.book(away.pk, now, 3, now)
    for hours in (71, 100, 101):
        holidays.turn_pages(now + timedelta(hours=hours))
    assert told == [("begin", now, now + 3 * DAY), ("end", now + 3 * DAY)]
    assert holidays.days_left(away, now + 4 * DAY) == 2


def test_ending_by_hand_gives_whole_days_back(told, away, now):
    holidays.book(away.pk, now, 3, now)
    holidays.end(away.pk, now + timedelta(hours=1))
    assert told[-1] == ("end", now + timedelta(hours=1))
    assert holidays.days_left(away, now + timedelta(hours=1)) == 4


def test_leave_on_a_set_date_begins_then(told, away, now):
    holidays.book(away.pk, now + DAY, 2, now)
    assert told == []
    assert holidays.days_left(away, now) == 3
    holidays.turn_pages(now + DAY)
    assert told == [("begin", now + DAY, now + 3 * DAY)]


def test_booked_leave_can_be_cancelled_without_cost(told, away, now):
    holidays.book(away.pk, now + DAY, 2, now)
    holidays.end(away.pk, now)
    assert holidays.days_left(away, now) == 5
    assert told == []


@pytest.mark.parametrize(("starts", "days"), [(0, 6), (0, 0), (0, -1), (400, 1)])
def test_leave_that_cannot_be(told, away, now, starts, days):
    with pytest.raises(holidays.NoLeave):
        holidays.book(away.pk, now + starts * DAY, days, now)
    assert holidays.days_left(away, now) == 5


def test_one_leave_at_a_time(told, away, now):
    holidays.book(away.pk, now + DAY, 1, now)
    with pytest.raises(holidays.NoLeave):
        holidays.book(away.pk, now, 1, now)


def test_days_are_spent_automatically_until_none_is_left(told, away, now):
    spent = [holidays.spend_day(away.pk, now + hours * timedelta(hours=24)) for hours in range(6)]
    assert spent == [True] * 5 + [False]


def test_no_day_is_spent_for_those_who_said_no(told, away, now):
    User.objects.update(auto_leave=False)
    assert not holidays.spend_day(away.pk, now)
