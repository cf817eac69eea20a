"""Standing orders of games with betting rounds (docs/rules/common.md, 13), and the discard filed ahead of a draw.

Those about betting last for the present betting round or for the rest of the deal; new cards for all end them. They
answer in turn and, where betting is sealed, file the same wishes as a plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from .asks import Ask, Cards, span_of
from .betting import CALL, CHECK, FOLD, passive
from .look import View
from .moves import Move
from .options import BadOptions, choice, flag, whole
from .orders import Order
from .plans import LevelPlan, TotalsPlan

LASTS: Final = {"round": "This betting round", "deal": "The rest of this deal"}
FIRST: Final = {"check": "Check", "bet": "Bet"}
LATER: Final = {"fold": "Fold", "call": "Call", "raise": "Raise"}
DRAW_STEP: Final = 2
"""The step of a deal at which cards are drawn, in all games of the draw family."""


@dataclass(frozen=True)
class BettingOrder(Order):
    """What the orders about betting share: how long they last."""

    about: ClassVar[str] = "betting"
    is_narrow_first: ClassVar[bool] = True

    lasts: str = choice("round", LASTS, "Lasts for")
    deal_no: int = 0
    redeals: int = 0
    step: int = 0

    def begun(self, view: View) -> Self:
        return replace(self, deal_no=view.deal_no, redeals=view.facts.redeals, step=view.facts.step)

    def applies(self, view: View) -> bool:
        same = (view.deal_no, view.facts.redeals) == (self.deal_no, self.redeals)
        return same and (self.lasts == "deal" or view.facts.step == self.step)

    def at(self, view: View) -> Self:
        return self if view.facts.step == self.step else replace(self, step=view.facts.step, stopped="")

    def width(self) -> int:
        return list(LASTS).index(self.lasts)

    def is_about(self, view: View, ask: Ask) -> bool:
        return view.facts.betting is not None

    def scope(self) -> str:
        """How long it lasts, to end a sentence with."""
        return "in this betting round" if self.lasts == "round" else "for the rest of this deal"


@dataclass(frozen=True)
class CheckFold(BettingOrder):
    """Check where that is free, else fold."""

    kind: ClassVar[str] = "check-fold"
    name: ClassVar[str] = "Check, or fold to a bet"

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        return passive(ask), self

    def words(self, view: View) -> str:
        return f"I check, and fold to a bet, {self.scope()}."


@dataclass(frozen=True)
class UpTo(BettingOrder):
    """Bet or check, call up to a number of chips, and if wanted raise once. Amounts are totals of a round."""

    kind: ClassVar[str] = "up-to"
    name: ClassVar[str] = "Call up to a number of chips"

    opening: int = whole(0, 0, 5000, "If nobody has bet, bet (0: check)")
    most: int = whole(2, 0, 5000, "Call as long as I put no more into a round than")
    raise_to: int = whole(0, 0, 5000, "Raise once, to (0: no raise)")
    then: str = choice("fold", {"fold": "Fold", "ask": "Ask me"}, "Beyond that")
    tried: int = -1

    @classmethod
    def fits(cls, view: View) -> bool:
        return not (view.options.betting == "sealed" and view.options.limit == "fixed")

    def begun(self, view: View) -> Self:
        if self.then == "ask" and view.options.betting == "sealed":
            raise BadOptions("Where betting is sealed nobody is asked within a round: choose to fold beyond that.")
        return super().begun(view)

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        if isinstance(ask, TotalsPlan):
            values = {name: min(getattr(self, name), ask.most) for name in ("opening", "most", "raise_to")}
            return ask.filled(values), self
        if ask.refuse(CHECK) is None:
            low, high = span_of(ask, "bet") or (0, 0)
            return (Move("bet", max(low, min(self.opening, high))) if self.opening else CHECK), self
        assert view.viewer is not None
        own, to_match = view.seats[view.viewer], view.facts.betting.to_match
        if self.raise_to and self.tried != view.facts.step:
            kept, span = replace(self, tried=view.facts.step), span_of(ask, "raise")
            if span is not None and self.raise_to >= span[0]:
                return Move("raise", min(self.raise_to, span[1])), kept
            return (CALL, kept) if span is None and self.raise_to >= to_match else kept.answer(view, ask)
        if min(to_match, own.bet + own.stack) <= self.most:
            return CALL, self
        return (FOLD, self) if self.then == "fold" else self.stop(f"calling would put more than {self.most} chips in")

    def words(self, view: View) -> str:
        opening = f"bet {self.opening}" if self.opening else "check"
        raising = f", raise once to {self.raise_to}" if self.raise_to else ""
        beyond = "fold beyond that" if self.then == "fold" else "am asked beyond that"
        return f"I {opening} if nobody has bet{raising}, call up to {self.most} and {beyond}, {self.scope()}."


@dataclass(frozen=True)
class ByLevel(BettingOrder):
    """A full plan for fixed bets: what to do at each level of betting."""

    kind: ClassVar[str] = "by-level"
    name: ClassVar[str] = "A plan for each level of betting"

    level0: str = choice("check", FIRST, "If nobody has bet")
    level1: str = choice("call", LATER, "Facing a bet")
    level2: str = choice("fold", LATER, "Facing a bet and a raise")
    level3: str = choice("fold", LATER, "Facing a bet and two raises")
    level4: str = choice("fold", LATER, "Facing a bet and three raises")

    @classmethod
    def fits(cls, view: View) -> bool:
        return bool(view.options.limit == "fixed")

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        if isinstance(ask, LevelPlan):
            return ask.filled({f"level{number}": line for number, line in enumerate(self._lines(view))}), self
        betting = view.facts.betting
        line = self._lines(view)[1 + betting.raises if betting.to_match else 0]
        if line in ("bet", "raise"):
            span = span_of(ask, line)
            return (CALL if span is None else Move(line, span[1])), self
        return Move(line), self

    def words(self, view: View) -> str:
        facing = ("if nobody has bet", "facing a bet", "facing a raise", "facing two raises", "facing three raises")
        lines = ", ".join(f"{line} {where}" for line, where in zip(self._lines(view), facing, strict=False))
        return f"I {lines}, {self.scope()}."

    def _lines(self, view: View) -> tuple[str, ...]:
        """The lines that this table has; at the last of them nobody can raise."""
        raises = view.options.raises
        lines = (self.level0, self.level1, self.level2, self.level3, self.level4)[: raises + 2]
        return (*lines[:-1], "call" if lines[-1] == "raise" else lines[-1])


@dataclass(frozen=True)
class Discard(Order):
    """The cards for the coming draw, filed during the betting before it."""

    kind: ClassVar[str] = "discard"
    name: ClassVar[str] = "Throw these cards at the draw"
    about: ClassVar[str] = "the draw"

    first: bool = flag(False, "My first card")
    second: bool = flag(False, "My second card")
    third: bool = flag(False, "My third card")
    fourth: bool = flag(False, "My fourth card")
    fifth: bool = flag(False, "My fifth card")
    own: str = ""
    thrown: str = ""

    @classmethod
    def fits(cls, view: View) -> bool:
        return bool(view.facts.step <= DRAW_STEP)

    def begun(self, view: View) -> Self:
        own = _own(view)
        chosen = (self.first, self.second, self.third, self.fourth, self.fifth)
        if any(chosen[len(own) :]):
            raise BadOptions(f"You hold only {len(own)} cards: choose among those.")
        thrown = [card for card, goes in zip(own, chosen, strict=False) if goes]
        return replace(self, own=" ".join(own), thrown=" ".join(thrown))

    def applies(self, view: View) -> bool:
        return view.facts.step <= DRAW_STEP and " ".join(_own(view)) == self.own

    def is_about(self, view: View, ask: Ask) -> bool:
        return isinstance(ask, Cards)

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        assert isinstance(ask, Cards)
        return Move.parse(f"{ask.verb} {self.thrown}"), None

    def words(self, view: View) -> str:
        return f"I throw {self.thrown} at the draw." if self.thrown else "I keep all my cards at the draw."


def _own(view: View) -> list[str]:
    assert view.viewer is not None
    return [str(card) for card in view.seats[view.viewer].hole]


BETTING_ORDERS: Final[tuple[type[Order], ...]] = (CheckFold, UpTo, ByLevel)
