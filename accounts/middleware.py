"""Notes when a person was last here."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import User

PRECISION: Final = timedelta(minutes=2)
"""How exact `User.last_seen_at` is: a visit writes it at most once in this time."""


class LastSeen:
    """Writes `last_seen_at` of whoever a page was made for. Pages that look at no user cost nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "_cached_user", None)
        if user is not None and user.is_authenticated:
            note_visit(user)
        return response


def note_visit(user: User) -> None:
    """Write that this person is here now, unless that is known exactly enough."""
    now = timezone.now()
    earlier = now - PRECISION
    if user.last_seen_at is None or user.last_seen_at < earlier:
        User.objects.filter(Q(last_seen_at=None) | Q(last_seen_at__lt=earlier), pk=user.pk).update(last_seen_at=now)
