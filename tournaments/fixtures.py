"""From match to fixture: the points a match is worth in an event, and its deadlines (docs/competition.md, 4).

Points are stored doubled, win 2, draw 1, loss 0, so that all sums in standings are whole numbers.
"""

from dataclasses import dataclass
from typing import Final

from tournaments.players import Player

PLAYED: Final = "played"
FORFEIT: Final = "forfeit"
OVERDUE: Final = "overdue"
OPEN: Final = "open"
HOWS: Final = frozenset({PLAYED, FORFEIT, OVERDUE, OPEN})
SCORES: Final = frozenset({(2, 0), (1, 1), (0, 2), (0, 0)})
HARD_LIMIT_RATIO: Final = 1.5

_ROUND_DAYS: Final = {"classic": 150, "steady": 90, "brisk": 60, "daily": 21}


@dataclass(frozen=True, slots=True)
class Fixture:
    """One pairing of two players: `score` holds the points of a and b, `how` it was decided (`open`: not yet)."""

    a: Player
    b: Player
    score: tuple[int, int]
    how: str

    def __post_init__(self) -> None:
        if self.a == self.b:
            raise ValueError(f"{self.a} cannot meet himself.")
        if self.how not in HOWS:
            raise ValueError(f"A fixture is played, forfeit, overdue or open, not {self.how}.")
        if self.score not in SCORES:
            raise ValueError(f"A fixture ends 2-0, 1-1, 0-2 or 0-0, not {self.score[0]}-{self.score[1]}.")

    @property
    def is_decided(self) -> bool:
        return self.how != OPEN

    @property
    def players(self) -> frozenset[Player]:
        return frozenset((self.a, self.b))

    def points_of(self, player: Player) -> int:
        """Points of one of the two players; nothing yet while the fixture is open."""
        if not self.is_decided:
            return 0
        return self.score[0] if player == self.a else self.score[1]

    def opponent_of(self, player: Player) -> Player:
        return self.b if player == self.a else self.a


@dataclass(frozen=True, slots=True)
class SideTime:
    """How one side of a late match stands: hours of thinking with leave counted, and whether it ever moved."""

    hours: float
    moved: bool

    def __post_init__(self) -> None:
        if not self.hours >= 0:
            raise ValueError("Hours of thinking cannot be negative.")


def at_hard_limit(a: SideTime, b: SideTime) -> tuple[tuple[int, int], str]:
    """Score and `how` of a match closed at the hard limit of its round.

    A side that never moved forfeits; else the one that thought at least twice as long as the other loses; else a draw.
    """
    if not (a.moved and b.moved):
        return (2 * a.moved, 2 * b.moved), FORFEIT
    slow, quick = max(a.hours, b.hours), min(a.hours, b.hours)
    if slow > quick and slow >= 2 * quick:
        return ((0, 2) if a.hours == slow else (2, 0)), OVERDUE
    return (1, 1), OVERDUE


def from_match(reason: str, winner: int | None, moved: tuple[bool, bool]) -> tuple[tuple[int, int], str] | None:
    """Score and `how` of a finished match, None if a new match must be made.

    `reason` is the finish reason of the match, `winner` 0 or 1 for its first or second side, None for neither.
    A match closed by a withdrawal, an exclusion or a deletion has reason `abandoned`; without a winner both are gone.
    """
    score = (1, 1) if winner is None else (2 - 2 * winner, 2 * winner)
    if reason in ("aborted", "cancelled"):
        return None
    if reason in ("normal", "agreed_draw", "adjudicated"):
        return score, PLAYED
    if reason in ("resign", "timeout"):
        return score, PLAYED if all(moved) else FORFEIT
    if reason in ("no_show", "abandoned"):
        return ((0, 0) if winner is None else score), FORFEIT
    raise ValueError(f"A match of an event cannot end by {reason}.")


def round_days(pace: str | int, games_in_turn: int = 1) -> int:
    """Days after which a round is overdue. `pace` is a pace's name, or the days for each move.

    A match of several games one after the other has that many times as long.
    """
    if games_in_turn < 1:
        raise ValueError("A match has at least one game.")
    if isinstance(pace, int):
        if pace < 1:
            raise ValueError("A move takes at least one day at this pace.")
        return max(30, 25 * pace) * games_in_turn
    if pace not in _ROUND_DAYS:
        raise ValueError(f"There is no pace called {pace}.")
    return _ROUND_DAYS[pace] * games_in_turn
