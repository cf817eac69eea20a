"""Figures for Prometheus: requests as they happen, and the state of the site read from the database when asked.

With several processes PROMETHEUS_MULTIPROC_DIR names an empty directory in which they add up their counts.
"""

import hmac
import os
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from oceans import health

REQUESTS = Counter("oceans_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "oceans_request_seconds",
    "Time to answer a request.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
METHODS = frozenset(("GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"))


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count one answered request. Labels come from closed sets, so that nobody can fill the memory with new ones."""
    REQUESTS.labels(method if method in METHODS else "other", route, str(status)).inc()
    SECONDS.labels(route).observe(seconds)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """All figures as text, for whoever has the token; without a configured token only for this machine."""
    if not may_read(request):
        return HttpResponseForbidden("Send the metrics token as a bearer token.\n", content_type="text/plain")
    figures = generate_latest(registry()) + generate_latest(state())
    return HttpResponse(figures, content_type=CONTENT_TYPE_LATEST)


def may_read(request: HttpRequest) -> bool:
    """Whether the request carries the token. Behind a proxy every address looks local, so production needs one."""
    if settings.METRICS_TOKEN:
        sent = request.headers.get("Authorization", "")
        return hmac.compare_digest(sent.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    # A socket without addresses is not this machine.
    return not settings.PRODUCTION and ip_address(request.META.get("REMOTE_ADDR") or "0.0.0.0").is_loopback


def registry() -> CollectorRegistry:
    """The figures of all processes if they share a directory, else those of this one."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    shared = CollectorRegistry()
    MultiProcessCollector(shared)
    return shared


class State:
    """Collects how far the work of the tick is behind, read from the database."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        behind = health.backlog(timezone.now())
        for name, span, meaning in (
            ("tick_age", behind.tick_age, "Since the last tick."),
            ("clock_overdue", behind.seat_overdue, "How long the oldest clock that ran out waits to be judged."),
            ("mail_overdue", behind.mail_overdue, "How long the oldest mail that may go waits."),
            ("down", behind.down_for, "How long clocks have stood still because the site is down or paused."),
        ):
            yield GaugeMetricFamily(f"oceans_{name}_seconds", meaning, (span or timedelta()).total_seconds())
        yield GaugeMetricFamily("oceans_mail_held", "1 while the mail server does not answer.", behind.mail_is_held)


def state() -> CollectorRegistry:
    """The state of the site, which is the same whichever process is asked."""
    registry = CollectorRegistry()
    registry.register(State())
    return registry
