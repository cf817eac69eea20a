"""Mail that comes back. Every mail has a return address of its own, signed and good for two weeks, and a report of a
mail server that arrives there (a delivery status notification, RFC 3464) marks that mail and perhaps its address.
"""

import base64
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import Message
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import base36_to_int, int_to_base36
from django.utils.translation import gettext as _

from accounts import addresses, delivery
from accounts.models import Notice

GOOD_FOR: Final = timedelta(days=14)
"""Mail servers give up after five days at most; what comes later is not about this mail."""

_EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)
_STATUS: Final = re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b")
_SAID: Final = re.compile(r"\b5\d\d[ -]+#?(5\.\d{1,3}\.\d{1,3})\b")

State = Notice.State


class NotOurs(Exception):
    """A return address that this site did not make, or made too long ago, or for an address that its reader has no
    more. `str()` says which."""


class TooEarly(Exception):
    """The mail is still being sent; the report should be brought again later."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What a report says: the status by RFC 3463, such as 5.1.1, and the words of the server that refused the mail."""

    status: str
    said: str

    @property
    def is_final(self) -> bool:
        """Whether the address refused the mail for good. 5.4.4, no route, passes by itself."""
        return self.status.startswith("5.") and self.status != "5.4.4"


def return_address(notice: Notice, to: str, now: datetime) -> str:
    """Where the mail of this notice to this address comes back to; empty if the site takes no mail."""
    if not settings.BOUNCE_ADDRESS:
        return ""
    name, _at, host = settings.BOUNCE_ADDRESS.partition("@")
    place = f"{int_to_base36(notice.pk)}.{int_to_base36((now - _EPOCH).days)}"
    return f"{name}+{place}.{_signature(place, to)}@{host}"


def notice_of(address: str, now: datetime) -> Notice:
    """The notice whose mail came back to this return address; raises NotOurs."""
    found = re.fullmatch(r"[^@]*\+([0-9a-z]{1,13})\.([0-9a-z]{1,6})\.([a-z2-7]{20})@[^@]*", address.strip().lower())
    if found is None:
        raise NotOurs(_("This is no return address of a mail of this site."))
    number, day, signature = found.groups()
    notice = Notice.objects.filter(pk=base36_to_int(number)).select_related("user").first()
    if notice is None or not constant_time_compare(signature, _signature(f"{number}.{day}", notice.recipient)):
        raise NotOurs(_("The signature of this return address is not right for anybody's present address."))
    if now >= _EPOCH + timedelta(days=base36_to_int(day)) + GOOD_FOR:
        raise NotOurs(_("This return address has expired."))
    return notice


def failure_in(report: Message) -> Failure | None:
    """What a mail says about one that was not delivered; None if it says nothing of the kind, such as a reply by a
    machine or the news that a server goes on trying."""
    for part in report.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        blocks = part.get_payload()
        for block in blocks if isinstance(blocks, list) else []:
            if isinstance(block, Message) and str(block.get("Action", "")).strip().lower() == "failed":
                return _failure(str(block.get("Status", "")), str(block.get("Diagnostic-Code", "")))
    return None


def note(notice: Notice, failure: Failure, now: datetime) -> bool:
    """Mark a mail as failed, and give its address up as after a refusal while sending; False if that was known.

    Raises TooEarly while the mail is being sent or will be repeated.
    """
    mail = Notice.objects.filter(pk=notice.pk)
    if notice.message_id:
        mail |= Notice.objects.filter(message_id=notice.message_id)
    with transaction.atomic():
        if mail.filter(state__in=(State.PENDING, State.CLAIMED)).exists():
            raise TooEarly
        words = f"{failure.status} {failure.said}".strip()
        reason = words if failure.is_final else f"came back: {words}"
        failed = mail.filter(state__in=(State.SENT, State.UNKNOWN)).update(
            state=State.FAILED, reason=reason[:200], ended_at=now
        )
        if failed and failure.is_final and notice.user_id is not None:
            nobody_there = delivery.says_nobody_there(failure.status)
            addresses.note_refusal(notice.user_id, notice.recipient, nobody_there=nobody_there, now=now)
    return failed > 0


def _signature(place: str, to: str) -> str:
    """Short enough for the 64 signs before the @, and the same in lower case, which some servers make of it."""
    digest = salted_hmac("accounts.bounces", f"{place} {to.lower()}", algorithm="sha256").digest()
    return base64.b32encode(digest).decode()[:20].lower()


def _failure(status: str, said: str) -> Failure | None:
    found = _STATUS.search(status)
    if found is None:
        return None
    code = found[0]
    # Some servers give no details but in the words of the one that refused the mail.
    if code.endswith(".0.0") and (detailed := _SAID.search(said)):
        code = detailed[1]
    return Failure(code, " ".join(said.split())[:180])
