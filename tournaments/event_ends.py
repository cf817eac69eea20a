"""The end of an event, under its lock: places, badges and titles; and again when a ruling changes them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from tournaments import editions, event_news, plans, tickets
from tournaments.event_rows import Locked, value_of
from tournaments.fixtures import PLAYED
from tournaments.models import Award, Entrant, Pairing, Tournament

ENTRANTS_FOR_BADGES: Final = 5
BADGES: Final = {1: Award.Kind.FIRST, 2: Award.Kind.SECOND, 3: Award.Kind.THIRD}


def finish(here: Locked) -> None:
    """The event is over: give places, badges and titles, say so, and open what follows it."""
    event = here.event
    event.state, event.finished_at, event.due_at = Tournament.State.FINISHED, here.now, None
    event.save(update_fields=["state", "finished_at", "due_at"])
    event.rounds.filter(closed_at=None).update(closed_at=here.now)
    rank(here)
    event_news.finished(event, here.now)
    editions.open_next_at_end(event, here.now)


def rank_again(here: Locked) -> None:
    """After a ruling: as `rank`, and who has a ticket by it is told; whom it put out of a league is let go."""
    if here.event.series and here.event.format == Tournament.Format.LEAGUE:
        editions.let_go(here.event, here.now)
    if (winner := rank(here)) is not None:
        event_news.ticket(here.event, winner, here.now)


def rank(here: Locked) -> int | None:
    """Give the places of a finished event, its badges, titles and ticket; take back those that a ruling has moved.
    Returns who has a new ticket."""
    event = here.event
    places = plans.places_of(value_of(event))
    entrants = list(event.entrants.exclude(seed=None))
    for one in entrants:
        found = places.get(one.user_id, plans.Place(None))
        one.place, one.is_shared = found.place, found.shared
    Entrant.objects.bulk_update(entrants, ["place", "is_shared"])
    due = {(award.user_id, award.kind): award for award in _awards(event, entrants, here.now)}
    for award in Award.objects.filter(tournament=event):
        if due.pop((award.user_id, award.kind), None) is None:
            award.delete()
    Award.objects.bulk_create(due.values(), ignore_conflicts=True)
    return tickets.settle(event, entrants, here.now)


def _awards(event: Tournament, entrants: Sequence[Entrant], now: datetime) -> list[Award]:
    """Badges for the first three places, and the titles of leagues and cups; only for who was in to the end."""
    played = {p for row in Pairing.objects.filter(round__tournament=event, how=PLAYED) for p in row.players}
    won = []
    for one in entrants:
        if one.place is None or one.state != Entrant.State.IN:
            continue
        kinds = _kinds(event, one, len(played))
        won += [Award(user_id=one.user_id, kind=kind, tournament=event, won_at=now) for kind in kinds]
    return won


def _kinds(event: Tournament, one: Entrant, played: int) -> list[str]:
    """What an entrant has won; `played` counts those who finished a match."""
    assert one.place is not None
    is_first = one.place == 1
    if event.format == Tournament.Format.MINI_CUP:
        return [Award.Kind.FIRST] if is_first else []
    kinds: list[str] = [BADGES[one.place]] if one.place in BADGES and played >= ENTRANTS_FOR_BADGES else []
    if event.format == Tournament.Format.LEAGUE:
        if is_first:
            return [Award.Kind.CHAMPION if one.level == 1 else Award.Kind.FIRST]
        return kinds if one.level == 1 else []
    if event.format == Tournament.Format.CUP and event.series and is_first:
        kinds.append(Award.Kind.CUP)
    return kinds
