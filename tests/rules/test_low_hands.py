"""Low hands (docs/rules/common.md, 6 and 18): ace-to-five against a brute-force reading of the rule, deuce-to-seven."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oceans.rules.cards import PACK_52, cards
from oceans.rules.low_hands import best_low


def low(text: str, kind: str = "a5"):
    return best_low(cards(text), kind)


def test_c6_no_pair_beats_a_pair():
    assert low("6c 4d 3h 2s Ac") > low("5c 5d 2h 3s As")


def test_c7_straights_and_flushes_are_ignored():
    assert low("5h 4h 3h 2h Ah") > low("6c 4d 3s 2c Ac")


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("5c 4d 3h 2s Ac", "6c 4d 3h 2s Ac"),
        ("8c 7d 6h 5s 4c", "9c 4d 3h 2s Ac"),
        ("Ac Ad 4h 3s 2c", "2c 2d 4h 3s Ac"),
        ("Kc Kd 4h 3s 2c", "2c 2d Ah As 3c"),
        ("Kc Kd Qh Qs Jc", "2c 2d 2h 4s 3c"),
        ("Kc Kd Kh 4s 3c", "2c 2d 2h As Ac"),
        ("2c 2d 2h As Ac", "Ac Ad Ah As 2c"),
        ("6c 4d", "7c Ad"),
        ("Kd Qs", "Ac Ad"),
    ],
)
def test_the_lower_hand_wins(lower, higher):
    assert low(lower) > low(higher)


def test_suits_never_break_a_tie():
    assert low("8c 6h 4s 2d As") == low("Ac 8d 6s 4h 2c")


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("7c 5d 4h 3s 2c", "7c 6d 4h 3s 2c"),
        ("7c 5d 4h 3s 2c", "7h 5h 4h 3h 2h"),
        ("8c 7d 5h 4s 2c", "6c 5d 4h 3s 2c"),
        ("Kc Qd Jh Ts 8c", "5c 4d 3h 2s Ac"),
        ("5c 4d 3h 2s Ac", "2c 2d 5h 4s 3c"),
        ("Kc Qd Jh Ts 8c", "5h 4h 3h 2h Ah"),
        ("9c 2d", "Ac 2d"),
    ],
)
def test_deuce_to_seven_the_worst_high_hand_wins_and_aces_are_high(lower, higher):
    assert low(lower, "27") > low(higher, "27")


def test_five_high_with_an_ace_is_no_straight_in_deuce_to_seven():
    assert low("5c 4d 3h 2s Ac", "27").name == "ace low, five, four, three and two"
    assert low("5h 4h 3h 2h Ah", "27").title == "Flush, ace high"


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("Ac 8d 6s 4h 2c", "eight low, six, four, two and ace"),
        ("7d 7h 5s 3c Ad", "pair of sevens, five, three and ace"),
        ("Ac Ad 4h 3s 2c", "pair of aces, four, three and two"),
        ("Ac", "ace low"),
    ],
)
def test_low_hands_in_words(hand, words):
    assert low(hand).name == words


def ladder(hand) -> tuple:
    """The rule read literally: category first, then the ranks of the matched cards, then the others from the top."""
    counts = Counter(1 if card.rank == 14 else card.rank for card in hand)
    shape = sorted(counts.values(), reverse=True)
    order = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [3, 2], [4, 1]]
    return order.index(shape), sorted(((count, rank) for rank, count in counts.items()), reverse=True)


@given(*(st.lists(st.sampled_from(PACK_52), min_size=5, max_size=7, unique=True) for _ in range(2)))
def test_the_best_five_of_more_cards_are_found(one, other):
    mine, theirs = (min(ladder(five) for five in combinations(hand, 5)) for hand in (one, other))
    assert (best_low(one) > best_low(other)) == (mine < theirs)
    assert ladder(best_low(one).cards) == mine


def test_no_cards_make_no_hand():
    with pytest.raises(ValueError, match="at least one card"):
        best_low(())
