"""Standing orders of the guts family (docs/rules/guts.md, 5 and 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

from ..asks import Ask, Pick
from ..cards import Card
from ..look import View
from ..moves import Move
from ..options import choice, whole
from ..orders import Order
from ..small_hands import FLUSH, HIGH, PAIR, STRAIGHT, STRAIGHT_FLUSH, THREE, Value, best_of, words_of

IN: Final = Move("in")
OUT: Final = Move("out")
SPIT: Final = "spit"

SUITED: Final = {"straight": STRAIGHT, "flush": FLUSH, "straight flush": STRAIGHT_FLUSH}
COUNTS: Final = {1: HIGH, 2: PAIR, 3: THREE}


def _hands() -> dict[str, str]:
    names = {
        f"{count}-{rank}": f"{words_of((count, rank))}{' high' if count == 1 else ''}"
        for count in (1, 2, 3, 4)
        for rank in range(2, 15)
    }
    return {**names, **{name: f"a {name} (where it counts)" for name in SUITED}}


@dataclass(frozen=True)
class InWithHand(Order):
    """In if the own hand is good enough, else out, until the pot is over."""

    kind: ClassVar[str] = "in-with"
    name: ClassVar[str] = "In with a good hand, else out"

    at_least: str = choice("2-2", _hands(), "In if my hand is at least")
    pot_no: int = 0

    @classmethod
    def fits(cls, view: View) -> bool:
        return bool(view.options.look == "own")

    def begun(self, view: View) -> Self:
        return replace(self, pot_no=_pot_no(view))

    def applies(self, view: View) -> bool:
        return _pot_no(view) == self.pot_no

    def is_about(self, view: View, ask: Ask) -> bool:
        return isinstance(ask, Pick)

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        least = _threshold(self.at_least, view.options)
        return (IN if _own_value(view)[: len(least)] >= least else OUT), self

    def words(self, view: View) -> str:
        return f"I am in if my hand is at least {_hands()[self.at_least]}, else out; for this pot."


@dataclass(frozen=True)
class Blindly(Order):
    """In, or out, for a number of deals: for hands their holder does not see."""

    kind: ClassVar[str] = "blindly"
    name: ClassVar[str] = "In or out for some deals"

    say: str = choice("out", {"in": "In", "out": "Out"}, "I say")
    deals: int = whole(1, 1, 12, "For so many deals")
    last_deal: int = 0

    @classmethod
    def fits(cls, view: View) -> bool:
        return bool(view.options.look != "own")

    def begun(self, view: View) -> Self:
        return replace(self, last_deal=view.deal_no + self.deals - 1)

    def applies(self, view: View) -> bool:
        return view.deal_no <= self.last_deal

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        return Move(self.say), self

    def words(self, view: View) -> str:
        return f"I say {self.say} up to and including deal {self.last_deal}."


def _pot_no(view: View) -> int:
    return int(view.facts.before.pots_done) + 1


def _own_value(view: View) -> Value:
    assert view.viewer is not None
    hole: list[Card] = [card for card in view.seats[view.viewer].hole if card is not None]
    spit = next((zone.cards[0] for zone in view.zones if zone.name == SPIT), None)
    return best_of(hole, view.options.cards, spit, poker=view.options.three_ranks == "poker")


def _threshold(name: str, options: Any) -> Value:
    """The value a hand must reach, compared by its first items. A hand that the table's ranking does not know is out
    of reach."""
    poker = options.three_ranks == "poker"
    if name in SUITED:
        return (SUITED[name],) if poker else (99,)
    count, rank = map(int, name.split("-"))
    return (COUNTS.get(count, 99), rank) if poker else (count, rank)
