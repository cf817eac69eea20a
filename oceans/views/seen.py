"""A match as one reader sees it: the rows a page may use, brought together through the doors."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from oceans import access, queries
from oceans.clock import PACES
from oceans.models import Match
from oceans.queries import MatchRow, Person, SeatRow
from oceans.rules.game import Game
from oceans.rules.look import View
from oceans.rules.orders import read_orders, rivals
from oceans.templatetags.parts import clock, icon_html, span
from oceans.views.table import Player


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page about a match works with. `seat` is the reader's own, None for those who watch."""

    row: MatchRow
    players: tuple[Player, ...]
    now: datetime

    @property
    def match(self) -> Match:
        return self.row.match

    @property
    def game(self) -> Game:
        return self.row.game

    @property
    def seat(self) -> int | None:
        return self.row.viewer

    @property
    def own_seat(self) -> int:
        """The seat of a reader who plays."""
        assert self.row.viewer is not None
        return self.row.viewer

    @property
    def view(self) -> View:
        assert self.row.view is not None
        return self.row.view

    @property
    def has_news(self) -> bool:
        """Whether something happened since the reader, a player, looked last."""
        own = self.row.own
        return own is not None and (own.seen_number < self.match.log_length or self.match.is_over)


def see(request: HttpRequest, match_id: int, *, player_only: bool = False, at: int | None = None) -> Seen:
    """The match for the reader of this request, now or after so many entries of its log.

    Raises Http404; PermissionDenied for a spectator if `player_only`.
    """
    now = timezone.now()
    match = access.seat_for(request.user, match_id)[0] if player_only else access.match_for(request.user, match_id)
    row = queries.view_of(match, match.viewer, at=at, now=now)
    return Seen(row, tuple(player_of(seat, row, now) for seat in row.seats), now)


@dataclass(frozen=True, slots=True)
class OwnOrder:
    """A standing order of the reader's in words. `stopped` says why it has stopped, if it has; `gives_way` names the
    orders that count where they say otherwise; `terms` are what was chosen."""

    kind: str
    name: str
    words: str
    stopped: str
    gives_way: tuple[str, ...]
    terms: Mapping[str, Any]


def own_orders(seen: Seen) -> list[OwnOrder]:
    """The standing orders in force of the reader's own seat, as they are tried."""
    if seen.seat is None or not seen.match.is_running:
        return []
    stored = read_orders(seen.game.orders, seen.match.own_orders)
    orders = tuple(filter(None, (order.lasting(seen.view) for order in stored)))
    return [
        OwnOrder(
            kind=order.kind,
            name=order.name,
            words=order.words(seen.view),
            stopped=order.stopped,
            gives_way=tuple(rival.name for rival in rivals(orders, order)),
            terms=order.chosen(),
        )
        for order in orders
    ]


def player_of(seat: SeatRow, row: MatchRow, now: datetime) -> Player:
    """Who sits in a seat, with the clock as it stands."""
    match = row.match
    may_get_time = (
        match.is_running
        and not match.event
        and row.viewer not in (None, seat.number)
        and seat.deadline_at is not None
        and not seat.person.is_bot
    )
    return Player(
        name=seat.person.name,
        who=link_to(seat.person),
        clock=clock_of(seat, now) if match.is_running and not _is_idle(seat, match) else "",
        may_get_time=may_get_time,
    )


def _is_idle(seat: SeatRow, match: Match) -> bool:
    """Whether the clock stands and always starts full, so that there is nothing to tell of it."""
    return seat.deadline_at is None and match.pace in PACES and PACES[match.pace].is_per_move


def link_to(person: Person) -> SafeString:
    """A person's name, leading to the page about them."""
    if person.is_closed:
        return format_html('<span class="who">{}</span>', person.name)
    bot = icon_html("bot") if person.is_bot else ""
    return format_html('<a class="who" href="{}">{}{}</a>', reverse("player", args=[person.name]), bot, person.name)


def clock_of(seat: SeatRow, now: datetime) -> str:
    """A seat's clock: what is left and until when while it runs, else what it holds."""
    if seat.deadline_at is not None:
        return clock(seat.deadline_at, now)
    if not seat.bank_s or seat.ended_at:
        return ""
    return format_html('<span class="clock">{}{}</span>', icon_html("clock"), span(timedelta(seconds=seat.bank_s)))
