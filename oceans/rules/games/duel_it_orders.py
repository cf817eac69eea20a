"""The standing order of Duel It (docs/rules/duel-it.md, 5 and 7): a response table for this deal, and the first bid of
the next one, which is blind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from ..asks import Ask
from ..look import View
from ..moves import Move
from ..options import choice
from ..orders import Order

ASK: Final = "ask"
PLAIN: Final = {ASK: "Ask me", "forget": "Forget it", "show": "Show", "duel": "Duel"}


def _answers(bid: int) -> dict[str, str]:
    raises = {f"raise {to}": f"Raise to {to}" for to in (4, 6, 8, 10) if to > bid and to != 2 * bid}
    return {**PLAIN, **raises}


@dataclass(frozen=True)
class ResponseTable(Order):
    """An answer for each bid that may face the seat."""

    kind: ClassVar[str] = "responses"
    name: ClassVar[str] = "My answers to the bids of this deal"

    at_2: str = choice(ASK, _answers(2), "To a bid of 2")
    at_4: str = choice(ASK, _answers(4), "To a bid of 4")
    at_6: str = choice(ASK, _answers(6), "To a bid of 6")
    at_8: str = choice(ASK, _answers(8), "To a bid of 8")
    at_10: str = choice(ASK, _answers(10), "To a bid of 10")
    above: str = choice(ASK, {key: PLAIN[key] for key in (ASK, "forget", "show")}, "To a bid above 10")
    next_bid: str = choice(
        ASK, {ASK: "Ask me", **{str(bid): f"Bid {bid}" for bid in (2, 4, 6, 8, 10)}}, "If I bid first in the next deal"
    )
    deal_no: int = 0

    def begun(self, view: View) -> Self:
        return replace(self, deal_no=view.deal_no)

    def applies(self, view: View) -> bool:
        waits_for_next = view.deal_no == self.deal_no + 1 and self.next_bid != ASK and not view.facts.bid
        return view.deal_no == self.deal_no or waits_for_next

    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        bid = view.facts.bid
        if view.deal_no > self.deal_no:
            return Move("bid", int(self.next_bid)), None
        said = self._to(bid)
        return (None if said == ASK else Move.parse(said)), self

    def words(self, view: View) -> str:
        parts = [f"to {bid} I {self._to(bid)}" for bid in (2, 4, 6, 8, 10) if self._to(bid) != ASK]
        parts += [f"above 10 I {self.above}"] if self.above != ASK else []
        parts += [f"if I open the next deal I bid {self.next_bid}"] if self.next_bid != ASK else []
        return f"{', '.join(parts) or 'I am asked every time'}; deal {self.deal_no}."

    def _to(self, bid: int) -> str:
        if not bid:
            return ASK
        return self.above if bid > 10 else str(getattr(self, f"at_{bid}"))
