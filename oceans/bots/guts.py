"""The house bots at Guts: in when the hand is likely to be the best of those in, phantoms included."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from oceans.bots.hands import chance_to_beat_one, own_hand, rivals
from oceans.rules.asks import Ask, Cards, Picker
from oceans.rules.cards import Card
from oceans.rules.look import View
from oceans.rules.moves import Move
from oceans.rules.small_hands import Value, best_of

IN: Final = Move("in")
OUT: Final = Move("out")
OFTEN_IN: Final = 0.5
"""How much of a rival counts: about half of them stay out, and those with the weaker hands."""
FAVOURED: Final = 0.5
BLINDLY_IN: Final = 2
"""So many of the others are in on average where nobody sees a hand: a loser plays for what losers pay, so that being in
pays until two others are."""


def choose(view: View, ask: Ask, pick: Picker) -> Move:
    """In or out by the odds; passing, the cards that leave the best hand behind."""
    if isinstance(ask, Cards):
        return _pass(view, ask)
    hand, size = own_hand(view), view.options.cards
    if view.options.look == "others":
        return _from_the_others(view, pick)
    phantoms = sum(1 for zone in view.zones if zone.name.startswith("phantom"))
    if not hand:
        return IN if pick(max(1, rivals(view) + phantoms)) < BLINDLY_IN else OUT
    odds = chance_to_beat_one(view, hand, size, lambda cards: _value(view, cards), pick)
    return IN if odds ** (OFTEN_IN * rivals(view) + phantoms) >= FAVOURED else OUT


def _from_the_others(view: View, pick: Picker) -> Move:
    """The own hand is the only one not seen: in if a random card would probably beat what is seen."""
    seen = [[card for card in one.hole if card is not None] for one in view.seats if one.seat != view.viewer]
    best = max((_value(view, cards) for cards in seen if cards), default=(0,))
    chance_of, unseen = Random(pick(65536)), list(view.unseen[0])
    drawn = (chance_of.sample(unseen, view.options.cards) for _ in range(100))
    return IN if sum(_value(view, cards) >= best for cards in drawn) >= 50 else OUT


def _pass(view: View, ask: Cards) -> Move:
    kept = ask.of
    for _ in range(ask.fewest):
        kept = max((tuple(one for one in kept if one != card) for card in kept), key=lambda cards: _worth(view, cards))
    return Move(ask.verb, cards=tuple(sorted(card for card in ask.of if card not in kept)))


def _worth(view: View, cards: Sequence[Card]) -> Value:
    return best_of(cards, len(cards), _spit(view))


def _value(view: View, cards: Sequence[Card]) -> Value:
    return best_of(cards, view.options.cards, _spit(view), poker=view.options.three_ranks == "poker")


def _spit(view: View) -> Card | None:
    return next((zone.cards[0] for zone in view.zones if zone.name == "spit"), None)
