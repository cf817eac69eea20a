"""The standing order of Ocean's Eleven (docs/rules/oceans-eleven.md, 7; docs/rules/common.md, 13).

One order with optional clauses, read from the top: reasons to ask first, a hand of the rival's at which to concede, how
long to deal, and what to do when that is not enough.
"""

from __future__ import annotations

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

CATEGORIES: Final = {
    NEVER: "never",
    "2": "two pair or better",
    "3": "three of a kind or better",
    "4": "a straight or better",
    "5": "a flush or better",
    "6": "a full house or better",
    "7": "four of a kind or better",
    "8": "a straight flush",
}


@dataclass(frozen=True)
class HandOrder(Order):
    """Deal until ahead, up to a number of cards, then ask or concede; with reasons to ask or concede sooner."""

    kind: ClassVar[str] = "hand"
    name: ClassVar[str] = "When my row is behind"

    cards: int = whole(3, 0, 52, "Deal until ahead, at most this many cards")
    richer_by: int | None = whole(
        None, 1, 52, "And deal on while my pack has this many cards more than theirs", may_be_none=True
    )
    then: str = choice("ask", {"ask": "Stop and ask me", "concede": "Concede the hand"}, "If that is not enough")
    concede_at: str = choice(NEVER, CATEGORIES, "Concede at once if the rival reaches")
    ask_at: str = choice(NEVER, CATEGORIES, "Ask me first if the rival reaches")
    ask_if_wild: bool = flag(False, "Ask me first if the rival turns up a wild card")
    ask_if_left: int | None = whole(None, 1, 52, "Ask me first if my pack is down to", may_be_none=True)
    lasts: str = choice("hand", {"hand": "This hand", "game": "The rest of the game"}, "Lasts for")
    hand_no: int = 0
    dealt: int = 0

    def begun(self, view: View) -> Self:
        if self.ask_at and self.concede_at and self.ask_at >= self.concede_at:
            raise BadOptions("The hand at which to ask must be lower than the one at which to concede.")
        return replace(self, hand_no=_hand_no(view))

    def applies(self, view: View) -> bool:
        return self.lasts == "game" or _hand_no(view) == self.hand_no

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        if _hand_no(view) != self.hand_no:
            return replace(self, hand_no=_hand_no(view), dealt=0).answer(view, ask)
        if (why := self._why_ask(view)) is not None:
            return self.stop(why) if self.lasts == "hand" else (None, self)
        if _reaches(view, self.concede_at) and ask.refuse(CONCEDE) is None:
            return CONCEDE, self
        if self.dealt < self.cards or self._is_richer(view):
            return DEAL, replace(self, dealt=self.dealt + 1)
        if self.then == "concede" and ask.refuse(CONCEDE) is None:
            return CONCEDE, self
        why = f"{self.dealt} cards were not enough"
        return self.stop(why) if self.lasts == "hand" else (None, self)

    def words(self, view: View) -> str:
        parts = [f"If my row is behind, I deal up to {self.cards} cards in a hand and stop as soon as I am ahead"]
        if self.richer_by is not None:
            parts.append(f"I deal on while my pack has {self.richer_by} cards more than theirs")
        parts.append("then I am asked" if self.then == "ask" else "then I concede")
        if self.concede_at:
            parts.append(f"I concede at once if they reach {CATEGORIES[self.concede_at]}")
        reasons = [f"they reach {CATEGORIES[self.ask_at]}"] if self.ask_at else []
        reasons += ["they turn up a wild card"] if self.ask_if_wild else []
        reasons += [f"my pack is down to {self.ask_if_left}"] if self.ask_if_left is not None else []
        if reasons:
            parts.append(f"I am asked first if {' or '.join(reasons)}")
        scope = "for the rest of the game" if self.lasts == "game" else f"in hand {self.hand_no}"
        return f"{'; '.join(parts)}; {scope}."

    def _why_ask(self, view: View) -> str | None:
        own = view.seats[_me(view)]
        if self.ask_if_wild and any(card in view.facts.wild for one in _rivals(view) for card in view.seats[one].row):
            return "a rival turned up a wild card"
        if _reaches(view, self.ask_at):
            return f"a rival reached {CATEGORIES[self.ask_at]}"
        if self.ask_if_left is not None and own.pack_left <= self.ask_if_left:
            return f"your pack is down to {own.pack_left} cards"
        return None

    def _is_richer(self, view: View) -> bool:
        if self.richer_by is None:
            return False
        most = max(view.seats[one].pack_left for one in _rivals(view))
        return view.seats[_me(view)].pack_left >= most + self.richer_by


def _me(view: View) -> int:
    assert view.viewer is not None
    return view.viewer


def _hand_no(view: View) -> int:
    return len(view.facts.winners) + 1


def _rivals(view: View) -> list[int]:
    return [seat for seat in view.facts.contestants if seat != view.viewer]


def _reaches(view: View, category: str) -> bool:
    if not category:
        return False
    best = max(view.facts.keys[seat] for seat in _rivals(view))
    return category_of(best[0]) >= Category(int(category))
