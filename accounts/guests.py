"""Guests: people who play at once, without a form. A guest is a person of one browser, known by its session alone."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.utils import timezone

from accounts import closing
from accounts.models import User

IDLE: Final = timedelta(days=60)
"""A guest unseen for so long is taken to be gone; the session ends then as well."""

UNPROVED: Final = timedelta(days=7)
"""A sign-up whose address was not proved in this time is given up."""


@contextmanager
def guest_for(request: HttpRequest) -> Iterator[User]:
    """The person of this browser: whoever is signed in, or a new guest, who is signed in once the block has succeeded.
    A block that raises leaves no guest behind."""
    if request.user.is_authenticated:
        yield request.user
        return
    with transaction.atomic():
        guest = _new_guest(timezone.now())
        yield guest
    login(request, guest)


def aside(request: HttpRequest) -> User | None:
    """The guest of this browser, whom pages for signing up and in do not see (accounts/middleware.py), or None."""
    guest = getattr(request, "_cached_user", None)
    return guest if guest is not None and guest.is_authenticated and guest.is_guest else None


def proved(user: User) -> None:
    """Make a full account of a guest whose address was proved. Everything the guest played stays where it is."""
    User.objects.filter(pk=user.pk, is_guest=True).update(is_guest=False)


def _new_guest(now: datetime) -> User:
    """A guest under a free name such as `guest-7f3a`; the name grows longer where short ones are taken."""
    for width in (2, 2, 3, 4, 6):
        guest = User(username=f"guest-{secrets.token_hex(width)}", is_guest=True, last_seen_at=now)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            continue
        return guest
    raise RuntimeError("No free name for a guest was found in five tries.")


def remove_unproved(now: datetime, limit: int = 100) -> int:
    """Close accounts whose address was never proved and who never signed in, so that their names are free again."""
    never_proved = EmailAddress.objects.filter(user=OuterRef("pk"), verified=False)
    stale = User.objects.filter(
        Exists(never_proved), is_guest=False, closed_at=None, last_login=None, date_joined__lt=now - UNPROVED
    )
    keys = list(stale.order_by("date_joined").values_list("pk", flat=True)[:limit])
    for key in keys:
        closing.close(key, now)
    return len(keys)


def remove_idle_guests(now: datetime, limit: int = 100) -> int:
    """Close the accounts of guests who have not been here for IDLE; return how many. A few at a time, as ticks are
    short.
    """
    idle = User.objects.filter(is_guest=True, closed_at=None, last_seen_at__lt=now - IDLE)
    keys = list(idle.order_by("last_seen_at").values_list("pk", flat=True)[:limit])
    for key in keys:
        closing.close(key, now)
    return len(keys)
