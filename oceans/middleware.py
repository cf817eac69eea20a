"""What every request passes: a name and a line in the log, and three rules about what browsers may ask and keep."""

import time
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from oceans import metrics

GetResponse = Callable[[HttpRequest], HttpResponse]

log = structlog.get_logger("oceans.requests")


def logged(get_response: GetResponse) -> GetResponse:
    """Give each request a number, shown in the answer and on every log line it causes, and write one line about it.

    The line names the route, not the path: paths may hold tokens.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        request_number = uuid.uuid4().hex[:12]
        started = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request=request_number):
            response = get_response(request)
            seconds = time.perf_counter() - started
            route = request.resolver_match.route if request.resolver_match else "unknown"
            metrics.count_request(request.method or "", route, response.status_code, seconds)
            log.info(
                "request",
                method=request.method,
                route=route,
                status=response.status_code,
                milliseconds=round(seconds * 1000, 1),
            )
        response["X-Request-Id"] = request_number
        return response

    return middleware


def same_site_only(get_response: GetResponse) -> GetResponse:
    """Refuse what other sites' pages ask for, unless a person followed a link here.

    Browsers say so in the Sec-Fetch headers. Programs and old browsers send none and are left to the other defences.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        headers = request.headers
        if headers.get("Sec-Fetch-Site") == "cross-site":
            is_link = (
                headers.get("Sec-Fetch-Mode") == "navigate"
                and headers.get("Sec-Fetch-Dest") == "document"
                and request.method in ("GET", "HEAD")
            )
            if not is_link:
                return HttpResponseForbidden(
                    _("Another site asked for this page. Open it from here instead."), content_type="text/plain"
                )
        return get_response(request)

    return middleware


def private(get_response: GetResponse) -> GetResponse:
    """Keep pages out of every cache, unless a page that never looked at the session has said otherwise."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        used_session = request.session.accessed or request.session.modified
        if used_session or not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-store"
            patch_vary_headers(response, ["Cookie"])
        return response

    return middleware
