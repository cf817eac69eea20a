"""Whether events that were played through the services ended as the pure functions say.

Everything is worked out anew from the games themselves (queries.ended) and from who entered and left when; what the
services stored on the way, places, points, pairings and groups, is only compared with that.
"""

from collections import Counter
from collections.abc import Mapping

from oceans import queries
from tournaments import brackets, cups, leagues, lots, pairing, rungs, schedule, standings
from tournaments.fixtures import FORFEIT, PLAYED, Fixture, from_match
from tournaments.models import Entrant as EntrantRow
from tournaments.models import EventMatch, Ladder, LadderStep, Pairing, Rung, Tournament
from tournaments.players import Entrant, Player
from tournaments.standings import RoundRobinTable
from tournaments.tiebreaks import ABSENT, BYE, FORFEITED, GAME, LATE_ENTRY, Outing


class Differs(Exception):
    """What was stored is not what follows from the games."""


def same(what: str, stored: object, told: object) -> None:
    """Raise Differs unless both are equal."""
    if stored != told:
        raise Differs(f"{what}: stored {stored!r}, but it follows {told!r}")


def every_pairing_once(event: Tournament, games: Mapping[int, range] | None = None) -> None:
    """Each pairing was made once, with the games it needed: one, or what `games` says for the best of so many; and what
    waits is counted right."""
    rows = list(Pairing.objects.filter(round__tournament=event).select_related("round"))
    waiting = Counter(row.round_id for row in rows if row.is_open)
    same("pairings that wait", event.undecided, waiting.total())
    same("pairings that wait, by round", +Counter(dict(event.rounds.values_list("pk", "undecided"))), waiting)
    boards = [(row.round.number, row.board) for row in rows]
    same("boards", len(boards), len(set(boards)))
    for row in rows:
        count = row.matches.count()
        wanted = (games or {}).get(row.games, range(0, 1) if row.how == "bye" else range(1, 2))
        if count not in wanted:
            raise Differs(f"round {row.round.number}, board {row.board} has {count} games")


def _score(row: Pairing) -> tuple[tuple[int, int], str]:
    """Points and how of a pairing of two, from its one game."""
    match = row.matches.get()
    ended = queries.ended(match.match_id)
    sides = [ended.users.index(player) for player in row.players]
    ranks = [ended.places[side] for side in sides] if ended.places else []
    winner = ranks.index(1) if ranks.count(1) == 1 else None
    moved = (ended.moved[sides[0]], ended.moved[sides[1]])
    reason = "abandoned" if ended.ended_by == "resigned" else "normal"
    decided = from_match(reason, winner, moved)
    assert decided is not None
    same(f"points of {row}", tuple(row.points), decided[0])
    return decided


def _seated(event: Tournament) -> list[EntrantRow]:
    return list(event.entrants.exclude(seed=None).order_by("seed"))


def _group(event: Tournament, members: list[EntrantRow], level: int, group: int) -> RoundRobinTable:
    """The table of a group from its games, after a look at who met whom from which seat."""
    rows = list(Pairing.objects.filter(round__tournament=event, level=level, group=group))
    players = [one.user_id for one in members]
    planned = {(players[i - 1], players[j - 1]) for round_ in schedule.berger(len(players)) for i, j in round_.pairs}
    same(f"pairs of group {level}.{group}", {tuple(row.players) for row in rows}, planned)
    for row in rows:
        same("seats", queries.ended(row.matches.get().match_id).users, tuple(row.players))
    fixtures = []
    for row in rows:
        points, how = _score(row)
        fixtures.append(Fixture(row.players[0], row.players[1], points, how))
    entrants = [Entrant(one.user_id, one.seed or 0) for one in members]
    return standings.round_robin(entrants, fixtures)


def round_robin(event: Tournament) -> dict[str, int]:
    """A league edition or a mini cup of two: the table of each group, and the places."""
    every_pairing_once(event)
    groups: dict[tuple[int, int], list[EntrantRow]] = {}
    for one in _seated(event):
        groups.setdefault((one.level, one.group), []).append(one)
    for (level, group), members in groups.items():
        told = {line.player: line.place for line in _group(event, members, level, group).standings}
        same(f"places in group {level}.{group}", {one.user_id: one.place for one in members}, told)
    return {"groups": len(groups), "matches": _matches(event)}


def next_league(event: Tournament, following: Tournament) -> None:
    """The groups of the following edition are those that the tables of this one give."""
    levels: dict[int, list[list[leagues.LeagueLine]]] = {}
    groups: dict[tuple[int, int], list[EntrantRow]] = {}
    for one in _seated(event):
        groups.setdefault((one.level, one.group), []).append(one)
    for (level, group), members in sorted(groups.items()):
        table = _group(event, members, level, group)
        most = 2 * (len(members) - 1)
        levels.setdefault(level, []).append(
            [leagues.LeagueLine(line.player, line.strict, int(line.values["points"]), most) for line in table.standings]
        )
    ratings: dict[Player, float] = {one.user_id: one.rating or 0 for one in _seated(following)}
    before = {line.player for groups_ in levels.values() for group_ in groups_ for line in group_}
    built = leagues.next_edition(
        [levels[level] for level in sorted(levels)],
        ratings,
        leaving=before - ratings.keys(),
        new=[player for player in ratings if player not in before],
    )
    told = [
        (player, level, number)
        for level, groups_ in enumerate(built.levels, start=1)
        for number, group_ in enumerate(groups_, start=1)
        for player in group_
    ]
    same("next edition", [(one.user_id, one.level, one.group) for one in _seated(following)], told)


def cup(event: Tournament) -> dict[str, int]:
    """Groups by rating, their tables, the draw of the bracket, every match of it, and the places."""
    every_pairing_once(event, {1: range(1, 4), 3: range(2, 6)})
    members = _seated(event)
    limit = int(event.shape["limit"])
    drawn = cups.draw_groups({one.user_id: one.rating or 0 for one in members}, limit)
    lines = []
    for number, group in enumerate(drawn, start=1):
        own = [one for one in members if one.group == number]
        same(f"group {number}", {one.user_id for one in own}, set(group))
        seeds = {one.user_id: one.seed or 0 for one in own}
        most = 2 * (len(own) - 1)
        table = _group(event, own, 1, number)
        lines.append(
            [
                cups.GroupLine(line.player, int(line.values["points"]), most, seeds[int(line.player)])
                for line in table.standings
            ]
        )
    draw = cups.draw_bracket(lines)
    seeds_of = list(draw.seeds)
    for one, other in draw.swaps:
        seeds_of[one - 1], seeds_of[other - 1] = seeds_of[other - 1], seeds_of[one - 1]
    outcomes = {
        (row.round.number - 1, row.board): _tie_winner(event, row)
        for row in Pairing.objects.filter(round__tournament=event, group=0).select_related("round")
    }
    if len(seeds_of) >= brackets.FEWEST:
        places = brackets.eliminate(seeds_of, outcomes).places
    else:
        places = {line.player: max(line.place, min(line.strict, 2)) for line in table.standings}
    same("places", {one.user_id: one.place for one in members if one.place}, places)
    return {"groups": len(drawn), "matches": _matches(event)}


def _tie_winner(event: Tournament, row: Pairing) -> int:
    """Who goes on from a match of the bracket, from its games; their first seats are looked at on the way."""
    first = lots.draw(event.seed, f"first:{row.round.number}:{row.board}", row.players)
    results = []
    for number, match in enumerate(row.matches.order_by("number"), start=1):
        ended = queries.ended(match.match_id)
        same("first seat", ended.users[0], first[0 if number % 2 else 1])
        places = [(ended.places or ())[ended.users.index(player)] for player in row.players]
        results.append("draw" if places.count(1) == 2 else "AB"[places.index(1)])
    ordered = event.entrants.filter(user__in=row.players).order_by("seed").values_list("user", flat=True)
    better = "AB"[row.players.index(ordered[0])]
    verdict = brackets.best_of(row.games, results, better)
    assert verdict.winner is not None
    winner = row.players["AB".index(verdict.winner)]
    same(f"winner of {row}", row.winner_id, winner)
    return int(winner)


def swiss(event: Tournament) -> dict[str, int]:
    """Every round paired anew from the rounds before it, and the places."""
    every_pairing_once(event)
    members = _seated(event)
    sheets: dict[Player, list[Outing]] = {one.user_id: [] for one in members}
    seats: dict[int, list[int]] = {one.user_id: [] for one in members}
    byes = 0
    rounds = list(event.rounds.order_by("number"))
    for round_ in rounds:
        present = [
            one
            for one in members
            if one.late_in <= round_.number and (one.left_at is None or one.left_at > round_.opened_at)
        ]
        told = pairing.pair_round(
            [_contender(one, sheets[one.user_id], seats[one.user_id]) for one in present], round_.number
        )
        rows = list(round_.pairings.order_by("board"))
        pairs = [tuple(row.players) for row in rows if len(row.players) == 2]
        same(f"pairs of round {round_.number}", pairs, [tuple(pair) for pair in told.pairs])
        free = [row.players[0] for row in rows if len(row.players) == 1]
        same(f"bye of round {round_.number}", free, [told.bye] if told.bye is not None else [])
        byes += len(free)
        for one in members:
            row = next((row for row in rows if one.user_id in row.players), None)
            sheets[one.user_id].append(_outing(one, row, round_.number))
            if row is not None and row.how == PLAYED:
                same("seats", queries.ended(row.matches.get().match_id).users, tuple(row.players))
                seats[one.user_id].append(1 if row.players[0] == one.user_id else -1)
    lines = standings.swiss([Entrant(one.user_id, one.seed or 0) for one in members], sheets)
    same("places", {one.user_id: one.place for one in members}, {line.player: line.place for line in lines})
    return {"rounds": len(rounds), "byes": byes, "matches": _matches(event)}


def _outing(one: EntrantRow, row: Pairing | None, number: int) -> Outing:
    if row is None:
        return Outing(LATE_ENTRY if number == one.late_in - 1 else ABSENT)
    if len(row.players) == 1:
        return Outing(BYE)
    points, how = _score(row)
    side = row.players.index(one.user_id)
    return Outing(FORFEITED if how == FORFEIT else GAME, row.players[1 - side], points[side])


def _contender(one: EntrantRow, sheet: list[Outing], seats: list[int]) -> pairing.Contender:
    return pairing.Contender(
        player=one.user_id,
        seed=one.seed or 0,
        points=sum(outing.worth for outing in sheet),
        met=tuple(outing.opponent for outing in sheet if outing.opponent is not None),
        free_wins=sum(o.kind == BYE or (o.kind == FORFEITED and o.points == 2) for o in sheet),
        seats=tuple(seats),
    )


def ladder(one: Ladder) -> dict[str, int]:
    """The positions follow from the history, step by step, and every game moved what the rules say, once."""
    order: list[int] = []
    steps = list(LadderStep.objects.filter(ladder=one).order_by("seq"))
    same("numbers of steps", [step.seq for step in steps], list(range(1, len(steps) + 1)))
    games = [step.challenge_id for step in steps if step.kind in rungs.ENDINGS and step.challenge_id]
    same("games applied once", len(games), len(set(games)))
    for step in steps:
        if step.kind == "join":
            same("the rung of who joins", step.to_rung, len(order) + 1)
            order.append(step.player_id)
            continue
        frm = order.index(step.player_id) + 1
        same(f"where step {step.seq} begins", step.from_rung, frm)
        if step.to_rung is None:
            order.remove(step.player_id)
            continue
        if step.other_id is not None and step.kind in rungs.ENDINGS:
            told = rungs.climb(frm, order.index(step.other_id) + 1)
            same(f"the rung won in step {step.seq}", step.to_rung, told)
        order.remove(step.player_id)
        order.insert(step.to_rung - 1, step.player_id)
    stored = list(Rung.objects.filter(ladder=one, left_at=None).order_by("order_key").values_list("user", flat=True))
    same("positions", stored, order)
    return {"steps": len(steps), "games": len(games), "members": len(order)}


def _matches(event: Tournament) -> int:
    return EventMatch.objects.filter(pairing__round__tournament=event).count()
