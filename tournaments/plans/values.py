"""What plans are made from, and what they say: entrants, bouts, the event, the next bouts, places. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tournaments.fixtures import FORFEIT, OPEN
from tournaments.players import Entrant, Player
from tournaments.standings import Standing

BYE_HOW: Final = "bye"
ROUND_ROBIN, KNOCK_OUT, SWISS, CUP = "round-robin", "knock-out", "swiss", "cup"
TABLES, MINI_CUP, LEAGUE = "tables", "mini-cup", "league"


@dataclass(frozen=True, slots=True)
class Competitor:
    """An entrant of a running event. `late_in`: the first round he could take part in, 0 if from the start."""

    player: int
    seed: int
    level: int = 1
    group: int = 1
    is_in: bool = True
    is_paused: bool = False
    is_excluded: bool = False
    late_in: int = 0

    @property
    def plays(self) -> bool:
        """Whether he may be paired."""
        return self.is_in and not self.is_paused


@dataclass(frozen=True, slots=True)
class Bout:
    """One pairing: two players, the players of a table, or one with a bye.

    `points` are those of the players, at a table their ranks; players of a table who never moved are `no_shows`.
    `group` is 0 outside of groups. `winner` goes on in a knock-out. `games` is the number it is the best of.
    """

    round: int
    board: int
    players: tuple[int, ...]
    points: tuple[int, ...] = ()
    how: str = OPEN
    level: int = 1
    group: int = 0
    winner: int | None = None
    games: int = 1
    no_shows: frozenset[int] = frozenset()

    @property
    def is_open(self) -> bool:
        return self.how == OPEN


@dataclass(frozen=True, slots=True)
class Event:
    """A running event as far as its pairing goes. `is_for_two`: a match of it has two seats."""

    format: str
    shape: Mapping[str, Any]
    competitors: tuple[Competitor, ...]
    bouts: tuple[Bout, ...] = ()
    is_for_two: bool = True

    @property
    def last_round(self) -> int:
        return max((bout.round for bout in self.bouts), default=0)

    @property
    def is_waiting(self) -> bool:
        """Whether something is still being played."""
        return any(bout.is_open for bout in self.bouts)

    def entrants(self, among: Iterable[int] | None = None) -> list[Entrant]:
        """All entrants, or some of them, by start number."""
        chosen = None if among is None else set(among)
        ordered = sorted(self.competitors, key=lambda one: one.seed)
        return [Entrant(one.player, one.seed) for one in ordered if chosen is None or one.player in chosen]


@dataclass(frozen=True, slots=True)
class Plan:
    """What follows: bouts to add, or the end."""

    bouts: tuple[Bout, ...] = ()
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entrant came in; None for who is not ranked."""

    place: int | None
    shared: bool = False


def by_seed(one: Competitor) -> int:
    """Sort key: the start number."""
    return one.seed


def forfeited(event: Event, bout: Bout) -> Bout:
    """The bout, decided at once where a player has left already."""
    away = {one.player for one in event.competitors if not one.is_in}
    if away.isdisjoint(bout.players):
        return bout
    points = tuple(0 if player in away else 2 for player in bout.players)
    winner = next((player for player in bout.players if player not in away), None)
    return replace(bout, points=points, how=FORFEIT, winner=winner)


def placed(event: Event, lines: Iterable[Standing]) -> dict[int, Place]:
    """The places of standings, without who was put out."""
    return without_excluded(event, {int(line.player): Place(line.place, line.shared) for line in lines})


def ranked_places(event: Event, places: Mapping[Player, int]) -> dict[int, Place]:
    """Places from a mapping; who has the same place shares it."""
    counts = Counter(places.values())
    return without_excluded(event, {int(p): Place(place, counts[place] > 1) for p, place in places.items()})


def without_excluded(event: Event, places: Mapping[int, Place]) -> dict[int, Place]:
    """The same places, but none for who was put out of the event."""
    return {**places, **{one.player: Place(None) for one in event.competitors if one.is_excluded}}
