"""Every kind of news the site sends to a person, and what is promised about each.

The table is the one place that says which kinds exist, whether a person may switch them off, and what happens when
the outcome of a sending is unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Channel(models.TextChoices):
    """A way to reach a person, each kind of news with its own switch."""

    MAIL = "mail", _("Mail")
    PUSH = "push", _("Browser")


class Kind(models.TextChoices):
    """What a piece of news is about."""

    YOUR_TURN = "your-turn", _("Games wait for you")
    DIGEST = "digest", _("The daily list of games that wait")
    RUNNING_OUT = "running-out", _("A clock of yours runs out soon")
    LEAVE_SPENT = "leave-spent", _("A day of leave was spent for you")
    TIMED_OUT = "timed-out", _("A clock ran out")
    RESULT = "result", _("A game of yours has ended")
    CANCELLED = "cancelled", _("A game of yours was cancelled")
    INVITATION = "invitation", _("Invitations")
    CHALLENGE = "challenge", _("Ladder challenges")
    EVENT_STARTS = "event-starts", _("A tournament of yours begins soon")
    ROUND_OPENS = "round-opens", _("A round of yours opens")
    TITLE = "title", _("Titles and final standings")
    ACCOUNT = "account", _("Codes and news about your account")


@dataclass(frozen=True, slots=True)
class Promised:
    """How one kind of news is treated.

    repeats: send once more after a sending whose outcome is unknown (at least once); otherwise at most once.
    urgent: neither quiet hours nor the pause between two mails may hold it back.
    by_mail: whether it goes by mail until its reader says otherwise.
    fixed: the reader cannot switch it off.
    """

    repeats: bool = False
    urgent: bool = False
    by_mail: bool = True
    fixed: bool = False
    hint: "StrOrPromise" = ""


PROMISES: Final[Mapping[Kind, Promised]] = {
    Kind.YOUR_TURN: Promised(repeats=True),
    Kind.DIGEST: Promised(),
    Kind.RUNNING_OUT: Promised(repeats=True, urgent=True, hint=_("once for each turn")),
    Kind.LEAVE_SPENT: Promised(repeats=True, hint=_("with the games it kept alive")),
    Kind.TIMED_OUT: Promised(repeats=True),
    Kind.RESULT: Promised(repeats=True),
    Kind.CANCELLED: Promised(repeats=True),
    Kind.INVITATION: Promised(),
    Kind.CHALLENGE: Promised(),
    Kind.EVENT_STARTS: Promised(hint=_("three days and one day before")),
    Kind.ROUND_OPENS: Promised(),
    Kind.TITLE: Promised(),
    Kind.ACCOUNT: Promised(urgent=True, fixed=True),
}

SWITCHABLE: Final = tuple(kind for kind, promised in PROMISES.items() if not promised.fixed)

ALL: Final = "all"
"""Stands for every kind that can be switched off, in the link "stop all reminders"."""


class Reader(Protocol):
    """Whoever has switches: `news` maps a kind to a mapping of channel to yes or no; what is missing is the default."""

    news: dict[str, dict[str, bool]]


def wants(reader: Reader, kind: str, channel: str = Channel.MAIL) -> bool:
    """Whether the reader has this kind of news switched on for this channel."""
    promised = PROMISES[Kind(kind)]
    if promised.fixed:
        return channel == Channel.MAIL
    default = promised.by_mail if channel == Channel.MAIL else False
    return reader.news.get(kind, {}).get(channel, default)


def switch(reader: Reader, kind: str, channel: str, on: bool) -> None:
    """Turn one kind of news, or all that can be, on or off in the reader's switches; saving is left to the caller."""
    kinds = SWITCHABLE if kind == ALL else (Kind(kind),)
    for each in kinds:
        if not PROMISES[each].fixed:
            reader.news.setdefault(each.value, {})[channel] = on
