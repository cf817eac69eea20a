"""Knock-outs and cups: the bracket as it stands, and which of its matches can be played (docs/competition.md, 9)."""

from collections.abc import Sequence

from tournaments import brackets, cups
from tournaments.brackets import Bracket, Gap
from tournaments.plans.groups import group_table, groups_of, most_points, next_groups
from tournaments.plans.values import CUP, Bout, Event, Place, Plan, by_seed, forfeited, ranked_places, without_excluded

SEEDS = "bracket"
"""Where the shape of a cup keeps who went on from its groups, from the first match of the bracket on."""


def bracket_of(event: Event, seeds: Sequence[int] | None = None, after: int = 0) -> Bracket:
    """The bracket as it stands; `after` rounds of groups came before it."""
    in_order = [one.player for one in sorted(event.competitors, key=by_seed)] if seeds is None else seeds
    outcomes = {(b.round - after, b.board): b.winner for b in event.bouts if b.round > after and not b.is_open}
    return brackets.eliminate(in_order, outcomes, bool(event.shape.get("third_place")))


def rounds_before_bracket(event: Event) -> int:
    """How many rounds the groups of a cup took; 0 in a knock-out."""
    return max((bout.round for bout in event.bouts if bout.group), default=0)


def next_bracket(event: Event, bracket: Bracket, after: int) -> Plan:
    """The matches of which both players are known, each as soon as that is so."""
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
        added.append(forfeited(event, Bout(number + after, board, players, games=games)))
    is_over = all(match.is_over for _number, _board, match in matches)
    return Plan(tuple(added), is_over)


def next_cup(event: Event) -> Plan:
    """The groups, and when they are done the bracket."""
    groups = next_groups(event)
    has_begun = any(not bout.group for bout in event.bouts)
    if groups.bouts or not (groups.is_over or has_begun):
        return groups
    seeds = cup_seeds(event)
    if len(seeds) < brackets.FEWEST:
        return Plan(is_over=True)
    after = rounds_before_bracket(event)
    return next_bracket(event, bracket_of(event, seeds, after), after)


def cup_seeds(event: Event) -> list[int]:
    """Who goes on from finished groups, as seeds of the bracket; those of one group kept apart in its first round.

    Once the bracket has begun these are the ones it began with, whatever is ruled about the groups.
    """
    if SEEDS in event.shape:
        return list(event.shape[SEEDS])
    lines = []
    seed = {one.player: one.seed for one in event.competitors}
    for key, members in groups_of(event).items():
        table = group_table(event, *key)
        most = most_points(event, members, table)
        own = [
            cups.GroupLine(line.player, int(line.values["points"]), most, seed[int(line.player)])
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


def places_of_bracket(event: Event) -> dict[int, Place]:
    """Places by the round in which somebody was beaten; none for who did not come out of a group."""
    is_cup = event.format == CUP
    seeds = cup_seeds(event) if is_cup else [one.player for one in sorted(event.competitors, key=by_seed)]
    places: dict[int, Place] = {one.player: Place(None) for one in event.competitors}
    if len(seeds) >= brackets.FEWEST:
        found = bracket_of(event, seeds, rounds_before_bracket(event) if is_cup else 0).places
        places |= ranked_places(event, found)
    elif seeds:
        places |= _places_of_one_group(event)
    return without_excluded(event, places)


def _places_of_one_group(event: Event) -> dict[int, Place]:
    """Places of a cup without a bracket: those of its table, but that the first place is never shared."""
    lines = [line for key in groups_of(event) for line in group_table(event, *key).standings]
    return ranked_places(event, {line.player: line.place + (line.place == 1 < line.strict) for line in lines})


def later_matches(event: Event, round_: int, board: int) -> list[tuple[int, int]]:
    """(round, board) of the matches of the bracket that hang on one of its matches, whether paired or not."""
    after = rounds_before_bracket(event) if event.format == CUP else 0
    seeds = cup_seeds(event) if event.format == CUP else None
    last = len(bracket_of(event, seeds, after).rounds) + after
    found = [(last, 2)] if event.shape.get("third_place") and round_ == last - 1 else []
    while round_ < last:
        round_, board = round_ + 1, (board + 1) // 2
        found.append((round_, board))
    return found
