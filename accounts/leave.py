"""Arithmetic of leave (docs/correspondence.md, 3). Pure: instants and day counts in, day counts out.

A person begins with START days and earns one more for every EARN_EVERY of membership, up to MOST in hand. Leave is
spent in whole days of 24 hours; a day that has begun is spent.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

DAY: Final = timedelta(hours=24)
START: Final = 5
MOST: Final = 30
EARN_EVERY: Final = 12 * DAY


@dataclass(frozen=True, slots=True)
class Spent:
    """Some days of leave that were taken, or are booked, from an instant on."""

    at: datetime
    days: int


def days_left(joined: datetime, spent: Iterable[Spent], now: datetime) -> int:
    """Days in hand now, after all that was spent or booked; never below 0.

    What is earned while MOST days are in hand is lost, so the order of earning and spending matters.
    """
    in_hand, earned = START, 0
    for each in sorted(spent, key=lambda each: each.at):
        until = earned_by(joined, min(each.at, now))
        in_hand = min(MOST, in_hand + max(0, until - earned)) - each.days
        earned = max(earned, until)
    return max(0, min(MOST, in_hand + max(0, earned_by(joined, now) - earned)))


def earned_by(joined: datetime, at: datetime) -> int:
    """Days earned from joining until an instant, the cap aside."""
    return max(0, (at - joined) // EARN_EVERY)


def next_day_at(joined: datetime, now: datetime) -> datetime:
    """When the next day is earned."""
    return joined + (earned_by(joined, now) + 1) * EARN_EVERY


def ends_at(begun: datetime, days: int) -> datetime:
    """When leave of so many days is over."""
    return begun + days * DAY


def days_used(begun: datetime, now: datetime) -> int:
    """Days spent by leave that began then and ends now: every day that has begun, at least one."""
    return max(1, -((begun - now) // DAY))
