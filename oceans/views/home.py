"""The front page, with a hand to try."""

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from oceans import queries
from oceans.rules.examples import played
from oceans.rules.games import by_slug
from oceans.rules.look import View
from oceans.views.games import watch_line
from oceans.views.rules import families
from oceans.views.table import Player, table_rows

SAMPLE_GAME = "oe-twos"
SAMPLE_TOPS = ("6d Qs 9s 9d Kh 4c 2h 7d", "Th 5c Js 8d 6h Jc Kc")
SAMPLE_START = ("0 concede", "1 concede", "0 deal", "1 deal", "1 deal", "1 deal", "0 deal", "0 deal")
SAMPLE_MOVES = ("deal", "concede")
YOU, BOT = 0, 1


@lru_cache
def sample_view(move: str | None) -> View:
    """The third hand of a game against a bot: before the visitor's answer, or after it."""
    return played(SAMPLE_GAME, SAMPLE_TOPS, SAMPLE_START + ((f"{YOU} {move}",) if move else ()), viewer=YOU)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, a hand to try, games to watch."""
    move = request.GET.get("sample")
    view = sample_view(move if move in SAMPLE_MOVES else None)
    names = (_("You"), _("The bot"))
    players = [Player(name, format_html("<b>{}</b>", name)) for name in names]
    context = {
        "table": table_rows(by_slug(SAMPLE_GAME), view, players),
        "sample": move if move in SAMPLE_MOVES else "",
        "playing": [watch_line(row) for row in queries.running_now(limit=4)],
        "families": families(),
    }
    return render(request, "oceans/home.html", context)
