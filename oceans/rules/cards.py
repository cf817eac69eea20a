"""Cards, packs and their text form (docs/rules/common.md, 2).

A card is a small integer that knows its rank and suit: the number used by shuffles and openings, 13 x suit + rank
index for suited cards (clubs, diamonds, hearts, spades, roses), 65 and 66 for the jokers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhsr"
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades", "roses")
RANK_NAMES: Final = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
ACE: Final = 14


class Card(int):
    """One playing card. Equal cards are the same number, so a card may be a key, an index or a set member."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """2 to 14 (ace); 0 for a joker."""
        return 0 if self >= 65 else self % 13 + 2

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades, 4 roses; -1 for a joker."""
        return -1 if self >= 65 else self // 13

    @property
    def is_joker(self) -> bool:
        return self >= 65

    @property
    def name(self) -> str:
        """The card in words: "king of hearts", "first joker"."""
        if self >= 65:
            return "first joker" if self == 65 else "second joker"
        return f"{RANK_NAMES[self % 13]} of {SUIT_NAMES[self // 13]}"

    def __str__(self) -> str:
        if self >= 65:
            return f"X{self - 64}"
        return RANKS[self % 13] + SUITS[self // 13]

    __repr__ = __str__


CARDS: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(67))
"""Every card there is, by number. Take cards from here rather than making new ones."""

JOKERS: Final[tuple[Card, ...]] = CARDS[65:]
PACK_52: Final[tuple[Card, ...]] = CARDS[:52]
PACK_54: Final[tuple[Card, ...]] = PACK_52 + JOKERS
PACK_65: Final[tuple[Card, ...]] = CARDS[:65]

_BY_TEXT: Final = {str(card): card for card in CARDS}


def card(text: str) -> Card:
    """The card written as `Kh`, `Td`, `4r` or `X1`. Raises ValueError with a sentence for anything else."""
    found = _BY_TEXT.get(text)
    if found is None:
        raise ValueError(f"{text!r} is not a card: write a rank 2-9 T J Q K A and a suit c d h s r, or X1, X2.")
    return found


def cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Several cards, from one string with spaces or from single texts. Raises ValueError as `card` does."""
    return tuple(card(one) for one in (text.split() if isinstance(text, str) else text))


def text_of(row: Iterable[Card]) -> str:
    """Cards as one string with spaces."""
    return " ".join(map(str, row))
