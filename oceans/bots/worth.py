"""What a game of Ocean's Eleven for two is worth between hands, from what everybody can see.

A logistic formula over hands still to win, cards left and wild cards left. `tests/benchmarks/fit_worth.py` fitted the
weights to games between bots of Ferry's kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final

WEIGHTS: Final = (0.2237, -2.0027, 0.4914, -0.0172, -6.3261, -0.4169, 0.6637, 1.9495, 0.1387, 5.6334, 0.3062)


@dataclass(frozen=True, slots=True)
class Side:
    """One player between hands: hands won, cards left, wild cards among them."""

    wins: int
    cards: int
    wilds: int


def features(own: Side, rival: Side, target: int) -> tuple[float, ...]:
    """What the formula weighs; the negative of it seen from the other side. Both sides have cards and hands to win."""
    need, other = target - own.wins, target - rival.wins
    return (
        other - need,
        (own.cards - rival.cards) / 10,
        own.wilds - rival.wilds,
        (other - need) / min(need, other),
        (own.cards - rival.cards) / (own.cards + rival.cards),
        (own.cards / need - rival.cards / other) / 5,
        own.wilds / need - rival.wilds / other,
        log(own.cards / need) - log(rival.cards / other),
        1 / need - 1 / other,
        sqrt(own.cards) - sqrt(rival.cards),
        5 * (own.wilds / own.cards - rival.wilds / rival.cards),
    )


def worth(own: Side, rival: Side, target: int) -> float:
    """The chance to win the game before the next hand, a draw counting half."""
    if own.wins < target and rival.wins < target and own.cards and rival.cards:
        return 1 / (1 + exp(-sum(map(float.__mul__, WEIGHTS, map(float, features(own, rival, target))))))
    # Whoever alone has cards collects a hand with each (docs/rules/oceans-eleven.md, 5).
    mine = min(target, own.wins + own.cards) if not rival.cards else own.wins
    theirs = min(target, rival.wins + rival.cards) if not own.cards else rival.wins
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
