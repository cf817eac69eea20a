"""League: levels and groups for every number of players, and who plays where next."""

from random import Random

import pytest

from tournaments.leagues import LeagueLine, layout, next_edition


def edition(sizes, random):
    """A finished edition with these group sizes by level; ids count up from 1 in final order."""
    ids = iter(range(1, 10_000))

    def line(place, size):
        points = max(0, 2 * (size - place) - random.randint(0, 1))
        return LeagueLine(next(ids), place, points, 2 * (size - 1))

    return [[[line(place, size) for place in range(1, size + 1)] for size in groups] for groups in sizes]


@pytest.mark.parametrize("players", [*range(4, 130), 555, 2000])
def test_levels_are_full_and_groups_of_proper_size(players):
    levels = layout(players)
    assert sum(sum(groups) for groups in levels) == players
    for depth, groups in enumerate(levels):
        assert len(groups) == 2**depth or (depth == len(levels) - 1 and 1 <= len(groups) <= 2**depth)
        assert max(groups) - min(groups) <= 1
        assert groups == sorted(groups, reverse=True)
        assert max(groups) <= 11
        assert min(groups) >= 7 or players < 7 or players in (12, 13)


def test_too_few_players_are_no_league():
    assert layout(3) == layout(0) == []
    assert next_edition([], {}, new=[1, 2, 3]).levels == []


@pytest.mark.parametrize("players", [-1, 1_000_001, 1e308, float("inf"), 9.0])
def test_numbers_of_players_that_cannot_be_are_refused(players):
    with pytest.raises(ValueError, match="whole number from 0 to 1,000,000"):
        layout(players)


@pytest.mark.parametrize("players", [100_000, 1_000_000])
def test_a_league_may_be_as_large_as_the_site(players):
    assert sum(map(sum, layout(players))) == players


@pytest.mark.parametrize("chance", range(8))
def test_everybody_continuing_is_placed_once_and_moves_tell_the_level(chance):
    random = Random(chance)
    old = edition(layout(random.randint(20, 90)), random)
    level_of = {line.player: k for k, groups in enumerate(old) for group in groups for line in group}
    leaving = random.sample(sorted(level_of), random.randint(0, 6))
    new = list(range(20_001, 20_001 + random.randint(0, 9)))
    after = next_edition(old, {player: random.gauss(1600, 60) for player in [*level_of, *new]}, leaving, new)
    now = {player: k for k, groups in enumerate(after.levels) for group in groups for player in group}
    assert set(now) == (set(level_of) - set(leaving)) | set(new)
    assert [[len(group) for group in groups] for groups in after.levels] == layout(len(now))
    for player, move in after.moves.items():
        if player in new:
            assert move == "new"
        elif player in leaving:
            assert move == "left"
        else:
            steps = level_of[player] - now[player]
            assert move == {0: "same"}.get(steps, "up" if steps > 0 else "down")


def test_the_first_two_rise_and_the_sixth_falls_when_nobody_leaves():
    old = edition([[9], [9, 9]], Random(0))
    after = next_edition(old, {})
    top = {line.player: line.place for line in old[0][0]}
    assert [after.moves[player] for player, place in top.items()] == ["same"] * 5 + ["down"] * 4
    for group in old[1]:
        assert [after.moves[line.player] for line in group] == ["up"] * 2 + ["same"] * 7


def test_places_left_spare_the_best_of_those_relegated():
    # Level 1 (nine players) loses its first, second and last; three stay. Two come up from the seven of level 2.
    # Thirteen go on, which make levels of seven and six: so two of the relegated 6, 7 and 8 are spared.
    old = edition([[9], [7]], Random(0))
    after = next_edition(old, {}, leaving=[1, 2, 9])
    assert after.levels[0] == [[10, 11, 3, 4, 5, 6, 7]]
    assert after.levels[1] == [[8, 12, 13, 14, 15, 16]]


def test_newcomers_of_a_later_edition_stand_between_staying_and_relegated():
    old = edition([[9]], Random(0))
    after = next_edition(old, {101: 1400.0, 102: 1900.0}, new=[101, 102])
    assert after.levels == [[[1, 2, 3, 4, 5, 102, 101, 6, 7, 8, 9]]]


def test_impossible_editions_are_refused():
    old = edition([[9]], Random(0))
    with pytest.raises(ValueError, match="1 is named more than once"):
        next_edition(old, {}, new=[1])
    with pytest.raises(ValueError, match="77 cannot leave"):
        next_edition(old, {}, leaving=[77])
    with pytest.raises(ValueError, match="17 of 16"):
        LeagueLine(1, 1, 17, 16)
    with pytest.raises(ValueError, match="start at 1"):
        LeagueLine(1, 0, 1, 16)
