"""Dividing a ranked field into groups or tables of nearly equal size and strength."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def even_sizes(total: int, groups: int) -> list[int]:
    """Sizes that differ by at most one, larger first: 14 in 4 groups is 4 4 3 3."""
    if groups < 1 or total < groups:
        raise ValueError(f"{total} players do not fill {groups} groups.")
    size, larger = divmod(total, groups)
    return [size + 1] * larger + [size] * (groups - larger)


def snake(ranked: Sequence[T], sizes: Sequence[int]) -> list[list[T]]:
    """Deal from the strongest down: over the groups forwards, then backwards, and so on; a full group is skipped."""
    if len(ranked) != sum(sizes):
        raise ValueError(f"{len(ranked)} players do not fill groups for {sum(sizes)}.")
    groups: list[list[T]] = [[] for _ in sizes]
    waiting = iter(ranked)
    for row in range(max(sizes, default=0)):
        order = range(len(sizes)) if row % 2 == 0 else reversed(range(len(sizes)))
        for index in order:
            if len(groups[index]) < sizes[index]:
                groups[index].append(next(waiting))
    return groups
