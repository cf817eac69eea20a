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
    0: (-1.7261, 4.5952, 3.2149, -0.0431, 3.9915, -8.3513, 0.0, 0.0, 0.0, -1.9146, 0.104),
    2: (-2.3502, 5.2702, 4.3021, -0.0518, 7.5597, -13.3077, 0.4005, 0.3764, 1.4241, -4.8448, 0.8887),
    4: (-2.303, 5.369, 3.5597, -0.0421, 6.8074, -11.6032, 0.4199, 0.1581, 1.6762, -2.6991, 0.3285),
    6: (-1.4709, 4.274, 3.5762, -0.0203, 6.1508, -10.4515, 0.4139, 0.3423, 1.1722, -3.0684, 0.3418),
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
