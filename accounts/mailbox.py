"""For a site without a mail server: keeps mails in the database instead of sending them, and shows them on a page."""

import ipaddress
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final

from csp.decorators import csp_replace
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from accounts.models import LocalMail

KEPT: Final = 200
"""Only the newest so many mails are kept."""


class LocalMailbox(BaseEmailBackend):
    """The EMAIL_BACKEND of a site that runs on one's own machine."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for mail in email_messages:
            sent = mail.message()
            alternatives = mail.alternatives if isinstance(mail, EmailMultiAlternatives) else []
            LocalMail.objects.create(
                to=", ".join(mail.recipients()),
                subject=str(mail.subject),
                text=str(mail.body),
                html=str(alternatives[0][0]) if alternatives else "",
                headers={name: str(value) for name, value in sent.items()},
            )
        newest = LocalMail.objects.order_by("-id").values_list("id", flat=True)
        LocalMail.objects.filter(id__lte=next(iter(newest[KEPT : KEPT + 1]), 0)).delete()
        return len(email_messages)


def _at_this_machine(page: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """There is no such page, except on a site that keeps its mails and for whoever sits at its machine."""

    @wraps(page)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        address = request.META.get("REMOTE_ADDR") or "0.0.0.0"  # a socket without addresses is not this machine
        if not settings.LOCAL_MAILBOX or not ipaddress.ip_address(address).is_loopback:
            raise Http404
        return page(request, *args, **kwargs)

    return guarded


@require_safe
@_at_this_machine
def every(request: HttpRequest) -> HttpResponse:
    """All kept mails, newest first."""
    return render(request, "accounts/mailbox.html", {"mails": LocalMail.objects.defer("text", "html", "headers")})


@require_safe
@_at_this_machine
def one(request: HttpRequest, mail_id: int) -> HttpResponse:
    """One mail: its headers, its text, and a frame with its other form."""
    return render(request, "accounts/mailbox_mail.html", {"mail": get_object_or_404(LocalMail, pk=mail_id)})


@require_safe
@_at_this_machine
@xframe_options_sameorigin
@csp_replace(  # type: ignore[arg-type]  # its types know no arguments of pages
    {"default-src": ["'none'"], "style-src": ["'unsafe-inline'"], "frame-ancestors": ["'self'"]}
)
def html(request: HttpRequest, mail_id: int) -> HttpResponseBase:
    """The HTML form of a mail as it is, for the frame, from which its links lead out."""
    mail = get_object_or_404(LocalMail, pk=mail_id)
    return HttpResponse(mail.html.replace("<head>", '<head><base target="_top">', 1))
