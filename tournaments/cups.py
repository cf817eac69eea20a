"""The cup: groups, then a knock-out in which no two of one group meet at once (docs/competition.md, 9)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tournaments.brackets import bracket_size, slot_order
from tournaments.players import Player, id_key, require_distinct
from tournaments.snake import even_sizes, snake

FEWEST: Final = 4
SMALLEST_LIMIT, LARGEST_LIMIT = 4, 8
GO_ON: Final = 2


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A line of a finished group in strict order; `most` is twice the number of fixtures that counted."""

    player: Player
    points: int
    most: int
    seed: int

    def __post_init__(self) -> None:
        if not 0 <= self.points <= self.most:
            raise ValueError(f"{self.player} cannot have {self.points} of {self.most} points.")

    @property
    def rate(self) -> Fraction:
        """Share of the points he could have made."""
        return Fraction(self.points, self.most) if self.most else Fraction(0)


@dataclass(frozen=True, slots=True)
class CupDraw:
    """Qualified players by seed, round 1 in bracket order (None is a bye), and the seeds that changed places."""

    seeds: list[Player]
    first_round: list[tuple[Player | None, Player | None]]
    swaps: list[tuple[int, int]]


def draw_groups(ratings: dict[Player, float], limit: int) -> list[list[Player]]:
    """Groups of at most `limit`, dealt in a snake by rating; equal ratings by id."""
    if len(ratings) < FEWEST:
        raise ValueError(f"A cup needs at least {FEWEST} entrants.")
    if not SMALLEST_LIMIT <= limit <= LARGEST_LIMIT:
        raise ValueError(f"Groups of a cup have at most {SMALLEST_LIMIT} to {LARGEST_LIMIT} players.")
    order = sorted(ratings, key=lambda player: (-ratings[player], id_key(player)))
    return snake(order, even_sizes(len(order), -(-len(order) // limit)))


def draw_bracket(groups: Sequence[Sequence[GroupLine]]) -> CupDraw:
    """Seeds and first round from the finished groups. With a single group its winner has won the cup already."""
    if not groups or not all(groups):
        raise ValueError("Every group needs at least one player in its table.")
    require_distinct([line.player for group in groups for line in group], "player")
    going_on = 1 if len(groups) == 1 else GO_ON
    qualified = [
        line
        for place in range(going_on)
        for line in sorted((g[place] for g in groups if len(g) > place), key=lambda line: (-line.rate, line.seed))
    ]
    seeds = [line.player for line in qualified]
    home = {line.player: number for number, group in enumerate(groups) for line in group}
    order = slot_order(bracket_size(len(seeds)))
    pairs = list(zip(order[::2], order[1::2], strict=False))
    by_slot: list[Player | None] = [None, *seeds, *[None] * (len(order) - len(seeds))]
    swaps = _part_neighbours(by_slot, pairs, home, range(len(groups) + 1, len(seeds) + 1))
    return CupDraw(seeds, [(by_slot[a], by_slot[b]) for a, b in pairs], swaps)


def _part_neighbours(
    by_slot: list[Player | None],
    pairs: Sequence[tuple[int, int]],
    home: dict[Player, int],
    runners_up: Collection[int],
) -> list[tuple[int, int]]:
    """Exchange seeds until no first-round pair comes from one group, where that can be done; return the exchanges.

    The worse seed of a clash changes with the nearest runner-up below, else above, that leaves neither pair a clash.
    """
    rival = {seed: other for a, b in pairs for seed, other in ((a, b), (b, a))}

    def clashes(seed: int) -> bool:
        one, other = by_slot[seed], by_slot[rival[seed]]
        return one is not None and other is not None and home[one] == home[other]

    swaps = []
    for a, b in pairs:
        if not clashes(a):
            continue
        worse, better = max(a, b), min(a, b)
        below = [seed for seed in sorted(runners_up) if seed > worse]
        above = [seed for seed in sorted(runners_up, reverse=True) if seed < worse and seed != better]
        for other in below + above:
            by_slot[worse], by_slot[other] = by_slot[other], by_slot[worse]
            if not clashes(worse) and not clashes(other):
                swaps.append((worse, other))
                break
            by_slot[worse], by_slot[other] = by_slot[other], by_slot[worse]
    return swaps
