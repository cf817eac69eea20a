"""House players. They see a View and an Ask, as any player does, and never a state."""

from typing import Final

from oceans.bots import random_bot
from oceans.rules.asks import Ask, Picker
from oceans.rules.look import View
from oceans.rules.moves import Move

HOUSE: Final = ("Pebble", "Ferry", "Beacon")
"""The names of the house bots, weakest first."""


def choose(name: str, view: View, ask: Ask, pick: Picker) -> Move:
    """The answer of the house bot of that name. `pick` is its only source of chance."""
    return random_bot.choose(view, ask, pick)
