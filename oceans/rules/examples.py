"""Tables laid out by hand, for the rules pages and the sample hand: the real rules on chosen cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .cards import Card, cards
from .chance import DealKeys
from .engine import MatchState, Setup, settle, start, submit
from .games import by_slug
from .look import Facts, View, ZoneView, look
from .moves import Move
from .table import Viewer

_KEYS = DealKeys.of_seed("examples")


def laid_out(slug: str, rows: Sequence[str]) -> View:
    """What a spectator sees when these rows lie on the table of a game in which every seat has a row."""
    view = look(start(_setup(slug, len(rows)), _KEYS), None)
    seats = tuple(replace(one, row=cards(row)) for one, row in zip(view.seats, rows, strict=True))
    facts = Facts({**vars(view.facts), "contestants": tuple(range(len(rows)))})
    return replace(view, seats=seats, facts=facts)


def held(slug: str, hands: Sequence[str], middle: str = "") -> View:
    """What a spectator sees when everybody's cards are face up: of "Ks 4c | Kd 9h" those before the stroke were dealt
    face down, those behind it face up. `middle` are cards that lie in the middle of the table for all."""
    view = look(start(_setup(slug, len(hands)), _KEYS), None)
    parts = [hand.partition("|") for hand in hands]
    seats = tuple(
        replace(one, hole=cards(down), row=cards(up)) for one, (down, _, up) in zip(view.seats, parts, strict=True)
    )
    return replace(view, seats=seats, zones=(ZoneView("middle", cards(middle)),) if middle else ())


def played(slug: str, tops: Sequence[str], moves: Sequence[str], viewer: Viewer = None) -> View:
    """What `viewer` sees after these moves ("0 deal"), when each seat's own pack begins with the given cards."""
    setup = _setup(slug, len(tops))
    packs = tuple(_filled(cards(top), setup) for top in tops)
    match = _settled(start(setup, _KEYS, decks={1: (packs,)}))
    for text in moves:
        seat, move = text.split(maxsplit=1)
        match = _settled(submit(match, int(seat), Move.parse(move)))
    return look(match, viewer)


def _setup(slug: str, seats: int) -> Setup:
    game = by_slug(slug)
    return Setup(game=game, options=game.options(), seats=seats)


def _settled(match: MatchState) -> MatchState:
    return settle(match)[0]


def _filled(top: tuple[Card, ...], setup: Setup) -> tuple[Card, ...]:
    """A whole pack that begins with these cards."""
    every = start(setup, _KEYS).state.table.packs[0].contents
    return top + tuple(card for card in every if card not in top)
