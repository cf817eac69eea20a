"""What every standing order owes: it plays what its owner might have played, knows when it is over, and can be written
down. Random orders of all kinds, filed by all seats in random matches."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, due, replay, settle, start, submit
from oceans.rules.games import GAMES
from oceans.rules.games.draw import DRAW, DRAW_GAMES
from oceans.rules.look import View, look
from oceans.rules.options import BadOptions, Choice, Flag, read_options
from oceans.rules.orders import Order, in_turn, read_orders, respond
from oceans.rules.playing import picker
from oceans.rules.poker_orders import DRAW_STEP
from tests.rules.contract.tables import TABLES

MOVES = 25
CHOSEN = TABLES[::6]


def some_order(kind: type[Order], view: View, pick) -> Order | None:
    """An order of this kind with terms that chance picks; None if they make no sense now."""
    terms: dict[str, Any] = {}
    for name, (one, _default) in kind.terms().items():
        if isinstance(one, Choice):
            terms[name] = one.values[pick(len(one.values))][0]
        elif isinstance(one, Flag):
            terms[name] = bool(pick(2))
        else:
            terms[name] = one.low + pick(min(6, one.high - one.low + 1))
    try:
        return kind.file(terms, view)
    except BadOptions:
        return None


def some_orders(match: MatchState, pick) -> dict[int, list[Order]]:
    """Orders for every seat of some of the kinds there are, in any order."""
    filed = {}
    for seat in range(match.setup.seats):
        view = look(match, seat)
        kinds = [kind for kind in match.game.orders if pick(2)]
        filed[seat] = list(filter(None, (some_order(kind, view, pick) for kind in kinds)))[:: 1 - 2 * pick(2)]
    return filed


def ordered_play(game, seats: int, options, seed: int) -> Iterator[tuple[MatchState, dict[int, list[Order]]]]:
    """A match as people play it who file orders every now and then: its moments, each with the orders filed there."""
    pick = picker(f"orders {seed}")
    match = settle(start(Setup(game, options, seats), DealKeys.of_seed(seed)))[0]
    left: Any = {}
    for number in range(MOVES):
        filed = some_orders(match, pick) if number % 5 == 0 else left
        yield match, filed
        match, left = settle(match, filed)
        waiting = due(match)
        if waiting is None:
            return
        asked = sorted(set(waiting.asks) - {answer.seat for answer in match.sealed})
        seat = asked[pick(len(asked))]
        match = submit(match, seat, waiting.asks[seat].some(pick))


@pytest.mark.parametrize(("game", "seats", "given"), [param.values[0] for param in CHOSEN])
def test_orders_play_what_their_owners_might_have_played(game, seats, given):
    options = read_options(game, given, seats)
    assert any(check_play(game, seats, options, seed) for seed in range(1, 9)), "no order ever answered"


def check_play(game, seats: int, options, seed: int) -> int:
    """Check all moments of a match; return how often an order answered."""
    fired = 0
    for match, filed in ordered_play(game, seats, options, seed):
        after, left = settle(match, filed)
        fresh = after.log[len(match.log) :]
        fired += sum(entry.cause == "order" for entry in (*fresh, *after.sealed))
        by_hand = [replace(entry, cause="seat") if entry.cause == "order" else entry for entry in after.log]
        if fresh:
            assert replay(after.setup, after.keys, by_hand).state == after.state
        assert settle(match, {seat: ones[::-1] for seat, ones in filed.items()}) == (after, left)
        assert settle(after, left) == (after, left), "all that can be answered has been"
        for seat, ones in left.items():
            view = look(after, seat)
            assert [order.lasting(view) for order in ones] == list(ones)
            assert read_orders(game.orders, [(one.kind, one.written()) for one in ones]) == ones
            assert all(one.words(view).endswith(".") for one in ones)
    return fired


def test_an_answer_that_the_rules_refuse_asks_the_owner_and_stops_the_order():
    game = next(one for one in GAMES if one.slug == "oe-twos")
    match = settle(start(Setup(game, game.options(), 2), DealKeys.of_seed(1)))[0]
    (seat, ask), view = next(iter(due(match).asks.items())), look(match, match.state.asked)

    class Sing(game.orders[-1]):
        def answer(self, view, ask):
            return replace(ask.only() or ask.some(picker(1)), verb="sing"), self

    orders = [Sing.file({}, view), game.orders[-1].file({}, view)]
    move, left = respond(orders, view, ask)
    assert move is None and left[0].stopped == "“sing” was not possible"
    assert left[1] == orders[1] and seat == view.viewer


def test_narrow_orders_about_betting_go_first():
    game = next(one for one in GAMES if one.slug == "five-draw")
    view = look(settle(start(Setup(game, game.options(), 3), DealKeys.of_seed(1)))[0], 0)
    check_fold, up_to, by_level, discard = game.orders
    filed = [check_fold.file({"lasts": "deal"}, view), up_to.file({"lasts": "round"}, view), discard.file({}, view)]
    tried = in_turn(game.orders, [*filed, by_level.file({"lasts": "deal"}, view)])
    assert [order.kind for order in tried] == ["up-to", "discard", "check-fold", "by-level"]


@pytest.mark.parametrize("game", DRAW_GAMES, ids=lambda game: game.slug)
def test_orders_know_at_which_step_cards_are_drawn(game):
    assert game.steps.index(DRAW) == DRAW_STEP
