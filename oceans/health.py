"""Pages for whoever watches the site: does the process answer, can it serve, does the work get done."""

from collections.abc import Callable

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe


@require_safe
def live(_request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return JsonResponse({"ok": True})


@require_safe
def ready(_request: HttpRequest) -> HttpResponse:
    """The process reaches its database, so it can serve pages."""
    return report({"database": reaches_database})


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
