"""The single road from truth to sight: what one seat, or a spectator, may see of a match.

A view is built up from nothing: a card enters it only by being in a row, or by a `Held` that names the viewer. Every
other value comes from fields that are public by the contract of game.py. A view holds no reference to a state, a
table or a key, so it may go to pages, mails, bots and orders. This module knows no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from .asks import Ask
from .betting import Pot, chips_in, pots
from .cards import Card
from .game import MatchResult
from .moves import Move
from .table import Held, Seat, Table, Viewer

if TYPE_CHECKING:
    from .engine import Entry, Line, MatchState

Face = Card | None
"""A card the viewer sees, or None for a back."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it."""

    seat: Seat
    hole: tuple[Face, ...]
    row: tuple[Card, ...]
    gone: tuple[Face, ...]
    stack: int
    paid: int
    bet: int
    score: int
    is_in: bool
    is_out: bool
    has_left: bool
    is_due: bool
    has_answered: bool
    pack_left: int


@dataclass(frozen=True, slots=True)
class ZoneView:
    name: str
    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class DealView:
    """A finished deal: what each seat held as far as the viewer has legally seen it, and what it brought."""

    deal_no: int
    hands: tuple[tuple[Face, ...], ...]
    zones: tuple[ZoneView, ...]
    deltas: tuple[int, ...]
    points: tuple[int, ...]
    earlier: tuple[tuple[tuple[Face, ...], ...], ...] = ()
    """The hands of packs dealt before the last one, where the deal had redeals."""


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat may see. `facts` are the game's own public fields; `unseen` lists for each pack the cards the
    viewer has not seen leave it. Where a game does not say whom it waits for `waits_for` is empty, and of who is due or
    has answered only the viewer's own seat tells. `pot` counts all
    chips committed to the deal; `pots` parts them, without the bets of the present round, as seats can win them."""

    game: str
    options: Any
    viewer: Viewer
    deal_no: int
    turn: int
    button: Seat
    seats: tuple[SeatView, ...]
    zones: tuple[ZoneView, ...]
    pot: int
    pots: tuple[Pot, ...]
    pack_left: tuple[int, ...]
    unseen: tuple[tuple[Card, ...], ...]
    facts: Facts
    ask: Ask | None
    answer: Move | None
    sealed: bool
    waits_for: tuple[Seat, ...]
    deals: tuple[DealView, ...]
    story: tuple[Line, ...]
    result: MatchResult | None
    by_order: frozenset[int] = frozenset()
    """Numbers of the lines of the story for which standing orders of the viewer's own answered."""

    @property
    def is_over(self) -> bool:
        return self.result is not None


def look(match: MatchState, seat: Viewer, *, opened: bool = False) -> View:
    """What `seat` sees; None is a spectator. When the match is over and its archive is open every card is seen;
    `opened` says the same of an earlier moment of such a match."""
    state, table = match.state, match.state.table
    opened = match.setup.open_archive and (opened or match.over is not None)
    waiting = None if match.over is not None else match.game.due(state, match.options)
    asks = waiting.asks if waiting else {}
    named = waiting is not None and not waiting.unnamed
    answered = {answer.seat: answer.move for answer in match.sealed}
    score = match.game.score(match.progress())
    out = dict(match.out)
    seats = tuple(
        SeatView(
            seat=number,
            hole=_faces(place.hole, seat, opened),
            row=place.row,
            gone=_faces(table.gone_of(number), seat, opened),
            stack=place.stack,
            paid=place.paid,
            bet=place.bet,
            score=score[number],
            is_in=place.is_in,
            is_out=number in out,
            has_left=number in match.retired,
            is_due=(named or number == seat) and number in asks and number not in answered,
            has_answered=(named or number == seat) and number in answered,
            pack_left=table.left(number),
        )
        for number, place in enumerate(table.places)
    )
    return View(
        game=match.game.slug,
        options=match.options,
        viewer=seat,
        deal_no=match.deal_no,
        turn=match.turn,
        button=match.button,
        seats=seats,
        zones=_zones(table, seat, opened),
        pot=chips_in(table),
        pots=pots(table.each_place(lambda place: replace(place, paid=place.paid - place.bet, bet=0))),
        pack_left=tuple(map(len, table.packs)),
        unseen=_unseen(table, seats, seat, opened),
        facts=Facts({one.name: getattr(state, one.name) for one in fields(state) if one.name not in ("table", "said")}),
        ask=asks.get(seat) if seat is not None else None,
        answer=answered.get(seat) if seat is not None else None,
        sealed=waiting is not None and waiting.sealed,
        waits_for=tuple(number for number in asks if number not in answered) if named else (),
        deals=tuple(
            DealView(
                result.deal_no,
                _hands(result.table, seat, opened),
                _zones(result.table, seat, opened),
                result.deltas,
                result.ending.points,
                tuple(_hands(before, seat, opened) for before in result.table.before),
            )
            for result in match.results
        ),
        story=match.story,
        result=match.over,
        by_order=_by_order(match.log, seat),
    )


class Facts:
    """A game's public fields by name; equal when all fields are."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the game has no public fact called {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Facts) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.__dict__.items(), key=lambda item: item[0])))


def _by_order(log: Sequence[Entry], viewer: Viewer) -> frozenset[int]:
    """The last entry of each turn in which an order of the viewer's answered: its line has that number."""
    turns = {one.turn for one in log if one.cause == "order" and one.seat == viewer} if viewer is not None else set()
    last = {one.turn: number for number, one in enumerate(log, 1)} if turns else {}
    return frozenset(last[turn] for turn in turns)


def _faces(held: Iterable[Held], viewer: Viewer, opened: bool) -> tuple[Face, ...]:
    return tuple(one.card if opened or viewer in one.seen_by else None for one in held)


def _hands(table: Table, viewer: Viewer, opened: bool) -> tuple[tuple[Face, ...], ...]:
    return tuple(_faces(place.hole, viewer, opened) + place.row for place in table.places)


def _zones(table: Table, viewer: Viewer, opened: bool) -> tuple[ZoneView, ...]:
    return tuple(ZoneView(zone.name, _faces(zone.held, viewer, opened)) for zone in table.zones)


def _unseen(table: Table, seats: tuple[SeatView, ...], viewer: Viewer, opened: bool) -> tuple[tuple[Card, ...], ...]:
    """For each pack the cards of it that the viewer has not seen: in the pack or face down elsewhere."""
    own = len(table.packs) > 1
    seen: list[set[Face]] = [set() for _ in table.packs]
    for one in seats:
        seen[one.seat if own else 0].update(one.row, one.hole, one.gone)
    if not own:
        for zone in _zones(table, viewer, opened):
            seen[0].update(zone.cards)
    return tuple(
        tuple(card for card in pack.contents if card not in seen[number]) for number, pack in enumerate(table.packs)
    )
