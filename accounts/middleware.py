"""Notes when a person was last here, and lets guests sign up."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.models import User

PRECISION: Final = timedelta(minutes=2)
"""How exact `User.last_seen_at` is: a visit writes it at most once in this time."""


ENTRANCE: Final = "/accounts/"
"""Where the pages for signing up and in are."""


class GuestsAside:
    """Shows the pages for signing up and in nobody where there is a guest, as they turn away whoever is signed in.

    The session stays the guest's, so leaving those pages loses nothing. Comes right after Django's
    AuthenticationMiddleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(ENTRANCE):
            somebody = request.user

            def seen() -> User | AnonymousUser:
                # Asking makes Django look the session up, which is what `guests.aside` relies on.
                is_guest = somebody.is_authenticated and somebody.is_guest
                return AnonymousUser() if is_guest else somebody

            request.user = SimpleLazyObject(seen)  # type: ignore[assignment]
        return self.get_response(request)


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
