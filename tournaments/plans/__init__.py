"""How an event goes on: what to pair next, whether it is over, and who came where (docs/competition.md, 4 to 11).

Pure: from the entrants and all bouts so far to the bouts that must be added. Asked again with the same event it answers
the same, so a round that was only half stored is completed, never made twice.
"""

from tournaments.plans.groups import group_table, groups_of, most_points, next_groups, schedule
from tournaments.plans.knockout import (
    SEEDS,
    bracket_of,
    cup_seeds,
    later_matches,
    next_bracket,
    next_cup,
    places_of_bracket,
    rounds_before_bracket,
)
from tournaments.plans.seatings import (
    final_of,
    next_tables,
    one_table,
    places_at_tables,
    places_of_one_table,
    scale_of,
    table_results,
    tables_table,
)
from tournaments.plans.swiss import next_swiss, sections_of, swiss_places, swiss_sheets, swiss_table
from tournaments.plans.values import (
    BYE_HOW,
    CUP,
    KNOCK_OUT,
    LEAGUE,
    MINI_CUP,
    ROUND_ROBIN,
    SWISS,
    TABLES,
    Bout,
    Competitor,
    Event,
    Place,
    Plan,
    placed,
)

__all__ = [
    "BYE_HOW",
    "CUP",
    "KNOCK_OUT",
    "LEAGUE",
    "MINI_CUP",
    "ROUND_ROBIN",
    "SEEDS",
    "SWISS",
    "TABLES",
    "Bout",
    "Competitor",
    "Event",
    "Place",
    "Plan",
    "bracket_of",
    "cup_seeds",
    "final_of",
    "group_table",
    "groups_of",
    "later_matches",
    "most_points",
    "next_step",
    "places_of",
    "rounds_before_bracket",
    "scale_of",
    "schedule",
    "sections_of",
    "swiss_sheets",
    "swiss_table",
    "table_results",
    "tables_table",
]


def next_step(event: Event) -> Plan:
    """What must be paired now; nothing while a round that the next one waits for is being played."""
    if event.format == SWISS:
        return next_swiss(event)
    if event.format == TABLES:
        return next_tables(event)
    if event.format == KNOCK_OUT:
        return next_bracket(event, bracket_of(event), 0)
    if event.format == CUP:
        return next_cup(event)
    if event.format == MINI_CUP and not event.is_for_two:
        return one_table(event)
    return next_groups(event)


def places_of(event: Event) -> dict[int, Place]:
    """The places of an event that is over."""
    if event.format == SWISS:
        return swiss_places(event)
    if event.format == TABLES:
        return places_at_tables(event)
    if event.format == MINI_CUP and not event.is_for_two:
        return places_of_one_table(event)
    if event.format in (KNOCK_OUT, CUP):
        return places_of_bracket(event)
    places: dict[int, Place] = {}
    for key in groups_of(event):
        places |= placed(event, group_table(event, *key).standings)
    return places
