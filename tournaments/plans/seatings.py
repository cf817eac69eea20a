"""Table events, and mini cups at one table: who sits where, and what places are worth (docs/competition.md, 8)."""

from tournaments import tables
from tournaments.plans.values import Bout, Event, Place, Plan, by_seed, placed, ranked_places
from tournaments.standings import Standing
from tournaments.tables import Scale, Sizing, TableResult


def scale_of(event: Event) -> Scale | None:
    """Points by place for the one size that tables have, if the director chose them."""
    points = event.shape.get("scale")
    return {len(points): tuple(points)} if points else None


def table_results(event: Event) -> list[list[TableResult]]:
    """The finished tables by round, without a final table."""
    done = [bout for bout in event.bouts if not bout.is_open and bout.round <= int(event.shape["rounds"])]
    last = max((bout.round for bout in done), default=0)
    return [[_result(bout) for bout in done if bout.round == number] for number in range(1, last + 1)]


def _result(bout: Bout) -> TableResult:
    return TableResult(bout.players, bout.points, bout.no_shows)


def tables_table(event: Event) -> list[Standing]:
    """The standings of a table event so far."""
    excluded = {one.player for one in event.competitors if one.is_excluded}
    lines = tables.standings(event.entrants(), table_results(event), scale_of(event))
    return [line for line in lines if line.player not in excluded]


def final_of(event: Event) -> Bout | None:
    """The final table, if one is being or was played."""
    return next((bout for bout in event.bouts if bout.round > int(event.shape["rounds"])), None)


def next_tables(event: Event) -> Plan:
    """The next round, the final table, or the end; also when those who are left cannot be divided any more."""
    if event.is_waiting:
        return Plan()
    number = event.last_round + 1
    absent = [one.player for one in event.competitors if not one.plays]
    seated = None
    if number <= int(event.shape["rounds"]):
        seated = tables.seat_round(
            event.entrants(), Sizing.of(event.shape), table_results(event), absent, scale_of(event)
        )
    elif event.shape.get("final_table") and final_of(event) is None:
        best = [line.player for line in sorted(tables_table(event), key=_strict) if line.player not in absent]
        best = best[: int(event.shape["target"])]
        seated = [best] if len(best) >= int(event.shape["smallest"]) else None
    if not seated:
        return Plan(is_over=True)
    return Plan(tuple(Bout(number, board, tuple(int(p) for p in table)) for board, table in enumerate(seated, start=1)))


def _strict(line: Standing) -> int:
    return line.strict


def places_at_tables(event: Event) -> dict[int, Place]:
    """The places by the standings; where a final table was played, its own come first."""
    final = final_of(event)
    if final is None or final.is_open:
        return placed(event, tables_table(event))
    return ranked_places(event, tables.places_after_final(tables_table(event), _result(final)))


def one_table(event: Event) -> Plan:
    """All at one table, once."""
    if event.bouts:
        return Plan(is_over=not event.is_waiting)
    players = tuple(one.player for one in sorted(event.competitors, key=by_seed))
    return Plan((Bout(1, 1, players),))


def places_of_one_table(event: Event) -> dict[int, Place]:
    """The places of the one table."""
    found = {player: Place(None) for bout in event.bouts for player in bout.players}
    for bout in event.bouts:
        if not bout.is_open:
            found |= ranked_places(event, _result(bout).places)
    return found
