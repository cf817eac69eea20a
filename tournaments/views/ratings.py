"""Leader boards."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.numbers import whole
from oceans import queries
from tournaments.models import Rating
from tournaments.queries import ratings as reading
from tournaments.views.answers import person_of

MOST_PAGES = 200


@require_safe
def pools(request: HttpRequest) -> HttpResponse:
    """Every game with a leader board."""
    played = set(Rating.objects.values_list("pool", flat=True).distinct())
    rows = [game for game in queries.games() if game.slug in played]
    return render(request, "tournaments/pools.html", {"games": rows, "section": "ratings"})


@require_safe
def board(request: HttpRequest, pool: str) -> HttpResponse:
    """The leader board of one game."""
    if pool not in {game.slug for game in queries.games()}:
        raise Http404
    page, now, reader = page_of(request), timezone.now(), person_of(request)
    rows = reading.leader_board(pool, now, page)
    own = reading.place_on_board(reader, pool, now) if reader else None
    context = {
        "game": queries.game_name(pool),
        "rows": rows,
        "own": own,
        "own_page": (own - 1) // reading.PAGE + 1 if own else None,
        "first": (page - 1) * reading.PAGE,
        "next": page + 1 if len(rows) == reading.PAGE else None,
        "section": "ratings",
    }
    return render(request, "tournaments/board.html", context)


def page_of(request: HttpRequest) -> int:
    """The page asked for; the first where that is no number."""
    return min(MOST_PAGES, max(1, whole(request.GET.get("page", ""), 5) or 1))
