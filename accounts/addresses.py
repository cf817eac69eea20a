"""Another mail address for an account: the old one is told, and can take the change back for 72 hours. And addresses
that refuse mail.

Whoever got into an account could otherwise keep it by an address of their own. The link in the mail to the old address
leads to a page with a button; pressing it needs nobody to be signed in, as the owner may have been locked out.
"""

from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import F, Max
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import notices
from accounts.letters import Message
from accounts.models import AddressChange, Notice, User

UNDO_FOR: Final = timedelta(hours=72)
KEPT: Final = timedelta(days=7)
"""How long it is remembered that an address changed, so that refusals of the old one do not count against the new."""

REFUSALS: Final = 3
REFUSALS_WITHIN: Final = timedelta(days=7)
"""So many mails refused for good in this time, and an address is given up even if it exists."""

_UNDO_SALT = "accounts.address-undo"


class NotUndone(Exception):
    """The new address stays; `str()` is a sentence for whoever asked."""


def proved(user: User) -> None:
    """Take mail up again once an address was proved: what an earlier one refused says nothing about it."""
    User.objects.filter(pk=user.pk).update(address_refused_at=None)


def changed(user: User, old: str, now: datetime) -> None:
    """Note that the address was another one until now, and tell that one how to have it back; in the transaction of
    the change."""
    change = AddressChange.objects.create(user=user, old=old, changed_at=now)
    with timezone.override(user.zone):
        until = f"{timezone.localtime(undo_until(change)):%Y-%m-%d %H:%M %Z}"
    names = {"name": user.shown_name, "site": settings.SITE_NAME, "until": until}
    notices.notify_address(
        address=old,
        user_id=user.pk,
        key=f"address-change:{change.pk}",
        message=Message(
            subject=_("The address of your account at %(site)s was changed") % names,
            text=_(
                "The account %(name)s at %(site)s has another mail address now. If you changed it, do nothing.\n\n"
                "If it was not you, take the change back until %(until)s: open this page and press the button there. "
                "Then this address is the one of the account again, and everybody else is signed out."
            )
            % names,
            link=undo_link(change),
            link_label=_("Take the change back"),
        ),
        now=now,
        good_until=undo_until(change),
    )


def undo_until(change: AddressChange) -> datetime:
    """The first moment when the change can no longer be taken back."""
    return change.changed_at + UNDO_FOR


def undo_link(change: AddressChange) -> str:
    """The address of the page on which the change can be taken back. It never acts by itself."""
    token = signing.dumps(change.pk, salt=_UNDO_SALT)
    return f"{settings.SITE_URL}{reverse('address_undo')}?{urlencode({'token': token})}"


def change_of(token: str) -> int | None:
    """The number of the change that a link is about, or None if this site did not make it."""
    try:
        number: int = signing.loads(token, salt=_UNDO_SALT)
    except signing.BadSignature:
        return None
    return number


def undo(change_id: int, now: datetime) -> User:
    """Give an account its old address back, as proved, sign everybody out of it, switch its feeds and notifications
    off and remove passkeys and second factors added since; return whose it is.

    A second call changes nothing. Later changes can no longer be taken back: whoever made them has lost the account.
    Raises NotUndone after UNDO_FOR, or if another account has proved the address meanwhile.
    """
    too_late = NotUndone(_("The 72 hours are over: the change can no longer be taken back here."))
    with transaction.atomic():
        whose = AddressChange.objects.filter(pk=change_id).values("user")
        user = User.objects.select_for_update(no_key=True).filter(pk__in=whose, closed_at=None).first()
        change = AddressChange.objects.filter(pk=change_id, user=user).first()
        if user is None or change is None:
            raise too_late
        if change.undone_at is not None:
            return user
        if now >= undo_until(change):
            raise too_late
        if EmailAddress.objects.filter(email__iexact=change.old, verified=True).exclude(user=user).exists():
            raise NotUndone(_("Another account has this address now. Close that account first, or change its address."))
        _restore(user, change, now)
    return user


def note_refusal(user_id: int, address: str, *, nobody_there: bool, now: datetime) -> None:
    """Give up an address that does not exist, or the REFUSALSth time in a week that it refused a mail; nothing if the
    person has another one by now. Call it when the notice has been marked."""
    times = (now - REFUSALS_WITHIN, AddressChange.objects.filter(user=user_id).aggregate(at=Max("changed_at"))["at"])
    refused = Notice.objects.filter(
        user=user_id, state=Notice.State.FAILED, reason__startswith="5", ended_at__gt=max(filter(None, times))
    )
    if nobody_there or refused.values("message_id").distinct().count() >= REFUSALS:
        reader = User.objects.filter(pk=user_id, email__iexact=address, address_refused_at=None)
        reader.update(address_refused_at=now)


def forget(now: datetime) -> int:
    """Forget former addresses after KEPT; return how many."""
    return AddressChange.objects.filter(changed_at__lt=now - KEPT).delete()[0]


def _restore(user: User, change: AddressChange, now: datetime) -> None:
    lost, user.email = user.email, change.old
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=change.old, verified=True, primary=True)
    user.address_refused_at = None
    user.sign_outs = F("sign_outs") + 1
    user.save(update_fields=["email", "address_refused_at", "sign_outs"])
    user.refresh_from_db(fields=["sign_outs"])
    # Whoever had the account may have read the addresses of its feeds, and may be notified in a browser of his own.
    user.feeds.all().delete()
    user.push_addresses.all().delete()
    # A second factor of theirs would lock the owner out, and a passkey would let them in again.
    Authenticator.objects.filter(user=user, created_at__gte=change.changed_at).delete()
    change.undone_at = now
    change.save(update_fields=["undone_at"])
    AddressChange.objects.filter(user=user, pk__gt=change.pk).delete()
    if lost and lost != change.old:
        notices.notify_address(
            address=lost,
            user_id=user.pk,
            key=f"address-undone:{change.pk}",
            message=Message(
                subject=_("Your address at %(site)s was taken back") % {"site": settings.SITE_NAME},
                text=_(
                    "The account %(name)s at %(site)s has its former mail address again: whoever reads mail there "
                    "took the change back. Nothing about this account will come to this address any more."
                )
                % {"name": user.shown_name, "site": settings.SITE_NAME},
            ),
            now=now,
        )
