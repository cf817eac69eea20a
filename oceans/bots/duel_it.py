"""The house bots at Duel It: by the odds that the hand is the best of those still in. Nobody ever loses points, so
showing is wrong only where it lets a better hand score the whole bid instead of half of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oceans.bots.hands import chance_to_beat_one, own_hand, rivals
from oceans.rules.asks import Ask, Picker
from oceans.rules.cards import Card
from oceans.rules.look import View
from oceans.rules.moves import Move

OPENINGS: Final = ((0.75, 10), (0.6, 8), (0.45, 6), (0.3, 4))
STRONG: Final = 0.7
FAIR: Final = 0.4


def choose(view: View, ask: Ask, pick: Picker) -> Move:
    """Bid by strength; answer with a duel, show or forget."""
    odds = chance_to_beat_one(view, own_hand(view), 2, _value, pick) ** max(1, rivals(view))
    if ask.refuse(Move("forget")) is not None:
        return Move("bid", next((bid for least, bid in OPENINGS if odds >= least), 2))
    duel = Move("duel")
    if odds >= STRONG and ask.refuse(duel) is None:
        return duel
    return Move("show") if odds >= FAIR else Move("forget")


def _value(cards: Sequence[Card]) -> tuple[int, int, int]:
    """docs/rules/duel-it.md, 2."""
    high, low = sorted((card.rank for card in cards), reverse=True)
    suited = cards[0].suit == cards[1].suit
    kind = 4 if high == low else (5 if suited else 3) if high - low == 1 else 2 if suited else 1
    return kind, high, low
