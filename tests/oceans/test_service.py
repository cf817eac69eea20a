"""The service clock: no outage, pause or jump of a machine's clock makes time pass in which nobody could play."""

import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from oceans import service
from oceans.clock import HOUR
from oceans.models import Outage, ServiceClock

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


def run(now, span, step=30 * SECOND, usable=True):
    """Tick from now on for so long; return the instant and the clock then."""
    until = now + span
    while now < until:
        now += step
        clock = service.advance(now, usable=usable)
    return now, clock


@pytest.fixture
def started(now):
    """An instant at which the clock has just begun to tick."""
    assert service.advance(now).service_s == 0
    return now


def test_time_passes_with_the_ticks(started):
    _, clock = run(started, 10 * MINUTE)
    assert clock.service_s == 600
    assert not Outage.objects.exists()


def test_two_runners_do_not_make_time_run_twice(started):
    now = started
    for _ in range(20):
        now += 15 * SECOND
        service.advance(now)
        service.advance(now - SECOND)
        clock = service.advance(now)
    assert clock.service_s == 300


def test_fractions_of_seconds_are_not_lost(started):
    now = started
    for _ in range(40):
        now += timedelta(milliseconds=250)
        clock = service.advance(now)
    assert clock.service_s == 10


def test_a_day_without_ticks_is_an_outage_with_twelve_hours_of_grace(started):
    back = started + timedelta(days=1)
    clock = service.advance(back)
    assert (clock.service_s, clock.hold_s) == (0, 12 * HOUR)
    outage = Outage.objects.get()
    assert (outage.began_at, outage.ended_at, outage.cause) == (started, back, "no-ticks")
    assert not outage.is_made_good
    back, clock = run(back, timedelta(hours=12), step=5 * MINUTE)
    assert (clock.service_s, clock.hold_s) == (0, 0)
    _, clock = run(back, MINUTE)
    assert clock.service_s == 60


def test_a_short_outage_stands_still_and_is_not_made_good(started):
    clock = service.advance(started + 20 * MINUTE)
    assert (clock.service_s, clock.hold_s) == (0, 0)
    assert Outage.objects.get().is_made_good


def test_a_clock_set_back_waits_and_goes_on(started):
    now, _ = run(started, 10 * MINUTE)
    back = now - timedelta(days=1)
    assert service.advance(back).service_s == 600
    _, clock = run(back, MINUTE)
    assert clock.service_s == 660


def test_while_the_door_is_shut_time_stands(started):
    now, _ = run(started, 10 * MINUTE)
    now, clock = run(now, 2 * timedelta(hours=1), usable=False)
    assert clock.service_s == 600 and clock.down_since is not None
    assert clock.at(now + MINUTE) == 600
    clock = service.advance(now + 30 * SECOND)
    assert (clock.service_s, clock.down_since) == (600, None)
    assert clock.hold_s == 2 * HOUR + 30


def test_a_pause_stops_the_clock_until_it_is_ended(started):
    service.pause(started)
    now, clock = run(started, 10 * MINUTE)
    assert clock.service_s == 0
    service.resume(now)
    now, _ = run(now, MINUTE)
    assert Outage.objects.get().cause == "down"
    assert ServiceClock.objects.get().service_s == 30


def test_the_front_door_is_asked(settings):
    class Door(BaseHTTPRequestHandler):
        status = 200

        def do_GET(self):
            self.send_response(self.status)
            self.end_headers()

        def log_message(self, *_args):
            pass

    assert service.is_usable()
    server = HTTPServer(("127.0.0.1", 0), Door)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings.FRONT_DOOR_URL = f"http://127.0.0.1:{server.server_port}/healthz/ready"
    assert service.is_usable()
    Door.status = 503
    assert not service.is_usable()
    server.shutdown()
    server.server_close()
    assert not service.is_usable()


def test_an_unlikely_number_of_time_outs_waits_six_hours_or_for_a_person(started):
    run(started, MINUTE)
    assert service.hold_mass(60)
    assert service.hold_mass(60 + 6 * HOUR - 1)
    assert not service.hold_mass(60 + 6 * HOUR)
    service.release_mass()
    assert not service.confirm_mass()
    assert service.hold_mass(60)
    assert service.confirm_mass()
    assert not service.hold_mass(60)


class ServiceTimeIsHonest(TestCase):
    """Whatever the wall clock does."""

    @given(st.lists(st.tuples(st.integers(-(10**6), 10**6) | st.integers(0, 60), st.booleans()), max_size=25))
    def test_it_never_goes_back_and_never_gains_more_than_five_minutes(self, steps):
        from datetime import UTC, datetime

        now = datetime(2026, 7, 1, tzinfo=UTC)
        before = service.advance(now).service_s
        forward = 0
        for seconds, usable in steps:
            now += timedelta(seconds=seconds)
            forward += max(0, seconds)
            after = service.advance(now, usable=usable).service_s
            assert before <= after <= before + 300
            before = after
        assert before <= forward
