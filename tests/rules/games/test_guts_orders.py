"""Standing orders of the guts family."""

import pytest

from oceans.rules.engine import settle
from oceans.rules.games.guts_orders import Blindly, InWithHand
from oceans.rules.look import look
from oceans.rules.options import BadOptions
from tests.rules.builders import dealt, play, started

HANDS = "9h 9c  As Kd  7c 2d"


def table(hands: str = HANDS, **options):
    return started("guts", 3, {1: dealt(hands, 3)}, options=options)


@pytest.mark.parametrize(
    ("at_least", "answers"),
    [
        ("2-2", "in out out"),
        ("1-14", "in in out"),
        ("2-10", "out out out"),
        ("1-7", "in in in"),
        ("flush", "out out out"),
    ],
)
def test_in_with_a_hand_that_is_good_enough(at_least, answers):
    match = table()
    for seat, said in enumerate(answers.split()):
        after, _ = settle(match, {seat: [InWithHand.file({"at_least": at_least}, look(match, seat))]})
        assert [str(one.move) for one in after.sealed] == [said]


def test_it_answers_every_deal_of_the_pot_and_ends_with_it():
    match = table()
    order = InWithHand.file({"at_least": "2-14"}, look(match, 2))
    match, left = settle(match, {2: [order]})
    match, left = settle(play(match, "0 in", "1 in"), left)
    assert match.deal_no == 2
    assert [one.seat for one in match.sealed] == [2]
    match, left = settle(play(match, "0 in", "1 out"), left)
    assert left == {}


def test_nobody_is_told_that_an_order_answered():
    match = table()
    by_order, _ = settle(match, {0: [InWithHand.file({"at_least": "2-2"}, look(match, 0))]})
    by_hand = play(match, "0 in")
    assert look(by_order, 1) == look(by_hand, 1)


def test_the_spit_counts_as_in_the_table_ranking():
    match = started("guts-spit", 2, {1: ((*dealt("9h 4c  As Kd", 2)[0], *dealt("4d", 1)[0]),)})
    after, _ = settle(match, {0: [InWithHand.file({"at_least": "3-9"}, look(match, 0))]})
    assert [str(one.move) for one in after.sealed] == ["in"]


def test_blind_hands_have_orders_by_the_number_of_deals():
    match = table("7c 2d  Qh Jc  9h 5c", look="none")
    with pytest.raises(BadOptions):
        InWithHand.file({}, look(match, 0))
    order = Blindly.file({"say": "in", "deals": 2}, look(match, 0))
    assert order.words(look(match, 0)) == "I say in up to and including deal 2."
    match, left = settle(match, {0: [order]})
    match, left = settle(play(match, "1 in", "2 out"), left)
    assert [one.seat for one in match.sealed] == [0]
    match, left = settle(play(match, "1 out", "2 out"), left)
    assert left == {}


def test_orders_survive_being_written():
    match = table()
    order = InWithHand.file({"at_least": "2-9"}, look(match, 0))
    assert InWithHand.read(order.written()) == order
