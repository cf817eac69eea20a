"""House players. They see a View and an Ask, as any player does, and never a state."""

from collections.abc import Callable, Mapping
from typing import Final

from oceans.bots import draw, duel_it, guts, oceans_eleven, random_bot, stud
from oceans.rules.asks import Ask, Picker
from oceans.rules.look import View
from oceans.rules.moves import Move

HOUSE: Final = ("Pebble", "Ferry", "Beacon")
"""The names of the house bots, weakest first."""

Choice = Callable[[View, Picker], Move]

_OCEANS_ELEVEN: Final[Mapping[str, Choice]] = {
    "Pebble": oceans_eleven.pebble,
    "Ferry": oceans_eleven.ferry,
    "Beacon": oceans_eleven.beacon,
}


def choose(name: str, view: View, ask: Ask, pick: Picker) -> Move:
    """The answer of the house bot of that name. `pick` is its only source of chance."""
    if (only := ask.only()) is not None:
        return only
    if view.game.startswith("oe-") and name in _OCEANS_ELEVEN:
        return _OCEANS_ELEVEN[name](view, pick)
    if view.game == "duel-it":
        return duel_it.choose(view, ask, pick)
    if view.game.startswith("guts") or view.game == "indian":
        return guts.choose(view, ask, pick)
    if view.game in draw.GAMES:
        return draw.choose(view, ask, pick)
    if view.game in stud.CARDS:
        return stud.choose(view, ask, pick)
    return random_bot.choose(view, ask, pick)
