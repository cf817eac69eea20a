"""Matches for tests of competition that end as told, without being played."""

from oceans.models import Match, Seat
from tests.builders import opened


def finished(now, first, second, *, winner=None, rated=True, game="oe-twos", ended_by="played", moved=(True, True)):
    """A match of two that has ended, without its moves; a draw where nobody is named."""
    match = opened(now, first, second, game=game, rated=rated)
    places = [1 if winner in (None, user) else 2 for user in (first, second)]
    for seat in match.seats.all():
        index = 0 if seat.user_id == first.pk else 1
        Seat.objects.filter(pk=seat.pk).update(
            place=places[index], has_moved=moved[index], ended_at=now, is_due=False, deadline_s=None
        )
    by_seat = [places[0 if seat.user_id == first.pk else 1] for seat in match.seats.order_by("number")]
    Match.objects.filter(pk=match.pk).update(
        status="finished", finished_at=now, ended_by=ended_by, due_s=None, result={"places": by_seat, "score": [6, 5]}
    )
    return match
