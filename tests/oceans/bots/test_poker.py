"""House bots at draw and stud: what a player would notice, answers that are legal under all options, and no use of
cards their seat does not see."""

import random

import pytest

from oceans import bots
from oceans.bots import draw
from oceans.rules.cards import PACK_52, cards
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, due, settle, start, submit
from oceans.rules.games import GAMES, by_slug
from oceans.rules.look import look
from oceans.rules.moves import Move
from oceans.rules.options import BadOptions, Choice, Flag, kinds, read_options
from oceans.rules.playing import picker
from oceans.rules.ranking import best_hand
from tests.benchmarks.bots import at_random, caller, gain, house, played
from tests.rules.builders import dealt, play, started
from tests.rules.contract.twins import twin

POKER = [game for game in GAMES if game.family in ("draw", "stud")]
SEEDS = range(5)

JUNK = "7c 5d 4h 3s 2c"
ROYAL = "Ah Kh Qh Jh Th"
OTHER = "9c 8c 6d 5h Ks"
DRAWN = "3c 4d 8h"


def said(match: MatchState, seat: int, seed: int = 1) -> str:
    view = look(match, seat)
    return str(bots.choose("Ferry", view, view.ask, picker(seed)))


def drawing(hands: str, game: str = "five-draw", **rest) -> MatchState:
    """A deal for two at the draw, after a round without bets."""
    return play(started(game, 2, {1: dealt(hands, 2)}, **rest), "0 check", "1 check")


def after_draw(hands: str, **options) -> MatchState:
    """A deal for two before the last round of bets, in which only one who held OTHER has thrown cards, three."""
    thrower = 0 if hands.startswith(OTHER) else 1
    match = drawing(f"{hands}  {DRAWN}", options=options)
    return play(match, f"{thrower} draw 9c 8c 6d", f"{1 - thrower} draw")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_folds_a_hopeless_hand_to_a_bet(seed):
    match = play(after_draw(f"{OTHER}  {JUNK}", limit="pot"), "0 bet 2")
    assert said(match, 1, seed) == "fold"


@pytest.mark.parametrize("limit", ["fixed", "spread", "pot"])
def test_it_raises_with_the_best_hand_and_never_folds_it(limit):
    match = play(after_draw(f"{OTHER}  {ROYAL}", limit=limit), "0 bet 2")
    assert said(match, 1).startswith("raise")
    match = play(match, f"1 {said(match, 1)}", "0 call")
    assert match.deal_no == 2
    assert match.results[0].deltas[1] > 0


def test_it_calls_all_its_chips_with_the_best_hand():
    match = started("five-draw", 2, {1: dealt(f"{OTHER}  {ROYAL}", 2)}, stacks=(100, 4), options={"raises": 0})
    assert said(play(match, "0 bet 2"), 1) == "call"


def test_it_checks_a_poor_hand_and_bets_a_good_one():
    assert said(after_draw(f"{JUNK}  {OTHER}"), 0) == "check"
    assert said(after_draw(f"{ROYAL}  {OTHER}"), 0) == "bet 2"


def test_a_better_hand_bets_more():
    low, high = (after_draw(f"{hand}  {OTHER}", limit="spread", bet_max=50) for hand in ("Ad Ac Jh 7s 2d", ROYAL))
    amounts = [int(said(match, 0).removeprefix("bet ")) for match in (low, high)]
    assert 1 <= amounts[0] < amounts[1] == 50


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("Kh Jh 8h 5h 2h", ""),
        ("9c 8d 7h 6s 5c", ""),
        ("Kh Kd Ks 4c 4d", ""),
        ("Kc Kd 9h 9s 2d", "2d"),
        ("9h 8h 5h 2h Jc", "Jc"),
        ("9c 8d 7h 6s 2c", "2c"),
    ],
)
def test_it_throws_what_a_careful_player_throws(hand, thrown, seed):
    assert said(drawing(f"{hand}  Ah Tc 6c 4h 3d"), 0, seed) == f"draw {thrown}".strip()


@pytest.mark.parametrize("seed", SEEDS)
def test_it_draws_to_a_pair(seed):
    thrown = said(drawing("Qc Qd 9h 5s 2d  Ah Tc 6c 4h 3d"), 0, seed).split()[1:]
    assert len(thrown) >= 2
    assert set(thrown) <= {"9h", "5s", "2d"}


@pytest.mark.parametrize("seed", SEEDS)
def test_it_keeps_wild_cards_and_what_they_join(seed):
    match = drawing("8c Kd Kh 4d  As 7c 6d 2h  8d", "spit")
    assert said(match, 0, seed) in ("draw", "draw 4d")


@pytest.mark.parametrize(("limit", "opening"), [("fixed", "open"), ("spread", "open 1"), ("pot", "open 1")])
def test_it_opens_jacks_where_it_may(limit, opening):
    match = started("jacks", 2, {1: dealt(f"Jc Jd 7h 4s 2c  {OTHER}", 2)}, options={"limit": limit})
    assert said(match, 0).startswith(opening)
    assert said(match, 1) == "pass"


def test_at_jacks_a_pair_of_tens_against_an_opener_is_worse_than_at_five_draw():
    hands = dealt("Jc Jd 7h 4s 2c  Tc Td 6h 5s 3d", 2)
    opened = play(started("jacks", 2, {1: hands}, options={"redeal_limit": 1}), "0 open")
    bet = play(started("five-draw", 2, {1: hands}), "0 bet 2")
    shares = [draw.Draw(look(match, 1), random.Random(1)).odds().share() for match in (opened, bet)]
    assert shares[0] < shares[1]


@pytest.mark.parametrize("spit", cards("8d As"))
def test_hands_with_a_spit_are_worth_what_the_rules_say(spit):
    chance = random.Random(1)
    match = started("spit", 2, {1: dealt(f"Kc Kd Kh 4d  Qs 7c 6d 2h  {spit}", 2)})
    deal = draw.Draw(look(match, 0), chance)
    wild = [card for card in PACK_52 if card.rank == spit.rank and card != spit]
    rest = [card for card in PACK_52 if card != spit]
    for number in range(300):
        own = [*wild[: number % 4], *chance.sample([card for card in rest if card not in wild], 4 - number % 4)]
        assert deal.worth(own) == best_hand([*own, spit], frozenset([*wild, spit])).packed


def test_a_rival_who_stands_pat_is_feared_more_than_one_who_throws_three():
    match = drawing("Kc Kd 9h 9s 2d  Ah Tc 6c 4h 3d  7d 5c 8s Jd")
    pat, three = play(match, "0 draw 2d", "1 draw"), play(match, "0 draw 2d", "1 draw 6c 4h 3d")
    shares = [draw.Draw(look(one, 0), random.Random(1)).odds().share() for one in (pat, three)]
    assert shares[0] < shares[1] - 0.2


def studs(up: str, game: str) -> MatchState:
    """A deal of stud for two at its last round of bets, all before it checked, its five cards by seat as written."""
    match = started(game, 2, {1: dealt(up, 2)})
    while len(look(match, 0).seats[0].row) < 4:
        (seat,) = due(match).asks
        match = play(match, f"{seat} check")
    return match


def test_at_stud_it_folds_what_the_rival_already_beats_in_sight():
    match = studs("9c 7d 5h 4s 2c  Kh Ac Ad Qs Js", "five-stud")
    assert said(play(match, "1 bet 2"), 0) == "fold"


def test_at_stud_it_bets_a_hand_that_nobody_can_beat():
    match = studs("9c 7d 5h 4s 2c  Ah Ac Ad Qs Js", "five-stud")
    assert said(match, 1) == "bet 2"


def test_at_lowboy_low_cards_bet_and_pairs_fold():
    match = studs("Ac 2d 3h 4s 6c  Kh Tc Td Qs Js", "lowboy")
    assert said(match, 0) == "bet 2"
    assert said(play(match, "0 bet 2"), 1) == "fold"


@pytest.mark.parametrize(
    ("limit", "poor", "best"),
    [
        ("fixed", "plan check/fold/fold/fold", "plan bet/raise/raise/call"),
        ("spread", "plan check, call 0", "plan bet 5, call 99, raise 10"),
        ("pot", "plan check, call 0", "plan bet 2, call 99, raise 8"),
    ],
)
def test_sealed_it_plans_to_fold_a_poor_hand_and_never_the_best(limit, poor, best):
    options = {"betting": "sealed", "limit": limit}
    match = started("five-draw", 2, {1: dealt(f"{ROYAL}  {JUNK}", 2)}, options=options)
    match = play(match, f"0 {poor}", f"1 {poor}", "0 draw", "1 draw")
    assert (said(match, 0), said(match, 1)) == (best, poor)


def any_options(game, chance: random.Random) -> tuple[int, dict]:
    """A number of seats and options such as a form may hold, not all of them possible together."""
    given = {}
    for name, (kind, default) in kinds(game).items():
        if isinstance(kind, Choice):
            given[name] = chance.choice([value for value, _ in kind.values])
        elif isinstance(kind, Flag):
            given[name] = chance.choice([True, False])
        else:
            given[name] = chance.choice([default, kind.low, kind.high, chance.randint(kind.low, kind.high)])
    return chance.choice(game.seats), given


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("game", POKER, ids=lambda game: game.slug)
def test_its_answers_are_legal_under_any_options(game, number):
    chance = random.Random(f"{game.slug} {number}")
    options = None
    while options is None:
        seats, given = any_options(game, chance)
        try:
            options = read_options(game, {**given, "betting": ("turns", "sealed")[number % 2]}, seats)
        except BadOptions:
            continue
    match, _ = settle(start(Setup(game, options, seats), DealKeys.of_seed(number)))
    players = [house("Ferry"), at_random, caller]
    for _ in range(40):
        waiting = due(match)
        if waiting is None:
            break
        seat = next(seat for seat in waiting.asks if seat not in {one.seat for one in match.sealed})
        move = players[seat % 3](look(match, seat), waiting.asks[seat], chance)
        match, _ = settle(submit(match, seat, move))


@pytest.mark.parametrize("game", POKER, ids=lambda game: game.slug)
def test_cards_its_seat_does_not_see_change_no_decision(game):
    match, _ = settle(start(Setup(game, read_options(game, {}, 3), 3), DealKeys.of_seed(3)))
    for seed in range(6):
        seat = next(seat for seat in due(match).asks if seat not in {one.seat for one in match.sealed})
        other = twin(match, seat, 1, picker(f"twin {seed}"))
        move = said(match, seat, seed)
        assert other is None or said(other, seat, seed) == move
        match, _ = settle(submit(match, seat, Move.parse(move)))


@pytest.mark.parametrize("slug", ["five-stud", "lowboy", "seven-stud"])
def test_it_wins_chips_from_players_who_call_everything(slug):
    chance, game = random.Random(1), by_slug(slug)
    won = 0.0
    for seed in range(8):
        for seat in (0, 1):
            players = [house("Ferry") if other == seat else caller for other in (0, 1)]
            won += gain(played(game, players, seed, chance), seat)
    assert won > 0
