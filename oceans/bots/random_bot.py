"""A bot for every game: any legal answer, as chance has it."""

from oceans.rules.asks import Ask, Picker
from oceans.rules.look import View
from oceans.rules.moves import Move


def choose(view: View, ask: Ask, pick: Picker) -> Move:
    """One of the answers the ask allows."""
    return ask.some(pick)
