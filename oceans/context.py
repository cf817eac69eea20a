"""What the frame of every page shows: how it looks, and how many games wait for the reader."""

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from oceans import queries

THEMES = ("auto", "light", "dark")
SUITS = ("2", "4")


class Look(NamedTuple):
    """Light or dark pages, suits in two or four colours."""

    theme: str
    suits: str


def look_of(request: HttpRequest) -> Look:
    """The choice of the signed-in reader, else of this browser's cookies, else the usual look."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return Look(user.theme, user.suits)
    theme, suits = request.COOKIES.get("theme", ""), request.COOKIES.get("suits", "")
    return Look(theme if theme in THEMES else THEMES[0], suits if suits in SUITS else SUITS[0])


def frame(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `look`, and `waiting`, the number of games in which the reader must answer.

    Both are worked out only where a template asks, so that pages without a reader cost no query.
    """
    return {
        "look": SimpleLazyObject(lambda: look_of(request)),
        "waiting": SimpleLazyObject(lambda: waiting_count(request)),
    }


def waiting_count(request: HttpRequest) -> int:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return 0
    return queries.waiting_count(user)
