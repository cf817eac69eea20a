"""Events at tables of three and more: sizes, seating, points by place, standings (docs/competition.md, 8)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Any, Final, Self

from tournaments.players import Entrant, Player, by_seed, require_distinct
from tournaments.snake import even_sizes, snake
from tournaments.standings import Standing, Value, ranked

FULL_POINTS: Final = 120
SMALLEST, LARGEST = 3, 6
MOST_PLAYERS: Final = 100_000
TABLES_CHAIN: Final = ("points", "firsts", "soo")

Scale = Mapping[int, Sequence[int]]
"""Points by place for each table size, chosen by the director: {4: (6, 3, 1, 0)}."""


@dataclass(frozen=True, slots=True)
class Sizing:
    """What the director asked for: the size to aim at and the smallest and largest table allowed."""

    target: int
    smallest: int
    largest: int

    def __post_init__(self) -> None:
        if not SMALLEST <= self.smallest <= self.target <= self.largest <= LARGEST:
            raise ValueError(f"Table sizes go from {SMALLEST} to {LARGEST}, with the target between the two limits.")

    @classmethod
    def of(cls, shape: Mapping[str, Any]) -> Self:
        """The sizes that the settings of an event ask for."""
        return cls(int(shape["target"]), int(shape["smallest"]), int(shape["largest"]))


@dataclass(frozen=True, slots=True)
class TableResult:
    """A finished table: seats with their ranks in the game (1 is best, ties equal), and the seats that never moved."""

    seats: tuple[Player, ...]
    ranks: tuple[int, ...]
    no_shows: frozenset[Player] = frozenset()

    def __post_init__(self) -> None:
        require_distinct(self.seats, "player")
        if len(self.seats) != len(self.ranks):
            raise ValueError("A table needs one rank for each seat.")
        if not SMALLEST <= len(self.seats) <= LARGEST:
            raise ValueError(f"A table has {SMALLEST} to {LARGEST} seats.")
        if min(self.ranks) < 1:
            raise ValueError("Ranks start at 1.")
        if stranger := next((player for player in self.no_shows if player not in self.seats), None):
            raise ValueError(f"{stranger} does not sit at this table.")

    @property
    def places(self) -> dict[Player, int]:
        """Places with the ranks closed up; who never moved comes last."""
        order = [
            (player in self.no_shows, 0 if player in self.no_shows else rank)
            for player, rank in zip(self.seats, self.ranks, strict=True)
        ]
        return {
            player: 1 + sum(other < mine for other in order) for player, mine in zip(self.seats, order, strict=True)
        }

    def points(self, scale: Scale | None = None) -> dict[Player, Value]:
        """Points by place: 120 for the first down to 0 for the last, tied seats share; nothing for who never moved."""
        places = self.places
        worth = _worth(len(self.seats), scale)
        shares = Counter(places.values())
        return {
            player: 0
            if player in self.no_shows
            else _plain(Fraction(sum(worth[place - 1 :][: shares[place]]), shares[place]))
            for player, place in places.items()
        }

    def is_first(self, player: Player) -> bool:
        """Won the table, alone or shared."""
        return player not in self.no_shows and self.places[player] == 1


def table_sizes(players: int, sizing: Sizing) -> list[int] | None:
    """Sizes of the tables for one round, larger first; None if the players cannot be divided within the limits."""
    if not (isinstance(players, int) and 0 <= players <= MOST_PLAYERS):
        raise ValueError(f"The number of players is a whole number from 0 to {MOST_PLAYERS:,}.")
    possible = [
        tables
        for tables in range(1, players // sizing.smallest + 1)
        if players // tables >= sizing.smallest and ceil(players / tables) <= sizing.largest
    ]
    if not possible:
        return None
    best = min(possible, key=lambda tables: (abs(Fraction(players, tables) - sizing.target), -tables))
    return even_sizes(players, best)


def seat_round(
    entrants: Collection[Entrant],
    sizing: Sizing,
    rounds: Sequence[Sequence[TableResult]],
    absent: Collection[Player] = (),
    scale: Scale | None = None,
) -> list[list[Player]] | None:
    """Who sits at which table after these rounds; None if no division is possible any more.

    Round 1 is a snake by start number. Later each table in turn takes the first unseated player in the order of points,
    firsts and start number, then from the next few whoever has met the table least. Seats are drawn afterwards.
    """
    playing = [entrant for entrant in by_seed(entrants) if entrant.player not in absent]
    sizes = table_sizes(len(playing), sizing)
    if sizes is None:
        return None
    if not rounds:
        return snake([entrant.player for entrant in playing], sizes)
    values = _values(entrants, rounds, scale)
    order = [line.player for line in ranked(playing, values, ("points", "firsts"))]
    met = _meetings(rounds)
    return [_fill(order, size, met) for size in sizes]


def standings(
    entrants: Collection[Entrant], rounds: Sequence[Sequence[TableResult]], scale: Scale | None = None
) -> list[Standing]:
    """The table of the event: points, firsts, strength of opposition. Who left keeps points and place."""
    values = _values(entrants, rounds, scale)
    opposition: dict[Player, Fraction] = dict.fromkeys(values, Fraction(0))
    for table in (table for round_ in rounds for table in round_):
        for player in table.seats:
            mates = [values[other]["points"] for other in table.seats if other != player]
            opposition[player] += Fraction(sum(mates)) / len(mates)
    complete = {player: {**own, "soo": opposition[player]} for player, own in values.items()}
    return ranked(entrants, complete, TABLES_CHAIN)


def places_after_final(lines: Sequence[Standing], final: TableResult) -> dict[Player, int]:
    """Places when a final table was played: its places come first, everybody else follows in the old order."""
    first = final.places
    rest = [line for line in lines if line.player not in first]
    return first | {line.player: len(first) + 1 + sum(other.place < line.place for other in rest) for line in rest}


def _values(
    entrants: Iterable[Entrant], rounds: Sequence[Sequence[TableResult]], scale: Scale | None
) -> dict[Player, dict[str, Value]]:
    values: dict[Player, dict[str, Value]] = {e.player: {"points": 0, "firsts": 0} for e in entrants}
    for round_ in rounds:
        require_distinct([player for table in round_ for player in table.seats], "player")
        for table in round_:
            for player, points in table.points(scale).items():
                if player not in values:
                    raise ValueError(f"{player} is not entered in this event.")
                values[player]["points"] += points
                values[player]["firsts"] += table.is_first(player)
    return values


def _meetings(rounds: Iterable[Iterable[TableResult]]) -> Counter[frozenset[Player]]:
    tables = (table for round_ in rounds for table in round_)
    return Counter(frozenset(pair) for table in tables for pair in combinations(table.seats, 2))


def _fill(unseated: list[Player], size: int, met: Counter[frozenset[Player]]) -> list[Player]:
    """Seat one table and take its players off the list."""
    table = [unseated.pop(0)]
    while len(table) < size:
        near = unseated[: 2 * size]
        player = min(near, key=lambda candidate: sum(met[frozenset((candidate, mate))] for mate in table))
        unseated.remove(player)
        table.append(player)
    return table


def _worth(size: int, scale: Scale | None) -> Sequence[Value]:
    if scale is None:
        return [_plain(Fraction(FULL_POINTS * (size - place), size - 1)) for place in range(1, size + 1)]
    if len(scale.get(size, ())) != size:
        raise ValueError(f"The scale needs one value for each place at a table of {size}.")
    return scale[size]


def _plain(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value
