"""Swiss pairing against exhaustive search, and whole events played out."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing import Contender, Cost, most_rounds, pair_round, usual_rounds


def all_matchings(ranks):
    """Every way to divide ranks into pairs, each as a sorted list of pairs."""
    if not ranks:
        yield []
        return
    first, rest = ranks[0], ranks[1:]
    for other in rest:
        for more in all_matchings([rank for rank in rest if rank != other]):
            yield [(first, other), *more]


def cost_by_hand(pairs, ranked):
    meetings = gap = fold = 0
    for i, j in pairs:
        a, b = ranked[i], ranked[j]
        meetings += a.met.count(b.player)
        gap += (a.points - b.points) ** 2
        group_a = [k for k, c in enumerate(ranked) if c.points == a.points]
        group_b = [k for k, c in enumerate(ranked) if c.points == b.points]
        if a.points == b.points:
            fold += (group_a.index(j) - group_a.index(i) - len(group_a) // 2) ** 2
        else:
            fold += (len(group_a) - 1 - group_a.index(i)) ** 2 + group_b.index(j) ** 2
    return meetings, gap, fold


def bye_by_hand(ranked):
    def afresh(field):
        return any(cost_by_hand(pairs, field)[0] == 0 for pairs in all_matchings(range(len(field))))

    for contender in reversed(ranked):
        if contender.free_wins == 0 and afresh([c for c in ranked if c is not contender]):
            return contender
    return min(reversed(ranked), key=lambda contender: contender.free_wins)


@st.composite
def fields(draw, most=8):
    count = draw(st.integers(2, most))
    met = {i: [] for i in range(count)}
    for i, j in combinations(range(count), 2):
        for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2]))):
            met[i].append(j)
            met[j].append(i)
    return [
        Contender(
            player=i,
            seed=i + 1,
            points=draw(st.integers(0, 6)),
            met=tuple(met[i]),
            free_wins=draw(st.sampled_from([0, 0, 0, 1, 2])),
            seats=tuple(draw(st.lists(st.sampled_from([1, -1]), max_size=4))),
        )
        for i in range(count)
    ]


@given(fields(), st.integers(1, 9))
@settings(max_examples=80, deadline=None)
def test_exhaustive_search_finds_the_same_pairing_and_bye(field, round_number):
    ranked = sorted(field, key=lambda c: (-c.points, c.seed))
    bye = bye_by_hand(ranked) if len(ranked) % 2 else None
    ranked = [c for c in ranked if c is not bye]
    best = min(all_matchings(range(len(ranked))), key=lambda pairs: (cost_by_hand(pairs, ranked), pairs))
    found = pair_round(field, round_number)
    assert found.bye == (bye.player if bye else None)
    assert [set(pair) for pair in found.pairs] == [{ranked[i].player, ranked[j].player} for i, j in best]
    assert found.cost == Cost(*cost_by_hand(best, ranked))


def test_ten_players_agree_with_exhaustive_search_too():
    """A field in which everybody has met half of the others."""
    met = [tuple(j for j in range(10) if j != i and (i + j) % 2) for i in range(10)]
    field = [Contender(i, i + 1, points=(i * 7) % 5, met=met[i]) for i in range(10)]
    ranked = sorted(field, key=lambda c: (-c.points, c.seed))
    best = min(all_matchings(range(10)), key=lambda pairs: (cost_by_hand(pairs, ranked), pairs))
    assert [set(pair) for pair in pair_round(field, 3).pairs] == [{ranked[i].player, ranked[j].player} for i, j in best]


@pytest.mark.parametrize(
    ("seats_of_a", "seats_of_b", "round_number", "first"),
    [
        ((), (), 1, "B"),  # nothing between them: round 1 + board 1 is even
        ((), (), 2, "A"),
        ((1, -1, 1), (1, -1, -1), 1, "B"),  # fewer first seats
        ((-1,), (), 1, "A"),
        ((1, -1), (-1, 1), 1, "A"),  # as many, but A sat second last time
        ((-1, 1), (), 1, "B"),
        ((), (1, -1), 2, "B"),
    ],
)
def test_the_first_seat_goes_to_whom_it_is_due(seats_of_a, seats_of_b, round_number, first):
    pair = pair_round([Contender("A", 1, 2, seats=seats_of_a), Contender("B", 2, 2, seats=seats_of_b)], round_number)
    assert pair.pairs[0][0] == first


def play_out(count, random, stay_away=frozenset()):
    """A whole Swiss with chance results; returns who had byes, who met whom, and the numbers of first seats.

    Those in `stay_away` leave after round 1.
    """
    points, met = dict.fromkeys(range(count), 0), {i: [] for i in range(count)}
    seats, byes = {i: [] for i in range(count)}, dict.fromkeys(range(count), 0)
    for round_number in range(1, usual_rounds(count) + 1):
        found = pair_round(
            [
                Contender(
                    i, i, points[i], tuple(met[i]), byes[i], tuple(seats[i]), round_number == 1 or i not in stay_away
                )
                for i in range(count)
            ],
            round_number,
        )
        if found.bye is not None:
            byes[found.bye] += 1
            points[found.bye] += 2
        for a, b in found.pairs:
            met[a].append(b)
            met[b].append(a)
            seats[a].append(1)
            seats[b].append(-1)
            gained = random.choice((0, 1, 2))
            points[a] += gained
            points[b] += 2 - gained
    return byes, met, seats


@pytest.mark.parametrize("count", [4, 5, 7, 8, 9, 13, 16, 21])
def test_nobody_meets_twice_nor_has_two_byes_and_first_seats_are_fair(count):
    byes, met, seats = play_out(count, Random(count))
    assert max(byes.values()) <= 1
    assert all(len(set(opponents)) == len(opponents) for opponents in met.values())
    assert max(abs(sum(own)) for own in seats.values()) <= 3


def test_who_has_left_is_not_paired():
    _, met, _ = play_out(12, Random(1), stay_away={0, 5, 11})
    assert [len(met[player]) for player in (0, 5, 11)] == [1, 1, 1]


def test_an_event_without_two_active_players_has_no_pairs():
    gone = [Contender(i, i, 2, active=False) for i in range(4)]
    assert pair_round(gone, 2).pairs == []
    assert pair_round([*gone, Contender("last", 9, 0)], 2) == pair_round([Contender("last", 9, 0)], 2)
    assert pair_round([Contender("last", 9, 0)], 2).bye == "last"


def test_rounds_by_the_size_of_the_field():
    assert [usual_rounds(n) for n in (4, 5, 6, 8, 9, 16, 17, 33, 64, 65, 200)] == [2, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9]
    assert most_rounds(9) == 4
    with pytest.raises(ValueError, match="at least 4"):
        usual_rounds(3)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"met": ("Ada",)}, "met himself"),
        ({"seats": (0,)}, "first and -1"),
        ({"points": -1}, "negative"),
        ({"free_wins": -1}, "negative"),
    ],
)
def test_impossible_contenders_are_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        Contender(**{"player": "Ada", "seed": 1, "points": 0} | change)


def test_nobody_is_paired_twice_by_a_double_entry():
    with pytest.raises(ValueError, match="player Ada is named more than once"):
        pair_round([Contender("Ada", 1, 0), Contender("Ada", 2, 0)], 1)
