"""Standings of two-player events: which fixtures count, the chain of tie-breaks, the places (docs/competition.md, 5).

Entries equal in the whole chain share a place (1, 2, 2, 4). Where a strict order is needed the start number decides.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from tournaments import tiebreaks
from tournaments.fixtures import PLAYED, Fixture
from tournaments.players import Entrant, Player, by_seed
from tournaments.tiebreaks import Sheets

ROUND_ROBIN_CHAIN: Final = ("points", "sb", "de", "wins")
SWISS_CHAIN: Final = ("points", "bhc1", "bh", "sb", "de", "wins")

Value: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a table. `values` holds every figure shown, by name; `strict` is the place without sharing."""

    player: Player
    place: int
    shared: bool
    strict: int
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class RoundRobinTable:
    """Standings in final order, and the withdrawn players whose fixtures are struck out and who have no place."""

    standings: list[Standing]
    annulled: list[Player]


def ranked(
    entrants: Iterable[Entrant], values: Mapping[Player, Mapping[str, Value]], chain: Sequence[str]
) -> list[Standing]:
    """Order entrants by the chain, larger first, then by start number."""

    def ties(entrant: Entrant) -> tuple[Value, ...]:
        return tuple(values[entrant.player][name] for name in chain)

    ordered = sorted(by_seed(entrants), key=ties, reverse=True)  # a reversed sort keeps equals in their order
    lines: list[Standing] = []
    for strict, entrant in enumerate(ordered, start=1):
        equals = [other for other in ordered if ties(other) == ties(entrant)]
        place = 1 + ordered.index(equals[0])
        lines.append(Standing(entrant.player, place, len(equals) > 1, strict, values[entrant.player]))
    return lines


def round_robin(
    entrants: Collection[Entrant],
    fixtures: Sequence[Fixture],
    withdrawn: Collection[Player] = (),
    excluded: Collection[Player] = (),
) -> RoundRobinTable:
    """The table of a round robin, a league or cup group, or a mini cup; `fixtures` are all that were scheduled.

    A withdrawn player with fewer than half of his fixtures played is annulled: nothing against him counts for anybody.
    An excluded one is not ranked.
    """
    players = [entrant.player for entrant in by_seed(entrants)]
    _require_known({p for fixture in fixtures for p in fixture.players} | {*withdrawn, *excluded}, players)
    annulled = [player for player in players if player in withdrawn and _played_under_half(player, fixtures)]
    kept = [player for player in players if player not in annulled]
    counted = [f for f in fixtures if f.is_decided and f.players.isdisjoint(annulled)]
    points = tiebreaks.points(kept, counted)
    sb = tiebreaks.sonneborn_berger(points, counted)
    listed = [player for player in kept if player not in excluded]
    de = tiebreaks.direct_encounters({player: (points[player], sb[player]) for player in listed}, counted)
    wins = tiebreaks.wins(kept, counted)
    values = {
        player: {"points": points[player], "sb": sb[player], "de": de[player], "wins": wins[player]}
        for player in listed
    }
    ranked_ones = [entrant for entrant in entrants if entrant.player in values]
    return RoundRobinTable(ranked(ranked_ones, values, ROUND_ROBIN_CHAIN), annulled)


def swiss(entrants: Collection[Entrant], sheets: Sheets, excluded: Collection[Player] = ()) -> list[Standing]:
    """The table of a Swiss. `sheets` hold one outing per decided round; who left keeps place and points."""
    players = [entrant.player for entrant in by_seed(entrants)]
    _require_known({*sheets, *excluded}, players)
    if missing := [player for player in players if player not in sheets]:
        raise ValueError(f"There is no sheet for {missing[0]}.")
    fixtures = tiebreaks.meetings(sheets)
    listed = [player for player in players if player not in excluded]
    before = {player: _swiss_values(player, sheets) for player in listed}
    ties = {player: tuple(before[player][name] for name in ("points", "bhc1", "bh", "sb")) for player in listed}
    de = tiebreaks.direct_encounters(ties, fixtures)
    values = {
        player: {**before[player], "de": de[player], "wins": tiebreaks.swiss_wins(sheets[player])} for player in listed
    }
    return ranked([entrant for entrant in entrants if entrant.player in values], values, SWISS_CHAIN)


def _swiss_values(player: Player, sheets: Sheets) -> dict[str, int]:
    return {
        "points": sum(outing.worth for outing in sheets[player]),
        "adjusted": tiebreaks.adjusted(sheets[player]),
        "bhc1": tiebreaks.buchholz_cut(player, sheets),
        "bh": tiebreaks.buchholz(player, sheets),
        "sb": tiebreaks.swiss_sonneborn_berger(player, sheets),
    }


def _played_under_half(player: Player, fixtures: Iterable[Fixture]) -> bool:
    own = [fixture for fixture in fixtures if player in fixture.players]
    return 2 * sum(fixture.how == PLAYED for fixture in own) < len(own)


def _require_known(named: Iterable[Player], players: Collection[Player]) -> None:
    for player in named:
        if player not in players:
            raise ValueError(f"{player} is not entered in this event.")
