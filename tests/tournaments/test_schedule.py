"""Berger's tables."""

from collections import Counter

import pytest

from tournaments.schedule import berger, first_seats


@pytest.mark.parametrize("players", range(2, 17))
@pytest.mark.parametrize("cycles", [1, 2])
def test_everybody_meets_everybody_once_a_cycle_with_fair_seats(players, cycles):
    rounds = berger(players, cycles)
    meetings = Counter(frozenset(pair) for round_ in rounds for pair in round_.pairs)
    assert meetings == {frozenset((i, j)): cycles for i in range(1, players + 1) for j in range(1, i)}
    firsts = first_seats(rounds)
    seats = [firsts[number] for number in range(1, players + 1)]
    assert max(seats) - min(seats) <= (1 if cycles == 1 and players % 2 == 0 else 0)


@pytest.mark.parametrize("players", range(2, 17))
def test_everybody_sits_once_in_a_round_or_is_free_once_a_cycle(players):
    rounds = berger(players)
    for round_ in rounds:
        busy = [number for pair in round_.pairs for number in pair] + ([round_.bye] if round_.bye else [])
        assert sorted(busy) == list(range(1, players + 1))
        assert [min(pair) for pair in round_.pairs] == sorted(min(pair) for pair in round_.pairs)
    byes = [round_.bye for round_ in rounds]
    assert sorted(byes) == list(range(1, players + 1)) if players % 2 else byes == [None] * (players - 1)


def test_impossible_schedules_are_refused():
    for players in (1, 1_001, 10**30):
        with pytest.raises(ValueError, match="for 2 to 1,000 players"):
            berger(players)
    with pytest.raises(ValueError, match="once or twice"):
        berger(4, cycles=3)
