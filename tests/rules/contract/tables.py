"""Which tables the contract tests play at: every game, every number of seats somewhere, all options pairwise.

The first game of a family is tried at its fewest, three, four and most seats and with every pair of values of its
options; the others with every pair that has an option the family has not had before. Option sets and presets take
turns with the numbers of seats, so that the whole suite stays quick.
"""

from collections.abc import Collection, Iterator
from itertools import combinations, cycle
from typing import Any

import pytest

from oceans.rules.game import Game
from oceans.rules.games import GAMES
from oceans.rules.options import BadOptions, Choice, Flag, kinds, read_options

TRIED: dict[str, tuple[Any, ...]] = {
    "ante": (1, 3),
    "bet": (2, 5),
    "bet_max": (5, 9),
    "deals": (None,),
    "match_cap": (None, 2),
    "max_deals": (12, 1),
    "nelly_fee": (2,),
    "nelly_max": (10, 1),
    "pots": (3, 1),
    "raises": (2, 0, 3),
    "redeal_limit": (None, 1),
    "rounds": (1,),
    "stack": (100, 20),
    "target": (None, 20),
}
"""Values worth trying of options with long ranges; of others every value is tried."""


def values_of(game: Game) -> dict[str, list[Any]]:
    found = {}
    for name, (kind, default) in kinds(game).items():
        if isinstance(kind, Choice):
            values: list[Any] = [value for value, _ in kind.values]
        elif isinstance(kind, Flag):
            values = [default] if name == "open_archive" else [False, True]
        elif name in TRIED:
            values = [value for value in TRIED[name] if value is None or kind.low <= value <= kind.high]
        else:
            values = list(range(kind.low, kind.high + 1))
        found[name] = values
    return found


def fits(game: Game, given: dict[str, Any], seats: int) -> bool:
    try:
        read_options(game, given, seats)
    except BadOptions:
        return False
    return True


def option_sets(game: Game, seats: int, known: Collection[str] = ()) -> list[dict[str, Any]]:
    """The defaults, then sets in which every pair of values that fit together occurs at least once, but for pairs of
    known options. What has only one value worth trying has it in every set."""
    values = values_of(game)
    single = {name: only for name, (only, *more) in values.items() if not more}
    wanted = [
        {one: first, other: second}
        for one, other in combinations([name for name in values if name not in single], 2)
        if one not in known or other not in known
        for first in values[one]
        for second in values[other]
    ]
    wanted = [pair for pair in wanted if fits(game, pair, seats)] or [
        {name: value} for name in values for value in values[name]
    ]
    sets: list[dict[str, Any]] = [{}]
    while wanted:
        chosen = dict(single)
        for pair in wanted:
            joined = {**chosen, **pair}
            if all(chosen.get(name, value) == value for name, value in pair.items()) and fits(game, joined, seats):
                chosen = joined
        sets.append(chosen)
        wanted = [pair for pair in wanted if not pair.items() <= chosen.items()]
    return sets


def tables() -> Iterator[Any]:
    known: dict[str, set[str]] = {}
    for game in GAMES:
        counts = sorted({game.seats[0], 3, 4, game.seats[-1]} & set(game.seats))
        turns = cycle(counts)
        first = game.family not in known
        family = known.setdefault(game.family, set())
        names = set(kinds(game))
        sets = option_sets(game, counts[-1], () if game.is_one_deal else family)[1:]
        played = [(seats, {}) for seats in (counts if first else [counts[len(known) % len(counts)]])]
        played += [
            (next(turns), given)
            for given in sets[: None if game.is_one_deal or names - family else 1 if game.fixed else 2]
        ]
        family |= names
        for seats, given in played:
            if fits(game, given, seats):
                name = "-".join(f"{key}={value}" for key, value in given.items())
                yield pytest.param((game, seats, given), id=f"{game.slug}-{seats}-{name}"[:60])


TABLES = list(tables())
