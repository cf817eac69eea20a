"""When a mail may go: quiet hours, the daily list and the pause between two mails. Pure; instants are aware, in UTC."""

from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

PAUSE: Final = timedelta(minutes=30)
"""At least this long between two mails to one person; urgent ones excepted."""

DAILY_MOST: Final = 48
"""Mails to one person in any 24 hours; urgent ones excepted."""

BACKOFF: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720))
"""Waiting times after each refusal for now; one more refusal is final."""


def _instant(local_day: datetime, at: time, zone: ZoneInfo) -> datetime:
    """The instant when clocks in the zone show this time on this day; a time that a change of clocks skips is moved
    along.
    """
    return datetime.combine(local_day.date(), at, tzinfo=zone).astimezone(UTC)


def _following(now: datetime, at: time, zone: ZoneInfo) -> datetime:
    """The first instant after now when clocks in the zone show this time."""
    today = now.astimezone(zone)
    moment = _instant(today, at, zone)
    return moment if moment > now else _instant(today + timedelta(days=1), at, zone)


def after_quiet(now: datetime, zone: ZoneInfo, quiet_from: time | None, quiet_to: time | None) -> datetime:
    """Now, or the end of the quiet hours that contain it. The hours may run past midnight; equal or missing ends mean
    none.
    """
    if quiet_from is None or quiet_to is None or quiet_from == quiet_to:
        return now
    shown = now.astimezone(zone).time()
    begun, ended = shown >= quiet_from, shown >= quiet_to
    is_quiet = begun and not ended if quiet_from < quiet_to else begun or not ended
    return _following(now, quiet_to, zone) if is_quiet else now


def next_digest(now: datetime, zone: ZoneInfo, hour: int) -> datetime:
    """The first instant after now when it is this hour in the zone."""
    return _following(now, time(hour), zone)


def backoff(attempts: int, salt: int) -> timedelta | None:
    """How long to wait after this many refusals (from 1), or None to give up.

    Spread by up to a tenth, by a number that differs between mails, so that many refused together do not return
    together.
    """
    if attempts > len(BACKOFF):
        return None
    spread = (salt * 2654435761 + attempts * 40503) % 1000 / 1000
    return BACKOFF[attempts - 1] * (1 + spread / 10)
