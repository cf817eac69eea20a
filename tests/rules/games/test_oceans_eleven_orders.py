"""Standing orders of Ocean's Eleven: when they deal, when they concede, when they stop, and that they see no more than
their owner does."""

import pytest

from oceans.rules.engine import MatchState, settle, submit
from oceans.rules.games.oceans_eleven_orders import HandOrder
from oceans.rules.look import look
from oceans.rules.moves import Move
from oceans.rules.options import BadOptions
from tests.rules.builders import play, rows, started

LOW = "3c 3d 4c 5h 6s 7d"


def race(a: str, b: str) -> MatchState:
    return started("oe-twos", 2, {1: rows(f"{a} {LOW}", f"{b} {LOW}")})


def under(match: MatchState, seat: int = 1, **terms) -> tuple[MatchState, HandOrder | None]:
    """The match with this order filed, and what is left of it."""
    match, left = settle(match, {seat: HandOrder.file(terms, look(match, seat))})
    return match, left.get(seat)


def moves(match: MatchState) -> list[str]:
    return [f"{entry.seat} {entry.text} {entry.cause}" for entry in match.log]


def test_it_deals_until_ahead_and_then_waits_for_the_rival():
    match, order = under(race("Ks", "4h 9s 9d"), cards=3)
    assert moves(match) == ["1 deal order", "1 deal order"]
    assert match.state.asked == 0
    assert order.dealt == 2


def test_it_goes_on_when_the_rival_gets_ahead_again():
    match, order = under(race("Ks Kh", "4h 9s 9d 8c 8s"), cards=4)
    match, left = settle(submit(match, 0, Move("deal")), {1: order})
    assert moves(match)[2:] == ["0 deal seat", "1 deal order", "1 deal order"]
    assert match.state.asked == 0
    assert left[1].dealt == 4


def test_when_the_cards_are_used_up_it_asks_and_says_why():
    match, order = under(race("Ks", "4h 9s 8d 7h"), cards=2)
    assert moves(match) == ["1 deal order", "1 deal order"]
    assert match.state.asked == 1
    assert order.stopped == "2 cards were not enough"


def test_or_it_concedes_and_ends_with_the_hand():
    match, order = under(race("Ks Qd", "4h 9s 8d Qh"), cards=1, then="concede")
    assert moves(match)[:2] == ["1 deal order", "1 concede order"]
    assert match.state.wins == (1, 0)
    assert order is None or order.applies(look(match, 1)) is False


def test_it_concedes_at_once_to_a_hand_named_before():
    match = play(race("9s 9d Ks Kd", "Tc Th 4s"), "0 deal", "1 deal", "0 deal", "0 deal")
    match, _ = under(match, concede_at="2")
    assert moves(match)[-1] == "1 concede order"


def test_it_asks_first_if_a_rival_turns_up_a_wild_card():
    match, order = under(race("2s", "4h 9s"), ask_if_wild=True)
    assert moves(match) == []
    assert order.stopped == "a rival turned up a wild card"


def test_it_asks_first_if_the_pack_runs_low():
    match, order = under(race("Ks", "4h 9s"), ask_if_left=40)
    assert moves(match) == []
    assert "your pack is down to 7 cards" in order.stopped


def test_it_deals_on_while_the_pack_is_richer():
    match, _ = under(race("Ks", "4h 9s Td Js"), cards=0, richer_by=2)
    assert [match.state.table.left(seat) for seat in (0, 1)] == [6, 7]
    assert moves(match) == ["1 deal order", "1 deal order"]


def test_for_the_rest_of_the_game_it_counts_each_hand_anew():
    match, order = under(race("Ks 3h", "4h 8h 9d 9h"), cards=1, then="concede", lasts="game")
    assert match.state.wins == (1, 0)
    match, left = settle(match, {1: order})
    assert left[1].applies(look(match, 1))
    assert left[1].hand_no == 1


def test_an_order_and_its_owner_play_the_same_game():
    """Contract 7: the same log results whether the owner or the order plays the move."""
    by_order, _ = under(race("Ks", "4h 9s 9d"), cards=3)
    by_hand = play(race("Ks", "4h 9s 9d"), "1 deal", "1 deal")
    assert by_order.state == by_hand.state
    assert [(one.seat, one.move) for one in by_order.log] == [(one.seat, one.move) for one in by_hand.log]


def test_it_survives_being_written_and_says_itself_in_words():
    match = race("Ks", "4h 9s 9d")
    order = HandOrder.file({"cards": "2", "then": "concede", "ask_if_wild": "on"}, look(match, 1))
    assert HandOrder.read(order.written()) == order
    assert order.words(look(match, 1)) == (
        "If my row is behind, I deal up to 2 cards in a hand and stop as soon as I am ahead; then I concede; "
        "I am asked first if they turn up a wild card; in hand 1."
    )


@pytest.mark.parametrize(
    "terms", [{"cards": "many"}, {"cards": 99}, {"then": "sulk"}, {"peek": True}, {"ask_at": "5", "concede_at": "3"}]
)
def test_terms_that_make_no_sense_are_refused(terms):
    match = race("Ks", "4h")
    with pytest.raises(BadOptions):
        HandOrder.file(terms, look(match, 1))
