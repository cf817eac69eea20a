"""The search behind ranking: best hands from sets of cards with wild cards among them.

Works on bare numbers for speed. A set of cards is a mask with bit 13 x suit + rank index. A *pool* is what is still to
be made into hands: `natural` cards, a number of `wilds`, and the `free` cards a wild may stand for (never one of the
natural cards). Within a pool, ranks are also counted in *levels*: level 0 is the set of ranks held at least once,
level 1 those held at least twice, and so on to the fifth.

Why this is exact without trying every meaning of every wild (docs/rules/oceans-eleven.md, 3): a row's value is a list
compared hand by hand, so the first hand is the best the pool allows, and only the different ways to make that hand
need to be followed further. Once no flush is possible, suits no longer matter, and using a natural card before a wild
is never worse, because the wild kept could still stand for that card: one way is enough. Above that, what a way uses
is nearly forced: a group of the best size takes every card of its rank within reach, a flush the best cards of its
suit. Left to choose are the suit of a flush, the odd card beside four of a kind and the pair in a full house.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from .hand_values import (
    ALL_RANKS,
    FIVE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    PAIR,
    SEQUENCES,
    STRAIGHT,
    STRAIGHT_FLUSH,
    STRAIGHT_TOP,
    THREE,
    TOP_5,
    TWO_PAIR,
)
from .plain_hands import by_suit, levels, loose_hands, suited_hands

SUITS_SHOWN: Final = (3, 2, 1, 0, 4)
"""Spades, hearts, diamonds, clubs, roses: which of several equally good cards is shown."""

_SAME_RANK: Final = tuple(sum(1 << 13 * suit + rank for suit in range(5)) for rank in range(13))


Way = tuple[int, ...]
"""One or more hands of the same value, as sets of cards, made one after the other."""


class Pool(NamedTuple):
    """Cards not yet made into hands. `wilds` never exceeds the number of free cards."""

    natural: int
    wilds: int
    free: int

    @property
    def size(self) -> int:
        return self.natural.bit_count() + self.wilds

    def without(self, hand: int) -> Pool:
        """What is left when these cards, natural or free, have been made into a hand."""
        wilds = self.wilds - (hand & self.free).bit_count()
        return Pool(self.natural & ~hand, wilds, self.free & ~hand if wilds else 0)


def _reach(natural: Sequence[int], wilds: int, free: Sequence[int], count: int) -> int:
    """The ranks of which `count` cards can be had."""
    ranks = natural[count - 1]
    for used in range(1, min(wilds, count) + 1):
        ranks |= free[used - 1] & (natural[count - used - 1] if used < count else ALL_RANKS)
    return ranks


def _lacking(natural: Sequence[int], bit: int, count: int) -> int:
    """How many wilds it takes to have `count` cards of the rank of `bit`."""
    return count - sum(1 for level in natural[:count] if level & bit)


def _bits(ranks: int) -> Iterator[int]:
    """The single ranks of a set, highest first."""
    while ranks:
        bit = 1 << ranks.bit_length() - 1
        yield bit
        ranks ^= bit


def _ranks(masks: Iterable[int]) -> int:
    """Single ranks packed as the ranks of a value."""
    packed = 0
    for place, bit in enumerate(masks):
        packed |= bit.bit_length() + 1 << 16 - 4 * place
    return packed


def best_loose(natural: Sequence[int], wilds: int, free: Sequence[int], size: int) -> tuple[int, tuple[int, ...]]:
    """The best hand of `size` cards where no flush is possible: its value, and the sets of ranks it is made of.

    The hand has one card of every rank of every set, strongest set first; a rank's natural cards are used before wilds.
    """

    def with_odd_cards(category: int, *groups: tuple[int, int]) -> tuple[int, tuple[int, ...]]:
        made = [bit for bit, count in groups for _ in range(count)]
        left = wilds - sum(_lacking(natural, bit, count) for bit, count in groups)
        open_ranks = ALL_RANKS & ~sum(bit for bit, _ in groups)
        odd: list[int] = []
        while len(made) + len(odd) < size:
            bit = 1 << ((natural[0] | free[0] if left else natural[0]) & open_ranks).bit_length() - 1
            left -= not natural[0] & bit
            open_ranks ^= bit
            odd.append(bit)
        return category | _ranks([bit for bit, _ in groups] + odd), (*made, *odd)

    if size == 5 and (fives := _reach(natural, wilds, free, 5)):
        return with_odd_cards(FIVE, (next(_bits(fives)), 5))
    if size > 3 and (fours := _reach(natural, wilds, free, 4)):
        return with_odd_cards(FOUR, (next(_bits(fours)), 4))
    threes = _reach(natural, wilds, free, 3) if size > 2 else 0
    if size == 5:
        for three in _bits(threes):
            left = wilds - _lacking(natural, three, 3)
            for pair in _bits(_reach(natural, left, free, 2) & ~three):
                return with_odd_cards(FULL_HOUSE, (three, 3), (pair, 2))
        within = natural[0] | free[0] if wilds else natural[0]
        for top in range(STRAIGHT_TOP[within], 4, -1):
            run = SEQUENCES[top]
            if within & run == run and (run & ~natural[0]).bit_count() <= wilds:
                return STRAIGHT | top << 16, (run,)
    if threes:
        return with_odd_cards(THREE, (next(_bits(threes)), 3))
    pairs = _reach(natural, wilds, free, 2) if size > 1 else 0
    if size > 3:
        for high in _bits(pairs):
            left = wilds - _lacking(natural, high, 2)
            for low in _bits(_reach(natural, left, free, 2) & (high - 1)):
                return with_odd_cards(TWO_PAIR, (high, 2), (low, 2))
    if pairs:
        return with_odd_cards(PAIR, (next(_bits(pairs)), 2))
    return with_odd_cards(0)


def _take(natural: list[int], free: list[int], ranks: int) -> int:
    """Take one card of each of these ranks, natural before free; returns how many were free."""
    for level in range(4, -1, -1):
        found = natural[level] & ranks
        natural[level] ^= found
        ranks ^= found
    missing = ranks.bit_count()
    for level in range(4, -1, -1):
        found = free[level] & ranks
        free[level] ^= found
        ranks ^= found
    return missing


def _loose_hands(pool: Pool) -> list[int]:
    """The values of all hands made from a pool in which no flush is possible."""
    natural, free = list(levels(*by_suit(pool.natural))), list(levels(*by_suit(pool.free)))
    wilds, size = pool.wilds, pool.size
    hands: list[int] = []
    while wilds:
        value, sets = best_loose(natural, wilds, free, min(size, 5))
        hands.append(value)
        for ranks in sets:
            wilds -= _take(natural, free, ranks)
        size -= 5
    return hands + loose_hands(*natural)


def one_wild_hands(n1: int, n2: int, n3: int, n4: int, n5: int = 0) -> list[int]:
    """The values of the hands made from a row of these levels and one wild, where no flush is possible; a short cut.

    The best hand cannot be had without the wild, so the wild is settled by it and the row is one of definite cards.
    Empty if that is not so: where four of a kind or the best straight is there already and the wild may be kept.
    """
    if n4 or n5:
        return []
    if n3:
        return loose_hands(n1, n2, n3, 1 << n3.bit_length() - 1)
    if n2 & n2 - 1:
        return loose_hands(n1, n2, 1 << n2.bit_length() - 1, 0)
    if n1.bit_count() > 3:
        for run in SEQUENCES.values():
            missing = run & ~n1
            if not missing:
                return []
            if not missing & missing - 1:
                return loose_hands(n1 | missing, n2, n3, n4)
    if n2:
        return loose_hands(n1, n2, n2, 0)
    top = 1 << n1.bit_length() - 1 if n1 else SEQUENCES[14] & ~SEQUENCES[13]
    return loose_hands(n1 | top, top if n1 else 0, 0, 0)


def flush_possible(pool: Pool) -> bool:
    """Whether five cards of one suit can still be had."""
    natural, wilds, free = pool
    for shift in (0, 13, 26, 39, 52):
        held = (natural >> shift & 8191).bit_count()
        if held > 4 or (wilds and held + min(wilds, (free >> shift & 8191).bit_count()) > 4):
            return True
    return False


def best_suited(pool: Pool) -> tuple[int, list[Way]]:
    """The best hand of a pool if it is a flush or better, and every way to make it worth following.

    The value is 0 if the best hand is less than a flush. Ways come in the order in which they are preferred where they
    are equally good. Flushes of several suits that are worth the same make one way together, as many as there are
    wilds for: they take nothing from each other, and one more hand of the best value beats any lesser hand.
    """
    natural, wilds, free = pool
    in_suit, free_in_suit = by_suit(natural), by_suit(free)
    tops = [_straight_flush_top(*held, wilds) for held in zip(in_suit, free_in_suit, strict=True)]
    top = max(tops)
    held, free_levels = levels(*in_suit), levels(*free_in_suit)
    if fives := _reach(held, wilds, free_levels, 5):
        five = fives.bit_length() - 1
        return FIVE | five + 2 << 16, [(_group(pool, five, 5),)]
    if top:
        runs = [SEQUENCES[top] << 13 * suit for suit in SUITS_SHOWN if tops[suit] == top]
        return STRAIGHT_FLUSH | top << 16, _together(pool, runs)
    if fours := _reach(held, wilds, free_levels, 4):
        four = fours.bit_length() - 1
        group = _group(pool, four, 4)
        left = pool.without(group)
        ranks = left.natural | left.free if left.wilds else left.natural
        odd = next(rank for rank in range(12, -1, -1) if rank != four and ranks & _SAME_RANK[rank])
        value = FOUR | four + 2 << 16 | odd + 2 << 12
        return value, [(group | one,) for one in _choices(left, odd, 1)]
    for three in _bits(_reach(held, wilds, free_levels, 3)):
        left_wilds = wilds - _lacking(held, three, 3)
        pairs = _reach(held, left_wilds, free_levels, 2) & ~three
        if pairs:
            three_rank, pair = three.bit_length() - 1, pairs.bit_length() - 1
            group = _group(pool, three_rank, 3)
            value = FULL_HOUSE | three_rank + 2 << 16 | pair + 2 << 12
            return value, [(group | two,) for two in _choices(pool.without(group), pair, 2)]
    flushes = [_best_flush(*held, wilds) for held in zip(in_suit, free_in_suit, strict=True)]
    best = max(map(TOP_5.__getitem__, flushes))
    if not best:
        return 0, []
    return FLUSH | best, _together(pool, [flushes[s] << 13 * s for s in SUITS_SHOWN if TOP_5[flushes[s]] == best])


def _together(pool: Pool, hands: list[int]) -> list[Way]:
    """The largest sets of these hands, one of each suit, that there are wilds for; those with fewest wilds first."""
    if len(hands) == 1:
        return [(hands[0],)]
    hands.sort(key=lambda hand: (hand & pool.free).bit_count())
    for count in range(len(hands), 0, -1):
        ways = [way for way in combinations(hands, count) if (sum(way) & pool.free).bit_count() <= pool.wilds]
        if ways:
            break
    return ways


def _choices(pool: Pool, rank: int, count: int) -> Iterator[int]:
    """All ways to have `count` cards of a rank, those with more natural cards first."""
    cards = [1 << 13 * suit + rank for suit in SUITS_SHOWN]
    open_cards = [bit for bit in cards if pool.natural & bit]
    if pool.wilds:
        open_cards += [bit for bit in cards if pool.free & bit]
    for chosen in combinations(open_cards, count):
        way = sum(chosen)
        if (way & pool.free).bit_count() <= pool.wilds:
            yield way


def _group(pool: Pool, rank: int, count: int) -> int:
    """The first way to have `count` cards of a rank."""
    return next(_choices(pool, rank, count))


@lru_cache(maxsize=1 << 13)
def _straight_flush_top(natural: int, free: int, wilds: int) -> int:
    """The top card of the best straight flush within one suit, 0 if there is none."""
    if natural.bit_count() + wilds < 5:
        return 0
    within = natural | free if wilds else natural
    for top in range(STRAIGHT_TOP[within], 4, -1):
        run = SEQUENCES[top]
        if within & run == run and (run & ~natural).bit_count() <= wilds:
            return top
    return 0


def _best_flush(natural: int, free: int, wilds: int) -> int:
    """The ranks of the best flush within one suit, 0 if there is none."""
    if natural.bit_count() + min(wilds, free.bit_count()) < 5:
        return 0
    flush = 0
    for bit in _bits(natural | free if wilds else natural):
        if natural & bit or wilds:
            flush |= bit
            wilds -= not natural & bit
            if flush.bit_count() == 5:
                break
    return flush


def best_way(pool: Pool) -> tuple[int, list[Way]]:
    """A pool's best hand and the ways to make it, as `best_suited` gives them, but for any pool that is not empty."""
    if pool.size > 4 and flush_possible(pool):
        return best_suited(pool)
    natural, free = levels(*by_suit(pool.natural)), levels(*by_suit(pool.free))
    value, sets = best_loose(natural, pool.wilds, free, min(pool.size, 5))
    hand, left = 0, pool
    for ranks in sets:
        for bit in _bits(ranks):
            one = _group(left, bit.bit_length() - 1, 1)
            hand, left = hand | one, left.without(one)
    return value, [(hand,)]


def hands_of(pool: Pool) -> Iterator[int]:
    """The values of a pool's hands, best first, each found only when asked for."""
    frontier = [pool]
    while any(one.wilds for one in frontier):
        if frontier[0].size < 5 or not any(flush_possible(one) for one in frontier):
            yield from max(_loose_hands(one) for one in frontier)
            return
        best = 0, 0
        following: list[Pool] = []
        for one in frontier:
            value, ways = best_suited(one)
            made = (value, len(ways[0])) if value else (0, 0)
            if made > best:
                best, following = made, []
            if made == best:
                following += [one.without(sum(way)) for way in ways]
        value, count = best
        for _ in range(count):
            yield value
        frontier = following if len(following) == 1 else list({_essence(one): one for one in following}.values())
    yield from suited_hands([by_suit(one.natural) for one in frontier])


def _essence(pool: Pool) -> tuple[object, ...]:
    """The same for pools that differ only by the names of the suits: their hands are the same."""
    return pool.wilds, *sorted(zip(by_suit(pool.natural), by_suit(pool.free), strict=True))
