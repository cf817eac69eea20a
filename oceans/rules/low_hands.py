"""What a hand is worth where low wins (docs/rules/common.md, 6 and 18): ace-to-five, or deuce-to-seven."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from .cards import ACE, RANK_NAMES, Card
from .hand_names import hand_title, odd_cards
from .hand_values import Category, category_of
from .ranking import best_hand

LOWS: Final = {"a5": "Ace to five: straights and flushes ignored", "27": "Deuce to seven: the worst high hand"}

_SHAPES: Final = {
    (): Category.HIGH_CARD,
    (2,): Category.PAIR,
    (2, 2): Category.TWO_PAIR,
    (3,): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4,): Category.FOUR_OF_A_KIND,
}
"""Kinds of hand by the sizes of their groups of equal cards."""

_WHEEL: Final = 5
"""The top card of the straight in which the ace is low."""


@dataclass(frozen=True, order=True)
class LowRank:
    """One low hand of up to five cards. The lower hand is the greater value; equal means a tie."""

    merit: int
    cards: tuple[Card, ...] = field(compare=False)
    """The cards, largest group first, then from the top."""
    worth: int = field(compare=False)
    """The hand's value as a high hand, with aces counted as 14."""

    @property
    def title(self) -> str:
        """The hand without its odd cards: "Eight low"."""
        if category_of(self.worth) == Category.HIGH_CARD:
            return f"{RANK_NAMES[self.cards[0].rank - 2]} low".capitalize()
        return hand_title(self.worth).capitalize()

    @property
    def odd(self) -> str:
        """The cards that only break ties: "six, four, two and ace"."""
        return odd_cards(self.worth)

    @property
    def name(self) -> str:
        """The hand in full, beginning small: "eight low, six, four, two and ace"."""
        title = self.title[0].lower() + self.title[1:]
        return f"{title}, {self.odd}" if self.odd else title


def best_low(cards: Iterable[Card], low: str = "a5") -> LowRank:
    """The best low hand of up to five of these cards, fewer making a partial hand. `low` is a key of LOWS. Raises
    ValueError if there are no cards."""
    held = sorted(cards)
    if not held:
        raise ValueError("A hand needs at least one card.")
    rank = _ace_to_five if low == "a5" else _deuce_to_seven
    return max(rank(chosen) for chosen in combinations(held, min(5, len(held))))


def _ace_to_five(cards: Collection[Card]) -> LowRank:
    counts = Counter(1 if card.rank == ACE else card.rank for card in cards)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    category = _SHAPES[tuple(count for count, _ in groups if count > 1)]
    places = {rank: number for number, (_, rank) in enumerate(groups)}
    ordered = sorted(cards, key=lambda card: places[1 if card.rank == ACE else card.rank])
    ranks = [rank for _, rank in groups]
    return LowRank(
        -_packed(category, ranks), tuple(ordered), _packed(category, [rank if rank > 1 else ACE for rank in ranks])
    )


def _deuce_to_seven(cards: Collection[Card]) -> LowRank:
    """The ace is high only, so that 5-4-3-2-A is no straight."""
    high = best_hand(cards)
    if high.category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH) and high.value[1] == _WHEEL:
        ordered = tuple(sorted(cards, key=lambda card: card.rank, reverse=True))
        is_flush = high.category == Category.STRAIGHT_FLUSH
        worth = _packed(Category.FLUSH if is_flush else Category.HIGH_CARD, [card.rank for card in ordered])
        return LowRank(-worth, ordered, worth)
    return LowRank(-high.packed, high.cards, high.packed)


def _packed(category: Category, ranks: Collection[int]) -> int:
    return category << 20 | sum(rank << shift for rank, shift in zip(ranks, (16, 12, 8, 4, 0), strict=False))
