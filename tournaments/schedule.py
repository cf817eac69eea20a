"""Berger's schedule of a round robin: who meets whom when, and who has the first seat (docs/competition.md, 6)."""

from collections import Counter
from dataclasses import dataclass

MOST_PLAYERS = 1000


@dataclass(frozen=True, slots=True)
class Round:
    """Pairs of start numbers, first seat first, in the order of the smaller number; the number that is free, if any."""

    pairs: list[tuple[int, int]]
    bye: int | None


def berger(players: int, cycles: int = 1) -> list[Round]:
    """All rounds for `players` start numbers from 1. A second cycle repeats the first with the seats changed."""
    if not 2 <= players <= MOST_PLAYERS:
        raise ValueError(f"A round robin is for 2 to {MOST_PLAYERS:,} players.")
    if cycles not in (1, 2):
        raise ValueError("A round robin is played once or twice.")
    even = players + players % 2
    rounds = [Round([], None) for _ in range(even - 1)]
    byes: dict[int, int] = {}
    for i in range(1, even + 1):
        for j in range(i + 1, even + 1):
            index, pair = _meeting(i, j, even)
            if j > players:
                byes[index] = i
            else:
                rounds[index].pairs.append(pair)
    first = [Round(round_.pairs, byes.get(index)) for index, round_ in enumerate(rounds)]
    if cycles == 1:
        return first
    return first + [Round([(j, i) for i, j in round_.pairs], round_.bye) for round_ in first]


def first_seats(rounds: list[Round]) -> Counter[int]:
    """How often each start number has the first seat."""
    return Counter(pair[0] for round_ in rounds for pair in round_.pairs)


def _meeting(i: int, j: int, even: int) -> tuple[int, tuple[int, int]]:
    """Index of the round in which i and j > i meet, and the pair with the first seat first."""
    if j == even:
        return (2 * i - 2) % (even - 1), (i, j) if i <= even // 2 else (j, i)
    return (i + j - 2) % (even - 1), (i, j) if (i + j) % 2 else (j, i)
