"""The service clock: the one clock on which deadlines are counted (docs/correspondence.md, 2).

It goes forward with each tick by the time since the last one, and not at all over an outage: a span without ticks,
a jump of the machine's clock, a pause, or a site whose front door does not answer. So nobody can run out of time while
nobody can move. After a long outage clocks stand on for a while, and those that ran get a day at least (leaves.py).
Several runners may tick at once: the step is measured under the lock of the row.
"""

import urllib.error
import urllib.request
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from oceans.clock import HOUR
from oceans.models import Outage, ServiceClock

log = structlog.get_logger("oceans.service")

LONG_OUTAGE_S: Final = HOUR
"""From this length on an outage is followed by a time in which clocks still stand."""
HOLD_MOST_S: Final = 12 * HOUR
MASS_HOLD_S: Final = 6 * HOUR
"""How long an unlikely number of time-outs waits for somebody to confirm it."""
PROBE_TIMEOUT_S: Final = 2


def wall_clock() -> datetime:
    """The time: the database server's where there is one, so that runners on several machines agree."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    return now


def is_usable() -> bool:
    """Whether players can use the site, as far as a request to its own front door tells. True where no door is set."""
    if not settings.FRONT_DOOR_URL:
        return True
    try:
        with urllib.request.urlopen(settings.FRONT_DOOR_URL, timeout=PROBE_TIMEOUT_S) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


def advance(now: datetime, *, usable: bool = True) -> ServiceClock:
    """Let service time go on to this instant as far as it should, and return the clock."""
    with transaction.atomic():
        clock = locked(now)
        step = now - clock.last_wall
        if clock.paused or not usable:
            clock.down_since = clock.down_since or min(clock.last_wall, now)
            clock.last_wall = now
        elif clock.down_since is not None:
            _end_outage(clock, clock.down_since, now, "down")
            clock.down_since, clock.last_wall = None, now
        elif step > ServiceClock.LONGEST_STEP:
            _end_outage(clock, clock.last_wall, now, "no-ticks")
            clock.last_wall = now
        elif step < -ServiceClock.LONGEST_STEP:
            # The machine's clock was set back. A small step back is waited for instead: two runners whose clocks
            # differ a little must not count the difference again and again.
            clock.last_wall = now
        else:
            _go_on(clock, max(0, int(step.total_seconds())))
        clock.save()
    return clock


def locked(now: datetime) -> ServiceClock:
    """The row of the clock under its lock, made at the first call. Call it inside a transaction."""
    ServiceClock.objects.get_or_create(pk=1, defaults={"last_wall": now})
    return ServiceClock.objects.select_for_update(no_key=True).get(pk=1)


def pause(now: datetime) -> None:
    """Let all clocks stand until `resume`. Moves are accepted meanwhile."""
    with transaction.atomic():
        clock = locked(now)
        clock.paused, clock.down_since = True, clock.down_since or now
        clock.save(update_fields=["paused", "down_since"])


def resume(now: datetime) -> None:
    """End a pause; the next tick books it as an outage."""
    with transaction.atomic():
        clock = locked(now)
        clock.paused = False
        clock.save(update_fields=["paused"])


def hold_mass(service_s: int) -> bool:
    """Note that an unlikely number of time-outs is due. Whether they must wait: for six hours from the first note, or
    until somebody confirms them."""
    ServiceClock.objects.filter(mass_held_since_s=None).update(mass_held_since_s=service_s)
    since = ServiceClock.objects.values_list("mass_held_since_s", flat=True).get()
    return since is not None and service_s < since + MASS_HOLD_S


def release_mass() -> None:
    """Time-outs are as many as usual again."""
    ServiceClock.objects.exclude(mass_held_since_s=None).update(mass_held_since_s=None)


def confirm_mass() -> bool:
    """Somebody has looked at the time-outs that wait and lets them be judged; False if none wait."""
    held = ServiceClock.objects.exclude(mass_held_since_s=None)
    return held.update(mass_held_since_s=F("service_s") - MASS_HOLD_S) == 1


def record_tick(now: datetime, figures: dict[str, int]) -> None:
    """Note for health pages and metrics that a tick is done, and what it did."""
    ServiceClock.objects.update(last_tick_at=now, figures=figures)


def _go_on(clock: ServiceClock, seconds: int) -> None:
    """Let so many seconds pass. Fractions are kept for the next step by moving `last_wall` by whole seconds only."""
    clock.last_wall += timedelta(seconds=seconds)
    if clock.hold_s:
        clock.hold_s -= min(seconds, clock.hold_s)
    else:
        clock.service_s += seconds


def _end_outage(clock: ServiceClock, began: datetime, ended: datetime, cause: str) -> None:
    """Book a span in which service time stood; after a long one it stands on."""
    ended = max(began, ended)
    span_s = int((ended - began).total_seconds())
    is_long = span_s >= LONG_OUTAGE_S
    credited_s = min(span_s, HOLD_MOST_S) if is_long else 0
    clock.hold_s += credited_s
    Outage.objects.create(
        began_at=began,
        ended_at=ended,
        cause=cause,
        credited_s=credited_s,
        at_s=clock.service_s,
        is_made_good=not is_long,
    )
    log.warning("outage", cause=cause, seconds=span_s, held_s=credited_s)
