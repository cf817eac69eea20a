"""The accounts app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """People, their preferences, their leave, and the outbox of notices."""

    name = "accounts"
    verbose_name = _("Accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed

        from accounts import guests

        email_confirmed.connect(
            lambda email_address, **_kwargs: guests.proved(email_address.user),
            dispatch_uid="accounts.guests.proved",
            weak=False,
        )
