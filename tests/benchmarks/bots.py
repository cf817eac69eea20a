"""How strong the house bots are: real games through views, each deal played again with the seats changed.

    python -m tests.benchmarks.bots --matches 2000 --game oe-twos --pairs Ferry:coin Beacon:Ferry

Prints for each pairing the score of the first (win 1, draw a half), its 95 % interval, and how long the first thinks
(processor time, which other work on the machine does not change much).
At a larger table (`--game oe-table --seats 4`) the first plays alone against several of the second.

    python -m tests.benchmarks.bots --deals --matches 200 --seats 2

Prints for every other game, or for those named after `--deals`, the chips a house bot wins in each deal against players
who answer at random and against players who call everything; at Duel It the points it makes more than the others.

    python -m tests.benchmarks.bots --hindsight --matches 200 --game oe-twos

Prints how well the chances that hindsight gives to choices are borne out between two of Ferry's kind: of all choices
with a chance within a tenth, the mean chance and how often the seat won in the end.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from oceans import bots
from oceans.bots.hindsight import judged
from oceans.rules.asks import Ask, Cards
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, due, settle, start, submit
from oceans.rules.game import Game
from oceans.rules.games import GAMES, by_slug
from oceans.rules.hand_values import category_of
from oceans.rules.look import View, look
from oceans.rules.moves import Move
from oceans.rules.options import read_options

DEAL, CONCEDE = Move("deal"), Move("concede")
STAYING = [Move("check"), Move("call"), Move("in"), Move("show"), Move("open")]
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


def at_random(view: View, ask: Ask, chance: random.Random) -> Move:
    """Any legal answer."""
    return ask.some(chance.randrange)


def caller(view: View, ask: Ask, chance: random.Random) -> Move:
    """Never folds and never raises, is always in, shows to every bid; throws and passes cards as a house bot does, and
    leaves to chance what remains."""
    staying = next((move for move in STAYING if ask.refuse(move) is None), None)
    if staying is None and isinstance(ask, Cards):
        return house("Ferry")(view, ask, chance)
    return staying or at_random(view, ask, chance)


OTHERS: dict[str, Player] = {
    **{"coin": coin, "stubborn": stubborn, "five": five, "beginner": beginner},
    **{"random": at_random, "caller": caller},
}


def player(name: str) -> Player:
    return OTHERS.get(name) or house(name)


def played(game: Game, players: Sequence[Player], seed: int, chance: random.Random) -> MatchState:
    """A whole match between these players."""
    match, _ = settle(start(Setup(game, read_options(game, {}, len(players)), len(players)), DealKeys.of_seed(seed)))
    while (waiting := due(match)) is not None:
        answered = {one.seat for one in match.sealed}
        seat = next(seat for seat in waiting.asks if seat not in answered)
        match, _ = settle(submit(match, seat, players[seat](look(match, seat), waiting.asks[seat], chance)))
    return match


def timed(one: Player, times: list[float]) -> Player:
    """The same player, its thinking times in seconds of the processor added to `times`."""

    def thinks(view: View, ask: Ask, chance: random.Random) -> Move:
        began = time.process_time()
        move = one(view, ask, chance)
        times.append(time.process_time() - began)
        return move

    return thinks


def score(game: Game, players: Sequence[Player], seed: int, chance: random.Random, seat: int) -> float:
    """What a seat makes of one match: 1 if it wins, its share if several win together."""
    places = played(game, players, seed, chance).over.places
    return (places[seat] == 1) / places.count(1)


def gain(match: MatchState, seat: int) -> float:
    """What a seat has won in a match: chips, or points beyond the mean of all."""
    if match.game.has_chips:
        return sum(one.deltas[seat] for one in match.results)
    return sum(one.ending.points[seat] - sum(one.ending.points) / match.setup.seats for one in match.results)


def thinking(times: list[float]) -> str:
    times.sort()
    return f"median {times[len(times) // 2] * 1000:.1f} ms, longest {times[-1] * 1000:.0f} ms"


def measure(game: Game, pair: str, matches: int, seats: int, seed: int) -> str:
    """Play a pairing, the first in each seat of every deal and the second in all others, and put it into a line."""
    first, second = map(player, pair.split(":"))
    times: list[float] = []
    chance, scores, bot = random.Random(seed), [], timed(first, times)
    for deal in range(matches // seats):
        made = 0.0
        for seat in range(seats):
            players = [bot if other == seat else second for other in range(seats)]
            made += score(game, players, seed + deal, chance, seat)
        scores.append(made / seats)
    mean = sum(scores) / len(scores)
    spread = (sum((one - mean) ** 2 for one in scores) / max(1, len(scores) - 1)) ** 0.5
    half = 1.96 * spread / len(scores) ** 0.5
    return f"{pair:18} {mean:.3f}  [{mean - half:.3f}, {mean + half:.3f}]  {thinking(times)}"


def measure_deals(game: Game, other: str, matches: int, seats: int, seed: int) -> str:
    """Play a house bot against others of a kind, in each seat of every match, and put what it wins a deal into a line.
    Matches on the same packs count as one when the interval is estimated."""
    times: list[float] = []
    chance, bot = random.Random(seed), timed(house("Ferry"), times)
    gains, deals = [], []
    for number in range(max(2, matches // seats)):
        gained = lasted = 0.0
        for seat in range(seats):
            players = [bot if place == seat else OTHERS[other] for place in range(seats)]
            match = played(game, players, seed + number, chance)
            gained += gain(match, seat)
            lasted += len(match.results)
        gains.append(gained)
        deals.append(lasted)
    mean = sum(gains) / sum(deals)
    spread = sum((gained - mean * lasted) ** 2 for gained, lasted in zip(gains, deals, strict=True))
    half = 1.96 * (spread * len(gains) / (len(gains) - 1)) ** 0.5 / sum(deals)
    rest = f"{sum(deals):.0f} deals  {thinking(times)}"
    return f"{game.slug:19} {other:7} {mean:+7.2f}  [{mean - half:+.2f}, {mean + half:+.2f}]  {rest}"


def measure_hindsight(game: Game, matches: int, seed: int) -> None:
    """Judge every choice in games between two Ferries, and put what was said and what came of it into lines."""
    tenths: dict[int, list[tuple[float, float]]] = {}
    ferry, taken = house("Ferry"), 0.0
    for number in range(matches):
        chance, choices = random.Random(seed + number), []

        def judging(view: View, ask: Ask, chance: random.Random, choices=choices) -> Move:
            move = ferry(view, ask, chance)
            choices.append(judged(replace(view, viewer=None), len(choices), view.viewer, move))
            return move

        began = time.process_time()
        places = played(game, [judging, judging], seed + number, chance).over.places
        taken += time.process_time() - began
        for choice in filter(None, choices):
            won = (places[choice.seat] == 1) / places.count(1)
            tenths.setdefault(min(9, int(10 * choice.after)), []).append((choice.after, won))
    print("chance      said    won  choices")
    for tenth, found in sorted(tenths.items()):
        said, won = (sum(values) / len(found) for values in zip(*found, strict=True))
        print(f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}  {said:.3f}  {won:.3f}  {len(found):,}")
    print(f"{taken / matches:.2f} s of processor time a game")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=2000, help="games for each pairing")
    parser.add_argument("--game", default="oe-twos")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", nargs="*", default=PAIRS, help="such as Beacon:Ferry; others: " + ", ".join(OTHERS))
    parser.add_argument("--deals", nargs="*", metavar="GAME", help="chips or points for each deal of these games")
    parser.add_argument("--hindsight", action="store_true", help="how well chances are borne out that hindsight gives")
    chosen = parser.parse_args()
    if chosen.hindsight:
        measure_hindsight(by_slug(chosen.game), chosen.matches, chosen.seed)
        return
    if chosen.deals is not None:
        print(f"{chosen.seats} seats, {chosen.matches} games each: chips (Duel It: points) a deal, 95 % interval")
        for slug in chosen.deals or [game.slug for game in GAMES if not game.is_one_deal]:
            for other in ("random", "caller"):
                line = measure_deals(by_slug(slug), other, chosen.matches, chosen.seats, chosen.seed)
                print(line, flush=True)
        return
    print(f"{chosen.game}, {chosen.seats} seats, {chosen.matches} games each: score, 95 % interval, thinking time")
    for pair in chosen.pairs:
        print(measure(by_slug(chosen.game), pair, chosen.matches, chosen.seats, chosen.seed), flush=True)


if __name__ == "__main__":
    main()
