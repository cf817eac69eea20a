"""Hands of up to five cards as poker games rank them (docs/rules/common.md, 4, 5.1 and the examples C1 to C5)."""

from itertools import combinations
from random import Random

import pytest

from oceans.rules.cards import JOKERS, PACK_52, cards
from oceans.rules.hand_values import Category
from oceans.rules.ranking import best_hand

from .row_oracle import hand_value

EIGHTS = frozenset(cards("8c 8d 8h 8s"))


@pytest.mark.parametrize(
    ("example", "better", "worse", "wild"),
    [
        ("C1", "Kh Ks 7d 4c 3s", "Kc Kd 7h 4s 2c", frozenset()),
        ("C2", "6d 5h 4c 3d 2h", "5c 4d 3h 2s Ac", frozenset()),
        ("C3", "9c 9d", "Ah Kd Qs", frozenset()),
        ("C4", "8c 8h 8s 8d Qd", "As Ks Qs Js Ts", EIGHTS),
        ("C5", "8c Ad Kd Jd 9d", "8d Ah Jh 9h 3h", EIGHTS),
        ("partial", "5c 5d 3h", "5h 5s", frozenset()),
        ("partial", "5c 5d", "Ac Kd Qh Js", frozenset()),
        ("partial", "Qc Qd Qh 7s", "9c 9d 9h Qs 2d", frozenset()),
    ],
)
def test_worked_examples(example, better, worse, wild):
    assert best_hand(cards(better), wild) > best_hand(cards(worse), wild)


def test_a_sequence_does_not_go_round():
    assert best_hand(cards("Qc Kd Ah 2s 3c")).category is Category.HIGH_CARD


def test_wilds_make_five_of_a_kind():
    queens = best_hand(cards("8c 8h 8s 8d Qd"), EIGHTS)
    assert queens.name == "five queens"
    assert queens.value == (9, 12, 0, 0, 0, 0)
    aces = best_hand([*cards("8c 8h 8s 8d"), *JOKERS], EIGHTS | set(JOKERS))
    assert aces.name == "five aces"
    assert len(aces.cards) == 5


def test_a_flush_never_holds_two_cards_of_one_rank():
    """docs/rules/common.md, C5: the ace of hearts is there already, so the wild is its king."""
    hand = best_hand(cards("8d Ah Jh 9h 3h"), EIGHTS)
    assert hand.value == (5, 14, 13, 11, 9, 3)
    assert hand.faces == cards("Ah Kh Jh 9h 3h")
    assert hand.cards == cards("Ah 8d Jh 9h 3h")


def test_equal_hands_tie_whatever_their_cards():
    assert best_hand(cards("Ah Kd Qs Jc 9h")) == best_hand(cards("As Kc Qd Jh 9s"))
    assert best_hand(cards("Ah 8c"), EIGHTS) == best_hand(cards("As Ad"))


@pytest.mark.parametrize(
    ("hand", "title", "odd"),
    [
        ("As Ks Qs Js Ts", "Royal flush", ""),
        ("9c 8c 7c 6c 5c", "Straight flush, nine high", ""),
        ("Qs Qh Qd Qc Ad", "Four queens", "ace"),
        ("8c 8d 8h 5c 5d", "Full house, eights over fives", ""),
        ("Qd Jd 9d 5d 3d", "Flush, queen high", "jack, nine, five and three"),
        ("Ac 2d 3h 4s 5c", "Straight, five high", ""),
        ("Kc Kd Kh Qs Jc", "Three kings", "queen and jack"),
        ("8c 8d 5h 5s Qc", "Two pair, eights and fives", "queen"),
        ("6c 6d Ah 9s 4c", "Pair of sixes", "ace, nine and four"),
        ("Ac Qd 9h 7s 4c", "Ace high", "queen, nine, seven and four"),
        ("Tc", "Ten", ""),
    ],
)
def test_hands_in_words(hand, title, odd):
    rank = best_hand(cards(hand))
    assert (rank.title, rank.odd) == (title, odd)


def test_the_best_five_of_seven_count():
    hand = best_hand(cards("Kc Kd 7h 7s 3c 3d As"))
    assert hand.category is Category.TWO_PAIR
    assert hand.cards == cards("Kd Kc 7s 7h As")


@pytest.mark.parametrize("held", ["", "Kc Kc"])
def test_no_cards_or_a_card_twice_are_refused(held):
    with pytest.raises(ValueError, match="at least one card, and each card only once"):
        best_hand(cards(held))


def poker_value(held, wild):
    """The best hand by trying every hand of five and every card for each wild (docs/rules/common.md, 5.1)."""
    natural = [card for card in held if card not in wild]
    wilds = len(held) - len(natural)
    best = ()
    for used in range(min(wilds, 5) + 1):
        for kept in combinations(natural, min(5, len(held)) - used) if used <= min(5, len(held)) else ():
            ranks = {card.rank for card in kept}
            if used and len(kept) + used == 5 and len(ranks) < 2:
                best = max(best, (9, *(ranks or {14}), 0, 0, 0, 0))
            others = [card for card in PACK_52 if card not in kept]
            best = max([best, *(hand_value([*kept, *meant]) for meant in combinations(others, used))])
    return best


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_wild_cards_are_given_their_best_meaning(wilds):
    random = Random(f"poker {wilds}")
    few = [card for card in PACK_52 if card.rank in (5, 6, 9, 10, 11, 13) and card.suit < 3]
    for _ in range(12 if wilds == 2 else 300):
        pack = random.choice([few, PACK_52])
        held = [*random.sample(pack, random.randint(1, 6 - wilds)), *JOKERS[:wilds]]
        assert best_hand(held, frozenset(JOKERS)).value == poker_value(held, frozenset(JOKERS)), held
