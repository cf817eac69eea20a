"""How much play a match takes: real matches through views, and what `Game.length` says of them.

    python -m tests.benchmarks.visits --matches 40

A wait is a stretch in which the same seats are asked; a visit is one seat's part in it. House bots play; betting rounds
are played by a mixed hand that bets, calls and folds as people do at a friendly table, whatever its cards.
"""

import argparse
import random
from collections.abc import Iterator, Mapping
from typing import Any

from oceans import bots
from oceans.rules.asks import Ask
from oceans.rules.chance import DealKeys
from oceans.rules.engine import Setup, due, settle, start, submit
from oceans.rules.game import Game
from oceans.rules.games import GAMES, by_slug
from oceans.rules.look import View, look
from oceans.rules.moves import Move
from oceans.rules.options import read_options
from oceans.rules.plans import PLAN

WEIGHTS: Mapping[str, int] = {"check": 6, "bet": 4, "call": 11, "fold": 6, "raise": 3}


def mixed(view: View, ask: Ask, chance: random.Random) -> Move:
    """A friendly hand at a betting round, a house bot elsewhere."""
    move = bots.choose("Ferry", view, ask, chance.randrange)
    if not (PLAN in ask.words()[0] or "fold" in ask.words() or "check" in ask.words()):
        return move
    moves = [ask.some(chance.randrange) for _ in range(8)]
    if PLAN in ask.words()[0]:
        return moves[0]
    return chance.choices(moves, [WEIGHTS[one.verb] for one in moves])[0]


def played(game: Game, options: Any, seats: int, seed: int) -> tuple[int, float]:
    """The waits of one match, and the visits of a player in the mean."""
    chance = random.Random(seed)
    match, _ = settle(start(Setup(game, options, seats), DealKeys.of_seed(seed)))
    waits, visits, before = 0, 0, frozenset[int]()
    while (waiting := due(match)) is not None:
        asked = frozenset(waiting.asks) - {answer.seat for answer in match.sealed}
        if asked != before or len(asked) > 1:
            waits, visits = waits + 1, visits + len(asked)
        before = asked
        for seat in sorted(asked):
            match, _ = settle(submit(match, seat, mixed(look(match, seat), waiting.asks[seat], chance)))
    return waits, visits / seats


def measured(game: Game, options: Any, seats: int, matches: int) -> tuple[float, float]:
    """Waits of a match and visits of a player, in the mean."""
    found = [played(game, options, seats, seed) for seed in range(matches)]
    return sum(waits for waits, _ in found) / matches, sum(visits for _, visits in found) / matches


def settings() -> Iterator[tuple[Game, dict[str, str], int]]:
    """Games with a few options and numbers of seats each."""
    for game in GAMES:
        ways: list[dict[str, str]] = [{}]
        if game.family in ("draw", "stud"):
            ways = [{}, {"betting": "sealed"}]
        for way in ways:
            for seats in sorted({game.seats[0], 4, game.seats[-1]} & set(game.seats)):
                yield game, way, seats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=40, help="of each game and number of seats")
    parser.add_argument("--game", help="only this one")
    chosen = parser.parse_args()
    print("game, seats: waits of a match, visits of a player; what the form says")
    for game, way, seats in settings():
        if chosen.game and game is not by_slug(chosen.game):
            continue
        options = read_options(game, way, seats)
        waits, visits = measured(game, options, seats, chosen.matches)
        said = game.length(options, seats)
        about = f"{waits:7.1f}{visits:7.1f}   {said.waits:7.1f}{said.visits:7.1f}"
        print(f"{game.slug:20}{seats:3} {way.get('betting', ''):7}{about}", flush=True)


if __name__ == "__main__":
    main()
