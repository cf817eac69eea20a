"""Glicko with a period of one day: published figures, exactness, and what a change of order may not do."""

from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.rate import DEFAULTS, Params, Rating, chance, day_result, grown, is_provisional, rate_day, shown

NAMES = ["Ada", "Bo", "Cleo", "Dag", "Eli"]


@st.composite
def days(draw):
    """Cards and the results of day 100 among five people."""
    cards = {
        name: Rating(draw(st.floats(800, 2400)), draw(st.floats(40, 200)), draw(st.integers(-400, 100)))
        for name in NAMES
        if draw(st.booleans())
    }
    results = []
    for number in range(draw(st.integers(1, 6))):
        seats = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
        ranks = draw(st.lists(st.integers(1, 5), min_size=len(seats), max_size=len(seats)))
        results.append(day_result(number, seats, ranks))
    return cards, results


def test_the_published_example_of_the_method():
    """1500/200 beats 1400/30 and loses to 1550/100 and 1700/300."""
    book = Params(rd0=350, c=0, rd_min=0, floor=None)
    cards = {"me": Rating(1500, 200, 0), "a": Rating(1400, 30, 0), "b": Rating(1550, 100, 0), "c": Rating(1700, 300, 0)}
    results = [
        day_result(1, ["me", "a"], [1, 2]),
        day_result(2, ["b", "me"], [1, 2]),
        day_result(3, ["c", "me"], [1, 2]),
    ]
    after = rate_day(cards, 0, results, book)["me"].rating
    assert (after.r, after.rd) == (1464.1065, 151.3989)


@given(days(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_a_day_never_shows(day, random):
    cards, results = day
    shuffled = random.sample(results, len(results))
    turned = [day_result(r.number, *zip(*reversed(r.ranks.items()), strict=True)) for r in shuffled]
    assert rate_day(cards, 100, turned) == rate_day(cards, 100, results)


@given(days())
@settings(max_examples=60, deadline=None)
def test_changes_add_up_to_the_gain_of_the_day(day):
    cards, results = day
    for player, outcome in rate_day(cards, 100, results).items():
        before = cards[player].r if player in cards else DEFAULTS.r0
        if outcome.rating.r > DEFAULTS.floor:
            assert isclose(sum(outcome.changes.values()), outcome.rating.r - before, abs_tol=0.001)


@given(days())
@settings(max_examples=60, deadline=None)
def test_a_result_only_ever_narrows_the_deviation_and_touches_its_own_seats(day):
    cards, results = day
    after = rate_day(cards, 100, results)
    assert set(after) == {player for result in results for player in result.ranks}
    for player, outcome in after.items():
        assert DEFAULTS.rd_min <= outcome.rating.rd <= max(DEFAULTS.rd_min, grown(cards.get(player), 100).rd + 0.0001)
        assert outcome.rating.r >= DEFAULTS.floor


@pytest.mark.parametrize(("seats", "games"), [(2, 1), (3, 4 / 3), (4, 1.5), (6, 5 / 3), (10, 1.8)])
def test_winning_a_table_of_equals_weighs_as_so_many_games(seats, games):
    """Deviations are held small, so that the gain is nearly proportional to the weight."""
    crowd = {f"p{i}": Rating(1500, 40, 0) for i in range(seats)}
    table = rate_day(crowd, 0, [day_result(1, list(crowd), [1] + [2] * (seats - 1))])["p0"].changes[1]
    pair = rate_day(crowd, 0, [day_result(1, ["p0", "p1"], [1, 2])])["p0"].changes[1]
    assert table == pytest.approx(pair * games, rel=0.02)


def test_deviation_grows_without_play_as_the_page_says():
    regular = Rating(1500, 60, 0)
    assert grown(regular, 400).rd == 100
    assert grown(regular, 2275).rd == 200
    assert grown(regular, 9999).rd == 200
    assert grown(None, 7) == Rating(1500, 200, 7)


def test_a_day_that_is_over_cannot_be_rated_again():
    with pytest.raises(ValueError, match="already rated"):
        rate_day({"Ada": Rating(1500, 60, 10)}, 9, [day_result(1, ["Ada", "Bo"], [1, 2])])


def test_chances_of_both_sides_make_one():
    a, b = Rating(1620, 50, 0), Rating(1480, 130, 0)
    assert chance(a, b) + chance(b, a) == pytest.approx(1)
    assert chance(a, b) > 0.5


def test_shown_is_rounded_half_up_and_marked_while_provisional():
    assert shown(1500.5, provisional=False) == "1501"
    assert shown(1501.4999, provisional=True) == "1501?"
    assert is_provisional(games=9, rd_now=60)
    assert not is_provisional(games=10, rd_now=100)
    assert is_provisional(games=500, rd_now=100.01)


@pytest.mark.parametrize(
    ("seats", "ranks", "sentence"),
    [
        (["Ada"], [1], "at least two seats"),
        (["Ada", "Bo"], [1], "one rank for each seat"),
        (["Ada", "Ada"], [1, 2], "Ada is named more than once"),
        (["Ada", "Bo"], [0, 1], "start at 1"),
    ],
)
def test_impossible_results_are_refused(seats, ranks, sentence):
    with pytest.raises(ValueError, match=sentence):
        day_result(1, seats, ranks)


def test_the_same_result_cannot_count_twice():
    result = day_result(1, ["Ada", "Bo"], [1, 2])
    with pytest.raises(ValueError, match="result 1 is named more than once"):
        rate_day({}, 1, [result, result])


def test_ratings_are_finite():
    with pytest.raises(ValueError, match="finite"):
        Rating(float("nan"), 50, 1)
    with pytest.raises(ValueError, match="above zero"):
        Rating(1500, 0, 1)
