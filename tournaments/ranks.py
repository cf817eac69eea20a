"""Permanent ranks: titles reached once and never lost (docs/competition.md, 2)."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rank:
    """A title: the peak rating (never a provisional one) and the won matches it takes, both in one pool."""

    step: int
    slug: str
    name: str
    peak: float
    wins: int


RANKS: Final = (
    Rank(1, "beachcomber", "Beachcomber", 1400, 5),
    Rank(2, "paddler", "Paddler", 1450, 10),
    Rank(3, "deckhand", "Deckhand", 1500, 20),
    Rank(4, "sailor", "Sailor", 1530, 35),
    Rank(5, "boatswain", "Boatswain", 1560, 50),
    Rank(6, "helmsman", "Helmsman", 1590, 75),
    Rank(7, "navigator", "Navigator", 1620, 100),
    Rank(8, "skipper", "Skipper", 1660, 150),
    Rank(9, "captain", "Captain", 1700, 200),
    Rank(10, "admiral", "Admiral", 1750, 300),
)


def reached(peak: float | None, wins: int, held: Rank | None = None) -> Rank | None:
    """The highest rank reached so far. `peak` is None before the first day with a settled rating."""
    if wins < 0:
        raise ValueError("Wins cannot be negative.")
    earned = [rank for rank in RANKS if peak is not None and peak >= rank.peak and wins >= rank.wins]
    return max([*earned, *([held] if held else [])], key=lambda rank: rank.step, default=None)


def next_after(rank: Rank | None) -> Rank | None:
    """The rank to strive for, None at the top."""
    step = rank.step if rank else 0
    return RANKS[step] if step < len(RANKS) else None
