"""What one hand is worth, as a number, and the small tables that make ranking quick (docs/rules/common.md, 4).

A hand's value is its category and up to five ranks, packed four bits each into one integer, so that the better of
two hands is the greater number. Ranks that a category or a short hand does not use are 0. Sets of ranks are 13-bit
masks in which bit 0 is the two and bit 12 the ace.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Category(IntEnum):
    """The kinds of hand, worst first; the number is the first item of a value."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    FIVE_OF_A_KIND = 9


PAIR: Final = 1 << 20
TWO_PAIR: Final = 2 << 20
THREE: Final = 3 << 20
STRAIGHT: Final = 4 << 20
FLUSH: Final = 5 << 20
FULL_HOUSE: Final = 6 << 20
FOUR: Final = 7 << 20
STRAIGHT_FLUSH: Final = 8 << 20
FIVE: Final = 9 << 20

ALL_RANKS: Final = (1 << 13) - 1

SEQUENCES: Final = {top: 0b11111 << (top - 6) for top in range(14, 5, -1)} | {5: 0b1_0000_0000_1111}
"""The ranks of the straight to each top card, best first; the ace is low in the straight to the five."""


def unpack(value: int) -> tuple[int, ...]:
    """A packed value as (category, r1, … r5), unused places 0."""
    return (value >> 20, *(value >> shift & 15 for shift in (16, 12, 8, 4, 0)))


def category_of(value: int) -> Category:
    """The category of a packed value."""
    return Category(value >> 20)


def _without_top(ranks: int) -> int:
    return ranks ^ 1 << ranks.bit_length() - 1 if ranks else 0


def _straight_top(ranks: int) -> int:
    """The top card of the best straight among these ranks, 0 if there is none."""
    with_low_ace = ranks << 1 | ranks >> 12
    pairs = with_low_ace & with_low_ace >> 1
    fives = pairs & pairs >> 2 & with_low_ace >> 4
    return fives.bit_length() + 4 if fives else 0


def _top_fives() -> list[int]:
    table = [0] * (ALL_RANKS + 1)
    for ranks in range(1, ALL_RANKS + 1):
        table[ranks] = ranks.bit_length() + 1 << 16 | table[LESS_1[ranks]] >> 4
    return table


LESS_1: Final = [_without_top(ranks) for ranks in range(ALL_RANKS + 1)]
LESS_2: Final = [LESS_1[ranks] for ranks in LESS_1]
LESS_3: Final = [LESS_1[ranks] for ranks in LESS_2]
LESS_5: Final = [LESS_3[ranks] for ranks in LESS_2]
"""By set of ranks: the set without its one, two, three or five highest."""

TOP_5: Final = _top_fives()
"""By set of ranks: the five highest, packed as the ranks of a value."""

STRAIGHT_TOP: Final = [_straight_top(ranks) for ranks in range(ALL_RANKS + 1)]
"""By set of ranks: the top card of the best straight among them, 0 if there is none."""

MANY: Final = bytes(ranks.bit_count() > 4 for ranks in range(ALL_RANKS + 1))
"""By set of ranks: 1 if there are five or more, enough for a flush."""

NEARLY_MANY: Final = bytes(ranks.bit_count() > 3 for ranks in range(ALL_RANKS + 1))
"""By set of ranks: 1 if there are four or more, enough for a flush with one wild."""
