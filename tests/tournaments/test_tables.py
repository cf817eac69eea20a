"""Tables of three and more: sizes, seating, points by place, standings."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.players import Entrant
from tournaments.tables import Sizing, TableResult, places_after_final, seat_round, standings, table_sizes

USUAL = Sizing(4, 3, 6)


def entrants(count):
    return [Entrant(number, number) for number in range(1, count + 1)]


def played(seating, random):
    """One round with chance ranks, ties among them."""
    return [TableResult(tuple(seats), tuple(random.choices(range(1, 5), k=len(seats)))) for seats in seating]


@pytest.mark.parametrize("sizing", [USUAL, Sizing(3, 3, 4), Sizing(5, 4, 6), Sizing(6, 6, 6)])
def test_sizes_are_the_nearest_possible_to_the_target(sizing):
    for players in range(60):
        choices = [
            (abs(Fraction(players, t) - sizing.target), -t)
            for t in range(1, players + 1)
            if sizing.smallest * t <= players <= sizing.largest * t
        ]
        sizes = table_sizes(players, sizing)
        assert (sizes is None) == (not choices)
        if sizes is not None:
            assert len(sizes) == -min(choices)[1]
            assert sum(sizes) == players
            assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("players", [-1, 100_001, 10**30, float("inf"), 9.0])
def test_numbers_of_players_that_cannot_be_are_refused(players):
    with pytest.raises(ValueError, match="whole number from 0 to 100,000"):
        table_sizes(players, USUAL)


@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from([False, False, True])), min_size=3, max_size=6))
def test_the_points_of_a_table_are_shared_out_whole(seats):
    """Everybody who moved shares the top of the scale; what is left over belonged to seats that never moved."""
    size = len(seats)
    names = tuple(range(size))
    no_shows = frozenset(name for name, (_, missing) in zip(names, seats, strict=True) if missing)
    points = TableResult(names, tuple(rank for rank, _ in seats), no_shows).points()
    scale = [Fraction(120 * (size - place), size - 1) for place in range(1, size + 1)]
    assert sum(points.values()) == sum(scale[: size - len(no_shows)])
    assert all(isinstance(value, int) for value in points.values())
    for a, b in combinations(sorted(set(names) - no_shows), 2):
        assert (points[a] > points[b]) == (seats[a][0] < seats[b][0])


def test_a_seat_that_never_moved_is_last_whatever_its_rank_in_the_game():
    table = TableResult(("Ada", "Bo", "Cleo", "Dag"), (1, 2, 2, 4), frozenset({"Ada"}))
    assert table.points() == {"Ada": 0, "Bo": 100, "Cleo": 100, "Dag": 40}
    assert [name for name in table.seats if table.is_first(name)] == ["Bo", "Cleo"]


def test_the_director_may_choose_another_scale():
    table = TableResult(("Ada", "Bo", "Cleo", "Dag"), (1, 2, 2, 4))
    assert table.points({4: (6, 3, 1, 0)}) == {"Ada": 6, "Bo": 2, "Cleo": 2, "Dag": 0}
    assert table.points({4: (6, 2, 1, 0)})["Bo"] == Fraction(3, 2)
    with pytest.raises(ValueError, match="table of 4"):
        table.points({3: (3, 1, 0)})


@pytest.mark.parametrize("count", [6, 9, 13, 20])
def test_everybody_sits_once_a_round_and_seldom_with_the_same_people(count):
    random, rounds = Random(count), []
    for _ in range(4):
        seating = seat_round(entrants(count), USUAL, rounds)
        assert sorted(player for table in seating for player in table) == list(range(1, count + 1))
        assert [len(table) for table in seating] == table_sizes(count, USUAL)
        rounds.append(played(seating, random))
    if count == 20:
        company = [frozenset(pair) for r in rounds for t in r for pair in combinations(t.seats, 2)]
        assert max(company.count(pair) for pair in set(company)) <= 2


def test_the_best_unseated_player_opens_each_table_and_takes_the_least_met():
    # After round 1 the order is 1, 4 (120 each), 2, 5 (60 each), 3, 6 (0). 1 has not met 4, who joins him. All others
    # have met one of the two, so the highest, 2, follows. 5 opens the next table and takes 3, whom he has not met.
    rounds = [[TableResult((1, 2, 3), (1, 2, 3)), TableResult((4, 5, 6), (1, 2, 3))]]
    assert seat_round(entrants(6), Sizing(3, 3, 6), rounds) == [[1, 4, 2], [5, 3, 6]]


def test_who_left_is_not_seated_and_too_few_cannot_go_on():
    rounds = [[TableResult((1, 2, 3), (1, 2, 3)), TableResult((4, 5, 6), (1, 2, 3))]]
    assert sorted(seat_round(entrants(6), USUAL, rounds, absent=[2])[0]) == [1, 3, 4, 5, 6]
    assert seat_round(entrants(6), USUAL, rounds, absent=[1, 2, 3, 4]) is None


def test_standings_compare_points_firsts_and_opposition():
    # 1, 2, 4 and 5 win once and come second once: 180. 3 and 6 come last twice: 0. Each table has two of the former and
    # one of the latter, so the former met a mean of 90 in each round, the latter one of 180.
    rounds = [
        [TableResult((1, 2, 3), (1, 2, 3)), TableResult((4, 5, 6), (1, 2, 3))],
        [TableResult((5, 1, 6), (1, 2, 3)), TableResult((2, 4, 3), (1, 2, 3))],
    ]
    lines = {line.player: line for line in standings(entrants(6), rounds)}
    assert [lines[player].values["points"] for player in range(1, 7)] == [180, 180, 0, 180, 180, 0]
    assert [lines[player].values["soo"] for player in range(1, 7)] == [180, 180, 360, 180, 180, 360]
    assert [lines[player].place for player in (1, 2, 4, 5, 3, 6)] == [1, 1, 1, 1, 5, 5]


def test_the_final_table_gives_the_first_places():
    rounds = [[TableResult((1, 2, 3, 4), (1, 2, 3, 4)), TableResult((5, 6, 7, 8), (1, 2, 3, 4))]]
    lines = standings(entrants(8), rounds)
    final = TableResult(tuple(line.player for line in lines[:4]), (2, 1, 2, 4))
    places = places_after_final(lines, final)
    assert sorted(places.values()) == [1, 2, 2, 4, 5, 5, 7, 7]
    assert [places[player] for player in final.seats] == [2, 1, 2, 4]


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False))
def test_points_are_conserved_over_an_event(random):
    rounds = []
    for _ in range(3):
        rounds.append(played(seat_round(entrants(11), USUAL, rounds), random))
    total = sum(line.values["points"] for line in standings(entrants(11), rounds))
    assert total == sum(60 * len(table.seats) for round_ in rounds for table in round_)


@pytest.mark.parametrize(
    ("seats", "ranks", "no_shows", "sentence"),
    [
        ("AB", (1, 2), "", "3 to 6 seats"),
        ("ABC", (1, 2), "", "one rank for each seat"),
        ("ABA", (1, 2, 3), "", "A is named more than once"),
        ("ABC", (0, 1, 2), "", "start at 1"),
        ("ABC", (1, 2, 3), "D", "D does not sit"),
    ],
)
def test_impossible_tables_are_refused(seats, ranks, no_shows, sentence):
    with pytest.raises(ValueError, match=sentence):
        TableResult(tuple(seats), ranks, frozenset(no_shows))


@pytest.mark.parametrize("sizes", [(4, 2, 6), (4, 3, 7), (3, 4, 6), (6, 3, 5)])
def test_impossible_sizes_are_refused(sizes):
    with pytest.raises(ValueError, match="from 3 to 6"):
        Sizing(*sizes)


def test_nobody_sits_at_two_tables_of_a_round_and_strangers_do_not_play():
    table = TableResult((1, 2, 3), (1, 2, 3))
    with pytest.raises(ValueError, match="named more than once"):
        standings(entrants(3), [[table, table]])
    with pytest.raises(ValueError, match="3 is not entered"):
        standings(entrants(2), [[table]])
