"""Fits the weights of `oceans/bots/worth.py`: plays Ocean's Eleven, twos wild, between bots of Ferry's kind, and finds
the logistic formula that best tells the winner from what is seen between hands. Takes a minute or two; needs numpy.

    python -m tests.benchmarks.fit_worth --matches 8000
"""

import argparse
import random

import numpy

from oceans.bots.race import Policy, Race
from oceans.bots.worth import Side, features
from oceans.rules.cards import PACK_52
from oceans.rules.rows import WILDS

TARGET = 6
LEAST_CHANCES = (0.08, 0.11, 0.15, 0.15, 0.2, 0.25)


def policy(least: float) -> Policy:
    return lambda race, seat: race.chance(seat, race.piles[seat]) >= least


def played(chance: random.Random) -> tuple[list[tuple[Side, Side]], float]:
    """One game: the sides before each hand, and what seat 0 made of it."""
    policies = [policy(chance.choice(LEAST_CHANCES)) for _ in (0, 1)]
    piles = [chance.sample(PACK_52, 52) for _ in (0, 1)]
    wins, seen = [0, 0], []
    while max(wins) < TARGET and all(piles):
        sides = [Side(wins[s], len(piles[s]), sum(card.rank == 2 for card in piles[s])) for s in (0, 1)]
        seen.append((sides[0], sides[1]))
        race = Race(WILDS["twos"], 4, TARGET, wins, [[], []], piles, [(), ()])
        race.turn_up(0)
        race.turn_up(1)
        winner = race.play_out(policies)
        if winner is not None:
            wins[winner] += 1
    mine, theirs = (min(TARGET, wins[s] + len(piles[s]) * (not piles[1 - s])) for s in (0, 1))
    return seen, 0.5 + (mine > theirs) / 2 - (mine < theirs) / 2


def fit(rows: numpy.ndarray, scores: numpy.ndarray, steps: int = 40) -> numpy.ndarray:
    """Logistic regression by Newton's method, very lightly damped."""
    weights = numpy.zeros(rows.shape[1])
    for _ in range(steps):
        odds = 1 / (1 + numpy.exp(-rows @ weights))
        slope = rows.T @ (scores - odds) - 1e-3 * weights
        bend = (rows * (odds * (1 - odds))[:, None]).T @ rows + 1e-3 * numpy.eye(len(weights))
        weights = weights + numpy.linalg.solve(bend, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    rows, scores = [], []
    for _ in range(chosen.matches):
        seen, score = played(chance)
        for own, rival in seen:
            rows += [features(own, rival, TARGET), features(rival, own, TARGET)]
            scores += [score, 1 - score]
    print(tuple(round(float(weight), 4) for weight in fit(numpy.array(rows), numpy.array(scores))))


if __name__ == "__main__":
    main()
