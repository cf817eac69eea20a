"""Matches and offers as lines of lists."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from oceans.mail_games import against
from oceans.models import Match
from oceans.queries import MatchRow, OfferRow, SeatRow
from oceans.rated_games import worn_sentence
from oceans.site import absolute
from oceans.templatetags.parts import icon_html, standing_html
from oceans.views.seen import clock_of
from oceans.views.table import hand_minis, heading_text
from oceans.views.words import listed, options_text, terms_text


@dataclass(frozen=True, slots=True)
class GameLine:
    """One match in a list."""

    id: int
    url: str
    name: str
    about: str
    clock: str = ""
    left: timedelta | None = None
    say: str = ""
    others: str = ""
    """Who else plays, or who of them must answer."""
    outcome: str = ""
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class OfferLine:
    """One offer in a list, as its reader may see it."""

    id: int
    slug: str
    family: str
    game: str
    options: str
    terms: str
    seats: str
    poster: str
    invitee: str
    expires_at: datetime
    link: str
    is_rated: bool
    is_mine: bool
    why_not: str
    rating: str
    """The poster's."""


@dataclass(frozen=True, slots=True)
class WatchLine:
    """One match that can be watched."""

    id: int
    players: str
    game: str
    score: str


def about(row: MatchRow) -> str:
    """Against whom, and where the match stands."""
    where = heading_text(row.game, row.view) if row.view else ""
    return ", ".join(filter(None, (against(row), where)))


def waiting_line(row: MatchRow, now: datetime) -> GameLine:
    """A match in which the reader must answer, with the cards."""
    own = row.own
    assert own is not None
    return GameLine(
        id=row.id,
        url=reverse("match", args=[row.id]),
        name=row.game.name,
        about=about(row),
        clock=clock_of(own, now),
        left=own.deadline_at - now if own.deadline_at else None,
        say=_say(row),
    )


def _say(row: MatchRow) -> SafeString:
    """How it stands in one line: ahead or behind, both rows of a duel or the own cards, the question elsewhere."""
    view = row.view
    if view is None or row.viewer is None:
        return SafeString()
    reading = row.game.reading(view)
    own = reading.hands[row.viewer]
    cards = hand_minis(own, view.seats[row.viewer])
    if len(view.seats) == 2 and view.seats[row.viewer].row:
        other = 1 - row.viewer
        return format_html(
            '<span>{}</span> <span>{} {}</span> <span class="soft">{}</span> <span>{} {}</span>',
            standing_html(own.standing),
            cards,
            _small(own.name),
            _("against"),
            hand_minis(reading.hands[other], view.seats[other]),
            _small(reading.hands[other].name),
        )
    prompt = view.ask.prompt if view.ask else ""
    return format_html("<span>{}</span> <span>{} {}</span>", prompt, cards, _small(own.name))


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]


def others_line(row: MatchRow, now: datetime) -> GameLine:
    """A match in which somebody else must answer, or nobody can."""
    due = [seat for seat in row.seats if seat.is_due]
    is_stopped = row.match.status == Match.Status.PARKED
    return GameLine(
        id=row.id,
        url=reverse("match", args=[row.id]),
        name=row.game.name,
        about=about(row),
        others=_("stopped for repair") if is_stopped else _to_move(due),
        clock=clock_of(min(due, key=lambda seat: seat.deadline_at or now), now) if due else "",
    )


def _to_move(due: list[SeatRow]) -> str:
    if not due:
        return _("not told")
    if len(due) > 2:
        return _("%(count)d still to choose") % {"count": len(due)}
    return ", ".join(seat.person.name for seat in due)


def ended_line(row: MatchRow) -> GameLine:
    """A match that is over, from the side of the row's viewer."""
    return GameLine(
        id=row.id,
        url=reverse("match", args=[row.id]),
        name=row.game.name,
        about=against(row),
        outcome=outcome_html(row),
        ended_at=row.match.finished_at,
        others=listed(seat.person.name for seat in row.others),
    )


def news_line(row: MatchRow) -> GameLine:
    """A match that has ended without its viewer's having looked: it opens at the first move he has not seen."""
    line = ended_line(row)
    if row.own is None or row.own.seen_number >= row.match.log_length:
        return line
    return replace(line, url=f"{reverse('replay', args=[row.id])}?move={row.own.seen_number + 1}")


def outcome_html(row: MatchRow) -> SafeString:
    """How a match ended for its viewer, as a tag: "Won 6–4", "3rd of 5"."""
    own = row.own
    if row.match.status == Match.Status.CANCELLED or own is None or own.place is None:
        return format_html('<span class="tag">{}{}</span>', icon_html("x"), _("Cancelled"))
    shared = sum(seat.place == own.place for seat in row.seats) > 1
    score = f"{own.score}–{row.others[0].score}" if len(row.seats) == 2 else ""
    if own.place == 1 and not shared:
        return format_html('<span class="tag on">{}{} {}</span>', icon_html("check"), _("Won"), score)
    if len(row.seats) > 2:
        words = _("place %(place)d of %(count)d") % {"place": own.place, "count": len(row.seats)}
        return format_html('<span class="tag">{}</span>', words)
    if shared:
        return format_html('<span class="tag">{}{} {}</span>', icon_html("level"), _("Drawn"), score)
    return format_html('<span class="tag">{}{} {}</span>', icon_html("x"), _("Lost"), score)


def watch_line(row: MatchRow) -> WatchLine:
    """A match for those who look for something to watch."""
    names = [seat.person.name for seat in row.seats]
    shown = (
        ", ".join(names)
        if len(names) < 4
        else _("%(names)s and %(count)d more")
        % {
            "names": ", ".join(names[:2]),
            "count": len(names) - 2,
        }
    )
    score = "" if row.game.has_chips else "–".join(str(seat.score) for seat in row.seats)
    return WatchLine(row.id, shown, row.game.name, score)


def offer_lines(rows: Iterable[OfferRow], request: HttpRequest) -> list[OfferLine]:
    return [offer_line(row, request.user) for row in rows]


def offer_line(row: OfferRow, user: Any) -> OfferLine:
    """An offer for a list or its own page."""
    match = row.match
    return OfferLine(
        id=row.id,
        slug=match.game,
        family=row.game.family,
        game=row.game.name,
        options=options_text(row.game, match.options),
        terms=_offer_terms(row),
        seats=_("%(taken)d of %(count)d") % {"taken": row.taken, "count": match.seat_count},
        poster=row.poster.name,
        invitee=row.invitee.name if row.invitee else "",
        expires_at=row.expires_at,
        link=absolute(reverse("join", args=[row.token])) if row.token else "",
        is_rated=match.rated,
        is_mine=user.is_authenticated and row.poster.id == user.pk,
        why_not=row.why_not,
        rating=row.poster_rating,
    )


def _offer_terms(row: OfferRow) -> str:
    """The terms of the match, who may take it, and what to expect."""
    span = _("ratings %(span)s") % {"span": row.span} if row.span else ""
    worn = worn_sentence() if row.is_worn else ""
    chance = _("%(n)d in 100 for you to win") % {"n": row.chance} if row.chance is not None else ""
    return " · ".join(filter(None, (terms_text(row.match), span, worn, chance)))
