"""The house bots at stud: they imagine the cards nobody has shown, and bet by the part of the pot they then win."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from oceans.bots import betting
from oceans.bots.betting import Odds
from oceans.bots.hands import own_hand, parts_won
from oceans.rules.asks import Ask, Picker
from oceans.rules.cards import Card
from oceans.rules.look import View
from oceans.rules.low_hands import best_low
from oceans.rules.moves import Move
from oceans.rules.rows import row_key

CARDS: Final = {"five-stud": 5, "lowboy": 5, "seven-stud": 7}
"""By game, how many cards a seat has at the end."""

SAMPLES: Final = 120


def choose(view: View, ask: Ask, pick: Picker) -> Move:
    """Bet by the odds."""
    return betting.answer(view, ask, odds(view, Random(pick(65536))))


def odds(view: View, chance: Random) -> Odds:
    """What the viewer expects at the showdown."""
    assert view.viewer is not None
    worth, unseen, whole = _worth(view), view.unseen[0], CARDS[view.game]
    own = [*own_hand(view), *view.seats[view.viewer].row]

    def finals(known: Sequence[Card]) -> list[int]:
        missing = whole - len(known)
        return [worth([*known, *chance.sample(unseen, missing)]) for _ in range(SAMPLES if missing else 1)]

    rivals = [finals(one.row) for one in view.seats if one.is_in and one.seat != view.viewer]
    return Odds(parts_won(finals(own), rivals), len(rivals), whole - len(own))


def _worth(view: View) -> Callable[[Sequence[Card]], int]:
    """What a whole hand is worth, the greater the better."""
    if view.game != "lowboy":
        return lambda cards: row_key(cards)[0]
    low = view.options.low
    return lambda cards: best_low(cards, low).merit
