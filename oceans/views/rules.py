"""The list of games and their rules, the page on fair decks, and help. None of them reads the database."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.numbers import whole
from oceans.rules.game import Game
from oceans.rules.games import GAMES
from oceans.views.words import pace_rows

FAMILIES = {
    "oceans-eleven": (
        gettext_lazy("Ocean's Eleven"),
        gettext_lazy("Deal or concede with a deck of your own. All cards face up, no betting."),
    ),
    "duel-it": (gettext_lazy("Duel It"), gettext_lazy("Two hidden cards, rising bids, show or forget it.")),
    "draw": (gettext_lazy("Draw"), gettext_lazy("Bet, swap cards, bet again.")),
    "stud": (gettext_lazy("Stud"), gettext_lazy("Cards up and cards down, with betting on each.")),
    "guts": (gettext_lazy("Guts"), gettext_lazy("In or out, chosen in secret by everyone at once.")),
    "table-games": (gettext_lazy("Bluff and count"), gettext_lazy("Table games of nerve and arithmetic.")),
}
"""Names of the families of games, and what they are like. A family that is missing here is named after its first
game."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game in a list."""

    slug: str
    name: str
    players: str
    game: Game


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """Games that share a page of rules."""

    slug: str
    name: str
    about: str
    games: tuple[GameRow, ...]


def players_text(game: Game) -> str:
    """How many can play: "2 players", "3 to 6 players"."""
    if len(game.seats) == 1:
        return _("%(count)d players") % {"count": game.seats[0]}
    return _("%(low)d to %(high)d players") % {"low": game.seats[0], "high": game.seats[-1]}


def families() -> list[FamilyRow]:
    """All games by family, in the order of the registry."""
    rows = []
    for slug, members in groupby(GAMES, key=lambda game: game.family):
        games = tuple(GameRow(game.slug, game.name, players_text(game), game) for game in members)
        name, about = FAMILIES.get(slug, (games[0].name, ""))
        rows.append(FamilyRow(slug, str(name), str(about), games))
    return rows


def game_options(selected: str) -> SafeString:
    """All games as the options of a select, by family."""
    return _game_options(selected, get_language())


@lru_cache(maxsize=256)
def _game_options(selected: str, _language: str | None) -> SafeString:
    return format_html_join(
        "",
        '<optgroup label="{}">{}</optgroup>',
        (
            (
                family.name,
                format_html_join(
                    "",
                    '<option value="{}"{}>{}</option>',
                    ((row.slug, " selected" if row.slug == selected else "", row.name) for row in family.games),
                ),
            )
            for family in families()
        ),
    )


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """All games, or those that fit what was asked: a word of the name, a number of players."""
    word = request.GET.get("q", "").strip()[:40]
    players = request.GET.get("players", "")
    count = whole(players, 2)
    shown = []
    for family in families():
        fitting = tuple(
            row
            for row in family.games
            if word.casefold() in f"{family.name} {row.name}".casefold() and (count is None or count in row.game.seats)
        )
        if fitting:
            shown.append(FamilyRow(family.slug, family.name, family.about, fitting))
    context = {
        "families": shown,
        "word": word,
        "players": count,
        "counts": range(2, 11),
        "shown": sum(len(family.games) for family in shown),
        "total": len(GAMES),
        "section": "games",
    }
    return render(request, "oceans/games.html", context)


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules for players of one game, or of a family under the family's name."""
    for family in families():
        for row in family.games:
            if slug in (row.slug, family.slug):
                template = select_template(
                    [f"oceans/rules/{row.slug}.html", f"oceans/rules/{family.slug}.html", "oceans/rules/plain.html"]
                )
                context = {
                    "name": family.name if template.template.name != f"oceans/rules/{row.slug}.html" else row.name,
                    "game": row.game,
                    "players": row.players,
                    "family": family.games,
                    "section": "games",
                }
                return HttpResponse(template.render(context, request))
    raise Http404


@require_safe
def fair(request: HttpRequest) -> HttpResponse:
    """How decks are locked, and how anybody checks a finished game."""
    return render(request, "oceans/fair.html")


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Answers to what players ask."""
    return render(request, "oceans/help.html", {"paces": pace_rows()})
