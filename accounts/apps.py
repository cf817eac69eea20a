"""The accounts app."""

from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from allauth.account.models import EmailAddress

    from accounts.models import User


class AccountsConfig(AppConfig):
    """People, their preferences, their leave, and the outbox of notices."""

    name = "accounts"
    verbose_name = _("Accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import email_changed, email_confirmed

        from accounts import addresses, guests

        def proved(email_address: "EmailAddress", **_kwargs: object) -> None:
            guests.proved(email_address.user)
            addresses.proved(email_address.user)

        def changed(user: "User", from_email_address: "EmailAddress | None", **_kwargs: object) -> None:
            # Whoever reads an address that was never proved is perhaps nobody of ours.
            if from_email_address is not None and from_email_address.verified:
                addresses.changed(user, from_email_address.email, timezone.now())

        email_confirmed.connect(proved, dispatch_uid="accounts.proved", weak=False)
        email_changed.connect(changed, dispatch_uid="accounts.changed", weak=False)
