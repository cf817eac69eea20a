"""Permanent ranks."""

from itertools import pairwise

import pytest

from tournaments.ranks import RANKS, next_after, reached


def test_there_are_ten_steps_each_harder_than_the_one_before():
    assert [rank.step for rank in RANKS] == list(range(1, 11))
    assert all(a.peak < b.peak and a.wins < b.wins for a, b in pairwise(RANKS))
    assert len({rank.slug for rank in RANKS}) == 10


@pytest.mark.parametrize("rank", RANKS)
def test_a_rank_takes_both_the_peak_and_the_wins(rank):
    assert reached(rank.peak, rank.wins) == rank
    assert reached(rank.peak - 0.1, 1000) == (RANKS[rank.step - 2] if rank.step > 1 else None)
    assert reached(3000, rank.wins - 1) == (RANKS[rank.step - 2] if rank.step > 1 else None)


def test_a_rank_is_never_lost_and_needs_a_settled_rating():
    assert reached(1200, 400, held=RANKS[6]) == RANKS[6]
    assert reached(1750, 300, held=RANKS[6]) == RANKS[9]
    assert reached(None, 500) is None
    with pytest.raises(ValueError, match="negative"):
        reached(1500, -1)


def test_the_next_rank_to_strive_for():
    assert next_after(None) == RANKS[0]
    assert next_after(RANKS[0]) == RANKS[1]
    assert next_after(RANKS[9]) is None
