"""docs/rules/duel-it.md: the worked examples D1 to D10 by number, every illegal answer, and each way a deal can end."""

from collections import Counter
from itertools import combinations

import pytest

from oceans.rules.cards import PACK_52, cards
from oceans.rules.engine import MatchState, due
from oceans.rules.games import by_slug
from oceans.rules.games.duel_it import hand_value, hand_words
from oceans.rules.look import look
from oceans.rules.moves import IllegalMove
from oceans.rules.options import BadOptions, read_options
from tests.rules.builders import dealt, play, started

D1 = "Kh 7c  3d 9s  8c 8h  Qs Js"
D2 = "Kh 7c  3d 9s  8c 8h  Qs Jd"
D4 = "Kh Kc  3d 9s  8c 8h  Qs Jd"


def duel(hands: str, seats: int | None = None, **options) -> MatchState:
    count = seats or len(hands.split("  "))
    return started("duel-it", count, {1: dealt(hands, count)}, options=options)


def points(match: MatchState) -> tuple[int, ...]:
    return match.results[0].ending.points


@pytest.mark.parametrize(
    ("number", "hands", "bidding", "expected"),
    [
        ("D1", D1, "0 bid 10, 1 forget, 2 forget, 3 forget", (5, 0, 0, 0)),
        ("D2", D2, "0 bid 4, 1 forget, 2 duel, 3 show, 0 forget", (0, 0, 8, 0)),
        ("D3", D1, "0 bid 4, 1 duel, 2 show, 3 duel, 0 forget, 1 forget, 2 forget", (0, 0, 0, 8)),
        ("D4", D4, "0 bid 4, 1 duel, 2 show, 3 duel, 0 show, 1 forget, 2 forget", (16, 0, 0, 0)),
        ("D5", D4, "0 bid 4, 1 forget, 2 duel, 3 show, 0 raise 10, 2 duel, 3 forget, 0 show", (20, 0, 0, 0)),
        ("D6", "Ah 5c  As 5d", "0 bid 2, 1 raise 6, 0 show", (0, 0)),
        ("D7", "Ah 2h  3s 2d", "0 bid 2, 1 show", (0, 2)),
        ("D8", "Ah Kc  As Kd  Qc Qd", "0 bid 8, 1 show, 2 show", (0, 0, 8)),
        ("D9", "Ah Kc  As Kd  Qc 9d", "0 bid 8, 1 show, 2 show", (0, 0, 0)),
        ("D10", "Th 4c  9h 8h", "0 bid 6, 1 raise 8, 0 raise 10, 1 duel, 0 forget", (0, 10)),
    ],
)
def test_examples(number, hands, bidding, expected):
    match = play(duel(hands), *bidding.split(", "))
    assert points(match) == expected


def test_d1_shows_nothing():
    match = play(duel(D1), "0 bid 10", "1 forget", "2 forget", "3 forget")
    assert look(match, 1).deals[0].hands[0] == (None, None)


def test_d4_shows_those_in_the_showdown_only():
    match = play(duel(D4), *["0 bid 4", "1 duel", "2 show", "3 duel", "0 show", "1 forget", "2 forget"])
    hands = look(match, None).deals[0].hands
    assert [None in hand for hand in hands] == [False, True, True, False]


@pytest.mark.parametrize("opening", ["pass", "bid 1", "bid 3", "bid 12", "show", "duel", "bid"])
def test_illegal_openings(opening):
    with pytest.raises(IllegalMove):
        play(duel(D1), f"0 {opening}")


@pytest.mark.parametrize(
    ("bidding", "legal"),
    [
        ("0 bid 2", ("forget", "show", "raise 6", "raise 8", "raise 10", "duel")),
        ("0 bid 4", ("forget", "show", "raise 6", "raise 10", "duel")),
        ("0 bid 6", ("forget", "show", "raise 8", "raise 10", "duel")),
        ("0 bid 8", ("forget", "show", "raise 10", "duel")),
        ("0 bid 10", ("forget", "show", "duel")),
        ("0 bid 6, 1 duel", ("forget", "show")),
        ("0 bid 8, 1 duel", ("forget", "show")),
        ("0 bid 10, 1 duel", ("forget", "show")),
    ],
)
def test_answers_by_bid(bidding, legal):
    (ask,) = due(play(duel(D1), *bidding.split(", "))).asks.values()
    assert ask.words() == legal


@pytest.mark.parametrize(
    ("bidding", "answer"),
    [
        ("0 bid 8", "1 raise 8"),
        ("0 bid 8", "1 raise 12"),
        ("0 bid 6, 1 duel", "2 duel"),
        ("0 bid 8, 1 duel", "2 duel"),
        ("0 bid 10, 1 duel", "2 duel"),
        ("0 bid 6, 1 duel", "2 raise 10"),
        ("0 bid 6", "0 show"),
        ("0 bid 6", "1 raise 7"),
    ],
)
def test_illegal_answers(bidding, answer):
    match = play(duel(D1), *bidding.split(", "))
    with pytest.raises(IllegalMove):
        play(match, answer)


def test_a_raise_to_twice_the_bid_is_stored_as_a_duel():
    match = play(duel(D1), "0 bid 2", "1 raise 4", "2 raise 8")
    assert [entry.text for entry in match.log] == ["bid 2", "duel", "duel"]
    assert match.state.bid == 8


def test_a_holder_who_leaves_lets_the_bid_stand():
    match = play(duel(D1), "0 bid 8", "0 resign", "1 show", "2 show", "3 show")
    assert points(match) == (0, 0, 0, 8)
    match = play(duel("Kh 7c  3d 9s  8c 8h"), "0 bid 8", "0 resign", "1 forget")
    assert points(match) == (0, 0, 4)


def test_if_the_first_bidder_leaves_the_next_seat_opens():
    match = play(duel(D1), "0 resign")
    assert set(due(match).asks) == {1}


@pytest.mark.parametrize(("seats", "deals"), [(2, 12), (3, 12), (5, 15), (7, 14), (8, 16), (9, 18), (10, 20)])
def test_the_usual_length_is_twelve_deals_in_whole_rounds(seats, deals):
    game = by_slug("duel-it")
    usual, named = (game.length(read_options(game, given, seats), seats) for given in ({}, {"deals": deals}))
    assert usual == named


def test_a_match_to_a_target_ends_after_the_round_in_which_it_is_reached():
    match = started("duel-it", 2, options={"target": 20})
    while match.over is None:
        ((seat, ask),) = due(match).asks.items()
        match = play(match, f"{seat} bid 10" if "bid 10" in ask.words() else f"{seat} forget")
    assert len(match.results) == 8
    assert match.over.score == (20, 20)
    assert match.over.places == (1, 1)


@pytest.mark.parametrize("options", [{"deals": 5}, {"deals": 22}, {"deals": 4, "target": 50}, {"target": 7}])
def test_lengths_that_do_not_fit_are_refused(options):
    with pytest.raises(BadOptions):
        read_options(by_slug("duel-it"), options, 2)


def test_how_many_hands_there_are_of_each_kind():
    """docs/rules/duel-it.md, 2: 48 straight flushes, 78 pairs, 144 straights, 264 flushes, 792 high cards."""
    counts = Counter(hand_value(hand)[0] for hand in combinations(PACK_52, 2))
    assert counts == {5: 48, 4: 78, 3: 144, 2: 264, 1: 792}


def test_the_five_kinds_of_hands_in_order():
    hands = ["Ah Kh", "3s 2s", "2c 2d", "Ac Kd", "3c 2d", "Ah 2h", "7d 5d", "Ac Qd", "4c 2d"]
    values = [hand_value(cards(hand)) for hand in hands]
    assert values == sorted(values, reverse=True)
    assert hand_words(cards("Qs Jd")) == "straight, queen and jack"
