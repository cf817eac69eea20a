"""Best hands from definite cards: no wild cards.

Cards are held as five sets of ranks, one for each suit, or in *levels*: level 0 is the set of ranks held at least
once, level 1 those held at least twice, and so on. Where no suit has five cards left, no flush can come, suits do not
matter, and levels say all there is to say; hands are then called loose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from .hand_values import (
    FIVE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    LESS_2,
    LESS_3,
    LESS_5,
    MANY,
    PAIR,
    SEQUENCES,
    STRAIGHT,
    STRAIGHT_FLUSH,
    STRAIGHT_TOP,
    THREE,
    TOP_5,
    TWO_PAIR,
)

Suits = tuple[int, ...]
"""The ranks held in each suit."""


def by_suit(cards: int) -> tuple[int, int, int, int, int]:
    """The ranks held in each suit."""
    return cards & 8191, cards >> 13 & 8191, cards >> 26 & 8191, cards >> 39 & 8191, cards >> 52 & 8191


def levels(c: int, d: int, h: int, s: int, r: int = 0) -> tuple[int, int, int, int, int]:
    """The ranks held at least once, twice, … five times, given those held in each suit."""
    cd, hs = c | d, h | s
    both_cd, both_hs = c & d, h & s
    n1, n2, n3, n4 = cd | hs, both_cd | both_hs | cd & hs, both_cd & hs | both_hs & cd, both_cd & both_hs
    if not r:
        return n1, n2, n3, n4, 0
    return n1 | r, n2 | n1 & r, n3 | n2 & r, n4 | n3 & r, n4 & r


def loose_hands(n1: int, n2: int, n3: int, n4: int, n5: int = 0) -> list[int]:
    """The values of the hands made from cards of these levels: no wild cards, no flush possible."""
    hands: list[int] = []
    while n5:
        top = n5.bit_length()
        bit = 1 << top - 1
        hands.append(FIVE | top + 1 << 16)
        n1, n2, n3, n4, n5 = n1 ^ bit, n2 ^ bit, n3 ^ bit, n4 ^ bit, n5 ^ bit
    while n4:
        top = n4.bit_length()
        bit = 1 << top - 1
        n1, n2, n3, n4 = n1 ^ bit, n2 ^ bit, n3 ^ bit, n4 ^ bit
        odd = n1.bit_length()
        hands.append(FOUR | top + 1 << 16 | (odd + 1 << 12 if odd else 0))
        if odd:
            bit = 1 << odd - 1
            if n4 & bit:
                n4 ^= bit
            elif n3 & bit:
                n3 ^= bit
            elif n2 & bit:
                n2 ^= bit
            else:
                n1 ^= bit
    while n3:
        top = n3.bit_length()
        bit = 1 << top - 1
        pair = (n2 ^ bit).bit_length()
        if not pair:
            break
        hands.append(FULL_HOUSE | top + 1 << 16 | pair + 1 << 12)
        n1, n2, n3 = n1 ^ bit, n2 ^ bit, n3 ^ bit
        bit = 1 << pair - 1
        n2 ^= bit
        if n3 & bit:
            n3 ^= bit
        else:
            n1 ^= bit
    while top := STRAIGHT_TOP[n1]:
        hands.append(STRAIGHT | top << 16)
        used = SEQUENCES[top]
        n1, n2, n3 = n1 & ~used | n2 & used, n2 & ~used | n3 & used, n3 & ~used
    if n3:
        rest = n1 ^ n3
        hands.append(THREE | n3.bit_length() + 1 << 16 | TOP_5[rest] >> 12 << 8)
        n1, n2 = LESS_2[rest], 0
    while n2:
        top = n2.bit_length()
        n2 ^= 1 << top - 1
        n1 ^= 1 << top - 1
        if not n2:
            hands.append(PAIR | top + 1 << 16 | TOP_5[n1] >> 8 << 4)
            n1 = LESS_3[n1]
            break
        low = n2.bit_length()
        n2 ^= 1 << low - 1
        n1 ^= 1 << low - 1
        odd = n1.bit_length()
        hands.append(TWO_PAIR | top + 1 << 16 | low + 1 << 12 | (odd + 1 << 8 if odd else 0))
        if odd:
            bit = 1 << odd - 1
            if n2 & bit:
                n2 ^= bit
            else:
                n1 ^= bit
    while n1:
        hands.append(TOP_5[n1])
        n1 = LESS_5[n1]
    return hands


def suited_hands(frontier: Sequence[Suits]) -> Iterator[int]:
    """The values of the hands of the best of these sets of cards, best first, each found only when asked for.

    All sets must be of the same size. Of every hand, only the ways to make the best one are followed further.
    """
    while any(MANY[ranks] for suits in frontier for ranks in suits):
        best = 0, 0
        following: list[Suits] = []
        for suits in frontier:
            value, count, ways = _best_suited(suits)
            if (value, count) > best:
                best, following = (value, count), ways
            elif (value, count) == best:
                following = following + ways
        value, count = best
        for _ in range(count):
            yield value
        frontier = following if len(following) == 1 else list({_essence(suits): suits for suits in following}.values())
    yield from max(loose_hands(*levels(*suits)) for suits in frontier)


def _essence(suits: Suits) -> tuple[object, ...]:
    """What decides the hands these cards make: the ranks held and the suits that may still give a flush."""
    return levels(*suits), *sorted(ranks for ranks in suits if MANY[ranks])


def _best_suited(suits: Suits) -> tuple[int, int, list[Suits]]:
    """The best hand if it is a flush or better, else 0; how often it is made; what each way to make it leaves over.

    Flushes of several suits that are worth the same take nothing from each other and are made together.
    """
    n1, n2, n3, n4, n5 = levels(*suits)
    if n5:
        bit = 1 << n5.bit_length() - 1
        return FIVE | n5.bit_length() + 1 << 16, 1, [tuple(ranks ^ bit for ranks in suits)]
    tops = [STRAIGHT_TOP[ranks] for ranks in suits]
    top = max(tops)
    if top:
        run = SEQUENCES[top]
        left = tuple(ranks ^ run if one == top else ranks for ranks, one in zip(suits, tops, strict=True))
        return STRAIGHT_FLUSH | top << 16, tops.count(top), [left]
    if n4:
        four = n4.bit_length()
        left = tuple(ranks & ~(1 << four - 1) for ranks in suits)
        odd = (n1 ^ 1 << four - 1).bit_length()
        return FOUR | four + 1 << 16 | odd + 1 << 12, 1, _without(left, 1 << odd - 1, 1)
    if n3 and (pairs := n2 & ~(1 << n3.bit_length() - 1)):
        three, pair = n3.bit_length(), pairs.bit_length()
        left = tuple(ranks & ~(1 << three - 1) for ranks in suits)
        return FULL_HOUSE | three + 1 << 16 | pair + 1 << 12, 1, _without(left, 1 << pair - 1, 2)
    flushes = [TOP_5[ranks] if MANY[ranks] else 0 for ranks in suits]
    flush = max(flushes)
    if not flush:
        return 0, 0, []
    left = tuple(LESS_5[ranks] if one == flush else ranks for ranks, one in zip(suits, flushes, strict=True))
    return FLUSH | flush, flushes.count(flush), [left]


def _without(suits: Suits, bit: int, count: int) -> list[Suits]:
    """What each way to take `count` cards of one rank leaves over."""
    holding = [suit for suit, ranks in enumerate(suits) if ranks & bit]
    return [
        tuple(ranks ^ bit if suit in taken else ranks for suit, ranks in enumerate(suits))
        for taken in combinations(holding, count)
    ]
