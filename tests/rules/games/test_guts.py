"""docs/rules/guts.md: the worked examples of the plain engine by number."""

import pytest

from oceans.rules.cards import cards
from oceans.rules.engine import MatchState, due
from oceans.rules.games.guts import hand_value, hand_words
from oceans.rules.look import look
from tests.rules.builders import dealt, play, stacks, started

G1 = "9h 9c  As Kd  7c 2d  Qh Jc"
ANY = "2h 3h  2s 3s  2c 3d  4c 5d"


def guts(*deals: str, seats: int = 4, **options) -> MatchState:
    """A match with these hands, deal by deal; the last seat deals the first, then the button goes round."""
    decks = {}
    for number, hands in enumerate(deals, 1):
        parts = hands.split("  ")
        turn = (number - 1) % seats
        decks[number] = dealt("  ".join(parts[turn:] + parts[:turn]), seats)
    rest = {name: options.pop(name) for name in ("button", "stacks", "pot") if name in options}
    return started("guts", seats, decks, options=options, **rest)


def faces(match: MatchState, viewer: int | None, deal: int = 0) -> list[str]:
    return [
        " ".join("?" if one is None else str(one) for one in hand) for hand in look(match, viewer).deals[deal].hands
    ]


def test_g1_the_loser_among_those_in_pays_a_new_pot():
    match = play(guts(G1, ANY), "0 in", "1 in", "2 out", "3 out")
    assert stacks(match) == (103, 95, 99, 99)
    assert match.state.table.pot == 4
    assert match.button == 0
    assert faces(match, None) == ["9h 9c", "As Kd", "? ?", "? ?"]


def test_g2_a_tie_shares_and_the_odd_chip_goes_left_of_the_dealer():
    match = play(guts("Ah Kc  As Kd  Qd Qs  8c 5h", ANY, pot=5, stacks=[99] * 4), "0 in", "1 in", "2 out", "3 in")
    assert stacks(match) == (102, 101, 99, 94)
    assert match.state.table.pot == 5
    assert faces(match, 1)[2] == "? ?"


def test_g3_alone_in_takes_the_pot_without_showing():
    match = play(guts(G1, ANY), "0 out", "1 in", "2 out", "3 out")
    assert stacks(match) == (98, 102, 98, 98)
    assert match.state.before.pots_done == 1
    assert faces(match, 0)[1] == "? ?"


def test_g4_nobody_in_leaves_the_pot_without_new_antes():
    match = play(guts(G1, ANY), "0 out", "1 out", "2 out", "3 out")
    assert (stacks(match), match.state.table.pot) == ((99, 99, 99, 99), 4)


def test_g5_all_tie_and_nobody_pays():
    match = play(guts("Ah Kc  As Kd  7c 2d  Qh Jc", ANY), "0 in", "1 in", "2 out", "3 out")
    assert stacks(match) == (100, 100, 98, 98)
    assert match.state.before.pots_done == 1


def test_g6_each_loser_pays():
    match = play(guts(G1, ANY), "0 in", "1 in", "2 in", "3 out")
    assert stacks(match) == (103, 95, 95, 99)
    assert match.state.table.pot == 8


def test_g15_three_cards_plain():
    hands = ["7c 7d 7h", "As Ad 2c", "Ks Kd Ac", "As Qs Js"]
    values = [hand_value(cards(hand)) for hand in hands]
    assert values == sorted(values, reverse=True)


def indian(hands: str, **options) -> MatchState:
    return guts(hands, "2h  3h  4d", seats=3, cards=1, look="others", **options)


def test_g18_indian_everyone_but_the_holder_sees():
    match = indian("Kd  4s  9h")
    for seat in range(3):
        hole = [one.hole[0] for one in look(match, seat).seats]
        expected = ["Kd", "4s", "9h"]
        expected[seat] = "?"
        assert [str(one) if one else "?" for one in hole] == expected
    assert all(one.hole == (None,) for one in look(match, None).seats)
    match = play(match, "0 in", "1 out", "2 in")
    assert stacks(match) == (102, 99, 96)
    assert match.state.table.pot == 3
    assert faces(match, 1) == ["Kd", "4s", "9h"]


def test_g18a_indian_tie():
    match = play(indian("Kd  Ks  4h", pot=5, stacks=[100] * 3), "0 in", "1 in", "2 in")
    assert stacks(match) == (103, 102, 95)
    assert match.state.table.pot == 5


def test_g18c_blind_hands_stay_unseen_by_their_holder():
    match = guts("7c 2d  Qh Jc  9h 5c", "2h 3h  2s 3s  4c 5d", seats=3, look="none")
    assert all(one.hole == (None, None) for one in look(match, 0).seats)
    match = play(match, "0 in", "1 in", "2 out")
    assert stacks(match) == (96, 102, 99)
    assert faces(match, 2) == ["7c 2d", "Qh Jc", "? ?"]


def test_g19_a_short_stack_pays_what_it_has_and_is_out():
    hands = "Qc 2d  Ks Kc  7c 3d"
    match = play(guts(hands, ANY, seats=3, pot=40, stacks=[12, 100, 100]), "0 in", "1 in", "2 out")
    assert stacks(match) == (0, 140, 100)
    assert match.state.table.pot == 12
    assert match.out == ((0, 1),)
    assert set(due(match).asks) == {1, 2}


def test_g20_last_call_nobody_is_asked():
    match = guts("8c 8d  Ah 9s  Kd 2c  Jh 7s", ANY, pot=16, stacks=[96] * 4, max_deals=1)
    match = play(match, "0 out", "1 out", "2 out", "3 out")
    assert "Last call: everybody is in" in [said.text for line in match.story for said in line.said]
    assert match.results[1].ending.carry.pots_done == 1
    assert sum(stacks(match)) + match.state.table.pot == 400


def test_g21_paying_the_last_chip_exactly_keeps_a_seat_in():
    match = guts("Qc 2d  Ks Kc  7c 3d", "Qc 2d  Ks Kc  7c 3d", seats=3, pot=12, stacks=[12, 100, 100])
    match = play(match, "0 in", "1 in", "2 out")
    assert stacks(match) == (0, 112, 100)
    assert match.out == ()
    match = play(match, "0 in", "1 in", "2 out")
    assert match.out == ((0, 2),)
    assert match.state.before.pots_done == 1


def test_g22_a_seat_without_chips_can_win_the_pot():
    match = play(guts("Ks Kc  Qc 2d  7c 3d", ANY, seats=3, pot=12, stacks=[0, 100, 100]), "0 in", "1 out", "2 out")
    assert match.results[0].table.places[0].stack == 12


def test_g24_the_last_seat_takes_the_new_pot_at_once():
    match = play(guts("Qc 2d  Ks Kc", seats=2, pot=40, stacks=[12, 20]), "0 in", "1 in")
    assert stacks(match) == (0, 72)
    assert match.over.places == (2, 1)


def test_g25_two_cut_short_share_the_place():
    match = guts("Ks Kc  Qc 2d  7c 3d", seats=3, pot=40, stacks=[12, 20, 30])
    match = play(match, "0 in", "1 in", "2 in")
    assert stacks(match) == (102, 0, 0)
    assert match.over.places == (1, 2, 2)


def test_g26_match_cap():
    match = guts("Ks Kc  Qc 2d  7c 3d", ANY, seats=3, pot=40, stacks=[100] * 3, match_cap=5)
    match = play(match, "0 in", "1 in", "2 out")
    assert stacks(match) == (140, 95, 100)
    assert match.state.table.pot == 5


def test_who_is_in_stays_secret_until_the_last_has_chosen():
    match = play(guts(G1, ANY), "0 in", "1 in", "2 out")
    assert look(match, 3).answer is None
    assert look(match, 0).answer.verb == "in"
    assert [one.has_answered for one in look(match, 3).seats] == [True, True, True, False]
    assert not match.log


def test_leaving_voids_the_choice_and_leaves_the_antes():
    match = play(guts(G1, ANY), "0 in", "1 out", "2 out", "3 resign")
    assert stacks(match)[:3] == (102, 98, 98)
    assert match.retired == (3,)
    assert set(due(match).asks) == {0, 1, 2}


@pytest.mark.parametrize(
    ("hand", "words"), [("9h 9c", "pair of nines"), ("As Kd", "ace, king"), ("6s 6d 6c", "three sixes"), ("Kd", "king")]
)
def test_hands_have_names(hand, words):
    assert hand_words(cards(hand)) == words
