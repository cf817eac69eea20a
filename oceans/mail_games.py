"""Games as mails show them: what everybody at the table sees, in words, as text and as HTML that mail readers know.

Built from the view of a spectator, whoever the mail goes to: a mail can be forwarded or lie open on a screen, so not
even the reader's own hidden cards are in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from oceans import queries
from oceans.models import Match
from oceans.queries import MatchRow
from oceans.queries.rows import with_views
from oceans.rules.cards import Card
from oceans.rules.game import HandReading, Reading
from oceans.rules.look import SeatView, View
from oceans.site import absolute
from oceans.templatetags.cards import said_text, sign

AS_TEXT = "\ufe0e"
"""Keeps a suit sign from being drawn as a coloured picture."""
SUIT_SIGNS = ("\u2663", "\u2666", "\u2665", "\u2660", "\u273f")
SUIT_LETTERS = "cdhsr"


@dataclass(frozen=True, slots=True)
class CardRow:
    """The open cards of a seat, as plain text and with suit signs, and what they amount to."""

    name: str
    text: str
    signs: str
    hand: str


@dataclass(frozen=True, slots=True)
class MailGame:
    """One game in a mail to one of its players."""

    id: int
    game: str
    against: str
    about: str
    verdict: str
    rows: tuple[CardRow, ...]
    question: str
    left: str
    until: str
    url: str
    commitment: str
    log_head: str

    @property
    def name_width(self) -> int:
        """How wide the names are, so that rows of a text mail line up."""
        return max((len(row.name) for row in self.rows), default=0)


def waiting_games(user, now: datetime, limit: int) -> list[MailGame]:
    """The games in which the user must answer, least time left first."""
    return [mail_game(row, now) for row in queries.waiting_for(user, now, limit)]


def mail_game(row: MatchRow, now: datetime) -> MailGame:
    """A game for a mail to the viewer of `row`."""
    (public,) = with_views([replace(row, viewer=None, view=None)])
    view, own = public.view, row.own
    record = queries.fair_record(row.match, None)
    reading = row.game.reading(view) if view else None
    deadline_at = own.deadline_at if own else None
    ask = row.view.ask if row.view and own and own.is_due else None
    return MailGame(
        id=row.id,
        game=row.game.name,
        against=against(row),
        about=", ".join(filter(None, (reading.heading if reading else "", standing(row), _pot(view)))),
        verdict=_verdict(row, reading) if reading else "",
        rows=tuple(_rows(row, view, reading.hands)) if view and reading else (),
        question=ask.prompt if ask and ask.open else "",
        left=time_left(deadline_at - now) if deadline_at else "",
        until=moment(deadline_at) if deadline_at else "",
        url=absolute(reverse("match", args=[row.id])),
        commitment=record["server_commitment"],
        log_head=record["log_head"],
    )


def against(row: MatchRow) -> str:
    """Whom the viewer plays: "against east"; "4 players" at larger tables and for watchers."""
    if len(row.seats) == 2 and row.viewer is not None:
        return _("against %(name)s") % {"name": row.others[0].person.name}
    return ngettext("%(count)d player", "%(count)d players", len(row.seats)) % {"count": len(row.seats)}


def standing(row: MatchRow) -> str:
    """The score between two, from the viewer's side; nothing where it is chips."""
    if len(row.seats) != 2 or row.own is None or row.game.has_chips:
        return ""
    own, other = row.own.score, row.others[0].score
    score = f"{own}–{other}"
    if own == other:
        return _("level %(score)s") % {"score": score}
    return (_("you lead %(score)s") if own > other else _("you trail %(score)s")) % {"score": score}


def outcome(row: MatchRow) -> str:
    """How the game ended for the reader, with whom it was played: "You won 6–4 against east"."""
    own = row.own
    assert own is not None
    if len(row.seats) > 2:
        return _("You came in at place %(place)d of %(count)d") % {"place": own.place, "count": len(row.seats)}
    words = {"score": f"{own.score}–{row.others[0].score}", "name": row.others[0].person.name}
    if own.place == row.others[0].place:
        return _("You drew %(score)s against %(name)s") % words
    if own.place == 1:
        return _("You won %(score)s against %(name)s") % words
    return _("You lost %(score)s against %(name)s") % words


def why_cancelled(match: Match) -> str:
    """Why a match ended without a result: "a player left before the first move"."""
    if match.ended_by == Match.EndedBy.WITHDRAWN:
        return _("a player left before the first move")
    return match.get_ended_by_display()


def time_left(left: timedelta) -> str:
    """A stretch of time in full: "1 day 6 hours", "7 hours", "25 minutes"; rounded down, so never too much."""
    minutes = max(0, int(left.total_seconds() // 60))
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        words = ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
        return f"{words} {_hours(hours)}" if hours and days < 10 else words
    if hours:
        return _hours(hours)
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def moment(instant: datetime) -> str:
    """An instant in the zone in force, with the zone: "Tue 17 Nov, 16:40 CET"."""
    local = timezone.localtime(instant)
    return f"{date_format(local, 'D j M, H:i')} {local.tzname()}"


def _verdict(row: MatchRow, reading: Reading) -> str:
    """Who is ahead and why, spoken to the viewer where it is about him."""
    names = dict(enumerate(row.names))
    own = reading.hands[row.viewer].standing if row.viewer is not None and row.match.is_running else ""
    spoken = {"ahead": _("You are ahead"), "behind": _("You are behind")}
    said = spoken.get(own) or said_text(reading.verdict, names)
    return f"{said}: {_small(said_text(reading.reason, names))}" if reading.reason else f"{said}."


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _hours(count: int) -> str:
    return ngettext("%(count)d hour", "%(count)d hours", count) % {"count": count}


def _pot(view: View | None) -> str:
    return _("pot %(count)d") % {"count": view.pot} if view and view.pot else ""


def _rows(row: MatchRow, view: View, hands: Iterable[HandReading]) -> Iterable[CardRow]:
    """The open cards of each seat that has some, the reader's first."""
    found = [
        (seat.number, _card_row(_("you") if seat.number == row.viewer else seat.person.name, one, hand))
        for seat, one, hand in zip(row.seats, view.seats, hands, strict=True)
        if one.row
    ]
    return [made for _seat, made in sorted(found, key=lambda one: (one[0] != row.viewer, one[0]))]


def _card_row(name: str, one: SeatView, hand: HandReading) -> CardRow:
    meanings = dict(hand.stands_for)
    best, rest = (hand.best, hand.rest) if hand.best else (one.row, ())
    text = " ".join(_letters(card, meanings.get(card)) for card in best)
    if rest:
        text += " | " + " ".join(_letters(card, None) for card in rest)
    signs = " ".join(_signs(card, meanings.get(card)) for card in (*best, *rest))
    return CardRow(name, text, signs, " ".join(filter(None, (hand.name, hand.detail))))


def _letters(card: Card, stands_for: Card | None) -> str:
    own = _("joker") if card.is_joker else sign(card) + SUIT_LETTERS[card.suit]
    return own if stands_for is None else f"{own}={_letters(stands_for, None)}"


def _signs(card: Card, stands_for: Card | None) -> str:
    own = _("joker") if card.is_joker else sign(card) + SUIT_SIGNS[card.suit] + AS_TEXT
    return own if stands_for is None else _("%(wild)s (as %(card)s)") % {"wild": own, "card": _signs(stands_for, None)}
