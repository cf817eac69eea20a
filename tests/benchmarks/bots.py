"""How strong the house bots are: real games through views, each deal played again with the seats changed.

    python -m tests.benchmarks.bots --matches 2000 --game oe-twos --pairs Ferry:coin Beacon:Ferry

Prints for each pairing the score of the first (win 1, draw a half), its 95 % interval, and how long the first thinks
(processor time, which other work on the machine does not change much).
At a larger table (`--game oe-table --seats 4`) the first plays alone against several of the second.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence

from oceans import bots
from oceans.rules.asks import Ask
from oceans.rules.chance import DealKeys
from oceans.rules.engine import Setup, due, settle, start, submit
from oceans.rules.games import by_slug
from oceans.rules.hand_values import category_of
from oceans.rules.look import View, look
from oceans.rules.moves import Move
from oceans.rules.options import read_options

DEAL, CONCEDE = Move("deal"), Move("concede")
PAIRS = [
    *("Pebble:beginner", "Ferry:beginner"),
    *(f"{bot}:{other}" for bot in ("Ferry", "Beacon") for other in ("coin", "stubborn", "five")),
    "Beacon:Ferry",
]

Player = Callable[[View, Ask, random.Random], Move]


def house(name: str) -> Player:
    return lambda view, ask, chance: bots.choose(name, view, ask, chance.randrange)


def coin(view: View, ask: Ask, chance: random.Random) -> Move:
    """Deals with probability one half."""
    return chance.choice((DEAL, CONCEDE))


def stubborn(view: View, ask: Ask, chance: random.Random) -> Move:
    """Never concedes."""
    return DEAL


def five(view: View, ask: Ask, chance: random.Random) -> Move:
    """Concedes once five cards lie in the row."""
    return DEAL if len(view.seats[view.viewer].row) < 5 else CONCEDE


def beginner(view: View, ask: Ask, chance: random.Random) -> Move:
    """Deals up to seven cards while the rival's hand is at most one kind better."""
    keys, me = view.facts.keys, view.viewer
    best = max(keys[seat] for seat in view.facts.contestants if seat != me)
    gap = category_of(best[0]) - category_of(keys[me][0])
    return DEAL if gap <= 1 and len(view.seats[me].row) < 7 else CONCEDE


OTHERS: dict[str, Player] = {"coin": coin, "stubborn": stubborn, "five": five, "beginner": beginner}


def player(name: str) -> Player:
    return OTHERS.get(name) or house(name)


def score(game, players: Sequence[Player], seed: int, chance: random.Random, times: list[float], timed: int) -> float:
    """What the seat `timed` makes of one deal: 1 if it wins, its share if several win together. Its thinking times in
    seconds of the processor are added to `times`."""
    match, _ = settle(start(Setup(game, read_options(game, {}, len(players)), len(players)), DealKeys.of_seed(seed)))
    while (waiting := due(match)) is not None:
        ((seat, ask),) = waiting.asks.items()
        view, began = look(match, seat), time.process_time()
        move = players[seat](view, ask, chance)
        if seat == timed:
            times.append(time.process_time() - began)
        match, _ = settle(submit(match, seat, move))
    places = match.over.places
    return (places[timed] == 1) / places.count(1)


def measure(game, pair: str, matches: int, seats: int, seed: int) -> str:
    """Play a pairing, the first in each seat of every deal and the second in all others, and put it into a line."""
    first, second = map(player, pair.split(":"))
    chance, times, scores = random.Random(seed), [], []
    for deal in range(matches // seats):
        made = 0.0
        for seat in range(seats):
            players = [first if other == seat else second for other in range(seats)]
            made += score(game, players, seed + deal, chance, times, seat)
        scores.append(made / seats)
    mean = sum(scores) / len(scores)
    spread = (sum((one - mean) ** 2 for one in scores) / max(1, len(scores) - 1)) ** 0.5
    half = 1.96 * spread / len(scores) ** 0.5
    times.sort()
    thinking = f"median {times[len(times) // 2] * 1000:.1f} ms, longest {times[-1] * 1000:.0f} ms"
    return f"{pair:18} {mean:.3f}  [{mean - half:.3f}, {mean + half:.3f}]  {thinking}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=2000, help="games for each pairing")
    parser.add_argument("--game", default="oe-twos")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", nargs="*", default=PAIRS, help="such as Beacon:Ferry; others: " + ", ".join(OTHERS))
    chosen = parser.parse_args()
    print(f"{chosen.game}, {chosen.seats} seats, {chosen.matches} games each: score, 95 % interval, thinking time")
    for pair in chosen.pairs:
        print(measure(by_slug(chosen.game), pair, chosen.matches, chosen.seats, chosen.seed), flush=True)


if __name__ == "__main__":
    main()
