"""docs/rules/draw-and-stud.md, T and 5 to 7: the worked examples S19 to S27 by number, and the hooks of the engine."""

from dataclasses import dataclass

import pytest

from oceans.rules.cards import Card, card, cards
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, due, retire, settle, start
from oceans.rules.games import by_slug
from oceans.rules.games.stud import SEVEN_CARDS, Stud
from oceans.rules.look import look
from oceans.rules.low_hands import best_low
from oceans.rules.options import read_options
from oceans.rules.playing import picker, playout
from oceans.rules.poker import Holding
from oceans.rules.ranking import best_hand
from tests.rules.builders import dealt, play, stacks, started

S19 = "Ac Kd 7s 7h 2c  9d 9h 5s 3c Qd  Js Jd 8c 6h 4s"
S25 = "Ks 4c Kd 9h 9s 2c 7d  Qh Jh 8h 3h Ad 5c 6h  As Ah Tc Td 6s 4d 3c"


def told(match: MatchState) -> list[str]:
    """The story in plain text, seats by number."""
    lines = [said for line in match.story for said in line.said]
    texts = [(said.text.format(*(getattr(part, "seat", part) for part in said.parts)), said.note) for said in lines]
    return [f"{text} ({note})" if note else text for text, note in texts]


def stud(hands: str, game: str = "five-stud", seats: int = 3, **rest) -> MatchState:
    return started(game, seats, {1: dealt(hands, seats)}, **rest)


def starter(match: MatchState) -> int:
    (seat,) = due(match).asks
    return seat


def checked(match: MatchState) -> MatchState:
    """The match after everybody due in this round has checked."""
    rounds = match.state.step
    while not match.results and match.state.step == rounds:
        match = play(match, f"{starter(match)} check")
    return match


def test_s19_five_cards():
    match = stud(S19)
    assert starter(match) == 0
    match = play(match, "0 bet 2", "1 call", "2 call")
    for _ in range(2):
        assert starter(match) == 0
        match = checked(match)
    assert starter(match) == 0
    match = play(match, "0 bet 2", "1 fold", "2 call")
    assert match.results[0].deltas == (-5, -3, 8)
    assert "2 wins the pot of 13 (pair of jacks, eight, six and four)" in told(match)


def test_the_hole_card_is_its_holders_alone():
    match = stud(S19)
    assert [str(one.hole[0] or "?") for one in look(match, 1).seats] == ["?", "9d", "?"]
    assert [str(one.row[0]) for one in look(match, None).seats] == ["Kd", "9h", "Jd"]


@pytest.mark.parametrize(("button", "first"), [(2, 0), (0, 2)])
def test_s20_a_tie_of_starters_goes_to_the_nearest_left_of_the_dealer(button, first):
    up = {0: "2c Ks", 1: "3c 9d", 2: "4c Kh"}
    order = [(button + step) % 3 for step in (1, 2, 3)]
    assert starter(stud("  ".join(up[seat] for seat in order), button=button)) == first


def test_s21_a_pair_showing_starts():
    match = checked(stud("2c Kd Qs  3c 4d 4h  5c Ah 2s"))
    assert starter(match) == 1


def test_the_starter_without_chips_is_passed_over_for_the_next_clockwise():
    match = play(stud(S19, stacks=(3, 100, 100)), "0 bet 2", "1 call", "2 call")
    assert starter(match) == 1, "seat 0 shows the best cards but has no chips"


def test_s22_the_best_low_cards_start():
    match = stud("Kc 8d 6s  Qc Ad 7h  Jc 6h 4s", "lowboy")
    assert starter(match) == 1
    assert starter(checked(match)) == 2


def test_s23_equal_lows_share_and_the_odd_chip_goes_left_of_the_dealer():
    match = stud("Ac 8d 6s 4h 2c  7d 7h 5s 3c Ad  8c 6h 4s 2d As", "lowboy")
    for _ in range(4):
        match = checked(match)
    assert match.results[0].deltas == (1, -1, 0)
    assert "0, 2 share the pot of 3 (eight low, six, four, two and ace)" in told(match)


def test_s24_straights_and_flushes_are_ignored():
    assert best_low(cards("5h 4c 3d 2s Ad")) > best_low(cards("6h 4h 3h 2h Ah"))


def test_deuce_to_seven_counts_aces_high_when_starting_too():
    match = stud("Kc 8d  Qc Ad  Jc 6h", "lowboy", options={"low": "27"})
    assert starter(match) == 2


def test_s25_seven_cards():
    match = stud(S25, "seven-stud")
    assert starter(match) == 0
    match = play(match, "0 bet 2", "1 call", "2 call")
    for _ in range(4):
        assert starter(match) == 2
        match = checked(match)
    assert match.results[0].deltas == (-3, 6, -3)
    assert told(match)[-6:-3] == [
        "1 shows Qh Jh 6h 8h 3h Ad 5c (flush, queen high, jack, eight, six and three)",
        "2 shows As Ah 3c Tc Td 6s 4d (two pair, aces and tens, six)",
        "1 wins the pot of 9 (flush, queen high, jack, eight, six and three)",
    ]


def test_s26_only_five_cards_count():
    one, other = (best_hand(cards(hand)) for hand in ("Ah As Kd Kc 7h 7s 2d", "Ad Ac Kh Ks 6h 6s Qd"))
    assert one.name == "two pair, aces and kings, seven"
    assert other > one


def test_s27_all_in_is_dealt_to_the_end_and_wins_the_main_pot():
    hands = "Kc Kd Ah 2c 3d 4s 9c  Qc Qd Jh Ts 6c 5d 9h  Jc Td 8h 7s 6d 5c 2h"
    match = play(stud(hands, "seven-stud", stacks=(3, 100, 100)), "0 bet 2", "1 call", "2 call")
    match = play(match, "1 bet 2", "2 call")
    assert [(pot.amount, pot.seats) for pot in look(match, None).pots] == [(9, (0, 1, 2)), (4, (1, 2))]
    for _ in range(3):
        match = checked(match)
    assert match.results[0].deltas == (6, -1, -5)
    assert "0 wins the main pot of 9 (pair of kings, ace, nine and four)" in told(match)
    assert "1 wins side pot 1 of 4 (pair of queens, jack, ten and nine)" in told(match)
    assert len(match.results[0].table.places[0].hole + match.results[0].table.places[0].row) == 7


def test_a_folded_players_cards_stay_visible_but_start_nothing():
    match = play(stud("2c Kd 7s  3c 9h 5s  4c Jd 8c"), "0 bet 2", "1 call", "2 raise 4", "0 fold", "1 call")
    assert [str(one) for one in look(match, None).seats[0].row] == ["Kd"]
    assert starter(match) == 2


def test_the_deal_runs_on_by_itself_when_nobody_can_bet():
    match = stud(S19, stacks=(1, 1, 1))
    assert match.over.places == (2, 2, 1)


def test_late_double_doubles_the_last_two_rounds():
    match = stud(S19, options={"late_double": "on"})
    for bet in (2, 2, 4):
        assert due(match).asks[0].words()[1] == f"bet {bet}"
        match = checked(match)
    assert due(match).asks[0].words()[1] == "bet 4"


def test_when_the_starter_leaves_the_turn_passes_clockwise_and_showing_is_not_judged_again():
    match = settle(retire(stud(S19), 0))[0]
    assert starter(match) == 1, "though seat 2 shows a jack and seat 1 a nine"


def test_the_cards_of_others_are_read_as_far_as_they_show():
    reading = by_slug("five-stud").reading(look(checked(stud(S19)), 1))
    assert [hand.name for hand in reading.hands] == ["Showing king high", "Pair of nines", "Showing jack high"]


# Hooks


@dataclass(frozen=True)
class Heard:
    """What the hooks of the game below have been told."""

    cards: list[Card]
    streets: list[int]


class Sevens(Stud):
    """Sevens are wild, and a queen of spades face up makes the deal begin again."""

    def __init__(self) -> None:
        super().__init__("sevens", "Sevens", range(2, 8), SEVEN_CARDS)
        self.heard = Heard([], [])

    def wild(self, held, facts):
        return frozenset(one for one in held.cards if one.rank == 7)

    def after_card(self, state, seat, card, *, is_up, options):
        self.heard.cards.append(card)
        return self.redealt(state, options.ante) if is_up and str(card) == "Qs" else state

    def after_street(self, state, options):
        self.heard.streets.append(len(self.heard.cards))
        return state


def test_wild_cards_count_in_what_is_shown():
    game = Sevens()
    rank = game.rank(Holding(cards("2c"), cards("7c Ah")).showing, None, game.options())
    assert rank.name == "pair of aces"


def test_hooks_hear_of_every_card_and_street_and_may_stop_the_deal():
    game = Sevens()
    decks = {1: (dealt("2c 3c Qs  2d 3d 5c", 2), dealt("2c 3c 9s 9d  2d 3d 5c 7d", 2))}
    match = settle(start(Setup(game, game.options(), 2), DealKeys.of_seed(1), decks=decks))[0]
    assert game.heard.cards == [*cards("2c 2d 3c 3d Qs"), *cards("2c 2d 3c 3d 9s 5c")]
    assert game.heard.streets == [11]
    assert stacks(match) == (98, 98)
    assert starter(match) == 0
    match = checked(match)
    assert starter(match) == 0, "a pair of nines against a pair of fives"
    assert look(match, None).pot == 4


def test_a_game_with_hooks_keeps_cards_and_chips_together():
    game = Sevens()
    for seed in range(3):
        assert playout(game, read_options(game, {}, 4), 4, seed, picker(seed)).over is not None
    assert card("Qs") in game.heard.cards
