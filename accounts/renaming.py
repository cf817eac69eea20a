"""Changing one's name: rarely, and old links go on leading to the same person."""

from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts import names
from accounts.models import FormerName, User

EVERY: Final = timedelta(days=90)


class NotRenamed(Exception):
    """The name stays as it was; `str()` is a sentence for the person."""


def next_at(user: User) -> datetime | None:
    """The first moment when this person may change the name again; None if it may be changed at any time."""
    return user.renamed_at + EVERY if user.renamed_at else None


def rename(user_id: int, name: str, now: datetime) -> None:
    """Give a person another name and keep the old one for their links; raise NotRenamed if that is not possible now."""
    refusal = names.refusal(name)
    if refusal is not None:
        raise NotRenamed(refusal)
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=user_id)
            _rename(user, name, now)
    except IntegrityError as error:
        raise NotRenamed(_("This name is taken.")) from error


def _rename(user: User, name: str, now: datetime) -> None:
    earliest = next_at(user)
    if earliest is not None and now < earliest:
        raise NotRenamed(
            _("You can change your name again from %(day)s on.") % {"day": earliest.astimezone(user.zone).date()}
        )
    if FormerName.objects.filter(name__iexact=name).exclude(user=user).exists():
        raise NotRenamed(_("This name is taken."))
    if user.username == name:
        raise NotRenamed(_("This is your name already."))
    user.former_names.filter(name__iexact=name).delete()
    if user.username.lower() != name.lower():
        FormerName.objects.create(user=user, name=user.username, given_up_at=now)
    user.username, user.renamed_at = name, now
    user.save(update_fields=["username", "renamed_at"])
