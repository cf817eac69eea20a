"""House bots: legal at every table, the same under the same chance, blind to what their seat does not see, quick."""

import random
import time

import pytest

from oceans import bots
from oceans.bots.race import chance
from oceans.bots.worth import Side, worth
from oceans.rules.cards import PACK_52, cards
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, due, settle, start, submit
from oceans.rules.games import GAMES, by_slug
from oceans.rules.look import look
from oceans.rules.options import read_options
from oceans.rules.playing import picker
from oceans.rules.rows import NO_WILDS, TWOS, row_key
from tests.benchmarks.bots import coin, house, score
from tests.rules.contract.twins import twin

SEATS = [(game, seats) for game in GAMES for seats in sorted({game.seats[0], game.seats[-1]})]


def opened(game, seats: int, seed: int = 1) -> MatchState:
    return settle(start(Setup(game, read_options(game, {}, seats), seats), DealKeys.of_seed(seed)))[0]


def move(match: MatchState, seat: int, name: str, seed: int = 1):
    view = look(match, seat)
    return bots.choose(name, view, view.ask, random.Random(seed).randrange)


@pytest.mark.parametrize("name", ["Pebble", "Ferry"])
@pytest.mark.parametrize(("game", "seats"), SEATS, ids=lambda value: getattr(value, "slug", value))
def test_a_bot_plays_any_game_to_its_end(game, seats, name):
    match, pick = opened(game, seats), picker("bots")
    for _ in range(3000):
        waiting = due(match)
        if waiting is None:
            break
        seat = next(seat for seat in waiting.asks if seat not in {one.seat for one in match.sealed})
        view = look(match, seat)
        match, _ = settle(submit(match, seat, bots.choose(name, view, view.ask, pick)))
    assert match.over is not None


@pytest.mark.parametrize("game", [game for game in GAMES if game.slug.startswith("oe-")], ids=lambda game: game.slug)
def test_beacon_makes_legal_decisions_in_every_variant(game):
    match = opened(game, game.seats[0])
    for _ in range(6):
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


def test_ferry_beats_a_player_who_tosses_a_coin():
    times: list[float] = []
    players = (house("Ferry"), coin)
    won = sum(score(by_slug("oe-twos"), players, seed, random.Random(seed), times, 0) for seed in range(60))
    assert won / 60 > 0.75


def test_the_chance_of_the_next_card_counts_every_card_once():
    row, rival = cards("Ks Qs Js 9s"), row_key(cards("Ah Ad"), TWOS)
    left = [card for card in PACK_52 if card not in row]
    good = sum(row_key([*row, card], TWOS) > rival for card in left)
    level = sum(row_key([*row, card], TWOS) == rival for card in left)
    assert chance(row, rival, left, TWOS, 4) == pytest.approx((good + level / 2) / len(left))


def test_a_flush_draw_counts_the_suit():
    row, rival = cards("Ks Qs 9s 4s"), row_key(cards("Ah Ad"), NO_WILDS)
    left = [card for card in PACK_52 if card not in row]
    assert chance(row, rival, left, NO_WILDS, 4) == pytest.approx(9 / 48)


def test_worth_is_fair_and_grows_with_hands_and_cards():
    even = Side(2, 30, 2)
    assert worth(even, even, 6) == pytest.approx(0.5)
    assert worth(Side(3, 30, 2), even, 6) > 0.5
    assert worth(Side(2, 36, 2), even, 6) > 0.5
    assert worth(Side(2, 30, 3), even, 6) > 0.5
    assert worth(Side(3, 30, 2), even, 6) == pytest.approx(1 - worth(even, Side(3, 30, 2), 6))
    assert worth(Side(4, 0, 0), Side(3, 2, 0), 6) == 0.0
    assert worth(Side(4, 0, 0), Side(3, 1, 0), 6) == 0.5
