"""What a seat answers, and its text form (docs/rules/common.md, 13; the notation of the move log)."""

from __future__ import annotations

from dataclasses import dataclass

from .cards import Card, cards, text_of


class IllegalMove(Exception):
    """An answer the rules refuse. Its text is one sentence for the player."""


@dataclass(frozen=True, slots=True)
class Move:
    """One answer by one seat: a verb, and for some verbs a number, cards, or further words."""

    verb: str
    amount: int | None = None
    cards: tuple[Card, ...] = ()
    detail: str = ""

    def __str__(self) -> str:
        rest = [str(self.amount)] if self.amount is not None else []
        if self.cards:
            rest.append(text_of(self.cards))
        if self.detail:
            rest.append(self.detail)
        return " ".join([self.verb, *rest])

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move as the log writes it: `deal`, `bet 5`, `draw 9c 5s`. Raises IllegalMove if nothing is written
        or it is far too long; whether the move is allowed is for the ask to say."""
        words = text.split()
        if not words:
            raise IllegalMove("No move was given: choose one of the moves offered.")
        if len(text) > 200:
            raise IllegalMove("That move is far too long: choose one of the moves offered.")
        verb, rest = words[0], words[1:]
        if len(rest) == 1 and rest[0].isascii() and rest[0].isdigit():
            return cls(verb, amount=int(rest[0]))
        try:
            return cls(verb, cards=cards(rest))
        except ValueError:
            return cls(verb, detail=" ".join(rest))
