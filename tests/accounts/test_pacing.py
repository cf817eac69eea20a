"""Quiet hours and the daily list, by the clock on the reader's wall."""

import zoneinfo
from datetime import UTC, datetime, time, timedelta

import pytest

from accounts import pacing

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
LORD_HOWE = zoneinfo.ZoneInfo("Australia/Lord_Howe")


def at(text: str, zone=UTC) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


@pytest.mark.parametrize(
    ("now", "quiet_from", "quiet_to", "goes"),
    [
        ("2026-07-01 21:59", time(22), time(7), "2026-07-01 21:59"),
        ("2026-07-01 22:00", time(22), time(7), "2026-07-02 07:00"),
        ("2026-07-02 03:00", time(22), time(7), "2026-07-02 07:00"),
        ("2026-07-02 07:00", time(22), time(7), "2026-07-02 07:00"),
        ("2026-07-01 13:30", time(13), time(14), "2026-07-01 14:00"),
        ("2026-07-01 12:30", time(13), time(14), "2026-07-01 12:30"),
        ("2026-07-01 12:30", None, None, "2026-07-01 12:30"),
        ("2026-07-01 12:30", time(9), time(9), "2026-07-01 12:30"),
        ("2026-03-29 01:30", time(22), time(7), "2026-03-29 07:00"),
        ("2026-10-25 01:30", time(22), time(7), "2026-10-25 07:00"),
        ("2026-03-29 01:30", time(22), time(2, 30), "2026-03-29 03:30"),
    ],
)
def test_quiet_hours(now, quiet_from, quiet_to, goes):
    assert pacing.after_quiet(at(now, BERLIN), BERLIN, quiet_from, quiet_to) == at(goes, BERLIN)


def test_quiet_hours_never_last_longer_than_a_day_in_any_zone():
    for name in zoneinfo.available_timezones():
        zone = zoneinfo.ZoneInfo(name)
        for day in range(0, 366, 13):
            now = datetime(2026, 1, 1, 3, 17, tzinfo=UTC) + timedelta(days=day, hours=day)
            waking = pacing.after_quiet(now, zone, time(22), time(7))
            assert now <= waking <= now + timedelta(hours=11), name


def test_the_daily_list_is_the_next_time_the_clock_shows_the_hour():
    assert pacing.next_digest(at("2026-07-01 07:59", BERLIN), BERLIN, 8) == at("2026-07-01 08:00", BERLIN)
    assert pacing.next_digest(at("2026-07-01 08:00", BERLIN), BERLIN, 8) == at("2026-07-02 08:00", BERLIN)
    assert pacing.next_digest(at("2026-04-05 01:45", LORD_HOWE), LORD_HOWE, 2) > at("2026-04-05 01:45", LORD_HOWE)


def test_waits_grow_and_end():
    waits = [pacing.backoff(attempts, salt=7) for attempts in range(1, 8)]
    assert waits[-1] is None
    assert waits[:-1] == sorted(waits[:-1])
