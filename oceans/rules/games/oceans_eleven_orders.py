"""Standing orders of Ocean's Eleven (docs/rules/oceans-eleven.md, 7; docs/rules/common.md, 13).

They answer when the own row is behind, and are tried in this order: reasons to ask first, a hand of the rival's at
which to concede, dealing while the own pack is richer, and dealing a number of cards.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from ..asks import Ask
from ..hand_values import Category, category_of
from ..look import View
from ..moves import Move
from ..options import BadOptions, choice, flag, whole
from ..orders import Order

DEAL: Final = Move("deal")
CONCEDE: Final = Move("concede")
NEVER: Final = ""

LASTS: Final = {"hand": "This hand", "game": "The rest of the game"}
CATEGORIES: Final = {
    "1": "a pair or better",
    "2": "two pair or better",
    "3": "three of a kind or better",
    "4": "a straight or better",
    "5": "a flush or better",
    "6": "a full house or better",
    "7": "four of a kind or better",
    "8": "a straight flush or better",
    "9": "five of a kind",
}


@dataclass(frozen=True)
class RowOrder(Order):
    """What the orders share: they last for a hand, or for all of them and begin anew with each."""

    lasts: str = choice("hand", LASTS, "Lasts for")
    hand_no: int = 0

    def begun(self, view: View) -> Self:
        return replace(self, hand_no=_hand_no(view))

    def applies(self, view: View) -> bool:
        return self.lasts == "game" or _hand_no(view) == self.hand_no

    def at(self, view: View) -> Self:
        return self if _hand_no(view) == self.hand_no else self.anew(view)

    def anew(self, view: View) -> Self:
        """The order at the beginning of a hand."""
        return replace(self, hand_no=_hand_no(view), stopped="")

    def words(self, view: View) -> str:
        scope = "for the rest of the game" if self.lasts == "game" else f"in hand {self.hand_no}"
        return f"If my row is behind, {self.says()}; {scope}."

    @abstractmethod
    def says(self) -> str:
        """What it does, without when and how long."""


@dataclass(frozen=True)
class AskFirst(RowOrder):
    """Reasons for which the seat is asked, whatever its other orders say."""

    kind: ClassVar[str] = "ask-first"
    name: ClassVar[str] = "Ask me first"

    reaches: str = choice(NEVER, {NEVER: "never", **CATEGORIES}, "If the rival reaches")
    wild: bool = flag(False, "If the rival turns up a wild card")
    left: int | None = whole(None, 1, 52, "If my pack is down to so many cards", may_be_none=True)

    def begun(self, view: View) -> Self:
        if not self._reasons():
            raise BadOptions("Choose at least one reason to ask you first.")
        return super().begun(view)

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        own = view.seats[_me(view)]
        if self.wild and any(card in view.facts.wild for one in _rivals(view) for card in view.seats[one].row):
            return self.stop("a rival turned up a wild card")
        if self.reaches and _reaches(view, self.reaches):
            return self.stop(f"a rival reached {CATEGORIES[self.reaches]}")
        if self.left is not None and own.pack_left <= self.left:
            return self.stop(f"your pack is down to {own.pack_left} cards")
        return None, self

    def says(self) -> str:
        return f"I am asked first if {' or '.join(self._reasons())}"

    def _reasons(self) -> list[str]:
        reasons = [f"they reach {CATEGORIES[self.reaches]}"] if self.reaches else []
        reasons += ["they turn up a wild card"] if self.wild else []
        return reasons + ([f"my pack is down to {self.left}"] if self.left is not None else [])


@dataclass(frozen=True)
class ConcedeAt(RowOrder):
    """Concede to a hand that is good enough."""

    kind: ClassVar[str] = "concede-at"
    name: ClassVar[str] = "Concede to a strong hand"

    reaches: str = choice("3", CATEGORIES, "Concede at once if the rival reaches")

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        is_enough = _reaches(view, self.reaches) and ask.refuse(CONCEDE) is None
        return (CONCEDE if is_enough else None), self

    def says(self) -> str:
        return f"I concede at once if they reach {CATEGORIES[self.reaches]}"


@dataclass(frozen=True)
class DealWhileRicher(RowOrder):
    """Deal, however many cards it takes, while the own pack has more cards than every rival's."""

    kind: ClassVar[str] = "richer"
    name: ClassVar[str] = "Always deal while my pack is larger"

    by: int = whole(5, 1, 52, "While my pack has more cards than theirs, at least by")

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        most = max(view.seats[one].pack_left for one in _rivals(view))
        return (DEAL if view.seats[_me(view)].pack_left >= most + self.by else None), self

    def says(self) -> str:
        return f"I deal while my pack has at least {_cards(self.by)} more than theirs"


@dataclass(frozen=True)
class DealUntilAhead(RowOrder):
    """Deal until ahead, up to a number of cards in a hand, then ask or concede."""

    kind: ClassVar[str] = "hand"
    name: ClassVar[str] = "Deal until I am ahead"

    cards: int = whole(3, 0, 52, "At most this many cards in a hand")
    then: str = choice("ask", {"ask": "Stop and ask me", "concede": "Concede the hand"}, "If that is not enough")
    dealt: int = 0

    def anew(self, view: View) -> Self:
        return replace(super().anew(view), dealt=0)

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        if self.dealt < self.cards:
            return DEAL, replace(self, dealt=self.dealt + 1)
        if self.then == "concede" and ask.refuse(CONCEDE) is None:
            return CONCEDE, self
        return self.stop(f"{_cards(self.dealt)} {'was' if self.dealt == 1 else 'were'} not enough")

    def says(self) -> str:
        then = "I am asked" if self.then == "ask" else "I concede"
        return f"I deal up to {_cards(self.cards)} in a hand and stop as soon as I am ahead; then {then}"


ROW_ORDERS: Final[tuple[type[Order], ...]] = (AskFirst, ConcedeAt, DealWhileRicher, DealUntilAhead)


def _cards(number: int) -> str:
    return f"{number} card{'' if number == 1 else 's'}"


def _me(view: View) -> int:
    assert view.viewer is not None
    return view.viewer


def _hand_no(view: View) -> int:
    return len(view.facts.winners) + 1


def _rivals(view: View) -> list[int]:
    return [seat for seat in view.facts.contestants if seat != view.viewer]


def _reaches(view: View, category: str) -> bool:
    best = max(view.facts.keys[seat] for seat in _rivals(view))
    return category_of(best[0]) >= Category(int(category))
