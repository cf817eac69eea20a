"""How strong people are, as far as offers ask. Play rates nobody: the app that does says here how to ask it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating in one game as of now: in points, with its deviation, and as pages print it."""

    points: float
    deviation: float
    shown: str


Key = tuple[int, str]
"""A user and a game."""
Read = Callable[[Collection[int], Collection[str]], Mapping[Key, Strength]]
Chance = Callable[[Strength, Strength], float]

_sources: list[tuple[Read, Chance]] = []


def register(read: Read, chance: Chance) -> None:
    """Say how ratings are read, for users and games, newcomers included, in one query; and what score the first of two
    may expect, out of 1. Once, from AppConfig.ready."""
    _sources.append((read, chance))


def read(users: Collection[int], games: Collection[str]) -> Mapping[Key, Strength]:
    """The strength of each of these users in each of these games. One query."""
    return _sources[-1][0](users, games) if _sources and users and games else {}


def percent(own: Strength, other: Strength) -> int:
    """The first one's chance to win, in percent; a draw counts as half."""
    return round(100 * _sources[-1][1](own, other))
