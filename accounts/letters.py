"""From a composed message to a mail: frame, headers, unsubscribe links. Nothing here decides when to send."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse

from accounts import news
from accounts.models import Notice, User

_OFF_SALT = "accounts.mail-off"


@dataclass(frozen=True, slots=True)
class Message:
    """What a mail says, without its frame: the greeting, reason and links at its end are added by `framed`.

    subject: one line, also the heading of the page of the mail unless `heading` is given.
    text: the body as plain text.
    html: the body as table rows `<tr><td class="e-line" …>…</td></tr>` of templates/accounts/mail/frame.html; if
    empty, the
        paragraphs of `text` are shown instead.
    link: absolute address of the page this is about, shown as a button where `html` is empty. It never acts by itself.
    link_label: words on that button.
    reason: why the reader gets this, one sentence; shown in the footer.
    preview: what a list of mails shows after the subject.
    page: absolute address that a notification opens; `link` unless given.
    """

    subject: str
    text: str
    html: str = ""
    link: str = ""
    link_label: str = ""
    heading: str = ""
    reason: str = ""
    preview: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """A whole mail as it goes out, able to be stored as JSON so that a repeat is the same to the letter."""

    subject: str
    text: str
    html: str
    headers: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "Letter":
        return cls(**stored)


def one_line(text: str) -> str:
    """Text fit for a mail header: no line breaks, no control characters, no run of spaces."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def off_token(user_id: int, kinds: Collection[str]) -> str:
    """A token that can turn these kinds of mail off (or on again) for this person, and nothing else. Never expires."""
    return signing.dumps([user_id, sorted(kinds)], salt=_OFF_SALT)


def read_off_token(token: str) -> tuple[int, list[str]] | None:
    """The person and the kinds an `off_token` speaks for, or None if it was not made by this site."""
    try:
        user_id, kinds = signing.loads(token, salt=_OFF_SALT)
    except signing.BadSignature:
        return None
    known = {*news.SWITCHABLE, news.ALL}
    return user_id, [kind for kind in kinds if kind in known]


def _off_link(user_id: int, kinds: Collection[str]) -> str:
    return f"{settings.SITE_URL}{reverse('mail_off')}?{urlencode({'token': off_token(user_id, kinds)})}"


def message_id(notice: Notice) -> str:
    """The Message-ID of the mail that carries this notice first: the same whenever it is computed."""
    stamp = hashlib.sha256(f"{settings.SECRET_KEY}|{notice.dedup}".encode()).hexdigest()[:12]
    return f"<notice.{notice.pk}.{stamp}@{urlsplit(settings.SITE_URL).hostname}>"


def subject(messages: Sequence[Message]) -> str:
    """One line for several messages: what the first says, and how many more there are."""
    context = {"first": messages[0], "others": len(messages) - 1}
    return one_line(render_to_string("accounts/mail/subject.txt", context))


def framed(user: User, parts: Sequence[tuple[str, Message]]) -> Letter:
    """One letter to a person out of the messages of one or more notices, given with their kinds."""
    kinds = [kind for kind, _message in parts]
    messages = [message for _kind, message in parts]
    first = messages[0]
    off = _off_link(user.pk, kinds)
    context = {
        "reader": user,
        "messages": messages,
        "first": first,
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "off_url": off,
        "all_off_url": _off_link(user.pk, [news.ALL]),
    }
    host = urlsplit(settings.SITE_URL).hostname
    return Letter(
        subject=subject(messages),
        text=render_to_string("accounts/mail/frame.txt", context),
        html=render_to_string("accounts/mail/frame.html", context),
        headers={
            "List-Id": f"{settings.SITE_NAME} <{kinds[0]}.{host}>",
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def plain(message: Message) -> Letter:
    """A letter about the account itself: no list, nothing to unsubscribe from, and no greeting by name."""
    context = {"message": message, "site_name": settings.SITE_NAME, "site_url": settings.SITE_URL}
    return Letter(
        subject=one_line(message.subject),
        text=render_to_string("accounts/mail/plain.txt", context),
        html=render_to_string("accounts/mail/plain.html", context),
    )


def mail(letter: Letter, to: str, message_id: str, comes_back_to: str = "") -> EmailMultiAlternatives:
    """The mail of a letter, to one recipient. Reports of mail servers go to `comes_back_to`, or else to the sender."""
    headers = {"Auto-Submitted": "auto-generated", "Message-ID": message_id, **letter.headers}
    if comes_back_to:
        headers["From"] = settings.DEFAULT_FROM_EMAIL
    made = EmailMultiAlternatives(letter.subject, letter.text, comes_back_to or None, to=[to], headers=headers)
    if letter.html:
        made.attach_alternative(letter.html, "text/html")
    return made
