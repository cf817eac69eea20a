"""Round robins, league groups, groups of a cup: who meets whom, when, and the table (docs/competition.md, 6)."""

from collections.abc import Sized
from dataclasses import replace

from tournaments import standings
from tournaments.fixtures import Fixture
from tournaments.plans.values import Bout, Competitor, Event, Plan, forfeited
from tournaments.schedule import berger


def groups_of(event: Event) -> dict[tuple[int, int], list[Competitor]]:
    """The competitors of each group by (level, group), strongest first."""
    found: dict[tuple[int, int], list[Competitor]] = {}
    for one in sorted(event.competitors, key=lambda one: (one.level, one.group, one.seed)):
        found.setdefault((one.level, one.group), []).append(one)
    return found


def group_table(event: Event, level: int = 1, group: int = 1) -> standings.RoundRobinTable:
    """The standings of one group. Who was put out has left like others, and is not ranked besides."""
    members = groups_of(event)[level, group]
    bouts = {(bout.round, bout.board): bout for bout in schedule(event)} if _is_in_rounds(event) else {}
    bouts |= {(bout.round, bout.board): bout for bout in event.bouts if (bout.level, bout.group) == (level, group)}
    return standings.round_robin(
        event.entrants(one.player for one in members),
        [_fixture(bout) for bout in bouts.values()],
        [one.player for one in members if not one.is_in],
        [one.player for one in members if one.is_excluded],
    )


def most_points(event: Event, members: Sized, table: standings.RoundRobinTable) -> int:
    """The most points that a player of a group can make: against everybody who is not struck out, ranked or not."""
    return 2 * max(0, len(members) - len(table.annulled) - 1) * int(event.shape.get("cycles", 1))


def _is_in_rounds(event: Event) -> bool:
    """Whether some games of a round robin are opened when others have ended."""
    return bool(event.shape.get("serial") or event.shape.get("at_a_time"))


def _fixture(bout: Bout) -> Fixture:
    a, b = bout.players
    return Fixture(a, b, (bout.points[0], bout.points[1]) if bout.points else (0, 0), bout.how)


def next_groups(event: Event) -> Plan:
    """All bouts at once; or round by round; or as many as each player may have at a time, in the order of rounds."""
    at_a_time = event.shape.get("at_a_time")
    if event.is_waiting and not at_a_time:
        return Plan()
    known = {(bout.round, bout.board) for bout in event.bouts}
    waiting = [bout for bout in schedule(event) if (bout.round, bout.board) not in known]
    if not waiting:
        return Plan(is_over=not event.is_waiting)
    if event.shape.get("serial"):
        number = min(bout.round for bout in waiting)
        waiting = [bout for bout in waiting if bout.round == number]
    elif at_a_time:
        return Plan(_within(event, waiting, int(at_a_time)))
    return Plan(tuple(forfeited(event, bout) for bout in waiting))


def _within(event: Event, waiting: list[Bout], at_a_time: int) -> tuple[Bout, ...]:
    """The next bouts, as far as none of their players has too many running."""
    playing = {one.player: 0 for one in event.competitors}
    for bout in event.bouts:
        for player in bout.players if bout.is_open else ():
            playing[player] += 1
    added = []
    for bout in (forfeited(event, one) for one in waiting):
        if bout.is_open and any(playing[player] >= at_a_time for player in bout.players):
            continue
        added.append(bout)
        for player in bout.players if bout.is_open else ():
            playing[player] += 1
    return tuple(added)


def schedule(event: Event) -> list[Bout]:
    """Every bout of the group stage: Berger rounds, or all in round 1 where all are played at once."""
    is_in_rounds = _is_in_rounds(event)
    found: list[Bout] = []
    boards: dict[int, int] = {}
    for (level, group), members in groups_of(event).items():
        if len(members) < 2:
            continue
        for number, round_ in enumerate(berger(len(members), int(event.shape.get("cycles", 1))), start=1):
            for i, j in round_.pairs:
                players = (members[i - 1].player, members[j - 1].player)
                found.append(Bout(number if is_in_rounds else 1, 0, players, level=level, group=group))
    for index, bout in enumerate(found):
        boards[bout.round] = boards.get(bout.round, 0) + 1
        found[index] = replace(bout, board=boards[bout.round])
    return sorted(found, key=lambda bout: (bout.round, bout.board))
