"""Rows of Ocean's Eleven: the worked examples, the definition taken literally, and what must hold for all rows."""

from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oceans.rules.cards import CARDS, JOKERS, PACK_52, PACK_65, cards
from oceans.rules.hand_values import Category, unpack
from oceans.rules.rows import WILDS, check_row, compare_rows, rank_row, row_key

from .row_oracle import definite_row, hand_value, meanings, row_value

TWOS = WILDS["twos"]


def values(key):
    return [unpack(value) for value in key]


@pytest.mark.parametrize(
    ("example", "wild", "a", "b", "ahead"),
    [
        ("O3", "twos", "Kc Kd Kh Qs 8c 5d", "Ks Qd 8h 2c 2d", 1),
        ("O3", "twos", "Kc Kd Kh Qs 8c 5d", "Ks Qd 8h 2c 2d 9s", -1),
        ("O3", "twos", "Kc Kd Kh Qs 8c 5d", "Ks Qd 8h 2c 2d Qh", -1),
        ("O3", "twos", "Kc Kd Kh Qs 8c 5d", "Ks Qd 8h 2c 2d 8s", -1),
        ("O3", "twos", "Kc Kd Kh Qs 8c 5d", "Ks Qd 8h 2c 2d 7s", -1),
        ("O3", "twos", "Kc Kd Kh Qs 8c 5d", "Ks Qd 8h 2c 2d 5h", 0),
        ("O3", "twos", "Kc Kd Kh Qs 8c 5d", "Ks Qd 8h 2c 2d 4h", 1),
        ("O4", "twos", "Ah Jh 8h 4h 2c", "As Ks Js 8s 4s", 0),
        ("O4", "twos", "Ah Kh 8h 4h 2c", "As Ks Js 8s 4s", 1),
        ("O5", "twos", "As", "2c", 0),
        ("O5", "twos", "Ks", "2c", -1),
        ("O5", "twos", "2s 2c", "Ad Ah", 0),
        ("O5", "jokers", "X1 3s", "2c 2d", 1),
        ("O5", "jokers+twos", "2c X1 9h", "9s 9d 9c", 0),
        ("O5", "jokers+twos", "2c 2d X1 Th Jh", "Ac Ad Ah As Kd", 1),
        ("O6", "twos", "Kc Kd Kh Ks Ad 2c", "Kc Kd Kh Ks Ad Qs", 1),
        ("O7", "none", "Ac Kd Qh Js 9c 8d 7h 5s 4c 3d 2h", "Ad Kh Qs Jc 9d 8h 7s 5c 4d 3h 2s", 0),
        ("O8", "twos", "Ah Qs Qd Qc 7c 7d 2s", "Tc Qh Qs Jd 2c 2d 2h", 1),
        ("O8", "twos", "Ah Qs Qd Qc 7c 7d 2s", "Kc Qh Qs Jd 2c 2d 2h", -1),
        ("O14", "none", "Qc Qd Qh 7s", "9d 9h 9c Qs 2d", 1),
        ("O16", "jokers", "Ks Kh X1", "As Ah 7s", 1),
    ],
)
def test_the_worked_examples(example, wild, a, b, ahead):
    assert compare_rows(cards(a), cards(b), WILDS[wild]) == ahead
    assert compare_rows(cards(b), cards(a), WILDS[wild]) == -ahead


@pytest.mark.parametrize(
    ("better", "worse"),
    [("4c 4d 4h 4s 4r", "Ar Kr Qr Jr Tr"), ("3c 3d 3h 2s 2r", "Ar Kr Qr Jr 9r")],
)
def test_five_suits_rank_five_of_a_kind_highest_and_keep_full_house_above_flush(better, worse):
    """docs/rules/oceans-eleven.md, O15."""
    assert compare_rows(cards(better), cards(worse), suits=5) == 1


def test_a_row_says_its_hands_in_words():
    assert rank_row(cards("Kc Kd Kh Qs Jc")).name == "three kings, queen and jack"
    assert rank_row(cards("8c Td 8d 5h 5s")).name == "two pair, eights and fives, ten"
    assert rank_row(cards("8c Td 8d 5h 5s Qc")).name == "two pair, eights and fives, queen, left over: ten"
    assert rank_row(cards("6c 6d")).name == "pair of sixes"
    assert rank_row(cards("6c Jd")).name == "jack high, six"
    assert rank_row(cards("Td")).name == "ten"
    assert rank_row([]).name == "no cards"
    assert (
        rank_row(cards("Ac Kd Qh Js 9c 8d 7h 5s 4c 3d 2h")).name
        == "straight, five high, left over: king high, queen, jack, nine and eight, then seven"
    )


def test_the_best_hand_is_told_apart_from_its_odd_cards_and_the_rest():
    rank = rank_row(cards("Jd 2s Kc Qc 8d Kd"), TWOS)
    assert (rank.best.title, rank.best.odd) == ("Three kings", "queen and jack")
    assert rank.best.category is Category.THREE_OF_A_KIND
    assert rank.best.value == (3, 13, 12, 11, 0, 0)
    assert rank.best.cards == cards("Kd Kc 2s Qc Jd")
    assert rank.meanings == {CARDS[39]: CARDS[50]}, "the two of spades stands for the king of spades"
    assert rank.left_over == cards("8d")


def test_a_wheel_shows_its_ace_last():
    assert rank_row(cards("Ac 3d 2h 5s 4c")).best.cards == cards("5s 4c 3d 2h Ac")


def test_natural_cards_are_shown_before_wilds_and_suits_in_order():
    rank = rank_row(cards("2c Ah Kd"), TWOS)
    assert rank.best.cards == cards("Ah 2c Kd")
    assert rank.best.faces == cards("Ah As Kd")
    assert rank_row(cards("2c"), TWOS).best.faces == cards("As")
    assert rank_row(cards("2c As"), TWOS).best.faces == cards("As Ah")


def test_a_wild_two_stands_for_itself_where_it_can():
    assert rank_row(cards("6h 5h 4h 3h 2h"), TWOS).best.faces == cards("7h 6h 5h 4h 3h")
    whole_pack = rank_row(PACK_52, TWOS)
    assert whole_pack.meanings == {two: two for two in TWOS if two < 52}


def test_a_wild_kept_for_the_left_over_may_be_worth_more_than_a_natural_card():
    """The odd ace is the wild: so the ace of hearts makes the flush of the second hand ace high."""
    rank = rank_row(cards("Kc Kd Kh Ks Ah 2c 9h 7h 6h 4h"), TWOS)
    assert values(rank.key) == [(7, 13, 14, 0, 0, 0), (5, 14, 9, 7, 6, 4)]
    assert rank.best.cards == cards("Ks Kh Kd Kc 2c")


def test_wilds_that_no_card_is_left_for_count_as_missing():
    row = [*PACK_52, *JOKERS]
    rank = rank_row(row, WILDS["jokers"])
    assert rank.voids == JOKERS
    assert rank.key == row_key(PACK_52)
    assert compare_rows(row, PACK_52, WILDS["jokers"]) == 0
    one_missing = rank_row(row[1:], WILDS["jokers"])
    assert one_missing.key == row_key(PACK_52), "one joker is the two of clubs"
    assert len(one_missing.voids) == 1


@pytest.mark.parametrize(
    ("row", "wild", "suits", "sentence"),
    [
        ("Kc Kc", "none", 4, "Kc occurs twice in the row: every card is in a pack only once."),
        ("X1", "twos", 4, "X1 cannot be in the row: jokers are not wild."),
        ("Kr", "twos", 4, "Kr cannot be in the row: the pack has 4 suits."),
    ],
)
def test_an_impossible_row_is_refused_in_words(row, wild, suits, sentence):
    with pytest.raises(ValueError) as refused:
        check_row(cards(row), WILDS[wild], suits)
    assert str(refused.value) == sentence


def odd_pack(random, suits):
    """Part of a pack: all of it, few ranks, few suits, or some ranks, so that rare hands are common."""
    pack = PACK_65[: 13 * suits]
    kind = random.randrange(4)
    if kind == 1:
        ranks = random.sample(range(2, 15), random.randint(3, 8))
        return [card for card in pack if card.rank in ranks]
    if kind == 2:
        chosen = random.sample(range(suits), random.randint(1, 2))
        return [card for card in pack if card.suit in chosen]
    if kind == 3:
        return [card for card in pack if card.rank > 8]
    return list(pack)


def wild_cards(wild, suits):
    return sorted(card for card in WILDS[wild] if card.is_joker or card < 13 * suits)


def random_row(random, wild, suits, size, wilds):
    natural = [card for card in odd_pack(random, suits) if card not in WILDS[wild]]
    size = min(size - wilds, len(natural))
    return [*random.sample(natural, size), *random.sample(wild_cards(wild, suits), wilds)]


def agrees(row, wild, suits, expected):
    """The key is the expected list, and the shown hands are a split of the row into hands of those values."""
    rank = rank_row(row, WILDS[wild], suits)
    faces = [face for hand in rank.hands for face in hand.faces]
    assert values(rank.key) == expected, row
    assert [hand_value(hand.faces) for hand in rank.hands] == expected, row
    assert len(set(faces)) == len(faces) == len(row) - len(rank.voids)
    assert sorted([card for hand in rank.hands for card in hand.cards] + list(rank.voids)) == sorted(row)
    assert all(rank.meanings.get(card, card) == card for card in row if card not in WILDS[wild])


@pytest.mark.parametrize("suits", [4, 5])
def test_rows_without_wilds_are_worth_what_plain_enumeration_says(suits):
    random = Random(f"plain {suits}")
    for _ in range(2000):
        row = random_row(random, "none", suits, random.randint(1, 11), 0)
        agrees(row, "none", suits, definite_row(row))


@pytest.mark.parametrize("wild", ["jokers", "twos", "jokers+twos"])
@pytest.mark.parametrize("suits", [4, 5])
def test_rows_with_one_wild_are_worth_what_plain_enumeration_says(wild, suits):
    random = Random(f"one {wild} {suits}")
    for _ in range(200):
        row = random_row(random, wild, suits, random.randint(1, 8), 1)
        agrees(row, wild, suits, row_value(row, WILDS[wild], suits))


@pytest.mark.parametrize("wild", ["jokers", "twos", "jokers+twos"])
def test_rows_with_two_wilds_are_worth_what_plain_enumeration_says(wild):
    random = Random(f"two {wild}")
    for _ in range(25):
        row = random_row(random, wild, 4, random.randint(2, 8), 2)
        agrees(row, wild, 4, row_value(row, WILDS[wild], 4))


@pytest.mark.parametrize("wild", ["jokers", "twos", "jokers+twos"])
@pytest.mark.parametrize("suits", [4, 5])
def test_rows_of_any_length_take_the_best_of_all_meanings(wild, suits):
    """Up to six wilds, up to the whole pack, wherever there are not too many meanings to try them all."""
    random = Random(f"long {wild} {suits}")
    pack = PACK_65[: 13 * suits]
    tried = 0
    while tried < 60:
        wilds = random.randint(1, len(wild_cards(wild, suits)))
        natural = [card for card in random.choice([odd_pack(random, suits), pack]) if card not in WILDS[wild]]
        row = random.sample(natural, random.randint(0, len(natural))) + wild_cards(wild, suits)[:wilds]
        free = len(pack) - (len(row) - wilds)
        if comb(free, min(free, wilds)) > 1500:
            continue
        tried += 1
        best = max(row_key(meant, suits=suits) for meant in meanings(row, WILDS[wild], suits))
        agrees(row, wild, suits, values(best))


@st.composite
def games(draw, rows=1):
    """A kind of wilds, a number of suits and rows of one to fourteen cards from such a pack."""
    wild = draw(st.sampled_from(sorted(WILDS)))
    suits = draw(st.sampled_from([4, 4, 5]))
    pack = [*PACK_65[: 13 * suits], *(JOKERS if "jokers" in wild else ())]
    few = draw(st.sampled_from([pack, [card for card in pack if card.rank in (0, 2, 10, 11, 12, 13, 14)]]))
    row = st.lists(st.sampled_from(few), min_size=1, max_size=14, unique=True)
    return WILDS[wild], suits, [draw(row) for _ in range(rows)]


@given(games(rows=3))
@settings(max_examples=200, deadline=None)
def test_comparing_rows_is_an_order(game):
    wild, suits, (a, b, c) = game
    ahead = compare_rows(a, b, wild, suits)
    assert compare_rows(b, a, wild, suits) == -ahead
    if ahead >= 0 and compare_rows(b, c, wild, suits) >= 0:
        assert compare_rows(a, c, wild, suits) >= 0
    key_a, key_b = row_key(a, wild, suits), row_key(b, wild, suits)
    rank_a, rank_b = rank_row(a, wild, suits), rank_row(b, wild, suits)
    assert ahead == (key_a > key_b) - (key_a < key_b) == (rank_a > rank_b) - (rank_a < rank_b)


@given(games(), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_the_order_in_which_a_row_was_turned_up_changes_nothing_that_is_shown(game, random):
    wild, suits, (row,) = game
    turned = random.sample(row, len(row))
    assert repr(rank_row(turned, wild, suits)) == repr(rank_row(row, wild, suits))


@given(games(), st.permutations(range(4)))
@settings(max_examples=200, deadline=None)
def test_suits_are_never_ranked(game, names):
    wild, suits, (row,) = game
    other = [card if card.suit in (-1, 4) else CARDS[13 * names[card.suit] + card % 13] for card in row]
    assert compare_rows(row, other, wild, suits) == 0


@given(games())
@settings(max_examples=200, deadline=None)
def test_one_more_card_always_makes_a_row_better(game):
    wild, suits, (row,) = game
    assert compare_rows(row, row[:-1], wild, suits) == 1
