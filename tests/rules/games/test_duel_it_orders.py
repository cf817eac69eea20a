"""The response table of Duel It."""

from oceans.rules.engine import settle
from oceans.rules.games.duel_it_orders import ResponseTable
from oceans.rules.look import look
from tests.rules.builders import dealt, play, started


def duel():
    return started("duel-it", 3, {1: dealt("Kh Kc  3d 9s  8c 8h", 3)})


def filed(match, seat, **terms):
    return {seat: [ResponseTable.file(terms, look(match, seat))]}


def test_it_answers_the_bid_it_has_an_answer_for():
    match = duel()
    orders = filed(match, 1, at_8="forget") | filed(match, 2, at_8="duel")
    match, orders = settle(play(match, "0 bid 8"), orders)
    assert [(one.seat, one.text, one.cause) for one in match.log[1:]] == [(1, "forget", "order"), (2, "duel", "order")]


def test_it_asks_where_it_has_no_answer():
    match = duel()
    match, orders = settle(play(match, "0 bid 6"), filed(match, 1, at_8="forget"))
    assert len(match.log) == 1
    assert 1 in orders


def test_an_answer_that_is_not_possible_is_not_made_and_says_so():
    match = duel()
    table = {1: [ResponseTable(at_10="raise 4", deal_no=1)]}
    match, orders = settle(play(match, "0 bid 10"), table)
    assert len(match.log) == 1
    assert "raise 4" in orders[1][0].stopped


def test_the_first_bid_of_the_next_deal_is_made_blind_and_then_the_order_ends():
    match = duel()
    orders = filed(match, 1, at_2="forget", next_bid="6")
    match, orders = settle(play(match, "0 bid 2"), orders)
    match, orders = settle(play(match, "2 forget"), orders)
    assert match.deal_no == 2
    assert (match.log[-1].seat, match.log[-1].text, match.log[-1].cause) == (1, "bid 6", "order")
    assert orders == {}


def test_it_says_itself_in_words():
    match = duel()
    order = ResponseTable.file({"at_8": "duel", "above": "show", "next_bid": "4"}, look(match, 1))
    assert order.words(look(match, 1)) == "to 8 I duel, above 10 I show, if I open the next deal I bid 4; deal 1."
    assert ResponseTable.read(order.written()) == order
