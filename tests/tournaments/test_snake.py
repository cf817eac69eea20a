"""Groups of nearly equal size and strength."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.snake import even_sizes, snake


def test_full_groups_are_skipped():
    # row 1:  1  2  3  4
    # row 2:  8  7  6  5
    # row 3:  9 10 11 12
    # row 4: 14 13  x  x     (read from the right)
    assert snake(range(1, 15), [4, 4, 3, 3]) == [[1, 8, 9, 14], [2, 7, 10, 13], [3, 6, 11], [4, 5, 12]]


@given(st.integers(1, 40).flatmap(lambda total: st.tuples(st.just(total), st.integers(1, total))))
def test_everybody_has_one_place_and_groups_are_even(field):
    total, count = field
    sizes = even_sizes(total, count)
    groups = snake(range(total), sizes)
    assert sorted(player for group in groups for player in group) == list(range(total))
    assert max(sizes) - min(sizes) <= 1
    assert sizes == sorted(sizes, reverse=True)


def test_impossible_divisions_are_refused():
    with pytest.raises(ValueError, match="2 players do not fill 3 groups"):
        even_sizes(2, 3)
    with pytest.raises(ValueError, match="3 players do not fill groups for 4"):
        snake("abc", [2, 2])
