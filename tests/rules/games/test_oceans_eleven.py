"""docs/rules/oceans-eleven.md: the worked examples O1 to O20 by number, and each odd rule by name."""

import pytest

from oceans.rules.cards import card, cards
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, due, start
from oceans.rules.game import Who
from oceans.rules.games import by_slug
from oceans.rules.look import look
from oceans.rules.moves import IllegalMove
from oceans.rules.options import BadOptions, read_options
from oceans.rules.rows import compare_rows
from tests.rules.builders import play, rows, started

LOW = "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4s 5c 5d 5h 5s 6c"


def race(game: str, *packs: str, seats: int = 2, options: dict | None = None) -> MatchState:
    return started(game, seats, {1: rows(*packs)}, options=options or {})


def at(game: str, wins: tuple[int, ...], *packs: str) -> MatchState:
    """A match in which these hands have been won and the packs left are the ones given: opening cards are put on top
    so that the loser of each hand is behind and concedes."""
    tops = [[] for _ in wins]
    moves = []
    for hand in range(sum(wins)):
        winner = next(seat for seat in range(len(wins)) if sum(wins[: seat + 1]) > hand)
        for seat, top in enumerate(tops):
            top.append("Ah" if seat == winner else "7h")
        moves.append(f"{1 - winner} concede")
    match = race(game, *(" ".join(top) + " " + pack for top, pack in zip(tops, packs, strict=True)))
    return play(match, *moves)


def row(match: MatchState, seat: int) -> str:
    return " ".join(map(str, match.state.table.places[seat].row))


def wins(match: MatchState) -> tuple[int, ...]:
    return match.state.wins


def asked(match: MatchState) -> dict[int, tuple[str, ...]]:
    waiting = due(match)
    return {} if waiting is None else {seat: ask.words() for seat, ask in waiting.asks.items()}


def causes(match: MatchState) -> list[str]:
    return [f"{entry.seat} {entry.text} {entry.cause}" for entry in match.log]


def test_o1_a_hand():
    match = race("oe-twos", f"9s 9d 3c {LOW}", f"Kc 4h 4s Ah {LOW}")
    assert asked(match) == {0: ("deal", "concede")}
    match = play(match, "0 deal")
    assert asked(match) == {1: ("deal", "concede")}
    match = play(match, "1 deal", "1 deal")
    assert asked(match) == {1: ("deal", "concede")}
    match = play(match, "1 concede")
    assert wins(match) == (1, 0)
    assert (row(match, 0), row(match, 1)) == ("3c", "Ah")
    assert asked(match) == {0: ("deal", "concede")}


def test_o2_a_level_start_turns_both_without_asking():
    match = race("oe-twos", "8s 3d Kc", "8h 6d Kd")
    assert (row(match, 0), row(match, 1)) == ("8s 3d", "8h 6d")
    assert asked(match) == {0: ("deal", "concede")}
    assert match.log == ()


@pytest.mark.parametrize(
    ("turned", "leader"), [("9s", "b"), ("Qh", "b"), ("8s", "b"), ("7s", "b"), ("5h", "level"), ("4h", "a")]
)
def test_o3_the_leftover_decides(turned, leader):
    a, b = cards("Kc Kd Kh Qs 8c 5d"), cards("Ks Qd 8h 2c 2d")
    game = by_slug("oe-twos").variant(None)
    assert compare_rows(a, b, game.wilds) == 1
    expected = {"a": 1, "b": -1, "level": 0}[leader]
    assert compare_rows(a, (*b, card(turned)), game.wilds) == expected


@pytest.mark.parametrize(
    ("number", "pack", "a", "b", "expected"),
    [
        ("O4", "twos", "Ah Jh 8h 4h 2c", "As Ks Js 8s 4s", 0),
        ("O4", "twos", "Ah Kh 8h 4h 2c", "As Ks Js 8s 4s", 1),
        ("O5", "twos", "As", "2c", 0),
        ("O5", "twos", "Ks", "2c", -1),
        ("O5", "twos", "2s 2c", "Ad Ah", 0),
        ("O5", "jokers", "2c 2d", "X1 3s", -1),
        ("O5", "jokers-twos", "2c X1 9h", "9s 9d 9c", 0),
        ("O5", "jokers-twos", "2c 2d X1 Th Jh", "Ac Ad Ah As Kd", 1),
        ("O6", "twos", "Kc Kd Kh Ks Ad 2c", "Kc Kd Kh Ks Ad Qs", 1),
        ("O7", "none", "Ac Kd Qh Js 9c 8d 7h 5s 4c 3d 2h", "Ad Kh Qs Jc 9d 8h 7s 5c 4d 3h 2s", 0),
        ("O8", "twos", "Ah Qs Qd Qc 7c 7d 2s", "Tc Qh Qs Jd 2c 2d 2h", 1),
        ("O8", "twos", "Ah Qs Qd Qc 7c 7d 2s", "Kc Qh Qs Jd 2c 2d 2h", -1),
        ("O14", "none", "Qc Qd Qh 7s", "9d 9h 9c Qs 2d", 1),
        ("O15", "five-suits", "4c 4d 4h 4s 4r", "Ar Kr Qr Jr Tr", 1),
        ("O15", "five-suits", "3c 3d 3h 2s 2r", "Ar Kr Qr Jr 9r", 1),
        ("O16", "mini-joker", "Ks Kh X1", "As Ah 7s", 1),
    ],
)
def test_comparisons(number, pack, a, b, expected):
    game = by_slug(f"oe-{pack}").variant(None)
    assert compare_rows(cards(a), cards(b), game.wilds, game.suits) == expected
    assert compare_rows(cards(b), cards(a), game.wilds, game.suits) == -expected


def test_o9_no_conceding_when_the_rival_is_one_win_short():
    match = at("oe-twos", (5, 3), "Ks 3d 6c 6d", "4c 9d 9s 7h 6h")
    assert causes(match)[-2:] == ["1 deal forced", "1 deal forced"]
    assert row(match, 1) == "4c 9d 9s"
    assert asked(match) == {0: ("deal", "concede")}
    match = play(match, "0 concede")
    assert wins(match) == (5, 4)


def test_o10_at_five_all_the_last_hand_plays_itself():
    match = at("oe-twos", (5, 5), "Ks 3d 5c", "4c 9d 9s 7h")
    assert wins(match) == (5, 6)
    assert match.over.places == (2, 1)
    assert causes(match)[-5:] == [*["1 deal forced"] * 2, *["0 deal forced"] * 2, "0 concede forced"]


def test_o11_the_player_with_cards_left_collects_hands():
    match = play(at("oe-none", (2, 3), "Ks", "Qd 4s 8c 8h 3s 7d"), "1 concede")
    assert wins(match) == (3, 6)
    assert match.over.places == (2, 1)
    assert match.state.table.left(1) == 2


def test_o11_dealing_instead_wins_two_more():
    match = play(at("oe-none", (2, 3), "Ks", "Qd Qs 8c 8h 3s 7d"), "1 deal")
    assert causes(match)[-1] == "0 concede forced"
    assert wins(match) == (2, 6)


def test_o12_level_with_one_pack_empty_concedes_without_a_card_for_it():
    match = at("oe-none", (4, 3), "Ks", "Kd 5c 9h")
    assert causes(match)[-1] == "0 concede forced"
    assert wins(match) == (4, 6)


def test_o13_level_with_both_packs_empty_nobody_wins():
    match = at("oe-none", (4, 4), "Ks", "Kd")
    assert wins(match) == (4, 4)
    assert match.over.places == (1, 1)
    assert match.state.winners[-1] is None


def three(a: str, b: str, c: str) -> MatchState:
    return race("oe-table", a, b, c, seats=3)


def test_o17_three_players():
    match = three("Kc 7d 2c", "4h 4d 2d", "9h 2h")
    assert asked(match) == {1: ("deal", "concede")}
    match = play(match, "1 deal")
    assert asked(match) == {2: ("deal", "concede")}
    match = play(match, "2 concede")
    assert asked(match) == {0: ("deal", "concede")}
    match = play(match, "0 deal")
    assert row(match, 0) == "Kc 7d"
    match = play(match, "0 concede")
    assert wins(match) == (0, 1, 0)


def test_o18_a_tie_for_weakest_turns_up_together():
    match = three("Kc 2c", "8h 3d 2d", "8c Td 2h")
    assert (row(match, 1), row(match, 2)) == ("8h 3d", "8c Td")
    assert asked(match) == {1: ("deal", "concede")}


def test_o19_folding_is_forbidden_only_between_two_at_match_point():
    packs = ["Ah Ad Ac As Kd", "9h 9s 9d 9c Th", "7c 7d 7h 7s 8c"]
    match = three(f"{packs[0]} Kc 2c", f"{packs[1]} 8h 3d Qs", f"{packs[2]} 6c 2h")
    match = play(match, *["2 concede", "1 concede"] * 5)
    assert wins(match) == (5, 0, 0)
    assert asked(match) == {2: ("deal", "concede")}
    match = play(match, "2 concede")
    assert causes(match)[-3:] == ["1 deal forced", "1 deal forced", "1 concede forced"]
    assert wins(match) == (6, 0, 0)
    assert match.over.places == (1, 2, 2)


def test_o20_a_tie_for_weakest_without_cards_is_folded_first():
    match = three("Kc 2c", "8h", "8d Td 2d")
    assert causes(match) == ["1 concede forced"]
    assert row(match, 2) == "8d"
    assert asked(match) == {2: ("deal", "concede")}


def test_all_level_with_empty_packs_gives_the_hand_to_nobody():
    match = three("Kc", "Kd", "Kh")
    assert match.over.places == (1, 1, 1)
    assert wins(match) == (0, 0, 0)


def test_a_player_without_cards_sits_hands_out_and_keeps_the_wins():
    match = play(three("Kc", "8h 9d Td 3c", "7h 9c Jd 3d"), "2 concede", "1 concede")
    assert wins(match) == (1, 0, 0)
    assert match.state.contestants == (1, 2)
    assert (row(match, 1), row(match, 2)) == ("9d Td", "9c Jd")


def test_an_empty_pack_whose_row_leads_waits_like_any_other():
    match = race("oe-none", "As", "Kc Qd 3c")
    assert asked(match) == {1: ("deal", "concede")}


def test_resigning_loses_a_two_seat_match_at_once():
    match = play(race("oe-twos", f"9s {LOW}", f"Kc {LOW}"), "1 resign")
    assert match.over.places == (1, 2)
    with pytest.raises(IllegalMove, match="over"):
        play(match, "0 deal")


def test_a_seat_that_leaves_a_table_is_folded_and_never_dealt_in_again():
    match = play(three("Kc 7d 9s", "4h 4d 9c", "9h Td 8s"), "1 resign")
    assert match.retired == (1,)
    assert asked(match) == {2: ("deal", "concede")}
    match = play(match, "2 concede")
    assert match.state.contestants == (0, 2)
    match = play(match, "2 resign")
    assert match.over.places == (1, 2, 2)


def test_a_hand_that_ends_because_a_seat_leaves_is_over_for_old_pages_too():
    """The one who is asked again is asked about the next hand: the turn is another."""
    match = play(three("Kc 7d", "9h 4d 2d", "3h Th 2h"), "2 concede")
    assert (asked(match), match.turn) == ({1: ("deal", "concede")}, 1)
    match = play(match, "0 resign")
    assert wins(match) == (0, 1, 0)
    assert (asked(match), match.turn) == ({1: ("deal", "concede")}, 2)


def test_moves_of_the_wrong_seat_and_unknown_moves_change_nothing():
    match = race("oe-twos", f"9s {LOW}", f"Kc {LOW}")
    with pytest.raises(IllegalMove, match="not your turn"):
        play(match, "1 deal")
    with pytest.raises(IllegalMove, match="deal or concede"):
        play(match, "0 flip")


@pytest.mark.parametrize(
    ("game", "size", "contents"),
    [
        ("oe-twos", 52, 52),
        ("oe-jokers", 54, 54),
        ("oe-jokers-twos", 54, 54),
        ("oe-five-suits", 65, 65),
        ("oe-mini", 26, 52),
        ("oe-mini-joker", 27, 53),
    ],
)
def test_pack_sizes(game, size, contents):
    match = started(game)
    table = match.state.table
    for seat in (0, 1):
        assert len(table.places[seat].row) + table.left(seat) == size
        assert len(table.packs[seat].contents) == contents


def test_a_random_half_holds_its_joker_and_differs_between_players():
    match = start(
        Setup(by_slug("oe-mini-joker"), read_options(by_slug("oe-mini-joker"), {}, 2), 2), DealKeys.of_seed(4)
    )
    halves = [
        set(pack.order) | set(place.row)
        for pack, place in zip(match.state.table.packs, match.state.table.places, strict=True)
    ]
    assert all(card("X1") in half and len(half) == 27 for half in halves)
    assert halves[0] != halves[1]


def test_two_suit_halves_are_spades_and_hearts():
    match = started("oe-mini", options={"mini_half": "two-suits"})
    for pack, place in zip(match.state.table.packs, match.state.table.places, strict=True):
        assert {one.suit for one in (*pack.order, *place.row)} == {2, 3}


def test_targets():
    assert {slug: by_slug(f"oe-{slug}").variant(None).target for slug in ("twos", "five-suits", "mini")} == {
        "twos": 6,
        "five-suits": 7,
        "mini": 3,
    }


@pytest.mark.parametrize("seats", [1, 3])
def test_two_player_games_refuse_other_numbers(seats):
    with pytest.raises(BadOptions, match="2 players"):
        read_options(by_slug("oe-twos"), {}, seats)


def test_the_page_says_who_is_ahead_and_why():
    match = race("oe-twos", "8d 8c 5s 5h Qh Th 3c", "Ks Kh 2s Jh 4c 4d")
    match = play(match, "0 deal", "1 deal", "0 deal", "0 deal")
    reading = match.game.reading(look(match, 0))
    assert (reading.verdict.text, reading.verdict.parts) == ("{} is ahead", (Who(0),))
    assert [hand.name for hand in reading.hands] == ["Two pair, eights and fives", "Pair of kings"]
    match = play(match, "1 deal")
    reading = match.game.reading(look(match, 0))
    assert [hand.standing for hand in reading.hands] == ["behind", "ahead"]
    assert reading.reason.text == "Three kings beats two pair, eights and fives."
    assert reading.hands[1].stands_for == ((card("2s"), card("Kd")),)
    consequence = reading.warnings["concede"]
    assert consequence.parts == (Who(1), 1, "0–1", 7)
    assert "cannot be taken back" in consequence.text
