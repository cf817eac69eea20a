"""Matches and events for tests of competition that end as told, without being played."""

from collections.abc import Callable

from django.db.models import QuerySet

from oceans import queries
from oceans.models import Match, Seat
from tests.builders import opened
from tests.conftest import person
from tournaments import running
from tournaments.models import EventMatch, Tournament


def finished(now, first, second, *, winner=None, rated=True, game="oe-twos", ended_by="played", moved=(True, True)):
    """A match of two that has ended, without its moves; a draw where nobody is named."""
    match = opened(now, first, second, game=game, rated=rated)
    places = {user.pk: 1 if winner in (None, user) else 2 for user in (first, second)}
    finish(match, places, now, ended_by=ended_by, moved=dict(zip((first.pk, second.pk), moved, strict=True)))
    return match


def finish(match, places, now, *, ended_by="played", moved=None, late=()):
    """Let a running match end with these places by user."""
    users = list(match.seats.order_by("number").values_list("user_id", flat=True))
    for number, user in enumerate(users):
        has_moved = True if moved is None else moved[user]
        Seat.objects.filter(match=match, number=number).update(
            place=places[user], has_moved=has_moved, ended_at=now, is_due=False, deadline_s=None
        )
        if user in late:
            match.time_outs.create(
                seat=number,
                user_id=user,
                turn=match.turn,
                started_s=0,
                deadline_s=1,
                effective_s=1,
                judged_s=1,
                judged_at=now,
                outcome="lost" if has_moved else "forfeited",
            )
    result = {"places": [places[user] for user in users], "score": [0] * len(users)}
    Match.objects.filter(pk=match.pk).update(
        status="finished", finished_at=now, ended_by=ended_by, due_s=None, result=result
    )


def fields(count: int) -> list:
    """So many people with accounts."""
    return [person(f"p{number}") for number in range(1, count + 1)]


USUAL = {"by": None, "name": "The event", "format": "round-robin", "game": "oe-twos", "pace": "classic"}


def open_event(now, people=(), **terms) -> Tournament:
    """An event open for entries, of the site unless somebody is named, which these people have entered."""
    pk = running.create(now=now, **{**USUAL, **terms})
    for one in people:
        running.enter(tournament_id=pk, user_id=one.pk, now=now, password=terms.get("password", ""))
    return Tournament.objects.get(pk=pk)


def event_of(now, people, **terms) -> Tournament:
    """A started event with these people."""
    return open_event(now, people, most=len(people), **terms)


def running_matches(event) -> QuerySet[EventMatch]:
    """Matches of an event that are being played."""
    return EventMatch.objects.filter(pairing__round__tournament=event, ended_at=None).order_by("pk")


def end_match(event_match, now, places, **how) -> None:
    """Let a match of an event end, and spread the news twice."""
    finish(event_match.match, places, now, **how)
    for _ in range(2):
        running.record_result(queries.ended(event_match.match_id), now)


def by_strength(users: list[int]) -> dict[int, int]:
    """Whoever came to the site first wins."""
    return {user: place for place, user in enumerate(sorted(users), start=1)}


def play_event(event, now, places: Callable[[list[int]], dict[int, int]] = by_strength) -> Tournament:
    """Let all matches of an event end as told until it is over."""
    for _ in range(500):
        match = running_matches(event).first()
        if match is None:
            break
        end_match(match, now, places(match.pairing.players))
    event.refresh_from_db()
    return event


def places(event) -> dict[str, int | None]:
    """Names and places."""
    return dict(event.entrants.order_by("place", "seed").values_list("user__username", "place"))
