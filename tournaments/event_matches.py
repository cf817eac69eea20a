"""Matches of an event, under its lock: opened for pairings, taken in, given up, closed late, ruled on.

Called by event_steps.py and the verbs of running.py and directing.py only.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Max, QuerySet

from oceans import play, queries
from oceans.queries import Ended
from tournaments import brackets, endless
from tournaments.endings import reason_of
from tournaments.event_rows import (
    Locked,
    count_undecided,
    games_at_first,
    is_in_groups,
    is_knock_out,
    points_for,
)
from tournaments.fixtures import FORFEIT, PLAYED, SideTime, at_hard_limit, from_match
from tournaments.lots import draw
from tournaments.models import EventMatch, Pairing, Tournament

EVENT: Final = "event:"
"""How the event key of these matches begins."""
BATCH: Final = 10
"""Matches opened under one lock."""
REOPENED: Final = "reopened"
UNCOUNTED: Final = ("aborted", "cancelled", REOPENED)
"""Reasons of matches that are played again."""


def event_key(event: Tournament) -> str:
    """What play knows the matches of an event by."""
    return f"{EVENT}{event.pk}"


def forfeit(here: Locked, pairing: Pairing, leaver: int) -> None:
    """Give a pairing to the opponent; at a table only the seat is given up, and the others play on."""
    running = list(pairing.matches.filter(ended_at=None))
    if len(pairing.players) == 2:
        _note_reason(running, "abandoned")
        other = next(player for player in pairing.players if player != leaver)
        settle(here, pairing, points_for(other, pairing.players), FORFEIT, other)
    for match in running:
        _resign(match.match_id, leaver, here.now)


def _note_reason(matches: Iterable[EventMatch], reason: str) -> None:
    for match in matches:
        match.reason = reason
        match.save(update_fields=["reason"])


def _resign(match_id: int, user_id: int, now: datetime) -> None:
    """Resign a seat unless the match, or the seat in it, has just ended by itself."""
    users = queries.ended(match_id).users
    try:
        play.resign(match_id=match_id, seat=users.index(user_id), now=now)
    except (play.Refusal, play.IllegalMove):
        return


def settle(here: Locked, pairing: Pairing, points: Sequence[int], how: str, winner: int | None) -> None:
    """Decide a pairing, or decide it otherwise; in the endless event the scores follow."""
    if pairing.is_open:
        count_undecided(here.event, pairing.round_id, -1)
    pairing.points, pairing.how, pairing.winner_id, pairing.lacking = list(points), how, winner, 0
    pairing.decided_at = pairing.decided_at or here.now
    pairing.save(update_fields=["points", "how", "winner", "decided_at", "lacking"])
    if here.event.is_endless:
        endless.score(here.event, pairing)


def open_some(here: Locked) -> int:
    """Open up to a batch of matches that pairings wait for."""
    opened = 0
    waiting = Pairing.objects.filter(round__tournament=here.event, lacking__gt=0).select_related("round")
    for pairing in waiting.order_by("round__number", "board")[:BATCH]:
        for _number in range(min(pairing.lacking, BATCH - opened)):
            _open_match(here, pairing)
            opened += 1
    return opened


def _note_lacking(event: Tournament, pairing: Pairing) -> None:
    """Note how many games an open pairing waits for, once its games have changed."""
    pairing.lacking = _games_missing(event, pairing)
    pairing.save(update_fields=["lacking"])


def _games_missing(event: Tournament, pairing: Pairing) -> int:
    """How many games a pairing waits for: all of a match at once or one by one, extra ones always one by one."""
    matches = list(pairing.matches.all())
    counted = [match for match in matches if match.ended_at is None or match.reason not in UNCOUNTED]
    is_running = any(match.ended_at is None for match in counted)
    if len(counted) < pairing.games:
        return int(not is_running) if event.shape.get("in_turn") else pairing.games - len(counted)
    return int(not is_running and is_knock_out(event, pairing))


def lacking_matches() -> QuerySet[Pairing]:
    """Pairings of running events with games that are still to be opened."""
    running = {"round__tournament__state": Tournament.State.RUNNING, "round__tournament__is_paused": False}
    return Pairing.objects.filter(**running, lacking__gt=0)


def _open_match(here: Locked, pairing: Pairing) -> None:
    event = here.event
    played = pairing.matches.exclude(reason__in=UNCOUNTED).count()
    match_id = play.open_match(
        game=event.game,
        users=_seated(event, pairing, played + 1),
        pace=event.pace,
        weekend=event.weekend,
        leave_allowed=event.leave_allowed,
        rated=event.rated,
        label=event.name,
        event=event_key(event),
        now=here.now,
        are_seats_drawn=False,
        is_private=event.is_closed_to_strangers,
    )
    number = (pairing.matches.aggregate(last=Max("number"))["last"] or 0) + 1
    EventMatch.objects.create(pairing=pairing, number=number, match_id=match_id)
    pairing.lacking -= 1
    pairing.save(update_fields=["lacking"])


def _seated(event: Tournament, pairing: Pairing, game: int) -> list[int]:
    """Who sits where: as paired where the format balances first seats; by lots at tables and in knock-outs, where the
    first seat then alternates from game to game."""
    if len(pairing.players) == 2 and is_in_groups(event, pairing):
        return [int(player) for player in pairing.players]
    kind = "first" if len(pairing.players) == 2 else "seats"
    drawn = draw(event.seed, f"{kind}:{pairing.round.number}:{pairing.board}", pairing.players)
    return [int(player) for player in (drawn if game % 2 else reversed(drawn))]


def note_match(match: EventMatch, ended: Ended, now: datetime) -> None:
    """Write down how a match of the event ended."""
    players = match.pairing.players
    match.ended_at = now
    match.reason = match.reason or reason_of(ended)
    seats = [ended.users.index(player) for player in players]
    match.moved = [ended.moved[seat] for seat in seats]
    match.ranks = [ended.places[seat] for seat in seats] if ended.places else []
    match.save(update_fields=["ended_at", "reason", "moved", "ranks"])


def decide(here: Locked, pairing: Pairing, match: EventMatch) -> None:
    """Decide a pairing by its matches, if they do; else another game may have to follow."""
    _decide(here, pairing, match)
    if pairing.is_open:
        _note_lacking(here.event, pairing)


def _decide(here: Locked, pairing: Pairing, match: EventMatch) -> None:
    if match.reason in UNCOUNTED:
        return
    if len(pairing.players) > 2:
        settle(here, pairing, match.ranks, PLAYED, None)
    elif is_knock_out(here.event, pairing):
        _decide_tie(here, pairing)
    else:
        a, b = match.moved
        winner = _first_alone(match.ranks)
        reason = "no_show" if winner is None and not (a and b) else match.reason
        decided = from_match(reason, winner, (a, b))
        if decided is not None:
            points, how = decided
            settle(here, pairing, points, how, None if winner is None else pairing.players[winner])


def _first_alone(ranks: Sequence[int]) -> int | None:
    return ranks.index(1) if ranks.count(1) == 1 else None


def _decide_tie(here: Locked, pairing: Pairing) -> None:
    """Decide a match of one or more games, of which somebody goes on, or nobody if neither ever came."""
    done = [m for m in pairing.matches.order_by("number") if m.ended_at and m.reason not in UNCOUNTED]
    if len(done) == pairing.games and not any(moved for m in done for moved in m.moved):
        settle(here, pairing, (0, 0), FORFEIT, None)
        return
    results = ["AB"[index] if (index := _first_alone(m.ranks)) is not None else "draw" for m in done]
    better = "AB"[pairing.players.index(_better_seed(here, pairing))]
    verdict = brackets.best_of(pairing.games, results, better)
    if verdict.winner is None:
        return
    winner = pairing.players["AB".index(verdict.winner)]
    loser = "AB".index(verdict.winner) ^ 1
    how = PLAYED if all(m.moved[loser] for m in done) else FORFEIT
    settle(here, pairing, verdict.score, how, winner)


def _better_seed(here: Locked, pairing: Pairing) -> int:
    """The one of two players with the smaller start number."""
    ordered = here.event.entrants.filter(user__in=pairing.players).order_by("seed")
    return ordered.values_list("user", flat=True)[0]


def rule(here: Locked, pairing: Pairing, points: tuple[int, int], how: str) -> None:
    """Decide a pairing as its director rules; a game that runs is called off."""
    winner = next((p for p, point in zip(pairing.players, points, strict=True) if point == 2), None)
    settle(here, pairing, points, how, winner)
    call_off(here, pairing, "adjudicated")


def reopen(here: Locked, pairing: Pairing) -> None:
    """Let a pairing be played again: what was played for it counts no more."""
    count_undecided(here.event, pairing.round_id, +1)
    call_off(here, pairing, REOPENED)
    _note_reason(pairing.matches.all(), REOPENED)
    pairing.points, pairing.how, pairing.winner_id, pairing.decided_at = [], "open", None, None
    pairing.lacking = games_at_first(here.event, pairing.games)
    pairing.save(update_fields=["points", "how", "winner", "decided_at", "lacking"])


def call_off(here: Locked, pairing: Pairing, reason: str) -> None:
    """Cancel the games of a pairing that run; what is played again is over for the event at once."""
    for match in pairing.matches.filter(ended_at=None):
        match.reason, match.ended_at = reason, here.now if reason == REOPENED else None
        match.save(update_fields=["reason", "ended_at"])
        play.call_off(match_id=match.match_id, now=here.now)
    if reason == REOPENED and pairing.is_open:
        _note_lacking(here.event, pairing)


def remove(here: Locked, pairings: Iterable[Pairing]) -> None:
    """Take pairings back in which nobody has moved: their games are called off, and they were never paired."""
    for pairing in pairings:
        call_off(here, pairing, "cancelled")
        if pairing.is_open:
            count_undecided(here.event, pairing.round_id, -1)
        pairing.delete()


def has_moved(match: EventMatch, user_id: int) -> bool:
    """Whether a player has moved in a game of the event."""
    ended = queries.ended(match.match_id)
    return user_id in ended.users and ended.moved[ended.users.index(user_id)]


def has_moves(pairing: Pairing) -> bool:
    """Whether somebody has moved in a game of a pairing. A query for each game."""
    return any(any(queries.ended(match.match_id).moved) for match in pairing.matches.all())


def close(here: Locked, pairing: Pairing) -> None:
    """Decide what is still open at the hard limit by who was slow; the game itself is called off."""
    running = list(pairing.matches.filter(ended_at=None))
    if len(pairing.players) == 2:
        points, how = _judged(pairing, running)
        winner = next((p for p, point in zip(pairing.players, points, strict=True) if point == 2), None)
        if is_knock_out(here.event, pairing) and points == (1, 1):
            winner = _better_seed(here, pairing)
        settle(here, pairing, points, how, winner)
    else:
        settle(here, pairing, _ranked_now(pairing, running), "overdue", None)
    call_off(here, pairing, "overdue")


def _ranked_now(pairing: Pairing, running: Sequence[EventMatch]) -> list[int]:
    """Ranks at a table that is not finished: by what each seat has, after them who is out, last who never moved."""
    if not running:
        return [1] * len(pairing.players)
    seats = {seat.person.id: seat for seat in queries.view_of(running[0].match_id, None).seats}
    order = [(not seats[p].has_moved, seats[p].place or 0, -seats[p].score) for p in pairing.players]
    return [1 + sum(other < mine for other in order) for mine in order]


def _judged(pairing: Pairing, running: Sequence[EventMatch]) -> tuple[tuple[int, int], str]:
    if not running:
        return (1, 1), "overdue"
    ended, hours = queries.ended(running[0].match_id), queries.hours_thought(running[0].match_id)
    sides = [SideTime(hours[player], ended.moved[ended.users.index(player)]) for player in pairing.players]
    return at_hard_limit(*sides)
