"""The list of a player's games, least time first, and the way from one to the next."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.answers import SeeOther
from accounts.numbers import whole
from oceans import queries
from oceans.views.games import ended_line, offer_lines, others_line, waiting_line
from oceans.views.requests import PlayerRequest


@login_required
@require_safe
def turn(request: PlayerRequest) -> HttpResponse:
    """Games that wait for the reader, for others, that have just ended; invitations."""
    now = timezone.now()
    matches = queries.dashboard_of(request.user, now)
    offers = queries.own_offers(request.user)
    mine = [waiting_line(row, now) for row in matches.mine]
    context = {
        "mine": mine,
        "first_left": next((line.left for line in mine if line.left is not None), None),
        "theirs": [others_line(row, now) for row in matches.theirs],
        "finished": [ended_line(row) for row in matches.ended],
        "invitations": offer_lines(offers.invitations, request),
        "own_offers": offer_lines(offers.joined, request),
        "waiting": len(mine),
        "section": "turn",
    }
    return render(request, "oceans/turn.html", context)


@login_required
@require_safe
def next_game(request: PlayerRequest) -> HttpResponse:
    """On to the waiting game after the one named, round the whole list; to the list when none waits."""
    found = queries.next_waiting(request.user, after=whole(request.GET.get("after", ""), 18))
    return SeeOther(reverse("match", args=[found]) if found else reverse("turn"))
