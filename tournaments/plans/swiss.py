"""Swiss events: what everybody did in each round, and the pairing of the next one (docs/competition.md, 7).

More entrants than one Swiss can have play in sections, each with a table and pairings of its own.
"""

from collections.abc import Sequence

from tournaments import pairing, standings
from tournaments.fixtures import FORFEIT, OVERDUE, PLAYED
from tournaments.plans.values import BYE_HOW, Bout, Competitor, Event, Place, Plan, placed
from tournaments.players import Player
from tournaments.standings import Standing
from tournaments.tiebreaks import ABSENT, BYE, FORFEITED, GAME, LATE_ENTRY, LATE_GAME, Outing


def sections_of(event: Event) -> list[int]:
    """The numbers of the sections."""
    return sorted({one.group for one in event.competitors})


def swiss_sheets(event: Event, section: int = 1) -> dict[Player, list[Outing]]:
    """What each entrant of a section did in each finished round."""
    still_open = [bout.round for bout in event.bouts if bout.is_open]
    last = min(still_open) - 1 if still_open else event.last_round
    by_player = {(bout.round, player): bout for bout in event.bouts for player in bout.players}
    return {
        one.player: [_outing(one, by_player.get((number, one.player)), number) for number in range(1, last + 1)]
        for one in event.competitors
        if one.group == section
    }


def _outing(one: Competitor, bout: Bout | None, number: int) -> Outing:
    if bout is None:
        return Outing(LATE_ENTRY if number == one.late_in - 1 else ABSENT)
    if bout.how == BYE_HOW:
        return Outing(BYE)
    side = bout.players.index(one.player)
    kind = {PLAYED: GAME, OVERDUE: LATE_GAME, FORFEIT: FORFEITED}[bout.how]
    return Outing(kind, bout.players[1 - side], bout.points[side])


def swiss_table(event: Event, section: int = 1) -> list[Standing]:
    """The standings of a section after the last finished round."""
    members = [one for one in event.competitors if one.group == section]
    excluded = [one.player for one in members if one.is_excluded]
    return standings.swiss(event.entrants(one.player for one in members), swiss_sheets(event, section), excluded)


def swiss_places(event: Event) -> dict[int, Place]:
    """Places in each section."""
    places: dict[int, Place] = {}
    for section in sections_of(event):
        places |= placed(event, swiss_table(event, section))
    return places


def next_swiss(event: Event) -> Plan:
    """The next round once the last one is decided in all sections."""
    if event.is_waiting:
        return Plan()
    number = event.last_round + 1
    bouts: list[Bout] = []
    if number <= int(event.shape["rounds"]):
        for section in sections_of(event):
            bouts += _pair(event, section, number, len(bouts))
    return Plan(tuple(bouts), is_over=not bouts)


def _pair(event: Event, section: int, number: int, before: int) -> list[Bout]:
    """A round of one section; its boards follow those of the sections before."""
    members = [one for one in event.competitors if one.group == section]
    if sum(one.plays for one in members) < 2:
        return []
    sheets = swiss_sheets(event, section)
    found = pairing.pair_round([_contender(event, one, sheets[one.player]) for one in members], number)
    group = section if len(sections_of(event)) > 1 else 0
    bouts = [
        Bout(number, before + board, (int(a), int(b)), group=group) for board, (a, b) in enumerate(found.pairs, start=1)
    ]
    if found.bye is not None:
        bouts.append(Bout(number, before + len(bouts) + 1, (int(found.bye),), (2,), BYE_HOW, group=group))
    return bouts


def _contender(event: Event, one: Competitor, sheet: Sequence[Outing]) -> pairing.Contender:
    own = [bout for bout in event.bouts if one.player in bout.players and bout.how in (PLAYED, OVERDUE)]
    return pairing.Contender(
        player=one.player,
        seed=one.seed,
        points=sum(outing.worth for outing in sheet),
        met=tuple(outing.opponent for outing in sheet if outing.opponent is not None),
        free_wins=sum(o.kind == BYE or (o.kind == FORFEITED and o.points == 2) for o in sheet),
        seats=tuple(1 if bout.players[0] == one.player else -1 for bout in own),
        active=one.plays,
    )
