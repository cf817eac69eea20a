"""The list of a player's games, least time first, and the way from one to the next."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.answers import SeeOther, posted_by_member
from accounts.numbers import whole
from oceans import access, queries
from oceans.views import aside
from oceans.views.games import news_line, offer_lines, others_line, waiting_line
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
        "finished": [news_line(row) for row in matches.ended],
        "invitations": offer_lines(offers.invitations, request),
        "own_offers": offer_lines(offers.joined, request),
        "waiting": len(mine),
        "section": "turn",
    }
    return render(request, "oceans/turn.html", context)


@login_required
@require_safe
def next_game(request: PlayerRequest) -> HttpResponse:
    """On to the waiting game after the one named, round the whole list but for what was put aside; to the list when
    none is left."""
    after = whole(request.GET.get("after", ""), 18)
    found = queries.next_waiting(request.user, after=after, skipped=aside.put_aside(request, timezone.now()))
    return SeeOther(reverse("match", args=[found]) if found else reverse("turn"))


@posted_by_member
def put_aside(request: PlayerRequest, match_id: int) -> HttpResponse:
    """Put a game that waits aside, and go on to the next one."""
    access.seat_for(request.user, match_id)
    aside.put(request, match_id, timezone.now())
    return SeeOther(f"{reverse('turn_next')}?after={match_id}")
