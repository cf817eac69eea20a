"""Tie-breaks of two-player events, each a plain sum whose parts can be shown (docs/competition.md, 5).

Every function takes what counts already: open fixtures and struck-out players never reach it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tournaments.fixtures import PLAYED, Fixture
from tournaments.players import Player

GAME: Final = "game"
LATE_GAME: Final = "overdue"
FORFEITED: Final = "forfeit"
BYE: Final = "pab"
LATE_ENTRY: Final = "late"
ABSENT: Final = "absent"
MEETINGS: Final = frozenset({GAME, LATE_GAME, FORFEITED})
KINDS: Final = MEETINGS | {BYE, LATE_ENTRY, ABSENT}

_FIXED_POINTS: Final = {BYE: 2, LATE_ENTRY: 1, ABSENT: 0}


@dataclass(frozen=True, slots=True)
class Outing:
    """One player's round in a Swiss: a game, a game closed as overdue, a forfeit, a bye, a late entry, an absence.

    `opponent` and `points` are given for meetings only; what the other kinds are worth follows from the kind.
    """

    kind: str
    opponent: Player | None = None
    points: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"A round is a game, overdue, forfeit, pab, late or absent, not {self.kind}.")
        if (self.opponent is not None) != (self.kind in MEETINGS):
            raise ValueError(f"A round of kind {self.kind} {'needs' if self.kind in MEETINGS else 'has no'} opponent.")
        if self.points not in (0, 1, 2):
            raise ValueError("A round is worth 0, 1 or 2 points.")

    @property
    def worth(self) -> int:
        """Points of the round."""
        return _FIXED_POINTS.get(self.kind, self.points)

    @property
    def played_against(self) -> Player | None:
        """The opponent, if the round was played."""
        return self.opponent if self.kind in (GAME, LATE_GAME) else None

    @property
    def is_own_fault(self) -> bool:
        """Missed by the player himself: absent, or lost by forfeit."""
        return self.kind == ABSENT or (self.kind == FORFEITED and self.points == 0)


Sheets = Mapping[Player, Sequence[Outing]]


def points(players: Iterable[Player], fixtures: Iterable[Fixture]) -> dict[Player, int]:
    """Points of each player over the fixtures."""
    totals = dict.fromkeys(players, 0)
    for fixture in fixtures:
        for player in (fixture.a, fixture.b):
            totals[player] += fixture.points_of(player)
    return totals


def sonneborn_berger(totals: Mapping[Player, int], fixtures: Iterable[Fixture]) -> dict[Player, int]:
    """SB: points made against each opponent times that opponent's points; four times the value of 1-½-0 scoring."""
    sums = dict.fromkeys(totals, 0)
    for fixture in fixtures:
        for player in (fixture.a, fixture.b):
            sums[player] += fixture.points_of(player) * totals[fixture.opponent_of(player)]
    return sums


def wins(players: Iterable[Player], fixtures: Iterable[Fixture]) -> dict[Player, int]:
    """W: fixtures won over the board; a forfeit or an overdue match is no win here."""
    counts = dict.fromkeys(players, 0)
    for fixture in fixtures:
        if fixture.how == PLAYED:
            for player in (fixture.a, fixture.b):
                counts[player] += fixture.points_of(player) == 2
    return counts


def direct_encounter(tied: Collection[Player], fixtures: Iterable[Fixture]) -> dict[Player, int]:
    """DE inside a set tied on everything before it: points among themselves, if each two of them have met; else 0.

    Computed once for the whole set, not again for what remains.
    """
    among = [fixture for fixture in fixtures if fixture.a in tied and fixture.b in tied]
    met = {fixture.players for fixture in among}
    if all(frozenset(pair) in met for pair in combinations(tied, 2)):
        return points(tied, among)
    return dict.fromkeys(tied, 0)


def direct_encounters(ties: Mapping[Player, tuple[int, ...]], fixtures: Sequence[Fixture]) -> dict[Player, int]:
    """DE of everybody; `ties` holds the values of all tie-breaks before it."""
    sets: dict[tuple[int, ...], list[Player]] = defaultdict(list)
    for player, values in ties.items():
        sets[values].append(player)
    return {player: de for tied in sets.values() for player, de in direct_encounter(tied, fixtures).items()}


def adjusted(outings: Iterable[Outing]) -> int:
    """adj: points with every unplayed round counted as a draw; what the player is worth to opponents."""
    return sum(1 if outing.played_against is None else outing.points for outing in outings)


def buchholz_terms(player: Player, sheets: Sheets) -> list[int]:
    """The parts of BH, round by round: the opponent's adj if played, else the player's own points."""
    own = sum(outing.worth for outing in sheets[player])
    rivals = [outing.played_against for outing in sheets[player]]
    return [own if rival is None else adjusted(sheets[rival]) for rival in rivals]


def buchholz(player: Player, sheets: Sheets) -> int:
    """BH: the sum of its terms."""
    return sum(buchholz_terms(player, sheets))


def buchholz_cut(player: Player, sheets: Sheets) -> int:
    """BHC1: BH without its smallest term; who missed rounds by his own fault loses the smallest of those terms."""
    terms = buchholz_terms(player, sheets)
    missed = [term for term, outing in zip(terms, sheets[player], strict=True) if outing.is_own_fault]
    return sum(terms) - min(missed or terms, default=0)


def swiss_sonneborn_berger(player: Player, sheets: Sheets) -> int:
    """SB of a Swiss: points of each round times its Buchholz term."""
    terms = buchholz_terms(player, sheets)
    return sum(outing.worth * term for term, outing in zip(terms, sheets[player], strict=True))


def swiss_wins(outings: Iterable[Outing]) -> int:
    """W of a Swiss: games won over the board."""
    return sum(outing.kind == GAME and outing.points == 2 for outing in outings)


def meetings(sheets: Sheets) -> list[Fixture]:
    """The fixtures of a Swiss, each once, as its sheets record them; forfeited ones too.

    ValueError if the sheets of two players disagree.
    """
    rank = {player: index for index, player in enumerate(sheets)}
    found = []
    for player, outings in sheets.items():
        for number, outing in enumerate(outings, start=1):
            if outing.opponent is None:
                continue
            mirror = _outing_in(sheets, outing.opponent, number)
            if mirror is None or mirror.opponent != player or mirror.kind != outing.kind:
                raise ValueError(f"The sheets of {player} and {outing.opponent} disagree about round {number}.")
            if rank[player] < rank[outing.opponent]:
                how = PLAYED if outing.kind == GAME else outing.kind
                found.append(Fixture(player, outing.opponent, (outing.points, mirror.points), how))
    return found


def _outing_in(sheets: Sheets, player: Player, number: int) -> Outing | None:
    outings = sheets.get(player, ())
    return outings[number - 1] if number <= len(outings) else None
