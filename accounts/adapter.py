"""How allauth, which runs the pages for signing up and in, is fitted to this site.

Mails of these pages go through the outbox, so that the time a page takes does not tell whether an address is known.
Guests keep their row, and with it their games, when they sign up; see accounts/guests.py.
"""

from datetime import timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.password_reset_by_code import PASSWORD_RESET_VERIFICATION_SESSION_KEY
from allauth.account.internal.userkit import user_id_to_str
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import guests, notices
from accounts.letters import Message
from accounts.models import FormerName, User

CODE_LIFE = timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)


class Adapter(DefaultAccountAdapter):
    """Names, mails and guests of this site, for allauth."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name, if it may be chosen and nobody has or had it; a guest who tries again may keep the name tried
        before.
        """
        guest = guests.aside(self.request)
        if guest is not None and guest.username.lower() == username.lower():
            shallow = True
        cleaned = super().clean_username(username, shallow)
        if FormerName.objects.filter(name__iexact=cleaned).exists():
            raise ValidationError(_("This name is taken."), code="username_taken")
        return cleaned

    def new_user(self, request: HttpRequest) -> User:
        """The row to sign up: the guest's of this browser, or a new one."""
        guest = guests.aside(request)
        if guest is None:
            return User()
        # An earlier try may have left an address that was never proved.
        EmailAddress.objects.filter(user=guest, verified=False).delete()
        return guest

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        saved = super().save_user(request, user, form, commit)
        if saved.is_guest:
            # The password changed under the guest's own session, which must not end by that.
            request.session[HASH_SESSION_KEY] = saved.get_session_auth_hash()
        return saved

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put the mail into the outbox; it is sent at most once, and not after its code has expired."""
        now = timezone.now()
        shown = {
            **context,
            "email": email,
            "site_name": settings.SITE_NAME,
            "site_url": settings.SITE_URL,
            "code_minutes": CODE_LIFE // timedelta(minutes=1),
        }
        user = context.get("user")
        notices.notify_address(
            address=email,
            user_id=user.pk if user is not None else None,
            message=Message(
                subject=f"{_mail_part(template_prefix, 'subject', shown)} · {settings.SITE_NAME}",
                text=_mail_part(template_prefix, "message", shown),
            ),
            now=now,
            good_until=now + CODE_LIFE if "code" in context else None,
        )

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """As allauth does, but for a changed address, of which accounts/addresses.py tells the old one."""
        if template_prefix != "account/email/email_changed":
            super().send_notification_mail(template_prefix, user, context, email)

    @transaction.atomic
    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Note that an address was proved; if it replaces another one, together with the mail to that one."""
        return super().confirm_email(request, email_address)

    def pre_login(
        self, request: HttpRequest, user: User, *, email: str | None = None, **terms: Any
    ) -> HttpResponse | None:
        """As allauth does, but not by a code that went to an address which the account has lost since."""
        _check_present(user, email)
        return super().pre_login(request, user, email=email, **terms)

    def set_password(self, user: User, password: str) -> None:
        """As allauth does, but not by such a code either."""
        reset = self.request.session.get(PASSWORD_RESET_VERIFICATION_SESSION_KEY) or {}
        if reset.get("user_id") == user_id_to_str(user):
            _check_present(user, reset.get("email"))
        super().set_password(user, password)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return reverse("turn")

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return reverse("turn")


def _mail_part(template_prefix: str, part: str, context: dict[str, Any]) -> str:
    return render_to_string(f"{template_prefix}_{part}.txt", context).strip()


def _check_present(user: User, address: str | None) -> None:
    """Raise PermissionDenied for an address that is not, or no more, one of the account's."""
    if not address or address.lower() == user.email.lower():
        return
    if not EmailAddress.objects.filter(user=user, email__iexact=address).exists():
        raise PermissionDenied(_("This account has another address now: ask for a new code there."))
