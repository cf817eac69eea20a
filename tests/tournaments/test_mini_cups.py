"""The waiting list of a mini cup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.mini_cups import MiniCup


@given(
    st.integers(3, 8), st.lists(st.tuples(st.sampled_from(["join", "leave", "saw"]), st.integers(1, 9)), max_size=60)
)
def test_it_starts_exactly_when_full_and_never_with_anybody_twice(capacity, events):
    cup = MiniCup(capacity)
    for hour, (verb, player) in enumerate(events):
        before = cup.waiting
        outcome = getattr(cup, verb)(player, hour)
        assert len(cup.waiting) < capacity
        assert len(set(cup.waiting)) == len(cup.waiting)
        if isinstance(outcome, list):
            assert outcome == [*before, player]
            assert len(outcome) == capacity
            assert cup.waiting == []


def test_a_sleeper_is_out_at_the_next_event_even_if_it_is_his_own():
    cup = MiniCup(3)
    cup.join("Ada", 0)
    cup.join("Bo", 0)
    cup.saw("Bo", 10)
    cup.saw("Ada", 336)
    assert cup.waiting == ["Bo"]
    assert cup.leave("Bo", 346) == "not_in"


def test_who_is_seen_keeps_his_place_in_the_queue():
    cup = MiniCup(4)
    cup.join("Ada", 0)
    cup.join("Bo", 5)
    cup.saw("Ada", 335)
    cup.join("Cleo", 340)
    assert cup.waiting == ["Ada", "Bo", "Cleo"]


@pytest.mark.parametrize("capacity", [2, 9])
def test_capacity_is_limited(capacity):
    with pytest.raises(ValueError, match="3 to 8"):
        MiniCup(capacity)
