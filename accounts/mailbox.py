"""Keeps mails in the database instead of sending them, for a site without a mail server; /mailbox/ shows them."""

from collections.abc import Sequence

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from accounts.models import LocalMail

KEPT = 200
"""Only the newest so many mails are kept."""


class LocalMailbox(BaseEmailBackend):
    """The EMAIL_BACKEND of a site that runs on one's own machine."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for mail in email_messages:
            sent = mail.message()
            alternatives = mail.alternatives if isinstance(mail, EmailMultiAlternatives) else []
            html = alternatives[0].content if alternatives else ""
            LocalMail.objects.create(
                to=", ".join(mail.recipients()),
                subject=mail.subject,
                text=mail.body,
                html=html,
                headers={name: str(value) for name, value in sent.items()},
            )
        newest = LocalMail.objects.order_by("-id").values_list("id", flat=True)
        LocalMail.objects.filter(id__lte=next(iter(newest[KEPT : KEPT + 1]), 0)).delete()
        return len(email_messages)
