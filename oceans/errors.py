"""The page for what went wrong on our side. It needs neither the database nor the session, which may be what failed."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

RETRY_AFTER = 30
"""Seconds a client should wait when the database is away."""


def server_error(request: HttpRequest) -> HttpResponse:
    """Handler for status 500; 503 with a word about trying again if the database was away, locked or too slow."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        response = render(request, "503.html", status=503)
        response["Retry-After"] = str(RETRY_AFTER)
        return response
    return render(request, "500.html", status=500)
