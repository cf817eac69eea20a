"""Standing orders of Ocean's Eleven: when they deal, when they concede, when they stop, which goes first, and that they
see no more than their owner does."""

import pytest

from oceans.rules.engine import MatchState, settle, submit
from oceans.rules.games.oceans_eleven_orders import ROW_ORDERS, AskFirst, ConcedeAt, DealUntilAhead, DealWhileRicher
from oceans.rules.look import look
from oceans.rules.moves import Move
from oceans.rules.options import BadOptions
from oceans.rules.orders import Order, rivals
from tests.rules.builders import play, rows, started

LOW = "3c 3d 4c 5h 6s 7d"


def race(a: str, b: str) -> MatchState:
    return started("oe-twos", 2, {1: rows(f"{a} {LOW}", f"{b} {LOW}")})


def under(match: MatchState, *filed: tuple[type[Order], dict], seat: int = 1) -> tuple[MatchState, tuple[Order, ...]]:
    """The match with these orders filed, and what is left of them."""
    match, left = settle(match, {seat: [order.file(terms, look(match, seat)) for order, terms in filed]})
    return match, left.get(seat, ())


def dealing(match: MatchState, **terms) -> tuple[MatchState, DealUntilAhead | None]:
    match, left = under(match, (DealUntilAhead, terms))
    return match, next(iter(left), None)


def moves(match: MatchState) -> list[str]:
    return [f"{entry.seat} {entry.text} {entry.cause}" for entry in match.log]


def test_it_deals_until_ahead_and_then_waits_for_the_rival():
    match, order = dealing(race("Ks", "4h 9s 9d"), cards=3)
    assert moves(match) == ["1 deal order", "1 deal order"]
    assert match.state.asked == 0
    assert order.dealt == 2


def test_it_goes_on_when_the_rival_gets_ahead_again():
    match, order = dealing(race("Ks Kh", "4h 9s 9d 8c 8s"), cards=4)
    match, left = settle(submit(match, 0, Move("deal")), {1: [order]})
    assert moves(match)[2:] == ["0 deal seat", "1 deal order", "1 deal order"]
    assert match.state.asked == 0
    assert left[1][0].dealt == 4


def test_when_the_cards_are_used_up_it_asks_and_says_why():
    match, order = dealing(race("Ks", "4h 9s 8d 7h"), cards=2)
    assert moves(match) == ["1 deal order", "1 deal order"]
    assert match.state.asked == 1
    assert order.stopped == "2 cards were not enough"


def test_or_it_concedes_and_ends_with_the_hand():
    match, order = dealing(race("Ks Qd", "4h 9s 8d Qh"), cards=1, then="concede")
    assert moves(match)[:2] == ["1 deal order", "1 concede order"]
    assert match.state.wins == (1, 0)
    assert order is None


def test_it_concedes_at_once_to_a_hand_named_before():
    match = play(race("9s 9d Ks Kd", "Tc Th 4s"), "0 deal", "1 deal", "0 deal", "0 deal")
    match, _ = under(match, (ConcedeAt, {"reaches": "2"}))
    assert moves(match)[-1] == "1 concede order"


def test_to_a_lesser_hand_it_says_nothing():
    match, left = under(race("Ks", "4h 9s"), (ConcedeAt, {"reaches": "1"}))
    assert moves(match) == [] and len(left) == 1


def test_it_asks_first_if_a_rival_turns_up_a_wild_card():
    match, (order,) = under(race("2s", "4h 9s"), (AskFirst, {"wild": True}))
    assert moves(match) == []
    assert order.stopped == "a rival turned up a wild card"


def test_it_asks_first_if_the_pack_runs_low():
    match, (order,) = under(race("Ks", "4h 9s"), (AskFirst, {"left": 40}))
    assert moves(match) == []
    assert "your pack is down to 7 cards" in order.stopped


def test_it_deals_while_the_pack_is_richer():
    match, _ = under(race("Ks", "4h 9s Td Js"), (DealWhileRicher, {"by": 2}))
    assert [match.state.table.left(seat) for seat in (0, 1)] == [6, 7]
    assert moves(match) == ["1 deal order", "1 deal order"]


def test_orders_of_several_kinds_work_together():
    """Deal while the pack has two cards more, which is three times; then one card more, and concede."""
    filed = (DealUntilAhead, {"cards": 1, "then": "concede"}), (DealWhileRicher, {"by": 2})
    match, _ = under(race("Ks", "4h 9s Td Js 3s"), *filed)
    assert moves(match) == ["1 deal order"] * 4 + ["1 concede order"]


@pytest.mark.parametrize(
    ("filed", "expected"),
    [
        ([(ConcedeAt, {"reaches": "1"}), (DealWhileRicher, {"by": 1})], ["1 concede order"]),
        ([(DealUntilAhead, {"cards": 2}), (ConcedeAt, {"reaches": "1"})], ["1 concede order"]),
        ([(DealUntilAhead, {"cards": 2}), (ConcedeAt, {"reaches": "1"}), (AskFirst, {"reaches": "1"})], []),
        ([(DealUntilAhead, {"cards": 0, "then": "concede"}), (DealWhileRicher, {"by": 1})], ["1 deal order"]),
    ],
)
def test_where_orders_disagree_a_fixed_order_decides(filed, expected):
    """Whatever the order in which they were filed: ask, concede, deal while richer, deal so many."""
    match = play(race("9s 9d", "Tc Th Ts"), "0 deal")
    for ones in (filed, filed[::-1]):
        after, _ = under(match, *ones)
        assert moves(after)[1 : 1 + max(1, len(expected))] == expected


def test_an_order_knows_to_which_others_it_gives_way():
    view = look(race("Ks", "4h"), 1)
    orders = tuple(kind.file({"wild": True} if kind is AskFirst else {}, view) for kind in ROW_ORDERS)
    assert [len(rivals(orders, order)) for order in orders] == [0, 1, 2, 3]


def test_for_the_rest_of_the_game_it_counts_each_hand_anew():
    match, order = dealing(race("Ks 3h", "4h 8h 9d 9h"), cards=1, then="concede", lasts="game")
    assert match.state.wins == (1, 0)
    match, left = settle(match, {1: [order]})
    assert left[1][0].hand_no == 2


def test_for_the_rest_of_the_game_it_stops_for_a_hand_only():
    match, order = dealing(race("Ks Qh 7h", "4h 9s 3s Qs 8s 9h"), cards=1, lasts="game")
    assert order.stopped
    match, left = settle(submit(match, 1, Move("concede")), {1: [order]})
    assert moves(match)[-2:] == ["1 concede seat", "1 deal order"]
    assert left[1][0].stopped == ""


def test_an_order_and_its_owner_play_the_same_game():
    """Contract 7: the same log results whether the owner or the order plays the move."""
    by_order, _ = dealing(race("Ks", "4h 9s 9d"), cards=3)
    by_hand = play(race("Ks", "4h 9s 9d"), "1 deal", "1 deal")
    assert by_order.state == by_hand.state
    assert [(one.seat, one.move) for one in by_order.log] == [(one.seat, one.move) for one in by_hand.log]
    assert look(by_order, 0) == look(by_hand, 0)


def test_its_owner_alone_sees_which_lines_were_by_order():
    match, _ = dealing(race("Ks", "4h 9s 9d"), cards=3)
    assert [look(match, viewer).by_order for viewer in (0, 1, None)] == [frozenset(), {1, 2}, frozenset()]


@pytest.mark.parametrize("kind", ROW_ORDERS)
def test_each_survives_being_written(kind):
    terms = {"wild": "on"} if kind is AskFirst else {}
    order = kind.file(terms, look(race("Ks", "4h 9s 9d"), 1))
    assert kind.read(order.written()) == order


def test_each_says_itself_in_words():
    view = look(race("Ks", "4h 9s 9d"), 1)
    filed = {
        AskFirst: {"reaches": "3", "left": 9, "lasts": "game"},
        ConcedeAt: {"reaches": "9"},
        DealWhileRicher: {"by": 1},
        DealUntilAhead: {"cards": "2", "then": "concede"},
    }
    assert [kind.file(terms, view).words(view) for kind, terms in filed.items()] == [
        "If my row is behind, I am asked first if they reach three of a kind or better or my pack is down to 9; "
        "for the rest of the game.",
        "If my row is behind, I concede at once if they reach five of a kind; in hand 1.",
        "If my row is behind, I deal while my pack has at least 1 card more than theirs; in hand 1.",
        "If my row is behind, I deal up to 2 cards in a hand and stop as soon as I am ahead; then I concede; "
        "in hand 1.",
    ]


@pytest.mark.parametrize(
    ("kind", "terms"),
    [
        (DealUntilAhead, {"cards": "many"}),
        (DealUntilAhead, {"cards": 99}),
        (DealUntilAhead, {"then": "sulk"}),
        (DealUntilAhead, {"peek": True}),
        (ConcedeAt, {"reaches": ""}),
        (DealWhileRicher, {"by": 0}),
        (AskFirst, {}),
    ],
)
def test_terms_that_make_no_sense_are_refused(kind, terms):
    with pytest.raises(BadOptions):
        kind.file(terms, look(race("Ks", "4h"), 1))
