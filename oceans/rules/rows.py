"""Rows of Ocean's Eleven: rows of any length, compared hand by hand (docs/rules/oceans-eleven.md, 3).

`row_key` is what a program that compares many rows wants, `compare_rows` the quickest way to compare two, and
`rank_row` says everything a person wants to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from .cards import JOKERS, PACK_65, Card
from .hand_values import MANY, NEARLY_MANY
from .plain_hands import by_suit, levels, loose_hands, suited_hands
from .ranking import Face, HandRank, faces_of, mask_of, shown_hand, stand_ins
from .row_search import Pool, best_way, hands_of, one_wild_hands

NO_WILDS: Final[frozenset[Card]] = frozenset()
TWOS: Final = frozenset(card for card in PACK_65 if card.rank == 2)

WILDS: Final[dict[str, frozenset[Card]]] = {
    "none": NO_WILDS,
    "jokers": frozenset(JOKERS),
    "twos": TWOS,
    "jokers+twos": TWOS | frozenset(JOKERS),
}
"""The wild cards of each kind of pack, by name."""

RowKey = tuple[int, ...]
"""The values of a row's hands, best first, packed as in `hand_values`; the better row has the greater key."""

_BIT: Final = [1 << number for number in range(67)].__getitem__


@dataclass(frozen=True, order=True)
class RowRank:
    """A row made into hands. Ranks compare as the rows do: equal means level, whatever the cards."""

    key: RowKey
    hands: tuple[HandRank, ...] = field(compare=False)
    """The hand that counts first, then the hands of the cards left over."""
    voids: tuple[Card, ...] = field(compare=False)
    """Wilds that no card is left for; they count as missing cards."""

    @property
    def best(self) -> HandRank:
        """The hand that counts first; an empty row has none."""
        return self.hands[0]

    @property
    def left_over(self) -> tuple[Card, ...]:
        """The cards of all hands but the first, in the order they count."""
        return tuple(card for hand in self.hands[1:] for card in hand.cards)

    @property
    def meanings(self) -> dict[Card, Card]:
        """What each wild of the row stands for; voids are not in it."""
        return {wild: face for hand in self.hands for wild, face in hand.meanings.items()}

    @property
    def name(self) -> str:
        """The whole row in words: "two pair, eights and fives, left over: ten"."""
        if not self.hands:
            return "no cards"
        first, *others = (hand.name for hand in self.hands)
        return f"{first}, left over: {', then '.join(others)}" if others else first


def row_key(row: Sequence[Card], wild: frozenset[Card] = NO_WILDS, suits: int = 4) -> RowKey:
    """What a row is worth, as a key to compare and sort by. The row must be one `check_row` accepts."""
    return tuple(_hands(row, wild, suits))


def compare_rows(a: Sequence[Card], b: Sequence[Card], wild: frozenset[Card] = NO_WILDS, suits: int = 4) -> int:
    """1 if row `a` is ahead, -1 if row `b` is, 0 if they are level. Looks no further than the first difference."""
    for hand_a, hand_b in zip_longest(_hands(a, wild, suits), _hands(b, wild, suits), fillvalue=-1):
        if hand_a != hand_b:
            return 1 if hand_a > hand_b else -1
    return 0


def rank_row(row: Sequence[Card], wild: frozenset[Card] = NO_WILDS, suits: int = 4) -> RowRank:
    """A row's hands with the cards they use and what the wilds stand for.

    Of several equally good ways the one shown uses natural cards first, then suits in the order spades, hearts,
    diamonds, clubs, roses; the order in which the row was turned up does not matter. Raises ValueError as `check_row`
    does.
    """
    check_row(row, wild, suits)
    pool = _pool(mask_of(row), wild, suits)
    free = pool.free
    key = tuple(hands_of(pool))
    shown: list[list[Face]] = []
    while pool.size:
        value, ways = best_way(pool)
        rest = key[len(shown) + len(ways[0]) :]
        way = ways[0] if len(ways) == 1 else next(way for way in ways if _is_worth(pool.without(sum(way)), rest))
        shown += [faces_of(value, hand, free) for hand in way]
        pool = pool.without(sum(way))
    wilds = stand_ins([face for faces in shown for face in faces], sorted(card for card in row if card in wild))
    hands = tuple(shown_hand(value, faces, wilds) for value, faces in zip(key, shown, strict=True))
    used = {card for hand in hands for card in hand.cards}
    return RowRank(key, hands, tuple(sorted(card for card in row if card not in used)))


def check_row(row: Sequence[Card], wild: frozenset[Card] = NO_WILDS, suits: int = 4) -> None:
    """Raises ValueError with a sentence if a card occurs twice or is not in a pack of so many suits and such wilds."""
    seen: set[Card] = set()
    for card in row:
        if card in seen:
            raise ValueError(f"{card} occurs twice in the row: every card is in a pack only once.")
        if card >= 13 * suits and not (card.is_joker and card in wild):
            reason = "jokers are not wild" if card.is_joker else f"the pack has {suits} suits"
            raise ValueError(f"{card} cannot be in the row: {reason}.")
        seen.add(card)


def _is_worth(pool: Pool, key: RowKey) -> bool:
    """Whether a pool's hands have exactly these values; it stops at the first that differs."""
    return all(value == expected for value, expected in zip_longest(hands_of(pool), key))


@lru_cache(maxsize=64)
def _bits_of(wild: frozenset[Card]) -> int:
    return mask_of(wild)


def _pool(mask: int, wild: frozenset[Card], suits: int) -> Pool:
    """A row as a pool: a wild's own face blocks nothing, and wilds beyond the free cards are missing cards."""
    wild_bits = _bits_of(wild)
    natural = mask & ~wild_bits
    free = (1 << 13 * suits) - 1 & ~natural
    return Pool(natural, min((mask & wild_bits).bit_count(), free.bit_count()), free)


def _hands(row: Sequence[Card], wild: frozenset[Card], suits: int) -> Iterable[int]:
    """The values of a row's hands, best first; the commonest rows by short cuts."""
    mask = sum(map(_BIT, row))
    wild_bits = _bits_of(wild) & mask if wild else 0
    natural = mask ^ wild_bits
    c, d, h, s, r = in_suit = by_suit(natural)
    if not wild_bits:
        if MANY[c] or MANY[d] or MANY[h] or MANY[s] or MANY[r]:
            return suited_hands([in_suit])
        return loose_hands(*levels(c, d, h, s, r))
    one_wild = not wild_bits & wild_bits - 1
    if one_wild and not (NEARLY_MANY[c] or NEARLY_MANY[d] or NEARLY_MANY[h] or NEARLY_MANY[s] or NEARLY_MANY[r]):
        settled = one_wild_hands(*levels(c, d, h, s, r))
        if settled:
            return settled
    return hands_of(_pool(mask, wild, suits))
