"""How an event goes on: what to pair next, whether it is over, and who came where (docs/competition.md, 4 to 11).

Pure: from the entrants and all bouts so far to the bouts that must be added. Asked again with the same event it answers
the same, so a round that was only half stored is completed, never made twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tournaments import brackets, cups, pairing, standings, tables
from tournaments.brackets import Bracket, Gap
from tournaments.fixtures import FORFEIT, OPEN, OVERDUE, PLAYED, Fixture
from tournaments.players import Entrant, Player
from tournaments.schedule import berger
from tournaments.standings import Standing
from tournaments.tables import Sizing, TableResult
from tournaments.tiebreaks import ABSENT, BYE, FORFEITED, GAME, LATE_ENTRY, LATE_GAME, Outing

BYE_HOW: Final = "bye"
ROUND_ROBIN, KNOCK_OUT, SWISS, CUP = "round-robin", "knock-out", "swiss", "cup"
TABLES, MINI_CUP, LEAGUE = "tables", "mini-cup", "league"
GROUPED: Final = frozenset({ROUND_ROBIN, LEAGUE})


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
    """A running event as far as its pairing goes. `seats` is how many play one match."""

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


def next_step(event: Event) -> Plan:
    """What must be paired now; nothing while a round that the next one waits for is being played."""
    if event.format == SWISS:
        return _next_swiss(event)
    if event.format == TABLES:
        return _next_tables(event)
    if event.format == KNOCK_OUT:
        return _next_bracket(event, bracket_of(event), 0)
    if event.format == CUP:
        return _next_cup(event)
    if event.format == MINI_CUP and not event.is_for_two:
        return _one_table(event)
    return _next_groups(event)


def places_of(event: Event) -> dict[int, Place]:
    """The places of an event that is over."""
    if event.format == SWISS:
        return _places(event, swiss_table(event))
    if event.format == TABLES:
        return _places(event, tables_table(event))
    if event.format == MINI_CUP and not event.is_for_two:
        return _places_of_table(event)
    if event.format in (KNOCK_OUT, CUP):
        return _places_of_bracket(event)
    places: dict[int, Place] = {}
    for key in groups_of(event):
        places |= _places(event, group_table(event, *key).standings)
    return places


# --- Groups and round robins -----------------------------------------------------------------------------------------


def groups_of(event: Event) -> dict[tuple[int, int], list[Competitor]]:
    """The competitors of each group by (level, group), strongest first."""
    found: dict[tuple[int, int], list[Competitor]] = {}
    for one in sorted(event.competitors, key=lambda one: (one.level, one.group, one.seed)):
        found.setdefault((one.level, one.group), []).append(one)
    return found


def group_table(event: Event, level: int = 1, group: int = 1) -> standings.RoundRobinTable:
    """The standings of one group."""
    members = groups_of(event)[level, group]
    fixtures = [_fixture(bout) for bout in event.bouts if (bout.level, bout.group) == (level, group)]
    return standings.round_robin(
        event.entrants(one.player for one in members),
        fixtures,
        [one.player for one in members if not one.is_in and not one.is_excluded],
        [one.player for one in members if one.is_excluded],
    )


def _fixture(bout: Bout) -> Fixture:
    a, b = bout.players
    return Fixture(a, b, (bout.points[0], bout.points[1]) if bout.points else (0, 0), bout.how)


def _next_groups(event: Event) -> Plan:
    if event.is_waiting:
        return Plan()
    schedule = _group_schedule(event)
    if not event.shape.get("serial"):
        return Plan(is_over=True) if event.bouts else Plan(tuple(_forfeited(event, bout) for bout in schedule))
    ahead = [bout for bout in schedule if bout.round == event.last_round + 1]
    return Plan(tuple(_forfeited(event, bout) for bout in ahead), is_over=not ahead)


def _group_schedule(event: Event) -> list[Bout]:
    """Every bout of the group stage: Berger rounds, or all in round 1 where all are played at once."""
    found: list[Bout] = []
    boards: dict[int, int] = {}
    for (level, group), members in groups_of(event).items():
        if len(members) < 2:
            continue
        for number, round_ in enumerate(berger(len(members), int(event.shape.get("cycles", 1))), start=1):
            for i, j in round_.pairs:
                in_round = number if event.shape.get("serial") else 1
                boards[in_round] = boards.get(in_round, 0) + 1
                players = (members[i - 1].player, members[j - 1].player)
                found.append(Bout(in_round, boards[in_round], players, level=level, group=group))
    return found


def _forfeited(event: Event, bout: Bout) -> Bout:
    """The bout, decided at once where a player has left already."""
    away = {one.player for one in event.competitors if not one.is_in}
    if away.isdisjoint(bout.players):
        return bout
    here = [player not in away for player in bout.players]
    winner = next((player for player in bout.players if player not in away), None)
    points = tuple(2 * is_here for is_here in here)
    return Bout(bout.round, bout.board, bout.players, points, FORFEIT, bout.level, bout.group, winner, bout.games)


# --- Knock-out -------------------------------------------------------------------------------------------------------


def bracket_of(event: Event, seeds: Sequence[int] | None = None, after: int = 0) -> Bracket:
    """The bracket as it stands; `after` rounds of groups came before it."""
    in_order = [one.player for one in sorted(event.competitors, key=lambda one: one.seed)] if seeds is None else seeds
    outcomes = {(b.round - after, b.board): b.winner for b in event.bouts if b.round > after and not b.is_open}
    return brackets.eliminate(in_order, outcomes, bool(event.shape.get("third_place")))


def _next_bracket(event: Event, bracket: Bracket, after: int) -> Plan:
    known = {(bout.round, bout.board) for bout in event.bouts}
    added = []
    matches = [
        (number, board, match)
        for number, round_ in enumerate(bracket.rounds, start=1)
        for board, match in enumerate(round_, start=1)
    ]
    if bracket.third:
        matches.append((len(bracket.rounds), 2, bracket.third))
    for number, board, match in matches:
        if match.kind != "open" or (number + after, board) in known:
            continue
        assert not isinstance(match.a, Gap) and not isinstance(match.b, Gap)
        games = event.shape.get("games", 1)
        if number == len(bracket.rounds) and board == 1:
            games = event.shape.get("final_games", games)
        players = (int(match.a), int(match.b))
        added.append(_forfeited(event, Bout(number + after, board, players, games=games)))
    is_over = all(match.is_over for _number, _board, match in matches)
    return Plan(tuple(added), is_over)


def _next_cup(event: Event) -> Plan:
    groups = [bout for bout in event.bouts if bout.group]
    if not groups or any(bout.is_open for bout in groups):
        return Plan() if groups else _next_groups(event)
    seeds = cup_seeds(event)
    if len(seeds) < 2:
        return Plan(is_over=True)
    return _next_bracket(event, bracket_of(event, seeds, 1), 1)


def cup_seeds(event: Event) -> list[int]:
    """Who goes on from finished groups, as seeds of the bracket; those of one group kept apart in its first round."""
    lines = []
    for key in groups_of(event):
        table = group_table(event, *key)
        counted = {p: 2 * (len(table.standings) - 1) * int(event.shape.get("cycles", 1)) for p in _players(table)}
        seed = {one.player: one.seed for one in event.competitors}
        own = [
            cups.GroupLine(line.player, int(line.values["points"]), counted[int(line.player)], seed[int(line.player)])
            for line in table.standings
        ]
        if own:
            lines.append(own)
    if not lines:
        return []
    draw = cups.draw_bracket(lines)
    seeds = [int(player) for player in draw.seeds]
    for one, other in draw.swaps:
        seeds[one - 1], seeds[other - 1] = seeds[other - 1], seeds[one - 1]
    return seeds


def _players(table: standings.RoundRobinTable) -> list[int]:
    return [int(line.player) for line in table.standings]


def _places_of_bracket(event: Event) -> dict[int, Place]:
    seeds = cup_seeds(event) if event.format == CUP else [c.player for c in sorted(event.competitors, key=_by_seed)]
    places: dict[int, Place] = {one.player: Place(None) for one in event.competitors}
    if len(seeds) > 1:
        found = bracket_of(event, seeds, 1 if event.format == CUP else 0).places
        counts = list(found.values())
        places |= {int(player): Place(place, counts.count(place) > 1) for player, place in found.items()}
    elif seeds:
        places |= {seeds[0]: Place(1)}
    return _without_excluded(event, places)


def _by_seed(one: Competitor) -> int:
    return one.seed


# --- Swiss -----------------------------------------------------------------------------------------------------------


def swiss_sheets(event: Event) -> dict[Player, list[Outing]]:
    """What each entrant did in each finished round."""
    last = event.last_round - (1 if event.is_waiting else 0)
    by_player = {(bout.round, player): bout for bout in event.bouts for player in bout.players}
    return {
        one.player: [_outing(one, by_player.get((number, one.player)), number) for number in range(1, last + 1)]
        for one in event.competitors
    }


def _outing(one: Competitor, bout: Bout | None, number: int) -> Outing:
    if bout is None:
        return Outing(LATE_ENTRY if number == one.late_in - 1 else ABSENT)
    if bout.how == BYE_HOW:
        return Outing(BYE)
    side = bout.players.index(one.player)
    kind = {PLAYED: GAME, OVERDUE: LATE_GAME, FORFEIT: FORFEITED}[bout.how]
    return Outing(kind, bout.players[1 - side], bout.points[side])


def swiss_table(event: Event) -> list[Standing]:
    """The standings after the last finished round."""
    excluded = [one.player for one in event.competitors if one.is_excluded]
    return standings.swiss(event.entrants(), swiss_sheets(event), excluded)


def _next_swiss(event: Event) -> Plan:
    if event.is_waiting:
        return Plan()
    number = event.last_round + 1
    active = [one for one in event.competitors if one.plays]
    if number > int(event.shape["rounds"]) or len(active) < 2:
        return Plan(is_over=True)
    sheets = swiss_sheets(event)
    found = pairing.pair_round([_contender(event, one, sheets[one.player]) for one in event.competitors], number)
    bouts = [Bout(number, board, (int(a), int(b))) for board, (a, b) in enumerate(found.pairs, start=1)]
    if found.bye is not None:
        bouts.append(Bout(number, len(bouts) + 1, (int(found.bye),), (2,), BYE_HOW))
    return Plan(tuple(bouts))


def _contender(event: Event, one: Competitor, sheet: Sequence[Outing]) -> pairing.Contender:
    own = [bout for bout in event.bouts if one.player in bout.players and bout.how == PLAYED and len(bout.players) == 2]
    return pairing.Contender(
        player=one.player,
        seed=one.seed,
        points=sum(outing.worth for outing in sheet),
        met=tuple(outing.opponent for outing in sheet if outing.opponent is not None),
        free_wins=sum(o.kind == BYE or (o.kind == FORFEITED and o.points == 2) for o in sheet),
        seats=tuple(1 if bout.players[0] == one.player else -1 for bout in own),
        active=one.plays,
    )


# --- Tables ----------------------------------------------------------------------------------------------------------


def _sizing(event: Event) -> Sizing:
    return Sizing(int(event.shape["target"]), int(event.shape["smallest"]), int(event.shape["largest"]))


def table_results(event: Event) -> list[list[TableResult]]:
    """The finished tables by round."""
    done = [bout for bout in event.bouts if not bout.is_open]
    return [
        [TableResult(bout.players, bout.points, bout.no_shows) for bout in done if bout.round == number]
        for number in range(1, event.last_round + 1)
    ]


def tables_table(event: Event) -> list[Standing]:
    """The standings of a table event so far."""
    return [line for line in tables.standings(event.entrants(), table_results(event)) if _is_ranked(event, line)]


def _is_ranked(event: Event, line: Standing) -> bool:
    return not any(one.is_excluded and one.player == line.player for one in event.competitors)


def _next_tables(event: Event) -> Plan:
    if event.is_waiting:
        return Plan()
    number = event.last_round + 1
    if number > int(event.shape["rounds"]):
        return Plan(is_over=True)
    absent = [one.player for one in event.competitors if not one.plays]
    seated = tables.seat_round(event.entrants(), _sizing(event), table_results(event), absent)
    if not seated:
        return Plan(is_over=True)
    return Plan(tuple(Bout(number, board, tuple(int(p) for p in table)) for board, table in enumerate(seated, start=1)))


def _one_table(event: Event) -> Plan:
    if event.bouts:
        return Plan(is_over=not event.is_waiting)
    players = tuple(one.player for one in sorted(event.competitors, key=_by_seed))
    return Plan((Bout(1, 1, players),))


def _places_of_table(event: Event) -> dict[int, Place]:
    found = {p: Place(None) for bout in event.bouts for p in bout.players}
    for result in (table for round_ in table_results(event) for table in round_):
        counts = list(result.places.values())
        found |= {int(player): Place(place, counts.count(place) > 1) for player, place in result.places.items()}
    return _without_excluded(event, found)


def _places(event: Event, lines: Iterable[Standing]) -> dict[int, Place]:
    places = {int(line.player): Place(line.place, line.shared) for line in lines}
    return _without_excluded(event, places)


def _without_excluded(event: Event, places: dict[int, Place]) -> dict[int, Place]:
    return places | {one.player: Place(None) for one in event.competitors if one.is_excluded}
