"""Standing orders about betting and drawing (docs/rules/common.md, 13)."""

import pytest

from oceans.rules.engine import MatchState, settle
from oceans.rules.look import look
from oceans.rules.options import BadOptions
from oceans.rules.poker_orders import ByLevel, CheckFold, Discard, UpTo
from tests.rules.builders import dealt, play, started

HANDS = "Kh Kd 9c 5s 2d  Ah Jh 8h 4h 3c  7s 7c Qd Td 6h  Ks 8d 4c 2h 7h 9d 3s"


def table(**options) -> MatchState:
    return started("five-draw", 3, {1: dealt(HANDS, 3)}, options=options)


def ordered(match: MatchState, seat: int, order, **terms):
    """The match when a seat has filed an order, and what is left of it."""
    match, left = settle(match, {seat: [order.file(terms, look(match, seat))]})
    return match, next(iter(left.get(seat, ())), None)


def last(match: MatchState) -> str:
    return f"{match.log[-1].seat} {match.log[-1].text} ({match.log[-1].cause})"


def test_check_fold_checks_and_folds_to_a_bet():
    match, order = ordered(table(), 0, CheckFold, lasts="round")
    assert last(match) == "0 check (order)"
    match = play(match, "1 bet 2", "2 call")
    match, _ = settle(match, {0: [order]})
    assert last(match) == "0 fold (order)"


def test_an_order_for_the_round_lapses_with_it_and_one_for_the_deal_goes_on():
    for lasts, expected in (("round", False), ("deal", True)):
        match, order = ordered(table(), 0, CheckFold, lasts=lasts)
        match = play(match, "1 check", "2 check", "0 draw", "1 draw", "2 draw")
        match, left = settle(match, {0: [order]})
        assert (last(match) == "0 check (order)") == expected
        assert bool(left) == expected


def test_an_order_about_betting_leaves_the_draw_to_its_owner():
    match, order = ordered(table(), 0, CheckFold, lasts="deal")
    match = play(match, "1 check", "2 check")
    match, left = settle(match, {0: [order]})
    assert match.sealed == () and [type(one) for one in left[0]] == [CheckFold]


@pytest.mark.parametrize(
    ("terms", "bets", "answer"),
    [
        ({"most": 2}, ["0 bet 2"], "1 call (order)"),
        ({"most": 3}, ["0 bet 2", "1 call", "2 raise 4", "0 call"], "1 fold (order)"),
        ({"most": 2, "raise_to": 4}, ["0 bet 2"], "1 raise 4 (order)"),
        ({"opening": 2}, ["0 check"], "1 bet 2 (order)"),
        ({"opening": 0}, ["0 check"], "1 check (order)"),
    ],
)
def test_up_to_bets_calls_and_raises_by_totals_of_the_round(terms, bets, answer):
    match, _ = ordered(play(table(), *bets), 1, UpTo, **terms)
    assert last(match) == answer


def test_up_to_can_ask_instead_of_folding_and_then_says_why():
    match = play(table(), "0 bet 2", "1 call", "2 raise 4", "0 call")
    after, order = ordered(match, 1, UpTo, most=3, then="ask")
    assert after == match
    assert order.stopped == "calling would put more than 3 chips in"


def test_up_to_raises_once_in_a_round():
    match, order = ordered(play(table(limit="spread"), "0 bet 2"), 1, UpTo, most=20, raise_to=5, lasts="deal")
    assert last(match) == "1 raise 5 (order)"
    match = play(match, "2 raise 8", "0 call")
    match, _ = settle(match, {1: [order]})
    assert last(match) == "1 call (order)"


def test_up_to_files_a_plan_where_betting_is_sealed():
    match, _ = ordered(table(limit="spread", betting="sealed"), 1, UpTo, opening=2, most=900, raise_to=6)
    assert [str(one.move) for one in match.sealed] == ["plan bet 2, call 99, raise 6"]


def test_each_level_has_its_answer_and_the_last_no_raise():
    terms = {"level0": "bet", "level1": "raise", "level2": "call", "level3": "raise"}
    match, order = ordered(table(), 0, ByLevel, lasts="deal", **terms)
    assert last(match) == "0 bet 2 (order)"
    match = play(match, "1 raise 4", "2 raise 6")
    match, _ = settle(match, {0: [order]})
    assert last(match) == "0 call (order)"
    match, _ = ordered(table(betting="sealed"), 0, ByLevel, **terms)
    assert [str(one.move) for one in match.sealed] == ["plan bet/raise/call/call"]


def test_orders_fit_the_limit_and_the_mode():
    fixed, sealed, spread = (look(table(**one), 0) for one in ({}, {"betting": "sealed"}, {"limit": "spread"}))
    assert [UpTo.fits(one) for one in (fixed, sealed, spread)] == [True, False, True]
    assert [ByLevel.fits(one) for one in (fixed, sealed, spread)] == [True, True, False]


def test_a_discard_waits_for_the_draw_and_then_is_gone():
    match = play(table(), "0 check")
    match, order = ordered(match, 0, Discard, third="on", fourth="on")
    assert order.words(look(match, 0)) == "I throw 9c 5s at the draw."
    match, left = settle(play(match, "1 check", "2 check"), {0: [order]})
    assert [str(one.move) for one in match.sealed] == ["draw 9c 5s"]
    assert left == {}


def test_a_discard_that_is_not_legal_stops_and_the_seat_is_asked():
    flags = dict.fromkeys(("first", "second", "third", "fourth"), "on")
    match, order = ordered(play(table(), "0 check", "1 check", "2 check"), 0, Discard, **flags)
    assert match.sealed == ()
    assert order.stopped


def test_a_discard_of_a_card_that_is_not_there_is_refused():
    match = started("spit", 2, {1: dealt("8c Ks Kh 4d  Ah As Ac 5d  8d", 2)})
    with pytest.raises(BadOptions, match="You hold only 4 cards"):
        Discard.file({"fifth": "on"}, look(match, 0))


def test_new_cards_for_all_end_the_orders_of_a_deal():
    first, second = "Jh Jd 7c 5h 2s  As Kd 9c 6h 3s", "Qh Qd 7c 5h 2s  As Kd 9c 6h 3s"
    match = started("jacks", 2, {"1": dealt(first, 2), "1.2": dealt(second, 2)})
    match, order = ordered(match, 0, CheckFold, lasts="deal")
    assert order is not None
    match, left = settle(play(match, "0 pass"), {0: [order]})
    assert match.state.redeals == 1
    assert left == {}


def test_orders_say_themselves_in_words():
    view = look(table(), 1)
    assert CheckFold.file({}, view).words(view) == "I check, and fold to a bet, in this betting round."
    assert UpTo.file({"opening": 2, "most": 6, "raise_to": 4, "then": "ask"}, view).words(view) == (
        "I bet 2 if nobody has bet, raise once to 4, call up to 6 and am asked beyond that, in this betting round."
    )
    assert ByLevel.file({"lasts": "deal"}, view).words(view) == (
        "I check if nobody has bet, call facing a bet, fold facing a raise, fold facing two raises, "
        "for the rest of this deal."
    )
