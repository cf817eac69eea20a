"""How long comparing two rows takes, and how ranking compares with published evaluators in the same run.

`python tests/benchmarks/ranking.py`; the evaluators are in `tests/benchmarks/requirements.txt`, any may be missing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from oceans.rules.cards import JOKERS, PACK_52, Card
from oceans.rules.rows import WILDS, compare_rows, row_key

LENGTHS = (2, 5, 7, 10, 15, 20, 26, 33, 40, 46, 52)
ROUNDS = 3

Row = list[Card]


def seconds(work: Callable[[Any], object], items: Sequence[Any]) -> float:
    """The time for one item: the best of several rounds over all of them."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = perf_counter()
        for item in items:
            work(item)
        best = min(best, perf_counter() - started)
    return best / len(items)


def row_with(random: Random, length: int, wilds: Sequence[Card]) -> Row:
    """A random row with exactly these wilds."""
    natural = [card for card in PACK_52 if card.rank > 2] if wilds else list(PACK_52)
    return random.sample([*wilds, *random.sample(natural, length - len(wilds))], length)


def by_length_and_wilds(random: Random, pairs: int) -> Iterator[str]:
    """Microseconds for one comparison of two random rows with the same number of wilds (Twos, then jokers)."""
    wild = WILDS["jokers+twos"]
    wild_cards = [*(card for card in PACK_52 if card.rank == 2), *JOKERS]
    yield "microseconds per comparison" + "".join(f"{length:>7}" for length in LENGTHS) + "  cards in each row"
    for wilds in range(len(wild_cards) + 1):
        cells = []
        for length in LENGTHS:
            if not wilds <= length <= (48 + wilds if wilds else len(PACK_52)):
                cells.append("")
                continue
            rows = [
                (row_with(random, length, wild_cards[:wilds]), row_with(random, length, wild_cards[:wilds]))
                for _ in range(pairs)
            ]
            allowed = wild if wilds else WILDS["none"]
            taken = seconds(lambda pair, allowed=allowed: compare_rows(*pair, allowed), rows)
            cells.append(f"{taken * 1e6:.1f}")
        yield f"{wilds} wild".rjust(27) + "".join(cell.rjust(7) for cell in cells)


Evaluator = tuple[Callable[[Any], object], list[Any]]
"""A function that evaluates one hand, and the hands in the form it takes."""


def treys(rows: Iterable[Row]) -> Evaluator:
    library = import_module("treys")
    evaluate = library.Evaluator().evaluate
    hands = [[library.Card.new(str(card)) for card in row] for row in rows]
    return lambda hand: evaluate(hand[:2], hand[2:]), hands


def pokerkit(rows: Iterable[Row]) -> Evaluator:
    library = import_module("pokerkit")
    hands = [tuple(library.Card.parse("".join(map(str, row)))) for row in rows]
    return library.StandardHighHand.from_game, hands


def phevaluator(rows: Iterable[Row]) -> Evaluator:
    library = import_module("phevaluator")
    hands = [[library.Card(str(card)) for card in row] for row in rows]
    return lambda hand: library.evaluate_cards(*hand), hands


def eval7(rows: Iterable[Row]) -> Evaluator:
    library = import_module("eval7")
    return library.evaluate, [[library.Card(str(card)) for card in row] for row in rows]


def beside_others(random: Random, count: int) -> Iterator[str]:
    """Seven cards a row: rows of ours a second, and the ratio to hands a second of each evaluator."""
    rows = [random.sample(PACK_52, 7) for _ in range(count)]
    plain = seconds(row_key, rows)
    twos = seconds(lambda row: row_key(row, WILDS["twos"]), rows)
    yield f"{'seven cards':<14}{'a second':>12}{'no wilds':>12}{'Twos wild':>12}  (ours as a multiple)"
    yield f"{'no wilds':<14}{1 / plain:>12,.0f}"
    yield f"{'Twos wild':<14}{1 / twos:>12,.0f}"
    for evaluator in (pokerkit, treys, phevaluator, eval7):
        try:
            evaluate, hands = evaluator(rows)
        except ImportError:
            yield f"{evaluator.__name__:<14}{'not installed':>12}"
            continue
        theirs = seconds(evaluate, hands)
        yield f"{evaluator.__name__:<14}{1 / theirs:>12,.0f}{theirs / plain:>12.2f}{theirs / twos:>12.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--pairs", type=int, default=300, help="random pairs of rows for each length and number of wilds"
    )
    parser.add_argument("--rows", type=int, default=3000, help="random rows of seven cards to compare evaluators on")
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    if options.pairs < 1 or options.rows < 1:
        parser.error("--pairs and --rows must be at least 1.")
    random = Random(options.seed)
    for line in by_length_and_wilds(random, options.pairs):
        print(line)
    print()
    for line in beside_others(random, options.rows):
        print(line)


if __name__ == "__main__":
    main()
