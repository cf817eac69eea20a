"""Hands in words: "Three kings", "with queen and jack"."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import RANK_NAMES
from .hand_values import Category, unpack


def _one(rank: int) -> str:
    return RANK_NAMES[rank - 2]


def _many(rank: int) -> str:
    name = _one(rank)
    return name + ("es" if name.endswith("x") else "s")


def listed(words: Sequence[str]) -> str:
    """Words as a list: "ace, nine and four"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def hand_title(value: int) -> str:
    """What a hand is called without its odd cards, beginning small: "three kings", "flush, queen high".

    A single card is called by its rank alone: "ten".
    """
    category, first, second, *_ = unpack(value)
    match category:
        case Category.FIVE_OF_A_KIND:
            return f"five {_many(first)}"
        case Category.STRAIGHT_FLUSH:
            return "royal flush" if first == 14 else f"straight flush, {_one(first)} high"
        case Category.FOUR_OF_A_KIND:
            return f"four {_many(first)}"
        case Category.FULL_HOUSE:
            return f"full house, {_many(first)} over {_many(second)}"
        case Category.FLUSH:
            return f"flush, {_one(first)} high"
        case Category.STRAIGHT:
            return f"straight, {_one(first)} high"
        case Category.THREE_OF_A_KIND:
            return f"three {_many(first)}"
        case Category.TWO_PAIR:
            return f"two pair, {_many(first)} and {_many(second)}"
        case Category.PAIR:
            return f"pair of {_many(first)}"
    return f"{_one(first)} high" if second else _one(first)


_RANKS_IN_TITLE = {
    Category.FULL_HOUSE: 2,
    Category.TWO_PAIR: 2,
}


def odd_cards(value: int) -> str:
    """The cards that only break ties, highest first: "queen and jack"; empty if there are none."""
    category, *ranks = unpack(value)
    return listed([_one(rank) for rank in ranks[_RANKS_IN_TITLE.get(Category(category), 1) :] if rank])


def hand_name(value: int) -> str:
    """A hand in full: "three kings, queen and jack"."""
    odd = odd_cards(value)
    return f"{hand_title(value)}, {odd}" if odd else hand_title(value)
