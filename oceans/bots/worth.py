"""What a game of Ocean's Eleven is worth between hands, from what everybody can see.

A logistic formula over hands still to win, cards left and wild cards left, with a set of weights for each number of
wild cards in a pack. `tests/benchmarks/fit_worth.py` fitted them to games for two between bots of Ferry's kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final

WEIGHTS: Final[dict[int, tuple[float, ...]]] = {
    0: (-1.8972, 4.8119, 3.5225, -0.0651, 5.1455, -9.6683, 0.0, 0.0, 0.0, -2.5376, 0.3367),
    2: (-2.3513, 5.1994, 3.8294, -0.0555, 6.6213, -11.724, 0.4045, 0.2435, 1.5108, -3.8158, 0.6855),
    4: (-1.848, 4.823, 3.8489, -0.0532, 6.0337, -11.0941, 0.4347, 0.1874, 1.4306, -3.2458, 0.4754),
    6: (-1.5965, 4.5532, 3.5014, -0.0308, 5.6675, -10.0166, 0.3359, 0.4234, 1.5229, -2.675, 0.3359),
}
"""By the number of wild cards in a pack."""

SPENT: Final = 0.5
"""Cards that a seat without any counts as at a larger table, where others play on."""


@dataclass(frozen=True, slots=True)
class Side:
    """One player between hands: hands won, cards left, wild cards among them (on average, if that is not known)."""

    wins: int
    cards: int
    wilds: float


def features(own: Side, rival: Side, target: int) -> tuple[float, ...]:
    """What the formula weighs; the negative of it seen from the other side. Both still have hands to win."""
    need, other = target - own.wins, target - rival.wins
    most_hands = need + other - 1
    cards, rival_cards = own.cards or SPENT, rival.cards or SPENT
    richer = log(cards / rival_cards)
    return (
        (cards - rival_cards) / 10,
        sqrt(cards) - sqrt(rival_cards),
        log(cards / need) - log(rival_cards / other),
        ((cards / need) ** 2 - (rival_cards / other) ** 2) / 50,
        richer / most_hands,
        richer / sqrt(most_hands),
        own.wilds - rival.wilds,
        sqrt(own.wilds) - sqrt(rival.wilds),
        (own.wilds - rival.wilds) / most_hands,
        1 / need - 1 / other,
        float((need == 1) - (other == 1)),
    )


def worth(sides: Sequence[Side], seat: int, target: int, wilds: int) -> float:
    """The chance of a seat to win the game before the next hand, its share if several win together. `wilds` is the
    number of wild cards in a pack."""
    with_cards = [side for side in sides if side.cards]
    if len(with_cards) < 2 or max([side.wins for side in sides]) >= target:
        # Whoever alone has cards collects a hand with each (docs/rules/oceans-eleven.md, 5).
        wins = [min(target, side.wins + side.cards) if len(with_cards) == 1 else side.wins for side in sides]
        return (wins[seat] == max(wins)) / wins.count(max(wins))
    own, weights = sides[seat], WEIGHTS[wilds]
    against = 1.0
    for number, rival in enumerate(sides):
        if number != seat:
            weighed = zip(weights, features(own, rival, target), strict=True)
            against += exp(-sum([weight * feature for weight, feature in weighed]))
    return 1 / against
