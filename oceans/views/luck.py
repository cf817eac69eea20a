"""Luck and choices: what decided a game of Ocean's Eleven for two that is over."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.answers import SeeOther, posted_by_member
from oceans import access, play, queries
from oceans.bots.hindsight import TIMES, Account, Choice
from oceans.refusals import Refusal
from oceans.views.match import match_facts
from oceans.views.replay import Part, parts_of
from oceans.views.requests import PlayerRequest
from oceans.views.seen import see
from oceans.views.table import Player, verdict_text

DEAREST: Final = 5
"""So many choices are listed that cost most."""
WIDTH, HEIGHT, LEFT, TOP = 320.0, 100.0, 40.0, 8.0
APART: Final = 16.0
"""So far apart are numbers that can be read."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A choice in words and whole percents; `cost` is blank where the other choice was not better. It can be seen in
    the replay after the entry `before`."""

    number: int
    before: int
    hand: SafeString
    who: SafeString
    did: str
    dealing: int
    conceding: int
    cost: str


@dataclass(frozen=True, slots=True)
class Summand:
    """A line of the account: what it is, and what it was worth to each seat."""

    name: str
    values: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The chance of the first seat over the choices, in a box of 400 by 126, with marks where hands begin: the numbers
    of those that follow close on another are left out."""

    line: str
    levels: tuple[tuple[float, int], ...]
    hands: tuple[tuple[float, int | None], ...]


@require_safe
def luck(request: HttpRequest, match_id: int) -> HttpResponse:
    """What decided the game, once somebody has asked for it and it is worked out."""
    return _page(request, match_id)


def _page(request: HttpRequest, match_id: int, refused: str = "", status: int = 200) -> HttpResponse:
    seen = see(request, match_id)
    names = {seat: player.name for seat, player in enumerate(seen.players)}
    is_there = queries.has_hindsight(seen.match)
    sight = queries.luck_of(seen.match) if is_there else queries.LuckSight()
    context = {
        "refused": refused,
        "match": match_facts(seen),
        "is_there": is_there,
        "is_waiting": sight.is_waiting,
        "has_failed": sight.has_failed,
        "is_made": sight.luck is not None,
        "outcome": verdict_text(seen.game, seen.view, names) if seen.view.is_over else "",
        "players": seen.players,
        "page_title": _("Luck and choices in game %(id)d, %(game)s") % {"id": match_id, "game": seen.game.name},
    }
    if sight.luck is not None:
        parts = parts_of(seen.view, names, 0)
        rows = [_row(choice, seen.players, parts) for choice in sight.luck.choices]
        costly = sorted((one for one in zip(sight.luck.choices, rows, strict=True) if one[0].cost), key=_by_cost)
        context |= {
            "account": _account(sight.luck.accounts),
            "dearest": [row for _choice, row in costly[:DEAREST]],
            "rows": rows,
            "drawing": _drawing(sight.luck.course, sight.luck.choices, parts),
            "times": TIMES,
        }
    return render(request, "oceans/luck.html", context, status=status)


@posted_by_member
def ask(request: PlayerRequest, match_id: int) -> HttpResponse:
    """Let luck and choices of a game be worked out."""
    match = access.match_for(request.user, match_id)
    try:
        play.ask_for_hindsight(match=match, user_id=request.user.pk, now=timezone.now())
    except Refusal as refused:
        return _page(request, match_id, str(refused), refused.status)
    return SeeOther(reverse("luck", args=[match_id]))


def _by_cost(one: tuple[Choice, ChoiceRow]) -> tuple[float, int]:
    return -one[0].cost, one[0].number


def _row(choice: Choice, players: tuple[Player, ...], parts: list[Part]) -> ChoiceRow:
    hand = next((part.title for part in reversed(parts) if part.first < choice.number), SafeString())
    return ChoiceRow(
        number=choice.number,
        before=choice.number - 1,
        hand=hand,
        who=players[choice.seat].who,
        did={True: _("dealt"), False: _("conceded"), None: _("was to choose")}[choice.has_dealt],
        dealing=_percent(choice.dealing),
        conceding=_percent(choice.conceding),
        cost=_signed(-_percent(choice.cost)) if choice.cost else "",
    )


def _account(accounts: tuple[Account, Account]) -> list[Summand]:
    """What moved both from an even game to the result, in whole points of a hundred. Luck is what is left, so that the
    lines add up as they are shown."""
    names = [_("Luck of the cards"), _("Own choices"), _("Choices of the other"), _("Not played to the end")]
    columns = []
    for one in accounts:
        others = [_percent(worth) for worth in (one.own_choices, one.other_choices, one.given_up)]
        columns.append([_percent(one.total) - sum(others), *others, _percent(one.total)])
    rows = zip([*names, _("From an even game to the result")], *columns, strict=True)
    is_whole = not any(one.given_up for one in accounts)
    return [Summand(name, (_signed(a), _signed(b))) for name, a, b in rows if not (is_whole and name == names[-1])]


def _percent(chance: float) -> int:
    return round(100 * chance)


def _signed(points: int) -> str:
    return f"{'−' if points < 0 else '+'}{abs(points)}" if points else "0"


def _drawing(course: tuple[float, ...], choices: tuple[Choice, ...], parts: list[Part]) -> Drawing:
    step = WIDTH / max(1, len(course) - 1)
    dots = [(round(LEFT + step * at, 1), round(TOP + HEIGHT * (1 - chance), 1)) for at, chance in enumerate(course)]
    begins = [next((at for at, one in enumerate(choices) if one.number > part.first), len(choices)) for part in parts]
    hands: list[tuple[float, int | None]] = []
    last = 0.0
    for hand, at in enumerate(begins, start=1):
        x = round(LEFT + step * at, 1)
        is_clear = x - last >= APART
        hands.append((x, hand if is_clear else None))
        last = x if is_clear else last
    return Drawing(
        line=" ".join(f"{x},{y}" for x, y in dots),
        levels=tuple((TOP + HEIGHT * (1 - level / 100), level) for level in (0, 50, 100)),
        hands=tuple(hands),
    )
