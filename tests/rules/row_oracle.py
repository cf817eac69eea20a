"""The definition of a row's value (docs/rules/oceans-eleven.md, 3) taken literally: every meaning, every split."""

from collections import Counter
from functools import lru_cache
from itertools import combinations

from oceans.rules.cards import PACK_65


def hand_value(cards):
    """The value of one hand of up to five definite cards, as (category, r1 … r5)."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (-group[1], -group[0]))
    shape = [count for _, count in groups]
    top = 0
    if len(cards) == 5 and shape == [1] * 5:
        top = ranks[0] if ranks[0] - ranks[4] == 4 else 5 if ranks == [14, 5, 4, 3, 2] else 0
    one_suit = len(cards) == 5 and len({card.suit for card in cards}) == 1
    order = [rank for rank, _ in groups]
    if shape == [5]:
        category = 9
    elif one_suit and top:
        category, order = 8, [top]
    elif shape[0] == 4:
        category = 7
    elif shape == [3, 2]:
        category = 6
    elif one_suit:
        category = 5
    elif top:
        category, order = 4, [top]
    else:
        category = 3 if shape[0] == 3 else 2 if shape[:2] == [2, 2] else 1 if shape[0] == 2 else 0
    return (category, *order, *[0] * (5 - len(order)))


_hand_value = lru_cache(maxsize=1 << 20)(hand_value)


def definite_row(cards):
    """The greatest list of hand values over every split of definite cards into hands of five and a rest."""
    cards = tuple(sorted(cards))
    if len(cards) <= 5:
        return [_hand_value(cards)] if cards else []
    values = [(_hand_value(hand), hand) for hand in combinations(cards, 5)]
    best = max(value for value, _ in values)
    left_over = (set(cards) - set(hand) for value, hand in values if value == best)
    return [best, *max(map(definite_row, left_over))]


def meanings(row, wild, suits):
    """Every row of definite cards that a row with wilds can stand for."""
    natural = [card for card in row if card not in wild]
    free = [card for card in PACK_65[: 13 * suits] if card not in natural]
    wilds = min(len(row) - len(natural), len(free))
    for meant in combinations(free, wilds):
        yield [*natural, *meant]


def row_value(row, wild, suits):
    """The value of a row by plain enumeration: the list of its hands' values."""
    return max(definite_row(cards) for cards in meanings(row, wild, suits))
