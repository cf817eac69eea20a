"""Hands of one to four cards, as the guts family ranks them (docs/rules/guts.md, 2).

Values are tuples, the greater the better: size and rank of each group of equal cards, the largest group first. Suits
are never ranked, and there are no straights or flushes but in the poker ranking of three cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from .cards import ACE, RANK_NAMES, Card

Value = tuple[int, ...]

STRAIGHT_FLUSH, THREE, STRAIGHT, FLUSH, PAIR, HIGH = 5, 4, 3, 2, 1, 0


def grouped_value(cards: Sequence[Card], spit: Card | None = None) -> Value:
    """A hand by its groups. With a spit it is ranked together with it, the spit and its rank being wild: wild cards
    join the group that makes the hand best, and wild cards alone are aces."""
    ranks = Counter(card.rank for card in cards)
    if spit is not None:
        wilds = ranks.pop(spit.rank, 0) + 1
        joined = max(ranks, key=lambda rank: (ranks[rank], rank), default=ACE)
        ranks[joined] += wilds
    groups = sorted(((count, rank) for rank, count in ranks.items()), reverse=True)
    return tuple(part for group in groups for part in group)


def poker_value(cards: Sequence[Card]) -> Value:
    """Three cards with straights and flushes: straight flush, three, straight, flush, pair, high card. A-2-3 is the
    lowest straight."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    suited = len({card.suit for card in cards}) == 1
    if ranks == [ACE, 3, 2]:
        ranks = [3, 2, 1]
    in_row = ranks[0] - 1 == ranks[1] == ranks[2] + 1
    groups = grouped_value(cards)
    if groups[0] == 3:
        return (THREE, *groups[1:])
    if in_row:
        return (STRAIGHT_FLUSH if suited else STRAIGHT, *ranks)
    if groups[0] == 2:
        return (PAIR, *groups[1:])
    return (FLUSH if suited else HIGH, *ranks)


def best_of(cards: Sequence[Card], size: int, spit: Card | None = None, *, poker: bool = False) -> Value:
    """The best value of `size` of these cards: a whole hand, or a hand with cards too many."""
    return max(poker_value(chosen) if poker else grouped_value(chosen, spit) for chosen in combinations(cards, size))


def words_of(value: Value, *, poker: bool = False) -> str:
    """A value in words: "pair of nines, five", "three kings", "flush, ace, queen, jack"."""
    if poker and value[0] in (STRAIGHT_FLUSH, STRAIGHT, FLUSH):
        kind = {STRAIGHT_FLUSH: "straight flush", STRAIGHT: "straight", FLUSH: "flush"}[value[0]]
        return f"{kind}, {', '.join(_rank(rank) for rank in value[1:])}"
    if poker:
        value = {THREE: (3, *value[1:]), PAIR: (2, *value[1:])}.get(value[0], tuple(_ones(value[1:])))
    count, rank = value[:2]
    others = [_rank(value[at]) for at in range(3, len(value), 2)]
    first = {1: _rank(rank), 2: f"pair of {_many(rank)}", 3: f"three {_many(rank)}", 4: f"four {_many(rank)}"}[count]
    return ", ".join([first, *others])


def _ones(ranks: Sequence[int]) -> list[int]:
    return [part for rank in ranks for part in (1, rank)]


def _rank(rank: int) -> str:
    return RANK_NAMES[ACE - 2 if rank == 1 else rank - 2]


def _many(rank: int) -> str:
    return f"{_rank(rank)}{'es' if rank == 6 else 's'}"
