"""Choices judged after the game: what they cost, and how luck and choices add up to the result."""

import json
import random

import pytest

from oceans.bots import hindsight
from oceans.bots.hindsight import Choice, accounts, course, judged
from oceans.rules.chance import DealKeys
from oceans.rules.engine import Setup, due, settle, start, submit
from oceans.rules.games import by_slug
from oceans.rules.look import look
from oceans.rules.moves import Move
from oceans.rules.options import read_options
from oceans.rules.playing import picker
from tests.benchmarks.bots import house, stubborn
from tests.rules.contract.twins import twin


def judged_game(players, seed, slug="oe-twos", seats=2):
    """A whole game, its choices judged, and the result of the first seat."""
    game, chance, choices, number = by_slug(slug), random.Random(seed), [], 0
    setup = Setup(game, read_options(game, {}, seats), seats)
    match, _ = settle(start(setup, DealKeys.of_seed(seed)))
    while (waiting := due(match)) is not None:
        (seat,) = waiting.asks
        move = players[seat](look(match, seat), waiting.asks[seat], chance)
        number += 1
        choices.append(judged(look(match, None), number, seat, move))
        is_free = waiting.asks[seat].only() is None
        assert (choices[-1] is not None) == (is_free and seats == 2)
        match, _ = settle(submit(match, seat, move))
    places = match.over.places
    return [one for one in choices if one], 0.5 if places[0] == places[1] else float(places[0] < places[1])


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(hindsight, "TIMES", 24)


@pytest.mark.parametrize("seed", range(3))
def test_luck_and_choices_add_up_to_the_result(quick, seed):
    choices, first = judged_game([house("Ferry"), house("Pebble")], seed)
    assert all(0 <= chance <= 1 for one in choices for chance in (one.dealing, one.conceding, one.before, one.after))
    for account, result in zip(accounts(choices, (first, 1 - first), is_played=True), (first, 1 - first), strict=True):
        assert account.own_choices <= 0 <= account.other_choices and account.given_up == 0
        assert account.luck + account.own_choices + account.other_choices == pytest.approx(result - 0.5)
    way = course(choices, first, 0)
    assert len(way) == len(choices) + 1 and way[-1] == first
    assert way == pytest.approx([1 - chance for chance in course(choices, 1 - first, 1)])


def test_who_never_concedes_pays_for_it(quick):
    cost = [0.0, 0.0]
    for seed in range(4):
        choices, _first = judged_game([house("Beacon"), stubborn], seed)
        for choice in choices:
            cost[choice.seat] += choice.cost
    assert cost[1] > 3 * cost[0] and cost[1] > 0.2


def test_a_table_of_three_and_forced_answers_are_not_judged(quick):
    choices, _first = judged_game([house("Ferry")] * 3, 1, slug="oe-table", seats=3)
    assert choices == []


def test_cards_that_nobody_saw_change_no_judgement(quick):
    game = by_slug("oe-twos")
    match, _ = settle(start(Setup(game, read_options(game, {}, 2), 2), DealKeys.of_seed(3)))
    (seat,) = due(match).asks
    other = twin(match, None, 1, picker("other packs"))
    assert other != match
    found = [judged(look(one, None), 1, seat, Move("deal")) for one in (match, other)]
    assert found[0] == found[1] is not None


def test_a_difference_within_chance_costs_nothing():
    close = Choice(1, 0, True, 0.50, 0.51, 0.01)
    clear = Choice(2, 0, True, 0.50, 0.53, 0.01)
    assert close.cost == 0 and close.before == 0.50
    assert clear.cost == pytest.approx(0.03) and clear.before == pytest.approx(0.53)
    for choice in (clear, Choice(3, 1, None, 0.50, 0.53, 0.01)):
        assert Choice.read(json.loads(json.dumps(choice.written()))) == choice


def test_what_is_given_up_is_neither_luck_nor_a_choice():
    choices = [Choice(1, 1, True, 0.70, 0.40, 0.01)]
    resigned, winner = accounts(choices, (0.0, 1.0), is_played=False)
    assert resigned.given_up == pytest.approx(-0.3) and winner.given_up == pytest.approx(0.3)
    assert resigned.luck == pytest.approx(-0.2)
    left, _winner = accounts([*choices, Choice(2, 0, None, 0.10, 0.15, 0.01)], (0.0, 1.0), is_played=False)
    assert left.given_up == pytest.approx(-0.15) and left.luck == pytest.approx(-0.35)
    early, _winner = accounts([], (0.0, 1.0), is_played=False)
    assert (early.given_up, early.luck) == (-0.5, 0)
