"""docs/rules/guts.md: the worked examples G1 to G27 by number, and each way a deal can end."""

import pytest

from oceans.rules.cards import cards
from oceans.rules.engine import MatchState, due
from oceans.rules.games import GAMES, by_slug
from oceans.rules.look import look
from oceans.rules.moves import IllegalMove, Move
from oceans.rules.options import BadOptions, kinds, read_options
from oceans.rules.small_hands import best_of, grouped_value, poker_value, words_of
from tests.rules.builders import play, stacks, started

G1 = "9h 9c  As Kd  7c 2d  Qh Jc"
ANY = "2h 3h  2s 3s  2c 3d  4c 5d"
ALL_OUT = ("0 out", "1 out", "2 out", "3 out")


def laid(hands: list[str], extra: list[str]) -> tuple:
    """A pack for these hands in the order of dealing, then phantoms (longer with reaper cards), then the spit, which
    is written as a single card."""
    phantoms = [cards(part) for part in extra if " " in part or (len(cards(hands[0])) == 1 and len(extra) > 1)]
    spit = [card for part in extra for card in cards(part) if cards(part) not in phantoms]
    players = [cards(hand) for hand in hands]
    order = []
    for turn in range(max(map(len, players + phantoms))):
        order += [hand[turn] for hand in (*players, *phantoms) if turn < len(hand)]
    return ((*order, *spit),)


def guts(*deals: str, seats: int = 4, **options) -> MatchState:
    """A match with these hands, deal by deal; the last seat deals the first, then the button goes round."""
    game = options.pop("game", "guts")
    decks = {}
    for number, hands in enumerate(deals, 1):
        parts = hands.split("  ")
        turn = (number - 1) % seats
        decks[number] = laid(parts[turn:seats] + parts[:turn], parts[seats:])
    rest = {name: options.pop(name) for name in ("button", "stacks", "pot") if name in options}
    return started(game, seats, decks, options=options, **rest)


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
    values = [grouped_value(cards(hand)) for hand in hands]
    assert values == sorted(values, reverse=True)


def test_g15_three_cards_poker():
    hands = ["Ah Kh Qh", "7c 7d 7h", "4c 3d 2s", "As 2d 3h", "As Qs Js", "As Ad 2c", "Ks Kd Ac", "Kh Ad 2s"]
    values = [poker_value(cards(hand)) for hand in hands]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    ("hand", "spit", "words"),
    [
        ("4c Ks", "4d", "three kings"),
        ("9h 9c", "4d", "three nines"),
        ("Ah Qd", "4d", "pair of aces, queen"),
        ("Ac Kd", "4d", "pair of aces, king"),
        ("4c 4s", "4d", "three aces"),
        ("4h 2c", "4d", "three twos"),
        ("4c Ks Kd", "4d", "four kings"),
        ("9h 9c 9d", "4d", "four nines"),
        ("Ah Qd Qs", "4d", "three queens, ace"),
        ("4c 4s 2h", "4d", "four twos"),
        ("Kc", "4d", "pair of kings"),
        ("4c", "4d", "pair of aces"),
    ],
)
def test_g13_and_g14_the_spit_and_its_rank_are_wild(hand, spit, words):
    (wild,) = cards(spit)
    assert words_of(grouped_value(cards(hand), wild)) == words


def test_g13_two_wilds_are_two_aces():
    (wild,) = cards("4d")
    assert grouped_value(cards("4c 4s"), wild) == grouped_value(cards("Ah As"), wild)


@pytest.mark.parametrize(("reaper", "words"), [("Kc 9d 5s", "king, nine"), ("Ts 4c Td", "pair of tens")])
def test_g12_a_reaper_hand_uses_its_best_cards(reaper, words):
    assert words_of(best_of(cards(reaper), 2)) == words


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


def test_g19_a_short_stack_can_win_the_whole_pot():
    match = guts("Ks Kc  Qc 2d  7c 3d", ANY, seats=3, pot=40, stacks=[12, 100, 100])
    match = play(match, "0 in", "1 in", "2 out")
    assert stacks(match) == (52, 60, 100)
    assert match.state.table.pot == 40


def test_g20_last_call_nobody_is_asked():
    hands = ["8c 8d", "Ah 9s", "Kd 2c", "Jh 7s"]
    match = started("guts", 4, {13: laid(hands, [])}, pot=16, stacks=[96] * 4)
    for _ in range(12):
        assert not match.results or not match.results[-1].ending.shown
        match = play(match, *ALL_OUT)
    assert "Last call: everybody is in" in [said.text for line in match.story for said in line.said]
    assert match.results[12].deltas == (16, 0, 0, 0)
    assert match.results[12].ending.carry.pots_done == 1
    assert faces(match, None, 12) == hands


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
    assert words_of(grouped_value(cards(hand))) == words


@pytest.mark.parametrize(
    ("options", "paid"), [({"nelly": "fee"}, 2), ({"nelly": "harsh"}, 4), ({"nelly": "capped"}, 4)]
)
def test_g7_nelly_the_best_hand_pays_if_nobody_is_in(options, paid):
    match = play(guts(G1, ANY, **options), *ALL_OUT)
    assert stacks(match) == (99 - paid, 99, 99, 99)
    assert match.state.table.pot == 4 + paid
    assert faces(match, None) == ["9h 9c", "? ?", "? ?", "? ?"]


def test_g7_every_best_hand_pays():
    match = play(guts("As Kd  Ah Kc  7c 2d  Qh Jc", ANY, nelly="fee"), *ALL_OUT)
    assert stacks(match) == (97, 97, 99, 99)
    assert match.state.table.pot == 8


PHANTOM_ANY = f"{ANY}  6c 7d"


def test_g8_a_better_phantom_makes_everybody_in_pay():
    match = play(guts(f"{G1}  Td Th", PHANTOM_ANY, phantoms=1), "0 in", "1 in", "2 out", "3 out")
    assert (stacks(match), match.state.table.pot) == ((95, 95, 99, 99), 12)
    match = play(guts(f"{G1}  Td Th", PHANTOM_ANY, phantoms=1), "0 in", "1 out", "2 out", "3 out")
    assert (stacks(match), match.state.table.pot) == ((95, 99, 99, 99), 8)
    assert faces(match, None)[0] == "9h 9c"
    assert [str(one) for one in look(match, None).deals[0].zones[0].cards] == ["Td", "Th"]


def test_g9_a_tie_with_a_phantom_is_a_win():
    match = guts("9h 9c  As Kd  7c 2d  Qh Jc  9s 9d", PHANTOM_ANY, phantoms=1)
    match = play(match, "0 in", "1 out", "2 out", "3 out")
    assert match.state.before.pots_done == 1


@pytest.mark.parametrize(("phantom", "pot"), [("Td Th", 4), ("8d 8s", 6)])
def test_g10_a_better_phantom_frees_from_nelly(phantom, pot):
    match = play(guts(f"{G1}  {phantom}", PHANTOM_ANY, phantoms=1, nelly="fee"), *ALL_OUT)
    assert match.state.table.pot == pot


def test_g11_one_better_phantom_of_two_is_enough():
    match = guts(f"{G1.replace('Jc', 'Tc')}  Kc 4d  Jd Js", f"{PHANTOM_ANY}  8c 9d", phantoms=2)
    match = play(match, "0 in", "1 in", "2 out", "3 out")
    assert (stacks(match), match.state.table.pot) == ((95, 95, 99, 99), 12)


@pytest.mark.parametrize(("hand", "pots"), [("Ks 8c", 0), ("Ks Tc", 1)])
def test_g12_against_a_reaper(hand, pots):
    match = guts(f"{hand}  As Kd  7c 2d  Qh Jc  Kc 9d 5s", f"{ANY}  6c 7d 8d", phantoms=1, reaper=1)
    match = play(match, "0 in", "1 out", "2 out", "3 out")
    assert match.state.before.pots_done == pots


def nuclear() -> MatchState:
    deal = "Ah Qd  9h 9c  7c 2d  Jh 5c  6c 6h  4d"
    return guts(deal, f"{ANY}  6c 7d  8d", game="guts-nuclear")


def test_g16_nuclear():
    match = play(nuclear(), "0 in", "1 out", "2 out", "3 out")
    assert (stacks(match), match.state.table.pot) == ((95, 99, 99, 99), 8)
    match = play(nuclear(), *ALL_OUT)
    assert (stacks(match), match.state.table.pot) == ((99, 97, 99, 99), 6)


def passing(**options) -> MatchState:
    return guts("7c 2d  Qh 3s  9h 5c", "2h 3h  2s 4s  4c 5d", seats=3, **{"pass": 1}, **options)


def test_g17_pass_the_guts():
    match = play(passing(), "0 out", "1 out", "2 out")
    assert set(due(match).asks) == {0, 1, 2}
    match = play(match, "0 pass 2d", "1 pass 3s", "2 pass 5c")
    assert [{held.card for held in place.hole} for place in match.state.table.places] == [
        set(cards("7c 5c")),
        set(cards("Qh 2d")),
        set(cards("9h 3s")),
    ]
    assert look(match, 0).seats[1].hole.count(None) == 1
    assert look(match, 2).seats[1].hole.count(None) == 2
    match = play(match, "0 out", "1 in", "2 out")
    assert stacks(match) == (98, 101, 98)


@pytest.mark.parametrize("move", ["0 pass 3s", "0 pass", "0 pass 7c 2d", "0 pass 7c 7c", "0 in"])
def test_passing_takes_exactly_the_cards_one_holds(move):
    match = play(passing(), "0 out", "1 out", "2 out")
    with pytest.raises(IllegalMove):
        play(match, move)


def test_running_out_of_time_passes_the_lowest_card():
    match = play(passing(), "0 out", "1 out", "2 out")
    view = look(match, 0)
    assert match.game.on_clock(view, view.ask) == Move("pass", cards=cards("2d"))


def test_g18b_indian_with_nelly_shows_everybody():
    match = guts("Kd  4s  9h", "2h  3h  4d", seats=3, cards=1, look="others", nelly="fee")
    match = play(match, "0 out", "1 out", "2 out")
    assert stacks(match) == (97, 99, 99)
    assert faces(match, 0) == ["Kd", "4s", "9h"]


def test_g18d_after_the_last_pass_the_nelly_rule_applies():
    match = passing(nelly="fee")
    for _ in range(3):
        match = play(match, "0 out", "1 out", "2 out")
        for seat in range(3):
            match = play(match, f"{seat} pass {match.state.table.places[seat].hole[-1].card}")
    match = play(match, "0 out", "1 out", "2 out")
    assert match.deal_no == 2
    assert match.state.table.pot == 5


def test_g23_if_all_would_be_out_they_stay_for_a_last_call():
    deals = ("9h 9c  As Kd  Td Th", "8h 8c  Ac Qd")
    match = guts(*deals, seats=2, phantoms=1, pot=90, stacks=[5, 5])
    match = play(match, "0 in", "1 in")
    assert match.state.table.places[0].stack in (0, 100)
    assert match.over.score == (100, 0)
    assert match.over.places == (1, 2)


def test_g27_nelly_cut_short_puts_out():
    match = guts(G1, ANY, pot=30, stacks=[1, 99, 99, 99], nelly="fee")
    match = play(match, *ALL_OUT)
    assert match.out == ((0, 1),)
    assert match.state.table.pot == 31
    match = play(guts(G1, ANY, pot=30, stacks=[99] * 4, nelly="capped"), *ALL_OUT)
    assert match.state.table.pot == 40


def test_two_seats_are_dealt_players_phantoms_and_the_spit_in_order():
    """Section 7, Dealing: A B P A B P P S."""
    match = guts("2c 3c  2d 3d  2h 3h 4h  9s", seats=2, phantoms=1, reaper=1, spit=True)
    zones = {zone.name: [str(held.card) for held in zone.held] for zone in match.state.table.zones}
    assert zones == {"phantom 1": ["2h", "3h", "4h"], "spit": ["9s"]}
    assert look(match, 0).zones[0].cards == (None, None, None)


@pytest.mark.parametrize(
    "options",
    [
        {"pass": 1, "look": "none"},
        {"pass": 2, "cards": 2},
        {"three_ranks": "poker"},
        {"three_ranks": "poker", "cards": 3, "spit": True},
        {"reaper": 1},
    ],
)
def test_settings_that_do_not_fit_are_refused(options):
    with pytest.raises(BadOptions):
        read_options(by_slug("guts"), options, 4)


def test_presets_hold_what_makes_them_and_leave_the_rest_open():
    assert {game.slug for game in GAMES if game.family == "guts"} >= {"guts-pass", "indian", "guts-nuclear-double"}
    nuclear = by_slug("guts-nuclear")
    assert {"cards", "stack", "nelly_fee"} <= set(kinds(nuclear))
    assert not {"phantoms", "spit", "look"} & set(kinds(nuclear))
    assert read_options(nuclear, {"phantoms": 1}, 4).spit
    with pytest.raises(BadOptions, match="always played with phantoms 1"):
        read_options(nuclear, {"phantoms": 2}, 4)
