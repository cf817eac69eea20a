"""House bots: legal at every table, the same under the same chance, blind to what their seat does not see, quick."""

import random
import time

import pytest

from oceans import bots
from oceans.bots.race import Lore, Race, Runner
from oceans.bots.worth import Side, worth
from oceans.rules.cards import PACK_52, Card, cards
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, due, settle, start, submit
from oceans.rules.games import GAMES, by_slug
from oceans.rules.look import look
from oceans.rules.moves import Move
from oceans.rules.options import kinds, read_options
from oceans.rules.playing import picker
from oceans.rules.rows import NO_WILDS, TWOS, row_key
from tests.benchmarks.bots import coin, house, score
from tests.rules.builders import rows, started
from tests.rules.contract.twins import twin

SEATS = [(game, seats) for game in GAMES for seats in sorted({game.seats[0], game.seats[-1]})]


def opened(game, seats: int, seed: int = 1, **options) -> MatchState:
    chosen = read_options(game, options, seats)
    return settle(start(Setup(game, chosen, seats), DealKeys.of_seed(seed)))[0]


def move(match: MatchState, seat: int, name: str, seed: int = 1):
    view = look(match, seat)
    return bots.choose(name, view, view.ask, random.Random(seed).randrange)


@pytest.mark.parametrize(
    ("game", "seats", "name"),
    [
        (game, min(seats, 4) if game.family == "draw" else seats, name)
        for game, seats in SEATS
        for name in (("Pebble", "Ferry") if game.is_one_deal else ("Ferry",))
    ],
    ids=lambda value: getattr(value, "slug", value),
)
def test_a_bot_plays_any_game_to_its_end(game, seats, name):
    match, pick = opened(game, seats, **({"rounds": 1} if "rounds" in kinds(game) else {})), picker("bots")
    for _ in range(3000):
        waiting = due(match)
        if waiting is None:
            break
        seat = next(seat for seat in waiting.asks if seat not in {one.seat for one in match.sealed})
        view = look(match, seat)
        match, _ = settle(submit(match, seat, bots.choose(name, view, view.ask, pick)))
    assert match.over is not None


@pytest.mark.parametrize(
    ("game", "seats"),
    [pair for pair in SEATS if pair[0].slug.startswith("oe-")],
    ids=lambda value: getattr(value, "slug", value),
)
def test_beacon_makes_legal_decisions_in_every_variant(game, seats):
    match = opened(game, seats)
    for _ in range(12):
        waiting = due(match)
        if waiting is None:
            break
        ((seat, _),) = waiting.asks.items()
        match, _ = settle(submit(match, seat, move(match, seat, "Beacon")))


def test_the_same_chance_gives_the_same_decision():
    match = opened(by_slug("oe-twos"), 2)
    (seat,) = due(match).asks
    assert move(match, seat, "Beacon", 5) == move(match, seat, "Beacon", 5)


@pytest.mark.parametrize("name", bots.HOUSE)
def test_undealt_cards_change_no_decision(name):
    match = opened(by_slug("oe-twos"), 2)
    for seed in range(5):
        (seat,) = due(match).asks
        other = twin(match, seat, 1, picker(f"twin {seed}"))
        assert move(match, seat, name, seed) == move(other, seat, name, seed)
        match, _ = settle(submit(match, seat, move(match, seat, "Ferry", seed)))


def with_long_row(cards_in_row: int) -> tuple[MatchState, int]:
    """A match in which nobody has conceded until somebody with so long a row may choose."""
    for seed in range(500):
        match = opened(by_slug("oe-twos"), 2, seed)
        while (waiting := due(match)) is not None and len(match.state.winners) == 0:
            ((seat, ask),) = waiting.asks.items()
            if len(match.state.table.places[seat].row) >= cards_in_row:
                return match, seat
            match, _ = settle(submit(match, seat, ask.choices[0]))
    raise AssertionError("no seed gives so long a row")


@pytest.mark.parametrize("name", bots.HOUSE)
def test_a_row_of_forty_cards_is_decided_within_a_second(name):
    match, seat = with_long_row(40)
    began = time.process_time()
    move(match, seat, name)
    assert time.process_time() - began < 1


def test_beacon_beats_ferries_at_a_table():
    players = (house("Beacon"), house("Ferry"), house("Ferry"))
    won = sum(score(by_slug("oe-table"), players, seed, random.Random(seed), 0) for seed in range(8))
    assert won > 8 / 3


def test_ferry_beats_a_player_who_tosses_a_coin():
    players = (house("Ferry"), coin)
    won = sum(score(by_slug("oe-twos"), players, seed, random.Random(seed), 0) for seed in range(60))
    assert won / 60 > 0.75


def runner(row: str, wild: frozenset[Card] = NO_WILDS) -> Runner:
    """A seat with this row and the rest of a whole pack in its pile."""
    turned = cards(row)
    left = [card for card in PACK_52 if card not in turned]
    return Runner(Lore(wild, 4), turned, left, len(left))


@pytest.mark.parametrize("row", ["Ks Qs Js 9s", "Ks 2d", "9h 9c 4d 2s 2h", "3c", "Ks Qs 9s 4s 8d 7d 5d"])
@pytest.mark.parametrize("rival", ["Ah Ad", "Ks Qd", "Th Td 9s 9h 5c 3c 4s"])
def test_the_chance_of_the_next_card_counts_every_card_once(row, rival):
    own, other = runner(row, TWOS), runner(rival, TWOS)
    keys = [row_key([*own.row, card], TWOS) for card in own.pile]
    good = sum((key > other.key) + (key == other.key) / 2 for key in keys)
    assert own.chance(other) == pytest.approx(good / len(keys))


def test_a_flush_draw_counts_the_suit():
    assert runner("Ks Qs 9s 4s").chance(runner("Ah Ad")) == pytest.approx(9 / 48)


def test_an_imagined_hand_is_won_as_the_rules_say():
    """Three players of O17 (docs/rules/oceans-eleven.md, 8): B flips to 4-4, C folds, A flips to K-7 and folds."""
    known = Lore(NO_WILDS, 4)
    seats = [("Kc", "7d"), ("4h", "4d"), ("9h", "2c")]
    runners = [Runner(known, cards(row), cards(pile), 1) for row, pile in seats]
    race = Race(runners, (0, 1, 2), (0, 0, 0), 6, [0.0] * 3, least_of_many=1.0)
    runners[1].turn_up(0)
    assert race.play_out(lambda: 0.0) == 1
    assert [one.left for one in runners] == [0, 0, 1]


def test_nobody_wins_an_imagined_hand_that_is_level_with_no_cards_left():
    runners = [Runner(Lore(NO_WILDS, 4), cards(row), (), 0) for row in ("Ks", "Kd")]
    assert Race(runners, (0, 1), (4, 4), 6, [0.0] * 2, 0.0).play_out(lambda: 0.0) is None


def test_beacon_concedes_where_that_wins_the_game():
    """The rival has no card left: with six cards for six hands there is nothing to gain in this one."""
    match = started("oe-none", decks={1: rows("Ks", "Qd 4s 8c 8h 3s 7d 5c")})
    assert move(match, 1, "Ferry") == Move("deal")
    assert move(match, 1, "Beacon") == Move("concede")


def test_worth_is_fair_and_grows_with_hands_and_cards():
    even = Side(2, 30, 2)

    def against_even(side: Side) -> float:
        return worth((side, even), 0, 6, 4)

    assert against_even(even) == pytest.approx(0.5)
    assert against_even(Side(3, 30, 2)) > 0.5
    assert against_even(Side(2, 36, 2)) > 0.5
    assert against_even(Side(2, 30, 3)) > 0.5
    assert against_even(Side(3, 30, 2)) == pytest.approx(1 - worth((Side(3, 30, 2), even), 1, 6, 4))


def test_worth_shares_the_game_among_all_at_a_table():
    sides = [Side(2, 30, 2), Side(1, 20, 4), Side(3, 0, 0)]
    assert worth([sides[0]] * 4, 3, 6, 4) == pytest.approx(0.25)
    assert worth(sides, 0, 6, 4) > worth(sides, 1, 6, 4)


def test_worth_of_a_game_that_is_decided():
    assert worth((Side(4, 0, 0), Side(3, 2, 0)), 0, 6, 4) == 0.0
    assert worth((Side(4, 0, 0), Side(3, 1, 0)), 0, 6, 4) == 0.5
    assert worth((Side(6, 9, 0), Side(5, 9, 0)), 0, 6, 4) == 1.0
