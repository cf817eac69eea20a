"""What one seat may answer now. An ask describes itself to a form and judges an answer; it holds no secret but the
seat's own cards, so it may be shown to its seat as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from .cards import Card, text_of
from .moves import IllegalMove, Move
from .options import Kind

Picker = Callable[[int], int]
"""A source of choice: given n, a number from 0 to n - 1."""

Span = tuple[int, int]
"""The least and the most a seat may bet or raise to, as totals of the round."""


class Ask(Protocol):
    """What a seat may answer. `open` says that anyone at the table could have written this ask; only open asks are
    ever answered by the server itself."""

    @property
    def prompt(self) -> str: ...
    @property
    def open(self) -> bool: ...

    def refuse(self, move: Move) -> str | None:
        """Why this move is not allowed, as a sentence; None if it is allowed."""
        ...

    def only(self) -> Move | None:
        """The single allowed move, if there is exactly one."""
        ...

    def some(self, pick: Picker) -> Move:
        """One allowed move, every kind of answer within reach; for random play and tests."""
        ...

    def words(self) -> tuple[str, ...]:
        """The answers in short, as tools print them: `deal`, `raise 4-20`, `draw 0-3`."""
        ...


@runtime_checkable
class Fields(Protocol):
    """An ask that is answered by filling in several fields, such as a betting plan."""

    def terms(self) -> Mapping[str, tuple[Kind, Any]]:
        """The fields by name: what each may be, and its default."""
        ...

    def filled(self, values: Mapping[str, Any]) -> Move:
        """The move these values make; a missing one takes its default."""
        ...

    def values(self, move: Move) -> Mapping[str, Any]:
        """The values that make this move."""
        ...


@dataclass(frozen=True, slots=True)
class Pick:
    """One of a few words, each a move of its own: in/out, deal/concede, check, call 20."""

    prompt: str
    choices: tuple[Move, ...]
    open: bool = True

    def refuse(self, move: Move) -> str | None:
        if move in self.choices:
            return None
        return f"“{move}” is not possible now: choose {either(self.words())}."

    def only(self) -> Move | None:
        return self.choices[0] if len(self.choices) == 1 else None

    def some(self, pick: Picker) -> Move:
        return self.choices[pick(len(self.choices))]

    def words(self) -> tuple[str, ...]:
        return tuple(map(str, self.choices))


@dataclass(frozen=True, slots=True)
class Amount:
    """A verb and a whole number from `low` to `high` in steps of `step` counted from `low`."""

    prompt: str
    verb: str
    low: int
    high: int
    step: int = 1
    open: bool = True

    def refuse(self, move: Move) -> str | None:
        if move.verb != self.verb or move.cards or move.detail:
            return f"“{move}” is not possible now: {self.verb} a number from {self.low} to {self.high}."
        if move.amount is None or not self.low <= move.amount <= self.high:
            return f"{self.verb.capitalize()} a number from {self.low} to {self.high}."
        if (move.amount - self.low) % self.step:
            return f"{self.verb.capitalize()} {self.low}, {self.low + self.step} and so on up to {self.high}."
        return None

    def only(self) -> Move | None:
        return Move(self.verb, self.low) if self.low == self.high else None

    def some(self, pick: Picker) -> Move:
        return Move(self.verb, self.low + self.step * pick((self.high - self.low) // self.step + 1))

    def words(self) -> tuple[str, ...]:
        return (f"{self.verb} {self.low}" if self.low == self.high else f"{self.verb} {self.low}-{self.high}",)


@dataclass(frozen=True, slots=True)
class Cards:
    """A verb and between `fewest` and `most` of the seat's own cards. Never open: it names hidden cards."""

    prompt: str
    verb: str
    of: tuple[Card, ...]
    fewest: int
    most: int
    open: bool = False

    def refuse(self, move: Move) -> str | None:
        if move.verb != self.verb or move.amount is not None or move.detail:
            return f"“{move}” is not possible now: {self.verb} cards of your own hand."
        if len(set(move.cards)) != len(move.cards):
            return "Name each card once."
        strange = [card for card in move.cards if card not in self.of]
        if strange:
            return f"You do not hold {text_of(strange)}: choose from {text_of(self.of)}."
        if not self.fewest <= len(move.cards) <= self.most:
            if self.fewest == self.most:
                return f"Choose exactly {self.fewest}: you chose {len(move.cards)}."
            return f"Choose from {self.fewest} to {self.most} cards: you chose {len(move.cards)}."
        return None

    def only(self) -> Move | None:
        if self.most == 0:
            return Move(self.verb)
        if self.fewest == self.most == len(self.of):
            return Move(self.verb, cards=tuple(sorted(self.of)))
        return None

    def some(self, pick: Picker) -> Move:
        left = list(self.of)
        count = self.fewest + pick(self.most - self.fewest + 1)
        return Move(self.verb, cards=tuple(sorted(left.pop(pick(len(left))) for _ in range(count))))

    def words(self) -> tuple[str, ...]:
        return (f"{self.verb} {self.fewest}-{self.most}",)


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of several asks: check or bet, fold or call or raise."""

    prompt: str
    asks: tuple[Pick | Amount | Cards, ...]

    @property
    def open(self) -> bool:
        return all(ask.open for ask in self.asks)

    def refuse(self, move: Move) -> str | None:
        reasons = [ask.refuse(move) for ask in self.asks]
        if None in reasons:
            return None
        for ask, reason in zip(self.asks, reasons, strict=True):
            if not isinstance(ask, Pick) and ask.verb == move.verb:
                return reason
        return f"“{move}” is not possible now: choose {either(self.words())}."

    def only(self) -> Move | None:
        return self.asks[0].only() if len(self.asks) == 1 else None

    def some(self, pick: Picker) -> Move:
        return self.asks[pick(len(self.asks))].some(pick)

    def words(self) -> tuple[str, ...]:
        return tuple(word for ask in self.asks for word in ask.words())


def parse(ask: Ask, posted: Mapping[str, str], cards: tuple[str, ...] = ()) -> Move:
    """Read an answer from posted fields: `move` holds the verb or the whole move, `amount` a number, and `cards` the
    ticked cards. Raises IllegalMove with a sentence for the player if the ask refuses it."""
    text = posted.get("move", "").strip()
    amount = posted.get("amount", "").strip()
    if amount and " " not in text and not (amount.isascii() and amount.isdigit() and len(amount) < 10):
        raise IllegalMove(f"“{amount[:20]}” is not a whole number: write the amount in digits.")
    named = [other.verb for other in (ask.asks if isinstance(ask, OneOf) else (ask,)) if isinstance(other, Amount)]
    if text in named and amount:
        text = f"{text} {amount}"
    move = Move.parse(" ".join([text, *cards]))
    if (reason := ask.refuse(move)) is not None:
        raise IllegalMove(reason)
    return move


def span_of(ask: Ask, verb: str) -> Span | None:
    """The least and the most an ask allows for a verb with an amount, None if it does not offer it."""
    for one in ask.asks if isinstance(ask, OneOf) else (ask,):
        if isinstance(one, Amount) and one.verb == verb:
            return one.low, one.high
        for move in one.choices if isinstance(one, Pick) else ():
            if move.verb == verb and move.amount is not None:
                return move.amount, move.amount
    return None


def either(words: tuple[str, ...]) -> str:
    """Words as a choice: "deal", "deal or concede", "fold, call or raise 4-6"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"
