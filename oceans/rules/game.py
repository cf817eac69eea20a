"""The interface each game fills in.

A game is stateless: it opens a deal on a table, says who must answer what, and plays answers. The engine around it
(engine.py) keeps matches of many deals, sealed answers and the log; look.py alone turns a state into what one seat
may see. Every field of a game's state except `table` is public.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from .asks import Ask
from .cards import PACK_52, Card
from .moves import Move
from .options import Kind
from .table import Dealer, Pack, Seat, Shuffle, Table

if TYPE_CHECKING:
    from .look import View
    from .orders import Order


@dataclass(frozen=True, slots=True)
class Who:
    """A seat named in a sentence."""

    seat: Seat


Part = Who | Card | int | str


@dataclass(frozen=True, slots=True)
class Said:
    """One public sentence about a step: a text with a `{}` for each part, which a page fills with names and cards,
    and a note such as the hand just made."""

    text: str
    parts: tuple[Part, ...] = ()
    note: str = ""
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """Who must answer, and what. `sealed`: nobody sees an answer before all have answered. `unnamed`: nobody is told
    who is being waited for."""

    asks: Mapping[Seat, Ask]
    sealed: bool = False
    unnamed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state of one deal. Games add public fields of their own. `said` holds the sentences of the last step."""

    table: Table
    said: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal ended: points made by each seat, who is out of the match from now on, and what the next deal gets
    from this one besides stacks, pot and button."""

    points: tuple[int, ...]
    out: frozenset[Seat] = frozenset()
    carry: Any = None
    shown: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class DealResult:
    """One finished deal: its last table (with who may see what), chip changes and points by seat, who was shown."""

    deal_no: int
    table: Table = field(repr=False)
    deltas: tuple[int, ...]
    ending: Ending


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a match stands between deals; all of it public."""

    seats: int
    options: Any
    results: tuple[DealResult, ...]
    stacks: tuple[int, ...]
    points: tuple[int, ...]
    pot: int
    out: Mapping[Seat, int]
    """Seats out of the match by their chips, with the deal they went out in."""
    retired: tuple[Seat, ...]
    """Seats that left, in order of leaving."""

    @property
    def staying(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.out and seat not in self.retired)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Places (1 is best, equal places 1, 1, 3) and the score by seat: hands won, points or chips."""

    places: tuple[int, ...]
    score: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandReading:
    """What a seat's visible cards amount to, in words. `standing` is "ahead", "behind", "level" or nothing."""

    name: str = ""
    detail: str = ""
    standing: str = ""
    best: tuple[Card, ...] = ()
    rest: tuple[Card, ...] = ()
    stands_for: tuple[tuple[Card, Card], ...] = ()
    gap: int = 0
    """Empty places in the hand that counts."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A view put into words for pages and mails: one verdict (who is ahead and why), one reading per seat."""

    verdict: Said
    reason: Said | None
    hands: tuple[HandReading, ...]
    heading: str = ""
    """Where the match stands, such as "hand 8"."""
    warnings: Mapping[str, Said] = field(default_factory=dict)
    """For moves that cannot be taken back easily: what follows, by verb."""
    labels: Mapping[str, Said] = field(default_factory=dict)
    """What buttons say where the verb alone says too little, by verb: "Call 20"."""


@dataclass(frozen=True, slots=True)
class Length:
    """How much play a match takes in the mean (measured by tests/benchmarks/visits.py): visits of each player, and
    waits one after the other in which somebody, or everybody at once, is asked."""

    visits: float
    waits: float


class Game(ABC):
    """The rules of one game. One object per game; it keeps nothing."""

    slug: str
    name: str
    seats: range
    options: type
    version: ClassVar[int] = 1
    family: ClassVar[str]
    orders: ClassVar[tuple[type[Order], ...]] = ()
    has_chips: ClassVar[bool] = False
    is_one_deal: ClassVar[bool] = False
    has_unnamed_waits: ClassVar[bool] = False
    """Whether nobody is told, at some point of a deal, for whom the game waits."""
    secret: ClassVar[frozenset[str]] = frozenset()
    """Verbs of moves that nobody but their seat may ever see as they were made; the story tells what came of them."""
    fixed: Mapping[str, tuple[Any, ...]] = {}
    """For presets of a family: the values an option may have, the first of them its default."""

    def check(self, options: Any, seats: int) -> None:  # noqa: B027 - most games have nothing to check
        """Raise BadOptions if these options do not fit together or this number of seats."""

    def fitting(self, name: str, kind: Kind, values: Mapping[str, Any], seats: int) -> Kind | None:
        """The values of an option that fit this many seats and these values of the others; None if none is left to
        choose. For forms, which ask `check` all the same."""
        return kind

    def packs(self, options: Any, seats: int, dealer: Dealer) -> tuple[tuple[Pack, ...], tuple[Shuffle, ...]]:
        """The packs of one deal in order, and the shuffles that made them. Default: one shared pack of 52."""
        shuffle = Shuffle("pack0", 0, PACK_52)
        return (Pack(dealer.order(shuffle), PACK_52),), (shuffle,)

    @abstractmethod
    def open(self, table: Table, options: Any, carry: Any) -> State:
        """Begin a deal on a table whose packs are in order: antes, first cards, first phase. `carry` is what the
        last deal's Ending left, None in the first. The table's pot may hold what was carried over."""

    @abstractmethod
    def due(self, state: State, options: Any) -> Due | None:
        """Who must answer now; None when the deal is over and every pot is awarded or carried."""

    @abstractmethod
    def play(self, state: State, moves: Mapping[Seat, Move], options: Any) -> State:
        """Apply the answers of all due seats at once; their asks have accepted them. Goes on as far as no answer is
        needed, and leaves in `said` the public sentences of this step."""

    @abstractmethod
    def leave(self, state: State, seat: Seat, options: Any) -> State:
        """The seat leaves the deal at once (docs/rules/common.md, 14). Called with three or more seats."""

    @abstractmethod
    def ending(self, state: State, options: Any) -> Ending:
        """How the deal ended; asked when nobody is due."""

    @abstractmethod
    def is_over(self, progress: Progress) -> bool:
        """Whether the match is over after the last deal."""

    @abstractmethod
    def on_clock(self, view: View, ask: Ask) -> Move:
        """The answer given for a seat out of time, judged from what that seat sees."""

    @abstractmethod
    def reading(self, view: View) -> Reading:
        """The view in words."""

    def points_so_far(self, state: State, seats: int) -> tuple[int, ...]:
        """Points of a deal that is still being played, for games that count them within a deal."""
        return (0,) * seats

    def normal(self, move: Move, ask: Ask) -> Move:
        """The one way an accepted move is written in the log."""
        return move

    @abstractmethod
    def length(self, options: Any, seats: int) -> Length:
        """How much play a match takes."""

    def score(self, progress: Progress) -> tuple[int, ...]:
        """What the match is counted in: chips where there are chips, else points."""
        return progress.stacks if self.has_chips else progress.points

    def result(self, progress: Progress) -> MatchResult:
        """Places at the end: staying seats by score, then seats out (later better), then retired seats by score."""
        score = self.score(progress)
        merit = {
            seat: (1, 0, score[seat])
            if seat in progress.retired
            else (2, progress.out[seat], 0)
            if seat in progress.out
            else (3, 0, score[seat])
            for seat in range(progress.seats)
        }
        return MatchResult(places_by([merit[seat] for seat in range(progress.seats)]), score)


def places_by(merits: Sequence[Any]) -> tuple[int, ...]:
    """Places for merits, the greatest first; equal merits share a place (1, 1, 3)."""
    return tuple(1 + sum(other > own for other in merits) for own in merits)


def shared_out(result: MatchResult) -> Said:
    """Who won, in one sentence."""
    best = tuple(Who(seat) for seat, place in enumerate(result.places) if place == 1)
    if len(best) == 1:
        return Said("{} wins the game", best)
    return Said(", ".join(["{}"] * len(best)) + " share the win", best)
