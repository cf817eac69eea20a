"""Knock-outs: slots, matches of several games, byes and double forfeits, places."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.brackets import Gap, best_of, bracket_size, eliminate, slot_order


def decide_all(seeds, pick, third_place=False):
    """Play every open match until none is left; `pick` chooses a winner, or None for a double forfeit."""
    outcomes = {}
    while True:
        bracket = eliminate(seeds, outcomes, third_place)
        matches = {(n, m): match for n, row in enumerate(bracket.rounds, 1) for m, match in enumerate(row, 1)}
        if bracket.third:
            matches[len(bracket.rounds), 2] = bracket.third
        ready = {key: match for key, match in matches.items() if match.kind == "open"}
        if not ready:
            return bracket
        outcomes |= {key: pick(match) for key, match in ready.items()}


def test_slots_keep_the_best_apart():
    assert slot_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    for size in (2, 4, 8, 16, 32, 64, 128, 256):
        order = slot_order(size)
        assert sorted(order) == list(range(1, size + 1))
        assert all(a + b == size + 1 for a, b in zip(order[::2], order[1::2], strict=True))
        assert {1, 2} & set(order[: size // 2]) == {1}


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 32, 33])
def test_when_the_better_seed_always_wins_places_follow_the_seeds(count):
    seeds = list(range(1, count + 1))
    bracket = decide_all(seeds, lambda match: min(match.a, match.b))
    assert bracket.places[1] == 1
    assert bracket.places[2] == 2
    size = bracket_size(count)
    byes = [match for match in bracket.rounds[0] if match.kind == "bye"]
    assert sorted(match.winner for match in byes) == list(range(1, size - count + 1))
    for seed in seeds[2:]:
        assert bracket.places[seed] == bracket_size(seed) // 2 + 1


@given(st.integers(2, 20), st.integers(0, 10_000), st.booleans())
@settings(max_examples=80, deadline=None)
def test_every_bracket_comes_to_an_end_with_fair_places(count, chance, third_place):
    random = Random(chance)
    bracket = decide_all(range(count), lambda m: random.choice([m.a, m.b, m.a, m.b, None]), third_place)
    assert set(bracket.places) == set(range(count))
    for place in bracket.places.values():
        assert place == 1 + sum(other < place for other in bracket.places.values())
    assert all(match.is_over for matches in bracket.rounds for match in matches)


def test_a_running_bracket_gives_no_places_and_shows_who_waits():
    #  1 Ada ─┐
    #         ├ Ada ─┐
    #  4 Dag ─┘      ├ (waiting)
    #  2 Bo  ─┐  ?  ─┘
    #  3 Cleo ┘ open
    bracket = eliminate(["Ada", "Bo", "Cleo", "Dag"], {(1, 1): "Ada"})
    final = bracket.rounds[1][0]
    assert (final.a, final.b, final.kind) == ("Ada", Gap.UNKNOWN, "waiting")
    assert bracket.places == {}


def test_after_a_double_forfeit_the_next_opponent_has_a_bye():
    bracket = eliminate(["Ada", "Bo", "Cleo", "Dag"], {(1, 1): None, (1, 2): "Cleo"})
    final = bracket.rounds[1][0]
    assert (final.a, final.b, final.kind, final.winner) == (Gap.NOBODY, "Cleo", "bye", "Cleo")
    assert bracket.places == {"Cleo": 1, "Ada": 2, "Bo": 2, "Dag": 2}


def test_a_final_without_players_has_no_winner():
    bracket = eliminate(["Ada", "Bo", "Cleo", "Dag"], {(1, 1): None, (1, 2): None})
    assert bracket.rounds[1][0].kind == "empty"
    assert bracket.rounds[1][0].winner is Gap.NOBODY
    assert set(bracket.places.values()) == {1}


def test_the_third_place_match_parts_the_losing_semi_finalists():
    seeds = ["Ada", "Bo", "Cleo", "Dag"]
    semis = {(1, 1): "Ada", (1, 2): "Bo", (2, 1): "Ada"}
    assert eliminate(seeds, semis).places == {"Ada": 1, "Bo": 2, "Cleo": 3, "Dag": 3}
    assert eliminate(seeds, semis, third_place=True).places == {}
    parted = eliminate(seeds, semis | {(2, 2): "Cleo"}, third_place=True)
    assert parted.places == {"Ada": 1, "Bo": 2, "Cleo": 3, "Dag": 4}
    assert eliminate(seeds[:2], {(1, 1): "Bo"}, third_place=True).places == {"Bo": 1, "Ada": 2}


@pytest.mark.parametrize(
    ("seeds", "outcomes", "sentence"),
    [
        (["Ada"], {}, "2 to 256"),
        (list(range(257)), {}, "2 to 256"),
        (["Ada", "Ada"], {}, "Ada is named more than once"),
        (["Ada", "Bo"], {(1, 1): "Cleo"}, "Cleo does not play in match 1.1"),
        (["Ada", "Bo"], {(2, 1): "Ada"}, "Match 2.1 cannot have a result"),
        (["Ada", "Bo", "Cleo"], {(1, 1): "Ada"}, "Match 1.1 cannot have a result"),
        (["Ada", "Bo", "Cleo"], {(2, 1): "Ada"}, "Match 2.1 cannot have a result"),
    ],
)
def test_impossible_brackets_are_refused(seeds, outcomes, sentence):
    with pytest.raises(ValueError, match=sentence):
        eliminate(seeds, outcomes)


def could_still_change(games, so_far):
    """Whether some continuation of the regular games gives a different leader than another, or a level score."""
    leads = {0}
    for result in so_far:
        leads = {lead + {"A": 2, "B": -2, "draw": 0}[result] for lead in leads}
    for _ in range(games - len(so_far)):
        leads = {lead + step for lead in leads for step in (2, 0, -2)}
    signs = {(lead > 0) - (lead < 0) for lead in leads}
    return len(signs) > 1 or signs == {0}


@given(st.sampled_from([1, 3, 5]), st.lists(st.sampled_from(["A", "B", "draw"]), max_size=7))
def test_a_match_is_decided_exactly_when_no_continuation_can_change_it(games, results):
    verdict = best_of(games, results, "A")
    regular = range(min(games, len(results)) + 1)
    decided_after = next((n for n in regular if not could_still_change(games, results[:n])), None)
    if decided_after is not None:
        assert (verdict.by, verdict.after) == ("points", decided_after)
    else:
        assert verdict.by in ("extra", "seed", None)


def test_games_after_the_decision_mean_nothing():
    assert best_of(3, ["A", "A", "B"], "B") == best_of(3, ["A", "A"], "B")
    assert best_of(1, ["draw", "B", "A"], "A") == best_of(1, ["draw", "B"], "A")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [((2, [], "A"), "1, 3 or 5"), ((1, [], "C"), "A or B"), ((1, ["won"], "A"), "not won")],
)
def test_impossible_matches_are_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        best_of(*arguments)
