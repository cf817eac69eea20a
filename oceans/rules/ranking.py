"""What a hand of cards is worth: high hands, partial hands and wild cards (docs/rules/common.md, 4 and 5.1).

Rows of any length, with their hands of left-over cards, are in `rows`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .cards import ACE, CARDS, PACK_52, Card
from .hand_names import hand_name, hand_title, odd_cards
from .hand_values import FIVE, Category, category_of, unpack
from .row_search import SUITS_SHOWN, Pool, best_way


@dataclass(frozen=True, order=True)
class HandRank:
    """One hand of up to five cards. Hands compare by what they are worth: equal means a tie, whatever the cards."""

    packed: int
    """The value as one number; `value` is the readable form."""
    cards: tuple[Card, ...] = field(compare=False)
    """The cards as they are shown, strongest group first; a wild appears as itself."""
    meanings: Mapping[Card, Card] = field(compare=False, hash=False)
    """What each wild card among them stands for."""

    @property
    def value(self) -> tuple[int, ...]:
        """(category, r1, … r5), unused places 0."""
        return unpack(self.packed)

    @property
    def category(self) -> Category:
        return category_of(self.packed)

    @property
    def faces(self) -> tuple[Card, ...]:
        """The cards with every wild replaced by what it stands for."""
        return tuple(self.meanings.get(card, card) for card in self.cards)

    @property
    def title(self) -> str:
        """The hand without its odd cards: "Three kings"."""
        return hand_title(self.packed).capitalize()

    @property
    def odd(self) -> str:
        """The cards that only break ties: "queen and jack"; empty if there are none."""
        return odd_cards(self.packed)

    @property
    def name(self) -> str:
        """The hand in full, beginning small: "three kings, queen and jack"."""
        return hand_name(self.packed)


@dataclass(frozen=True)
class Face:
    """What one card of a hand counts as, and whether it is a wild that stands for it."""

    card: Card
    meant: bool


def mask_of(cards: Iterable[Card]) -> int:
    """A set of cards as bits by card number."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def faces_of(value: int, hand: int, free: int) -> list[Face]:
    """The faces of a hand, strongest group first; of equal ranks the natural cards first, then s h d c r.

    `hand` is a set of cards; those that are also in `free` are what wilds stand for.
    """
    faces = [Face(CARDS[number], bool(free >> number & 1)) for number in range(hand.bit_length()) if hand >> number & 1]
    held = Counter(face.card.rank for face in faces)
    low_ace = category_of(value) in (Category.STRAIGHT, Category.STRAIGHT_FLUSH) and unpack(value)[1] == 5

    def place(face: Face) -> tuple[int, int, bool, int]:
        rank = 1 if low_ace and face.card.rank == ACE else face.card.rank
        return -held[face.card.rank], -rank, face.meant, SUITS_SHOWN.index(face.card.suit)

    return sorted(faces, key=place)


def stand_ins(faces: Iterable[Face], wilds: Iterable[Card]) -> Iterator[Card]:
    """The wild for each face that is meant, in order: the very card where it can stand for itself, else the next."""
    meant = [face.card for face in faces if face.meant]
    spare = sorted(wilds, key=lambda wild: wild in meant)
    for card in meant:
        wild = card if card in spare else spare[0]
        spare.remove(wild)
        yield wild


def shown_hand(value: int, faces: Sequence[Face], wilds: Iterator[Card]) -> HandRank:
    """A hand as it is shown, its wilds taken from `wilds` in order."""
    cards = tuple(next(wilds) if face.meant else face.card for face in faces)
    meanings = {card: face.card for card, face in zip(cards, faces, strict=True) if face.meant}
    return HandRank(value, cards, meanings)


def best_hand(cards: Iterable[Card], wild: frozenset[Card] = frozenset()) -> HandRank:
    """The best poker hand of up to five of these cards, fewer making a partial hand (docs/rules/common.md, 4, 5.1).

    A wild stands for any card of the four suits that is not in the hand, or makes a fifth card of one rank. Raises
    ValueError if there are no cards or a card occurs twice.
    """
    held = sorted(cards)
    if not held or len(set(held)) < len(held):
        raise ValueError("A hand needs at least one card, and each card only once.")
    wilds = [card for card in held if card in wild]
    natural = mask_of(card for card in held if card not in wild)
    pool = Pool(natural, len(wilds), mask_of(PACK_52) & ~natural)
    if wilds and (five := _five_of_a_kind(pool)):
        value, faces = five
    else:
        value, ways = best_way(pool)
        faces = faces_of(value, ways[0][0], pool.free)
    return shown_hand(value, faces, stand_ins(faces, wilds))


def _five_of_a_kind(pool: Pool) -> tuple[int, list[Face]] | None:
    """Five of the highest rank that the wilds bring to five; a fifth wild card repeats the first suit shown."""
    for rank in range(ACE, 1, -1):
        suited = [CARDS[13 * suit + rank - 2] for suit in SUITS_SHOWN[:4]]
        natural = [Face(card, meant=False) for card in suited if pool.natural >> card & 1]
        if len(natural) + pool.wilds > 4:
            meant = [Face(card, meant=True) for card in suited if not pool.natural >> card & 1]
            return FIVE | rank << 16, [*natural, *meant, Face(suited[0], meant=True)]
    return None
