"""Closing an account: the row stays, so that finished games do, and nothing in it tells whose it was."""

from collections.abc import Callable
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction

from accounts.models import Notice, User

_hooks: list[Callable[[int, datetime], None]] = []


def register(hook: Callable[[int, datetime], None]) -> None:
    """Have `hook(user_id, now)` called, in the transaction that closes an account and while it still has its name.

    It ends what the person was part of; once, from AppConfig.ready.
    """
    if hook not in _hooks:
        _hooks.append(hook)


def close(user_id: int, now: datetime) -> None:
    """Close an account for good: end running games, withdraw entries, forget name, address, keys and preferences.

    Does nothing to an account that is closed already. No mail goes there again.
    """
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        if user.closed_at:
            return
        for hook in _hooks:
            hook(user_id, now)
        _forget(user, now)


def _forget(user: User, now: datetime) -> None:
    blank = User(
        pk=user.pk, username=f"deleted-{user.pk}", is_active=False, closed_at=now, date_joined=user.date_joined
    )
    blank.set_unusable_password()
    blank.is_guest, blank.is_bot = user.is_guest, user.is_bot
    blank.last_seen_at = None
    blank.save(force_update=True)
    user.notices.filter(state=Notice.State.PENDING).update(
        state=Notice.State.SKIPPED, ended_at=now, message=None, reason="account closed"
    )
    user.notices.exclude(address="").update(address="")
    user.former_names.all().delete()
    user.address_changes.all().delete()
    user.feeds.all().delete()
    user.push_addresses.all().delete()
    user.leaves.all().delete()
    user.groups.clear()
    user.user_permissions.clear()
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    signed_in = UserSession.objects.filter(user=user)
    Session.objects.filter(session_key__in=signed_in.values("session_key")).delete()
    signed_in.delete()
