"""The tick: everything the site does by itself, every half minute, found in the database and safe to do twice.

Any number of runners may call it: a Celery task, `manage.py tick --loop`, both. Each step commits for itself; a step
that fails is logged and does not stop the others. `nudge` is the part of it worth doing at once after a hint that
something waits; a hint that is lost costs one tick.
"""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Final

import structlog
from django.db import connection, transaction
from django.db.models import F, Q

from accounts import addresses, failpoints, guests, holidays, sending
from oceans import effects, offers, play, service
from oceans.clock import HOUR, MINUTE
from oceans.models import Match, Outage, Seat, ServiceClock
from oceans.play import leaves, reminders

log = structlog.get_logger("oceans.tick")

Step = Callable[[datetime], int]
"""What one step does at an instant; returns how much it did."""

EVERY_S: Final = 30
BATCH: Final = 50
SETTLE_BUDGET_S: Final = 25.0
BOTS_BUDGET_S: Final = 5.0
MAILS: Final = 500

RETRY_AFTER_S: Final = (0, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR)
"""How long overdue a match must be to be tried again, by how often in a row it failed."""

MASS_LEAST: Final = 50
MASS_PERCENT: Final = 5
"""More time-outs at once than this, and than this share of running matches, are taken for a fault of ours."""
NOTICED_LATELY_S: Final = 48 * HOUR

DIGESTS_EVERY_S: Final = 15 * MINUTE

LOCK: Final = 0x6F6365616E73
"""The advisory lock of PostgreSQL by which a second tick leaves at once. Nothing but work saved depends on it."""

_further: dict[str, Step] = {}


def register(name: str, step: Step) -> None:
    """Add a step of another app, done after play and before mail; once, from AppConfig.ready."""
    _further[name] = step


def tick(*, seconds: Callable[[], float] = time.monotonic) -> dict[str, int]:
    """Do whatever is due; return how much of what. An empty answer means that another runner is at it."""
    began = seconds()
    now = service.wall_clock()
    clock = _advanced(now, usable=service.is_usable())
    if clock is None:
        return {}
    figures: dict[str, int] = {"service_s": clock.service_s}
    for name, step in _steps(clock).items():
        figures[name] = _done(name, step, now)
        failpoints.reach(f"tick.after_{name}")
    figures["milliseconds"] = round((seconds() - began) * 1000)
    service.record_tick(service.wall_clock(), figures)
    return figures


def nudge(now: datetime | None = None) -> None:
    """Do at once what a hint may be about: bots to move, effects owed, mail that may go."""
    now = now or service.wall_clock()
    steps: dict[str, Step] = {"bots": play_bots, "effects": effects.apply_effects, "mails": send_mail}
    for name, step in steps.items():
        _done(name, step, now)


def settle(now: datetime, *, seconds: Callable[[], float] = time.monotonic) -> int:
    """Judge the clocks that have run out, oldest first; return in how many matches. One that fails is tried again
    later, is parked in the end, and delays no other."""
    service_s = ServiceClock.objects.values_list("service_s", flat=True).get()
    if Outage.objects.filter(is_made_good=False).exists():
        return 0
    due = _due_matches(service_s)
    if _is_mass(due) and service.hold_mass(service_s):
        log.error("many clocks ran out at once: only those with recent notice are judged", due=due.count())
        due = due.filter(pk__in=_noticed_lately(service_s))
    until = seconds() + SETTLE_BUDGET_S
    judged, seen = 0, 0
    while seconds() < until:
        batch = list(due.order_by("due_s", "id").values_list("pk", flat=True)[seen : seen + BATCH])
        if not batch:
            break
        settled = sum(_guarded(play.run_out_clock, match_id, now) for match_id in batch)
        judged += settled
        # What was judged is no longer due; the rest of the batch was locked, put off or failed, and is passed over.
        seen += Match.objects.filter(pk__in=batch, due_s__lte=service_s).count()
    return judged


def play_bots(now: datetime, *, seconds: Callable[[], float] = time.monotonic) -> int:
    """Let bots answer wherever one is waited for; return in how many matches one did."""
    until = seconds() + BOTS_BUDGET_S
    moved = 0
    for match_id in play.waiting_for_bots(now):
        if seconds() >= until:
            break
        moved += _guarded(_play_bots_of, match_id, now)
    return moved


def send_mail(now: datetime) -> int:
    """Send mail that is due; return how many mails went."""
    return sending.dispatch(now, limit=MAILS)


def _steps(clock: ServiceClock) -> dict[str, Step]:
    """The steps of a tick in their order, by what is counted of them."""
    return {
        "leases": sending.expire_leases,
        "leaves": holidays.turn_pages,
        "made_good": lambda now: int(leaves.make_good(now)),
        "reminders": lambda now: reminders.remind(now, clock.service_s),
        "judged": settle,
        "abandoned": play.end_abandoned,
        "bots": play_bots,
        "effects": effects.apply_effects,
        **_further,
        "offers": offers.expire,
        "digests": lambda now: reminders.owe_digests(now) if _is_digest_time(clock, now) else 0,
        "guests": guests.remove_idle_guests,
        "unproved": guests.remove_unproved,
        "addresses": addresses.forget,
        "mails": send_mail,
        "hindsight": play.work_out,
    }


def _advanced(now: datetime, *, usable: bool) -> ServiceClock | None:
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
                (is_first,) = cursor.fetchone()
            if not is_first:
                return None
        return service.advance(now, usable=usable)


def _done(name: str, step: Step, now: datetime) -> int:
    """Do one step, whatever happened to the others; -1 counts as failed."""
    try:
        return step(now)
    except Exception:
        log.exception("a step of the tick failed", step=name)
        return -1


def _guarded(verb: Callable[..., bool], match_id: int, now: datetime) -> bool:
    """Do something to one match; a failure is counted on the match and is nobody else's business."""
    try:
        return verb(match_id=match_id, now=now)
    except Exception:
        log.exception("a match cannot be played on", match=match_id)
        if play.note_failure(match_id=match_id, now=now):
            log.error("a match is parked", match=match_id)
        return False


def _play_bots_of(*, match_id: int, now: datetime) -> bool:
    return play.play_bots(match_id=match_id, now=now) > 0


def _due_matches(service_s: int):
    """Running matches in which a clock has run out, but for those that failed and wait to be tried again."""
    tried = Q(pk=None)
    for attempts, wait_s in enumerate(RETRY_AFTER_S):
        tried |= Q(attempts=attempts, due_s__lte=service_s - wait_s)
    return Match.objects.filter(tried, due_s__lte=service_s)


def _is_mass(due) -> bool:
    """Whether more clocks ran out at once than can be honest; notes when that is over."""
    count = due.count()
    if count > MASS_LEAST:
        running = Match.objects.filter(status=Match.Status.RUNNING).count()
        if count * 100 > running * MASS_PERCENT:
            return True
    service.release_mass()
    return False


def _noticed_lately(service_s: int):
    """Matches with a seat that ran out of time after a reminder of the last two days."""
    noticed = Seat.objects.filter(effective_s__lte=service_s, notice_s__gte=F("effective_s") - NOTICED_LATELY_S)
    return noticed.filter(notice_s__gte=service_s - NOTICED_LATELY_S).values("match")


def _is_digest_time(clock: ServiceClock, now: datetime) -> bool:
    """Whether a new quarter of an hour has begun since the last tick; local hours begin at quarters everywhere."""
    last = clock.last_tick_at
    return last is None or last.timestamp() // DIGESTS_EVERY_S != now.timestamp() // DIGESTS_EVERY_S
