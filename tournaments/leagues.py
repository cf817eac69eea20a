"""The championship league: how many groups on which level, and who plays where next (docs/competition.md, 10)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tournaments.players import Player, id_key, require_distinct
from tournaments.snake import even_sizes, snake

FEWEST: Final = 4
SMALLEST, TARGET, LARGEST = 7, 9, 11
MOST: Final = 1_000_000
LAST_RISING, LAST_STAYING = 2, 5
UNRATED: Final = 1500.0

_COMING_DOWN, _COMING_UP, _STAYING, _NEW = range(4)

Levels = Sequence[Sequence[Sequence["LeagueLine"]]]


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A line of the last edition: strict place in the group, points and the most that could be made."""

    player: Player
    place: int
    points: int
    most: int

    def __post_init__(self) -> None:
        if self.place < 1:
            raise ValueError("Places start at 1.")
        if not 0 <= self.points <= self.most:
            raise ValueError(f"{self.player} cannot have {self.points} of {self.most} points.")

    @property
    def rate(self) -> Fraction:
        """Share of the points he could have made."""
        return Fraction(self.points, self.most) if self.most else Fraction(0)


@dataclass(frozen=True, slots=True)
class Edition:
    """Groups of the next edition by level, each in merit order; how each player moved: up, down, same, new, left."""

    levels: list[list[list[Player]]]
    moves: dict[Player, str]


def layout(players: int) -> list[list[int]]:
    """Group sizes of each level from the top; empty if there are too few players for a league."""
    if not (isinstance(players, int) and 0 <= players <= MOST):
        raise ValueError(f"The number of players is a whole number from 0 to {MOST:,}.")
    levels: list[list[int]] = []
    rest, most_groups = (players if players >= FEWEST else 0), 1
    while rest:
        if rest <= LARGEST * most_groups:
            return [*levels, even_sizes(rest, _lowest_groups(rest, most_groups))]
        taken = _level_size(rest, most_groups)
        levels.append(even_sizes(taken, most_groups))
        rest, most_groups = rest - taken, 2 * most_groups
    return levels


def next_edition(
    levels: Levels, ratings: Mapping[Player, float], leaving: Collection[Player] = (), new: Collection[Player] = ()
) -> Edition:
    """Rebuild the league: merit list from the last edition, then filled into the layout from the top.

    `levels` are the final groups of the last edition, empty for the first one. Nothing is built for fewer than 4.
    """
    old_level = {line.player: k for k, groups in enumerate(levels, start=1) for group in groups for line in group}
    everybody = [line.player for groups in levels for group in groups for line in group]
    require_distinct([*everybody, *new], "player")
    if strangers := [player for player in leaving if player not in old_level]:
        raise ValueError(f"{strangers[0]} cannot leave, not having played in the last edition.")
    merit = _merit_list(levels, ratings, leaving, new)
    if len(merit) < FEWEST:
        return Edition([], {})
    built = []
    for sizes in layout(len(merit)):
        level, merit = merit[: sum(sizes)], merit[sum(sizes) :]
        built.append(snake(level, sizes))
    moves = dict.fromkeys(leaving, "left")
    for number, groups in enumerate(built, start=1):
        moves |= {player: _move(old_level.get(player), number) for group in groups for player in group}
    return Edition(built, moves)


def _merit_list(
    levels: Levels, ratings: Mapping[Player, float], leaving: Collection[Player], new: Collection[Player]
) -> list[Player]:
    """Everybody who plays next, by target level, reason for being there, place, share of points, rating and id."""
    keys: dict[Player, tuple[int, int, int, Fraction]] = {}
    for number, groups in enumerate(levels, start=1):
        for line in (line for group in groups for line in group if line.player not in leaving):
            target, reason = _target(number, line.place)
            keys[line.player] = (target, reason, line.place, -line.rate)
    keys |= dict.fromkeys(new, (max(1, len(levels)), _NEW, 0, Fraction(0)))
    return sorted(keys, key=lambda player: (*keys[player], -ratings.get(player, UNRATED), id_key(player)))


def _target(level: int, place: int) -> tuple[int, int]:
    if place <= LAST_RISING and level > 1:
        return level - 1, _COMING_UP
    if place <= LAST_STAYING:
        return level, _STAYING
    return level + 1, _COMING_DOWN


def _move(old: int | None, now: int) -> str:
    if old is None:
        return "new"
    return "same" if now == old else "up" if now < old else "down"


def _lowest_groups(rest: int, most_groups: int) -> int:
    possible = [groups for groups in range(1, most_groups + 1) if rest <= LARGEST * groups]
    return min(possible, key=lambda groups: (abs(Fraction(rest, groups) - TARGET), groups))


def _level_size(rest: int, groups: int) -> int:
    """Players taken by a level above the lowest: near nine in each group, and such that the rest can be divided too."""
    fitting = [
        taken
        for taken in range(SMALLEST * groups, LARGEST * groups + 1)
        if taken < rest and _divides(rest - taken, 2 * groups)
    ]
    if not fitting:
        return -(-rest // 2)
    return min(fitting, key=lambda taken: (abs(taken - TARGET * groups), -taken))


def _divides(rest: int, most_groups: int) -> bool:
    """Whether what remains fills more than the next level, or can be split in groups of a proper size there."""
    if rest > LARGEST * most_groups:
        return True
    return -(-rest // LARGEST) <= min(most_groups, rest // SMALLEST)
