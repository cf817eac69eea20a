"""Fits the weights of `oceans/bots/worth.py`: plays Ocean's Eleven with each kind of pack between bots of Ferry's kind,
and finds the logistic formula that best tells the winner from what is seen between hands. Takes some minutes for each
pack; needs numpy.

    python -m tests.benchmarks.fit_worth --matches 10000
"""

import argparse
import random

import numpy

from oceans.bots.race import Lore, Race, Runner
from oceans.bots.worth import Side, features
from oceans.rules.cards import PACK_52, PACK_54, Card
from oceans.rules.rows import WILDS

TARGET = 6
PACKS = {"none": PACK_52, "jokers": PACK_54, "twos": PACK_52, "jokers+twos": PACK_54}
LEAST_CHANCES = {
    "none": (0.06, 0.08, 0.1, 0.1, 0.13, 0.17),
    **dict.fromkeys(("jokers", "twos", "jokers+twos"), (0.08, 0.11, 0.15, 0.15, 0.2, 0.25)),
}
"""The bots differ in how easily they deal, so that unequal packs are met too."""


def played(known: Lore, pack: tuple[Card, ...], least: list[float], chance: random.Random):
    """One game: the sides before each hand, and what seat 0 made of it."""
    piles, wins, seen = [chance.sample(pack, len(pack)) for _ in (0, 1)], [0, 0], []
    while max(wins) < TARGET and all(piles):
        runners = [Runner(known, (), pile, len(pile)) for pile in piles]
        sides = [Side(won, one.left, one.wilds_left) for won, one in zip(wins, runners, strict=True)]
        seen.append((sides[0], sides[1]))
        race = Race(runners, (0, 1), wins, TARGET, least, 0.0)
        winner = race.play_out(chance.random)
        if winner is not None:
            wins[winner] += 1
        piles = [runner.pile for runner in runners]
    mine, theirs = (min(TARGET, wins[seat] + len(piles[seat])) if piles[seat] else wins[seat] for seat in (0, 1))
    return seen, 0.5 + (mine > theirs) / 2 - (mine < theirs) / 2


def fit(rows: numpy.ndarray, scores: numpy.ndarray, steps: int = 30) -> numpy.ndarray:
    """Logistic regression by Newton's method, very lightly damped."""
    weights = numpy.zeros(rows.shape[1])
    for _ in range(steps):
        odds = 1 / (1 + numpy.exp(-rows @ weights))
        slope = rows.T @ (scores - odds) - 1e-2 * weights
        bend = (rows * (odds * (1 - odds))[:, None]).T @ rows + 1e-2 * numpy.eye(len(weights))
        weights = weights + numpy.linalg.solve(bend, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10_000, help="games with each pack")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    for kind, pack in PACKS.items():
        known, rows, scores = Lore(WILDS[kind], 4), [], []
        for _ in range(chosen.matches):
            least = [chance.choice(LEAST_CHANCES[kind]) for _ in (0, 1)]
            seen, score = played(known, pack, least, chance)
            rows += [features(own, rival, TARGET) for own, rival in seen]
            scores += [score] * len(seen)
        weights = fit(numpy.array(rows), numpy.array(scores))
        print(f"{kind}: {tuple(round(float(weight), 4) for weight in weights)}", flush=True)


if __name__ == "__main__":
    main()
