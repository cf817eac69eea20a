"""Draws that anybody can repeat, and dealing by rank."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.lots import draw, lot

SEED = "7736ca7c9df759aaae8ff7ead96527b1"


def test_the_ticket_is_the_hash_a_player_computes_himself():
    assert lot(SEED, "numbers", 333) == hashlib.sha256(b"7736ca7c9df759aaae8ff7ead96527b1:numbers:333").hexdigest()
    assert lot(SEED, "numbers", 333).startswith("0a4586a3")


@given(st.sets(st.integers(1, 10_000), max_size=20), st.randoms(use_true_random=False))
def test_everybody_is_drawn_once_whatever_the_order_of_entry(players, random):
    order = draw(SEED, "numbers", sorted(players))
    assert sorted(order) == sorted(players)
    assert draw(SEED, "numbers", random.sample(order, len(order))) == order


def test_another_purpose_is_another_draw():
    players = list(range(1, 21))
    assert draw(SEED, "seats:1:1", players) != draw(SEED, "seats:1:2", players)


@pytest.mark.parametrize("seed", ["", SEED[:-1], SEED.upper(), SEED + "0", SEED + "\n"])
def test_a_seed_is_128_bits_in_small_hex(seed):
    with pytest.raises(ValueError, match="32 lowercase hexadecimal digits"):
        draw(seed, "numbers", [1, 2])


def test_nobody_holds_two_tickets_and_every_draw_has_a_purpose():
    with pytest.raises(ValueError, match="5 is named more than once"):
        draw(SEED, "numbers", [5, 6, 5])
    with pytest.raises(ValueError, match="purpose"):
        draw(SEED, "", [5, 6])
