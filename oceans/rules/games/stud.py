"""Stud poker (docs/rules/draw-and-stud.md, T and 5 to 7): cards down and cards up, a betting round after each street.

    street 1 --> bet --> street 2 --> bet --> ... --> showdown

A street is written as the cards each active seat gets, one letter each: d face down, u face up; all get their first
card, then all their second. The best cards showing begin a betting round; where low wins, the best low cards.

One engine. A member of the family is a setting of streets and ranking; those with rules of their own override hooks:
`wild` (which cards are wild), `after_card` (a card has been dealt), `after_street` (all have theirs), `showdown`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, TypeVar

from ..betting import active
from ..cards import Card
from ..game import Said, Who
from ..low_hands import LOWS, best_low
from ..options import choice
from ..poker import BET, SHOWDOWN, Holding, Poker, PokerOptions, PokerState, Ranked
from ..table import Seat

UP: Final = "u"
S = TypeVar("S", bound=PokerState)


@dataclass(frozen=True, slots=True)
class LowboyOptions(PokerOptions):
    """docs/rules/draw-and-stud.md, 6."""

    low: str = choice("a5", LOWS, "How low hands rank")


class Stud(Poker):
    """One member of the family; `streets` are the cards each seat gets before each betting round."""

    family: ClassVar[str] = "stud"

    def __init__(
        self, slug: str, name: str, seats: range, streets: tuple[str, ...], options: type = PokerOptions
    ) -> None:
        self.slug, self.name, self.seats, self.options = slug, name, seats, options
        self.streets = streets
        self.steps = (*(step for street in streets for step in (street, BET)), SHOWDOWN)

    # What a member may do differently

    def after_card(self, state: S, seat: Seat, card: Card, *, is_up: bool, options: Any) -> S:
        """A card has been dealt to a seat. If this makes the deal begin anew, no more cards of the street come."""
        return state

    def after_street(self, state: S, options: Any) -> S:
        """All cards of the present street are out, and betting is about to begin."""
        return state

    # The course of a deal

    def begin(self, step: str, state: S, options: Any) -> S:
        """Deal a street."""
        for letter in step:
            for seat in active(state.table):
                begun = state.step
                state = self._dealt(state, seat, letter == UP, options)
                if state.step != begun:
                    return state
        if UP in step:
            state = state.say(_street(state))
        return self.after_street(state, options)

    def starter(self, state: PokerState, options: Any) -> Seat:
        """The best cards showing; of equals the one nearest the dealer's left."""
        return max(active(state.table), key=lambda seat: self._showing(state, seat, options))

    def _dealt(self, state: S, seat: Seat, is_up: bool, options: Any) -> S:
        table = state.table.deal_up(seat) if is_up else state.table.deal_down(seat)
        place = table.places[seat]
        card = place.row[-1] if is_up else place.hole[-1].card
        return self.after_card(replace(state, table=table), seat, card, is_up=is_up, options=options)

    def _showing(self, state: PokerState, seat: Seat, options: Any) -> Ranked:
        return self.rank(self.holding(state.table, seat).showing, state, options)


class Lowboy(Stud):
    """Section 6: the lowest hand wins."""

    def rank(self, held: Holding, facts: Any, options: Any) -> Ranked:
        return best_low(held.cards, options.low)


def _street(state: PokerState) -> Said:
    """The cards the street has turned up, seat by seat."""
    dealt = [(seat, state.table.places[seat].row[-1]) for seat in active(state.table)]
    text = "Face up: " + ", ".join(["{} {}"] * len(dealt))
    return Said(text, tuple(part for seat, card in dealt for part in (Who(seat), card)))


FIVE_CARDS: Final = ("du", "u", "u", "u")
SEVEN_CARDS: Final = ("ddu", "u", "u", "u", "d")

STUD_GAMES: Final = (
    Stud("five-stud", "5-Card Stud", range(2, 11), FIVE_CARDS),
    Lowboy("lowboy", "Lowboy", range(2, 11), FIVE_CARDS, LowboyOptions),
    Stud("seven-stud", "7-Card Stud", range(2, 8), SEVEN_CARDS),
)
