"""Totals of players, brought up to date by the news that a match is over (`effects`), which may come twice.

A match is added once: who claims it adds it, in one transaction. That locks the match and then people's totals in the
order of their numbers, so that matches of the same people that end together wait for each other in turn.
"""

from django.db import transaction
from django.db.models import F

from oceans.models import Match, Seat, TimeOut, Totals


def count(*, match_id: int, **_signal: object) -> None:
    """Add a match that is over to the totals of those who sat at it; without effect if they have it."""
    with transaction.atomic():
        ended = Match.objects.filter(pk=match_id, finished_at__isnull=False, is_in_totals=False)
        if not ended.update(is_in_totals=True):
            return
        gains = _gains(match_id)
        Totals.objects.bulk_create([Totals(user_id=user_id) for user_id in gains], ignore_conflicts=True)
        for user_id, figures in gains.items():
            Totals.objects.filter(user=user_id).update(**{figure: F(figure) + 1 for figure in figures})


def _gains(match_id: int) -> dict[int, list[str]]:
    """Which figures of whom go up by one, in the order of people's numbers. A seat without a place has no result."""
    places = dict(Seat.objects.filter(match=match_id).order_by("user_id").values_list("user_id", "place"))
    own_fault = TimeOut.objects.filter(match=match_id, outcome__in=TimeOut.OWN_FAULT)
    late = set(own_fault.values_list("user_id", flat=True))
    for_first = "won" if list(places.values()).count(1) == 1 else "drawn"
    gains: dict[int, list[str]] = {}
    for user_id, place in places.items():
        figures = [] if place is None else [for_first if place == 1 else "lost"]
        if user_id in late:
            figures += ["late"] if figures else ["late", "cancelled"]
        if figures:
            gains[user_id] = figures
    return gains
