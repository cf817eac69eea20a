"""Cups: groups by rating, seeds from the groups, and no early rematch where that can be avoided."""

from itertools import permutations
from random import Random

import pytest

from tournaments.cups import GroupLine, draw_bracket, draw_groups


def finished_groups(sizes, random):
    """Groups with chance points; players are (group, place)."""
    groups, seeds = [], list(range(1, sum(sizes) + 1))
    random.shuffle(seeds)
    for number, size in enumerate(sizes):
        most = 2 * (size - 1)
        points = sorted((random.randint(0, most) for _ in range(size)), reverse=True)
        groups.append([GroupLine(f"{number}.{p}", value, most, seeds.pop()) for p, value in enumerate(points, start=1)])
    return groups


def clashes(pairs):
    return sum(a is not None and b is not None and a.split(".")[0] == b.split(".")[0] for a, b in pairs)


def test_equal_ratings_are_dealt_by_id():
    assert draw_groups({9: 1500, 3: 1500, 12: 1500, 1: 1500, 7: 1500}, limit=4) == [[1, 9, 12], [3, 7]]


@pytest.mark.parametrize("group_count", range(2, 13))
def test_seeds_byes_and_no_rematch_in_round_one(group_count):
    for chance in range(12):
        groups = finished_groups([4 + (n + chance) % 2 for n in range(group_count)], Random(chance))
        draw = draw_bracket(groups)
        assert {seed.split(".")[1] for seed in draw.seeds[:group_count]} == {"1"}
        assert {seed.split(".")[1] for seed in draw.seeds[group_count:]} == {"2"}
        drawn = [player for pair in draw.first_round for player in pair if player is not None]
        assert sorted(drawn) == sorted(draw.seeds)
        free = 2 * len(draw.first_round) - len(draw.seeds)
        if not draw.swaps:
            assert {a for a, b in draw.first_round if b is None} == set(draw.seeds[:free])
        assert clashes(draw.first_round) == 0
        for worse, other in draw.swaps:
            assert min(worse, other) > group_count


def test_two_groups_are_crossed():
    # group 1: Ada, Bo; group 2: Cleo, Dag. Seeds Ada, Cleo, Bo, Dag would pair Ada - Dag and Cleo - Bo: no clash;
    # with Dag before Bo, 1 - 4 and 2 - 3 would be rematches, and one exchange mends both.
    first = [GroupLine("Ada", 6, 6, 1), GroupLine("Bo", 3, 6, 2)]
    second = [GroupLine("Cleo", 5, 6, 3), GroupLine("Dag", 4, 6, 4)]
    draw = draw_bracket([first, second])
    assert draw.seeds == ["Ada", "Cleo", "Dag", "Bo"]
    assert draw.first_round == [("Ada", "Dag"), ("Cleo", "Bo")]
    assert draw.swaps == [(4, 3)]


def test_an_exchange_is_made_only_if_one_is_needed():
    for order in permutations([(6, 1), (4, 2), (5, 3), (2, 4)]):
        groups = [
            [GroupLine(f"{n}.1", 8, 8, n + 1), GroupLine(f"{n}.2", points, 8, seed)]
            for n, (points, seed) in enumerate(order)
        ]
        draw = draw_bracket(groups)
        straight = [draw.seeds.index(player) for pair in draw.first_round for player in pair]
        assert (straight == [0, 7, 3, 4, 1, 6, 2, 5]) == (draw.swaps == [])


def test_a_single_group_has_its_winner():
    draw = draw_bracket([[GroupLine("Ada", 6, 6, 1), GroupLine("Bo", 4, 6, 2)]])
    assert (draw.seeds, draw.swaps) == (["Ada"], [])
    assert [player for pair in draw.first_round for player in pair if player] == []


def test_a_group_of_which_one_is_left_sends_one():
    groups = [[GroupLine("Ada", 0, 0, 1)], [GroupLine("Bo", 6, 6, 2), GroupLine("Cleo", 4, 6, 3)]]
    draw = draw_bracket(groups)
    assert draw.seeds == ["Bo", "Ada", "Cleo"]
    assert draw.first_round == [("Bo", None), ("Ada", "Cleo")]


def test_impossible_cups_are_refused():
    with pytest.raises(ValueError, match="at least 4"):
        draw_groups({1: 1500, 2: 1500, 3: 1500}, 6)
    with pytest.raises(ValueError, match="at most 4 to 8"):
        draw_groups(dict.fromkeys(range(9), 1500), 9)
    with pytest.raises(ValueError, match="at least one player"):
        draw_bracket([[]])
    with pytest.raises(ValueError, match="at least one player"):
        draw_bracket([])
    with pytest.raises(ValueError, match="7 of 6 points"):
        GroupLine("Ada", 7, 6, 1)
    with pytest.raises(ValueError, match="Ada is named more than once"):
        draw_bracket([[GroupLine("Ada", 6, 6, 1)], [GroupLine("Ada", 6, 6, 2)]])
