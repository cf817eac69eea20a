"""House bots with hands of their own: strong hands are played, weak ones are not, and they win chips and points from a
player who answers at random."""

import pytest

from oceans import bots
from oceans.rules.chance import DealKeys
from oceans.rules.engine import Setup, due, settle, start, submit
from oceans.rules.games import by_slug
from oceans.rules.look import look
from oceans.rules.options import read_options
from oceans.rules.playing import picker
from tests.rules.builders import dealt, play, started


def said(match, seat: int) -> str:
    view = look(match, seat)
    return str(bots.choose("Ferry", view, view.ask, picker("odds")))


def test_at_guts_aces_are_in_and_seven_high_is_out():
    match = started("guts", 3, {1: dealt("As Ad  7c 2d  9h 5c", 3)})
    assert (said(match, 0), said(match, 1)) == ("in", "out")


def test_it_passes_the_card_that_leaves_the_better_hand():
    match = started("guts-pass", 2, {1: dealt("As 2d  7c 3d", 2)})
    assert said(play(match, "0 out", "1 out"), 0) == "pass 2d"


def test_with_its_own_card_on_the_forehead_it_fears_what_it_sees():
    match = started("indian", 2, {1: dealt("3d  As", 2)})
    assert (said(match, 0), said(match, 1)) == ("out", "in")


def test_at_duel_it_the_bid_and_the_answer_follow_the_hand():
    match = started("duel-it", 2, {1: dealt("As Ad  7c 2d", 2)})
    assert said(match, 0) == "bid 10"
    assert said(play(match, "0 bid 10"), 1) == "forget"
    match = started("duel-it", 2, {1: dealt("7c 2d  As Ad", 2)})
    assert said(match, 0) == "bid 2"
    assert said(play(match, "0 bid 2"), 1) == "duel"


@pytest.mark.parametrize("slug", ["guts", "guts-nuclear", "duel-it"])
def test_it_wins_from_a_player_who_answers_at_random(slug):
    game, pick = by_slug(slug), picker("match")
    better = 0
    for seed in range(14):
        match, _ = settle(start(Setup(game, read_options(game, {}, 2), 2), DealKeys.of_seed(seed)))
        bot = seed % 2
        while (waiting := due(match)) is not None:
            seat = next(seat for seat in waiting.asks if seat not in {one.seat for one in match.sealed})
            view = look(match, seat)
            move = bots.choose("Ferry", view, view.ask, pick) if seat == bot else view.ask.some(pick)
            match, _ = settle(submit(match, seat, move))
        better += match.over.score[bot] > match.over.score[1 - bot]
    assert better >= 9
