"""docs/rules/draw-and-stud.md, D and 1 to 3: the worked examples S1 to S14 by number, and each odd rule."""

import pytest

from oceans.rules.cards import PACK_52, cards, text_of
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, draw, due, retire, settle, start, submit
from oceans.rules.games import by_slug
from oceans.rules.games.draw import opens
from oceans.rules.look import look
from oceans.rules.moves import IllegalMove, Move
from oceans.rules.options import BadOptions, read_options
from oceans.rules.playing import picker, playout
from oceans.rules.poker import Holding
from tests.rules.builders import dealt, play, stacks, started

S1 = "Kh Kd 9c 5s 2d  Ah Jh 8h 4h 3c  7s 7c Qd Td 6h  Ks 8d 4c 2h 7h 9d 3s"
S8 = "Kh Kc 8h 8s 3d  Td 9d 6c 4s 2c  Qh Qd 7h 5c 2s"


def told(match: MatchState) -> list[str]:
    """The story in plain text, seats by number."""
    lines = [said for line in match.story for said in line.said]
    texts = [(said.text.format(*(getattr(part, "seat", part) for part in said.parts)), said.note) for said in lines]
    return [f"{text} ({note})" if note else text for text, note in texts]


def waiting(match: MatchState) -> set[int]:
    """The seats that have still to answer."""
    return set(due(match).asks) - {answer.seat for answer in match.sealed}


def deltas(match: MatchState) -> tuple[int, ...]:
    return match.results[0].deltas


def faces(match: MatchState, viewer: int | None) -> list[str]:
    return [" ".join("?" if one is None else str(one) for one in hand) for hand in look(match, viewer).deals[0].hands]


def five_draw(hands: str, seats: int = 3, **rest) -> MatchState:
    return started("five-draw", seats, {1: dealt(hands, seats)}, **rest)


def test_s1_a_deal_with_a_fold():
    match = play(five_draw(S1), "0 bet 2", "1 call", "2 call")
    assert look(match, None).pot == 9
    match = play(match, "2 draw Qd Td 6h", "0 draw 9c 5s 2d", "1 draw 3c", "0 bet 2", "1 raise 4", "2 fold", "0 call")
    assert deltas(match) == (-7, 10, -3)
    assert "0 shows Kh Kd Ks 8d 4c (three kings, eight and four)" in told(match)
    assert "1 wins the pot of 17 (flush, ace high, jack, eight, four and two)" in told(match)
    assert faces(match, None)[2] == "? ? ? ? ?"
    assert faces(match, 2)[2] == "7s 7c 7h 9d 3s"


def test_s2_a_tie_and_the_odd_chip():
    match = five_draw("9c 8d 7h 6s 5c  9h 8s 7d 6c 5d  Kh Qd 8c 4h 2s")
    match = play(match, "0 bet 2", "1 call", "2 fold", "0 draw", "1 draw", "0 check", "1 check")
    assert deltas(match) == (1, 0, -1)
    assert "0, 1 share the pot of 7 (straight, nine high)" in told(match)


def four_thrown(hand: str) -> MatchState:
    match = five_draw(f"{hand}  Ah Jh 8h 4h 3c  7s 7c Qd Td 6h  2h 3h 5h 6d")
    return play(match, "0 check", "1 check", "2 check")


def test_s3_four_may_go_if_an_ace_is_kept_and_the_ace_is_shown():
    match = play(four_thrown("As Kd 9c 5s 2d"), "0 draw Kd 9c 5s 2d", "1 draw", "2 draw")
    assert [str(card or "?") for card in look(match, None).seats[0].hole] == ["As", "?", "?", "?", "?"]
    assert "0 keeps As and draws 4" in told(match)


def test_s3_four_may_not_go_if_a_king_is_kept():
    match = four_thrown("Ks Kd 9c 5s Ad")
    with pytest.raises(IllegalMove, match="Throw at most 3 cards; 4 only if you keep an ace"):
        play(match, "0 draw Kd 9c 5s Ad")
    match = four_thrown("Ks Kd 9c 5s 2d")
    with pytest.raises(IllegalMove, match="from 0 to 3"):
        play(match, "0 draw Kd 9c 5s 2d")


def test_s4_all_check_and_everybody_draws():
    match = play(five_draw(S1), "0 check", "1 check", "2 check")
    assert look(match, None).pot == 3
    assert set(due(match).asks) == {0, 1, 2}
    assert due(match).sealed


def test_s5_out_of_time_folds_to_a_bet_and_throws_nothing():
    match = play(five_draw(S1), "0 bet 2")
    game = match.game
    assert str(game.on_clock(look(match, 1), due(match).asks[1])) == "fold"
    match = play(match, "1 fold", "2 call")
    assert str(game.on_clock(look(match, 2), due(match).asks[2])) == "draw"


def test_nobody_sees_what_was_thrown_but_all_see_how_many():
    match = play(five_draw(S1), "0 check", "1 check", "2 check", "0 draw 9c 5s 2d", "1 draw 3c", "2 draw")
    assert [len(one.gone) for one in look(match, None).seats] == [3, 1, 0]
    assert {card for one in look(match, 1).seats for card in one.gone} == {None, *cards("3c")}
    assert told(match)[-3:] == ["0 draws 3", "1 draws 1", "2 stands pat"]


def test_one_who_is_all_in_draws_too():
    match = play(five_draw(S1, stacks=(3, 100, 100)), "0 bet 2", "1 call", "2 call")
    assert set(due(match).asks) == {0, 1, 2}
    match = play(match, "0 draw", "1 draw", "2 draw", "1 check", "2 check")
    assert len(match.results) == 1


def test_the_last_player_takes_the_pot_unshown():
    match = play(five_draw(S1), "0 bet 2", "1 fold", "2 fold")
    assert deltas(match) == (2, -1, -1)
    assert faces(match, None) == ["? ? ? ? ?"] * 3
    assert told(match)[-5:-2] == [
        "2 folds",
        "0 takes back 2, which nobody matched",
        "0 is alone and takes the pot of 3",
    ]


@pytest.mark.parametrize(("seats", "most"), [(6, 3), (7, 2), (8, 1)])
def test_how_many_may_be_thrown_depends_on_the_table(seats, most):
    match = settle(start(Setup(by_slug("five-draw"), read_options(by_slug("five-draw"), {}, seats), seats), KEYS))[0]
    match = play(match, *(f"{seat} check" for seat in range(seats)))
    assert max(ask.usual for ask in due(match).asks.values()) == most
    if most < 3:
        assert {ask.most for ask in due(match).asks.values()} == {most}
        with pytest.raises(BadOptions, match=f"With {seats} players at most {most} card"):
            read_options(by_slug("five-draw"), {"max_throw": most + 1}, seats)


def test_six_players_can_draw_the_whole_pack():
    """Four keep an ace and throw four, two throw three: 30 + 16 + 6 cards."""
    aces, others = cards("Ac Ad Ah As"), [one for one in PACK_52 if one.rank < 14]
    hands = [text_of([ace, *others[4 * seat : 4 * seat + 4]]) for seat, ace in enumerate(aces)]
    hands += [text_of(others[16:21]), text_of(others[21:26])]
    match = five_draw("  ".join([*hands, text_of(others[26:])]), 6)
    match = play(match, *(f"{seat} check" for seat in range(6)))
    for seat, hand in enumerate(hands):
        match = play(match, f"{seat} draw {' '.join(hand.split()[1 if seat < 4 else 2 :])}")
    assert look(match, None).pack_left == (0,)


KEYS = DealKeys.of_seed("tests")


def test_a_match_is_two_deals_for_each_seat_with_up_to_four_and_one_with_more():
    for seats, deals in ((2, 4), (4, 8), (5, 5)):
        match = playout(
            by_slug("five-draw"), read_options(by_slug("five-draw"), {"stack": 1000}, seats), seats, 1, picker(1)
        )
        assert len(match.results) == deals


def test_a_seat_without_chips_is_out_and_the_last_with_chips_wins():
    match = five_draw(S1, stacks=(1, 1, 1))
    match = play(match, "0 draw 9c 5s 2d", "1 draw 3c", "2 draw Qd Td 6h")
    assert match.over.places == (2, 1, 2)
    assert stacks(match) == (0, 3, 0)


def test_late_double_doubles_the_last_round():
    match = play(five_draw(S1, options={"late_double": "on"}), "0 check", "1 check", "2 check")
    match = play(match, "0 draw", "1 draw", "2 draw")
    assert due(match).asks[0].words() == ("check", "bet 4")


def test_sealed_betting_asks_all_at_once_and_never_shows_a_plan():
    match = five_draw(S1, options={"betting": "sealed"})
    assert set(due(match).asks) == {0, 1, 2}
    match = play(match, "2 plan check/call/fold/fold", "0 plan bet/call/raise/call", "1 plan check/call/fold/fold")
    assert told(match)[-3:] == ["0 bets 2", "1 calls 2", "2 calls 2"]
    assert set(due(match).asks) == {0, 1, 2}


# Jacks or Better


def jacks(*packs: str, seats: int = 3, **rest) -> MatchState:
    keys = ["1", *(f"1.{number}" for number in range(2, len(packs) + 1))]
    decks = {key: dealt(pack, seats) for key, pack in zip(keys, packs, strict=True)}
    return started("jacks", seats, decks, **rest)


def test_s6_nobody_can_open_and_nobody_is_asked():
    match = jacks("Ts Td 7c 5h 2s  As Kd 9c 6h 3s  Qh Js 8d 4c 2d", S8)
    assert [(entry.text, entry.cause) for entry in match.log] == [("pass", "forced")] * 3
    assert look(match, None).pot == 6
    assert "Nobody opens" in told(match)


@pytest.mark.parametrize(
    ("hand", "may"),
    [
        ("9c 9d 8h 8s Kd", True),
        ("5c 6d 7s 8c 9h", True),
        ("Jc Jd 7h 4s 2c", True),
        ("Ac Ad 7h 4s 2c", True),
        ("Ts Td Ah Kd Qc", False),
        ("Ac Kd Qh Js 9c", False),
    ],
)
def test_s7_what_opens(hand, may):
    assert opens(cards(hand)) == may


def test_s8_two_openers_of_whom_only_the_first_is_known():
    match = jacks(S8)
    assert waiting(match) == {0, 2}
    assert look(match, 1).waits_for == () and look(match, None).waits_for == ()
    match = play(match, "2 open", "0 open")
    assert told(match)[-1] == "0 opens for 2"
    match = play(match, "1 call")
    assert due(match).asks[2].words() == ("fold", "call", "raise 4")


def test_how_long_the_log_is_does_not_tell_how_many_could_open():
    alone = jacks("Kh Kc 8h 8s 3d  Td 9d 6c 4s 2c  Qh Jd 7h 5c 2s")
    one, two = play(alone, "0 open"), play(jacks(S8), "0 open", "2 open")
    assert (len(one.log), one.turn, one.story[-1].number) == (len(two.log), two.turn, two.story[-1].number)


S9 = "Ad Kd 7c 5h 2d  As Qc 9c 6h 3h  Ah Js 8d 4c 3c"
AFTER = "Jh Jd 7c 5h 2d  As Qc 9c 6h 3h  Ah Ks 8d 4c 3c"


def s9() -> MatchState:
    match = play(jacks(S8, AFTER), "0 open", "2 open", "1 call", "2 call")
    assert look(match, None).pot == 9
    return play(match, "0 draw", "1 draw", "2 draw", "0 check", "1 check", "2 check")


def test_s9_no_trips_shows_all_hands_and_deals_anew():
    match = s9()
    assert "0 shows Kh Kc 8h 8s 3d (two pair, kings and eights, three)" in told(match)
    assert "Nobody has three of a kind or better" in told(match)
    assert look(match, None).pot == 12
    assert match.deal_no == 1
    assert all(card is None for one in look(match, None).seats for card in one.hole)


def test_s10_alone_nobody_needs_trips():
    match = play(s9(), "0 open", "1 fold", "2 fold")
    assert deltas(match) == (8, -4, -4)
    assert [text_of(hand) for hand in look(match, None).deals[0].earlier[0]] == [
        "Kh Kc 8h 8s 3d",
        "Td 9d 6c 4s 2c",
        "Qh Qd 7h 5c 2s",
    ]


def test_s11_trips_suffice():
    match = jacks("7c 7d 7h Kd 2s  9c 9d 4h 4s As", seats=2)
    match = play(match, "0 open", "1 pass", "1 call", "0 draw", "1 draw", "0 check", "1 check")
    assert deltas(match) == (3, -3)


def test_those_who_folded_stay_out_until_the_pot_is_won():
    decks = {"1": dealt(S8, 3), "1.2": dealt("Jh Jd 7c 5h 2d  Ah Ks 8d 4c 3c", 2)}
    match = play(started("jacks", 3, decks), "0 open", "2 open", "1 fold", "2 call")
    match = play(match, "0 draw", "2 draw", "0 check", "2 check")
    assert look(match, None).pot == 9
    assert look(match, None).seats[1].hole == ()


def test_a_seat_without_chips_neither_opens_nor_pays_and_stays_in():
    match = jacks(S8, stacks=(1, 100, 100))
    assert waiting(match) == {2}


def test_with_one_seat_that_has_chips_nobody_opens_or_bets():
    match = jacks("7c 7d 7h Kd 2s  9c 9d 4h 4s As", seats=2, stacks=(1, 100))
    assert set(due(match).asks) == {0, 1}
    match = play(match, "0 draw", "1 draw")
    assert deltas(match) == (1, -1)


def test_after_the_limit_of_redeals_any_hand_wins():
    match = jacks("Ts Td 7c 5h 2s  As Kd 9c 6h 3s  Qh Js 8d 4c 2d", S8, options={"redeal_limit": 1})
    match = play(match, "0 open", "2 pass", "1 call", "2 fold", "0 draw", "1 draw", "0 check", "1 check")
    assert "0 wins the pot of 10 (two pair, kings and eights, three)" in told(match)


def test_after_twenty_redeals_neither_openers_nor_trips_are_needed():
    low = "Ts 9d 7c 5h 2s  As Kd 9c 6h 3s"
    match = jacks(*[low] * 21, seats=2, options={"redeal_ante": "off"})
    assert due(match).asks[0].words() == ("check", "bet 2")
    match = play(match, "0 check", "1 check", "0 draw", "1 draw", "0 check", "1 check")
    assert deltas(match) == (-1, 1)


def test_without_new_antes_the_pot_stays_as_it_is():
    match = jacks(
        "Ts Td 7c 5h 2s  As Kd 9c 6h 3s", "Kh Kc 8h 8s 3d  Td 9d 6c 4s 2c", seats=2, options={"redeal_ante": "off"}
    )
    assert look(match, None).pot == 2


def test_with_free_bets_the_amount_is_part_of_the_choice():
    match = jacks(S8, options={"limit": "spread"})
    assert due(match).asks[0].words() == ("pass", "open 1-5")
    match = play(match, "0 open 4", "2 open 5")
    assert told(match)[-1] == "0 opens for 4"
    assert due(match).asks[1].words() == ("fold", "call", "raise 8-9")


def test_sealed_plans_are_filed_after_the_opening_by_the_opener_too():
    match = play(jacks(S8, options={"betting": "sealed"}), "0 open", "2 open")
    assert set(due(match).asks) == {0, 1, 2}
    match = play(match, "0 plan check/call/raise/call", "1 plan check/call/fold/fold", "2 plan check/raise/call/call")
    assert told(match)[-5:] == ["1 calls 2", "2 raises to 4", "0 raises to 6", "1 folds", "2 calls 2"]


def test_the_only_opener_retires_and_new_cards_are_dealt():
    match = jacks("Kh Kc 8h 8s 3d  Td 9d 6c 4s 2c  Qh Jd 7h 5c 2s", S9)
    match = settle(retire(match, 0))[0]
    assert "Nobody opens" in told(match)
    assert not look(match, None).seats[0].is_in


def test_passes_at_the_opening_are_no_answers_to_the_draw_that_follows_when_the_only_opener_retires():
    match = jacks(S8, stacks=(100, 100, 1))
    assert waiting(match) == {0}
    match = settle(retire(match, 0))[0]
    assert waiting(match) == {1, 2}
    assert due(match).asks[1].words() == ("draw 0-3",)
    assert look(match, None).pot == 3, "they still hold the cards they passed with"


def test_out_of_time_at_the_opening_passes():
    match = jacks(S8)
    assert str(match.game.on_clock(look(match, 0), due(match).asks[0])) == "pass"


# Spit in the Ocean


def spit_rank(own: str, spit: str = "8d"):
    game = by_slug("spit")
    return game.rank(Holding(cards(own), (), cards(spit)), None, game.options())


def test_s12_the_spit_and_its_rank_are_wild():
    match = started("spit", 3, {1: dealt("8c Ks Kh 4d  Ah As Ac 5d  8h 8s Qd 2c  8d", 3)})
    match = play(match, *["0 check", "1 check", "2 check", "0 draw", "1 draw", "2 draw"])
    match = play(match, "0 check", "1 check", "2 check")
    assert deltas(match) == (-1, 2, -1)
    assert told(match)[-7:-3] == [
        "0 shows 8c Ks Kh 4d (four kings, four)",
        "1 shows Ah As Ac 5d (four aces, five)",
        "2 shows 8h 8s Qd 2c (four queens, two)",
        "1 wins the pot of 3 (four aces, five)",
    ]


def test_s13_four_wilds_and_a_queen_are_five_queens():
    assert spit_rank("8c 8h 8s Qd").name == "five queens"
    assert spit_rank("8c 8h 8s Qd") > spit_rank("Kd Qd Jd Td")


def test_s14_no_double_ace_in_a_flush():
    assert spit_rank("Ah Jh 9h 3h").name == "flush, ace high, king, jack, nine and three"
    assert spit_rank("Ad Kd Jd 9d").name == "flush, ace high, king, queen, jack and nine"
    assert spit_rank("Ad Kd Jd 9d") > spit_rank("Ah Jh 9h 3h")


def test_four_cards_may_not_go_in_spit():
    match = started("spit", 2, {1: dealt("As Ks Kh 4d  Ah Jc Ac 5d  8d", 2)})
    match = play(match, "0 check", "1 check")
    assert due(match).asks[0].words() == ("draw 0-3",)


# Leaving and reading


def test_a_seat_that_leaves_in_the_draw_does_not_hold_up_the_others():
    match = play(five_draw(S1), "0 bet 2", "1 call", "2 call", "0 draw 9c 5s 2d", "1 draw 3c")
    match = settle(retire(match, 2))[0]
    assert set(due(match).asks) == {0}
    assert told(match)[-2:] == ["0 draws 3", "1 draws 1"]


def test_a_seat_that_leaves_with_the_highest_bet_gets_the_uncalled_part_back():
    match = settle(retire(play(five_draw(S1), "0 bet 2"), 0))[0]
    match = play(match, "1 fold")
    assert deltas(match) == (-1, -1, 2)
    assert look(match, None).seats[0].has_left


def test_of_two_the_one_who_leaves_loses_what_was_matched_and_no_more():
    hands = "Kh Kd 9c 5s 2d  Ah Jh 8h 4h 3c"
    match = retire(play(five_draw(hands, 2), "0 bet 2"), 0)
    assert (match.over.places, stacks(match)) == ((2, 1), (99, 101))
    match = retire(play(five_draw(hands, 2), "0 bet 2", "1 raise 4"), 1)
    assert (match.over.places, stacks(match)) == ((1, 2), (103, 97))


def test_a_game_drawn_on_time_splits_the_pot_without_what_nobody_matched():
    hands = "Kh Kc 8h 8s 3d  Td 9d 6c 4s 2c"
    match = draw(play(jacks(hands, seats=2, options={"betting": "sealed"}), "0 open"))
    assert (match.over.places, stacks(match)) == ((1, 1), (100, 100))


def test_the_view_in_words_says_who_must_act_and_what_the_pot_is():
    match = play(five_draw(S1), "0 bet 2")
    reading = match.game.reading(look(match, 1))
    assert (reading.verdict.text, [getattr(part, "seat", part) for part in reading.verdict.parts]) == (
        "The pot is {}, the bet {}: {} to act",
        [5, 2, 1],
    )
    assert [hand.name for hand in reading.hands] == ["", "Ace high", ""]
    assert reading.hands[1].detail == "with jack, eight, four and three"


def test_the_side_pots_of_a_view():
    match = play(five_draw(S1, stacks=(3, 100, 100)), "0 bet 2", "1 raise 4", "2 call", "0 draw", "1 draw", "2 draw")
    assert [(pot.amount, pot.seats) for pot in look(match, None).pots] == [(9, (0, 1, 2)), (4, (1, 2))]


def test_a_changed_discard_leaves_no_trace():
    match = play(five_draw(S1), "0 check", "1 check", "2 check")
    changed = submit(submit(match, 0, Move.parse("draw 9c")), 0, Move.parse("draw 5s"))
    assert changed == submit(match, 0, Move.parse("draw 5s"))
