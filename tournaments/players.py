"""Who competes: player ids, start numbers and the orders of last resort (docs/competition.md, 1)."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

Player: TypeAlias = int | str
"""An internal id that outlives the account; a name in hand-written examples."""

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player inside one event. `seed` is the start number, 1 for the strongest; it settles every last tie there."""

    player: Player
    seed: int


def id_key(player: Player) -> tuple[int, int, str]:
    """Sort key of an id outside events: numbers by size, then names by letters."""
    return (0, player, "") if isinstance(player, int) else (1, 0, player)


def by_seed(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Entrants by start number. ValueError if a player or a start number occurs twice."""
    ordered = sorted(entrants, key=lambda entrant: entrant.seed)
    require_distinct([entrant.player for entrant in ordered], "player")
    require_distinct([entrant.seed for entrant in ordered], "start number")
    return ordered


def require_distinct(items: Sequence[T], noun: str) -> None:
    """ValueError naming the first item that occurs twice."""
    for item, count in Counter(items).items():
        if count > 1:
            raise ValueError(f"The {noun} {item} is named more than once.")
