"""Private feeds: news as Atom and dates as iCalendar, at secret addresses, for programs that cannot sign in.

An address holds a serial and its signature, so that neither the database nor the secret key alone opens a feed. What is
in a feed is known by the apps that register sources. A source answers in two steps: a stamp, cheap, by which a program
that asks again and again learns that nothing has changed, and the items, written only where something has.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from accounts.models import Feed, User

_signer = signing.Signer(salt="accounts.feeds", sep=".")


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of news, or one date.

    key: tells it apart from all others of this site; the same as long as it is about the same thing.
    at: when the news came about, or the date itself.
    since: when what it says came about; of news the same as `at`.
    link: absolute address of the page this is about.
    lines: plain text, a sentence or more each. Everything is public, or the reader's own: never a card.
    """

    key: str
    title: str
    at: datetime
    since: datetime
    link: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a source has for one reader: the same stamp means the same items."""

    stamp: str
    write: Callable[[], Iterable[Item]]


Source = Callable[[User, datetime], Sheet]

_sources: Final[dict[str, list[Source]]] = {kind: [] for kind in Feed.Kind.values}


def register(kind: str, source: Source) -> None:
    """Add a source to a kind of feed; once, from AppConfig.ready."""
    if source not in _sources[kind]:
        _sources[kind].append(source)


def open_feed(user: User, kind: str, now: datetime) -> Feed:
    """The feed of a person, made if there is none."""
    return Feed.objects.get_or_create(user=user, kind=kind, defaults={"serial": _new_serial(), "made_at": now})[0]


def renew(user: User, kind: str, serial: str, now: datetime) -> None:
    """Give a feed another address, after which the present one leads nowhere; nothing if that has happened since the
    serial was read."""
    present = Feed.objects.filter(user=user, kind=kind).values_list("serial", flat=True).first()
    # Compared here, as no database takes every text that may be posted.
    if serial == present:
        Feed.objects.filter(serial=present).update(serial=_new_serial(), made_at=now)


def switch_off(user: User, kind: str) -> None:
    """Let the address of a feed lead nowhere."""
    Feed.objects.filter(user=user, kind=kind).delete()


def address_of(feed: Feed) -> str:
    """The secret address of a feed."""
    return settings.SITE_URL + reverse(f"feed_{feed.kind}", args=[_signer.sign(feed.serial)])


def reader_of(kind: str, token: str) -> User | None:
    """Whose feed of this kind has this address; None if nobody's has."""
    try:
        serial = _signer.unsign(token)
    except signing.BadSignature:
        return None
    found = Feed.objects.filter(kind=kind, serial=serial, user__is_active=True).select_related("user").first()
    return found.user if found else None


def sheet_of(kind: str, reader: User, now: datetime) -> Sheet:
    """What all sources of this kind have for a reader, in his zone, as one."""
    with timezone.override(reader.zone):
        sheets = [source(reader, now) for source in _sources[kind]]
    parts = [settings.SITE_NAME, reader.shown_name, reader.time_zone, *(sheet.stamp for sheet in sheets)]

    def write() -> list[Item]:
        with timezone.override(reader.zone):
            return [item for sheet in sheets for item in sheet.write()]

    return Sheet(hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32], write)


def _new_serial() -> str:
    return secrets.token_hex(16)
