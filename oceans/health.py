"""Pages for whoever watches the site: does the process answer, can it serve, does the work get done."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, connection
from django.db.models import Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts import breaker
from accounts.models import Notice
from oceans.models import Seat, ServiceClock

TICK_LATE: Final = timedelta(seconds=90)
SEAT_LATE: Final = timedelta(minutes=3)
MAIL_LATE: Final = timedelta(minutes=15)
CLOCK_STUCK: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Backlog:
    """How far the work of the tick is behind. None means that there is nothing of the kind."""

    tick_age: timedelta | None
    """Since the last tick; None if there has never been one."""
    seat_overdue: timedelta | None
    """How long the oldest clock that has run out waits to be judged."""
    mail_overdue: timedelta | None
    """How long the oldest mail that may go waits to be sent."""
    down_for: timedelta | None
    """How long the clocks have stood still because the site was found to be down, or paused."""
    mail_is_held: bool
    """The mail server does not answer, so nothing is sent for now."""


def backlog(now: datetime) -> Backlog:
    """Read how far behind the work is, in four short queries."""
    clock = ServiceClock.objects.first()
    ran_out = Seat.objects.aggregate(first=Min("effective_s"))["first"]
    due_mail = Notice.objects.filter(state=Notice.State.PENDING).aggregate(first=Min("due_at"))["first"]
    return Backlog(
        tick_age=now - clock.last_tick_at if clock and clock.last_tick_at else None,
        seat_overdue=past(timedelta(seconds=clock.at(now) - ran_out)) if clock and ran_out is not None else None,
        mail_overdue=past(now - due_mail) if due_mail else None,
        down_for=now - clock.down_since if clock and clock.down_since else None,
        mail_is_held=breaker.is_open(),
    )


def past(span: timedelta) -> timedelta | None:
    """The span if it is over, None if it is still to come."""
    return span if span > timedelta() else None


@require_safe
def live(_request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return JsonResponse({"ok": True})


@require_safe
def ready(_request: HttpRequest) -> HttpResponse:
    """The process reaches its database, so it can serve pages."""
    return report({"database": reaches_database})


@require_safe
def deep(_request: HttpRequest) -> HttpResponse:
    """The work gets done: ticks come, clocks are judged, mail leaves, time passes."""
    if reaches_database():
        return report({"database": reaches_database})
    behind = backlog(timezone.now())
    return report(
        {
            "tick": lambda: None if behind.tick_age and behind.tick_age < TICK_LATE else "no tick of late",
            "clocks": lambda: late(behind.seat_overdue, SEAT_LATE),
            "mail": lambda: late(behind.mail_overdue, MAIL_LATE),
            "mail server": lambda: "does not answer" if behind.mail_is_held else None,
            "service time": lambda: "stands still" if behind.down_for and behind.down_for > CLOCK_STUCK else None,
        }
    )


def late(span: timedelta | None, limit: timedelta) -> str | None:
    """A complaint if something waits longer than it may."""
    return f"{int(span.total_seconds())} s late" if span and span > limit else None


def reaches_database() -> str | None:
    """None if the database answers, else what is wrong."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "does not answer"
    return None


def report(checks: dict[str, Callable[[], str | None]]) -> HttpResponse:
    """200 if every check returns None, else 503; the body names each check and its complaint."""
    complaints = {name: check() for name, check in checks.items()}
    is_well = not any(complaints.values())
    body = {"ok": is_well, "checks": {name: complaint or "ok" for name, complaint in complaints.items()}}
    return JsonResponse(body, status=200 if is_well else 503)
