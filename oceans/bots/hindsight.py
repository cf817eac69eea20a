"""What the choices in a finished game of Ocean's Eleven for two were worth, judged as Beacon judges them, from what
everybody saw at that moment; and how much of the result came from them, how much from the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, Final

from oceans.bots.oceans_eleven import CONCEDE, DEAL, EFFORT, FEWEST, imagined_worths, race_of, worth_conceded
from oceans.rules.look import View
from oceans.rules.moves import Move

TIMES: Final = 128
"""How often the rest of a hand is imagined for one choice, less often where rows are very long."""
SURE: Final = 2.0
"""A difference of fewer standard errors than this is none."""
LEAST: Final = 0.005
"""Nor is one of less than this."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice between dealing and conceding, as entry `number` of the log. `dealing` and `conceding` are the chances
    of the seat to win the game after either, `error` the standard error of the first; the other is not a guess but a
    formula. `has_dealt` is None for a choice that was open when the game was given up."""

    number: int
    seat: int
    has_dealt: bool | None
    dealing: float
    conceding: float
    error: float

    @property
    def after(self) -> float:
        """The chance of the seat after what it chose, or if it had chosen well."""
        if self.has_dealt is None:
            return max(self.dealing, self.conceding)
        return self.dealing if self.has_dealt else self.conceding

    @property
    def cost(self) -> float:
        """What the other choice was better by; 0 where that cannot be told from chance."""
        loss = max(self.dealing, self.conceding) - self.after
        return loss if loss > max(SURE * self.error, LEAST) else 0.0

    @property
    def before(self) -> float:
        """The chance of the seat if it chooses well."""
        return self.after + self.cost

    def written(self) -> list[float | None]:
        """The choice as plain values, chances to four places."""
        chances = (self.dealing, self.conceding, self.error)
        return [self.number, self.seat, self.has_dealt, *(round(chance, 4) for chance in chances)]

    @classmethod
    def read(cls, written: Sequence[Any]) -> Choice:
        """What `written` wrote."""
        return cls(*written)


@dataclass(frozen=True, slots=True)
class Account:
    """What moved a seat from an even game to its result; they add up to the result less one half."""

    luck: float
    own_choices: float
    """What its own choices cost, 0 or less."""
    other_choices: float
    """What those of the rival gave, 0 or more."""
    given_up: float
    """What went with a game that was not played to its end: less than 0 for who resigned or ran out of time."""

    @property
    def total(self) -> float:
        return self.luck + self.own_choices + self.other_choices + self.given_up


def judged(view: View, number: int, seat: int, move: Move | None) -> Choice | None:
    """A seat's choice in a position as a spectator sees it, or what it could have chosen if `move` is None; None where
    it had no choice, or it was not one of two."""
    if len(view.seats) != 2 or move not in (DEAL, CONCEDE, None):
        return None
    facts, mine = view.facts, view.seats[seat]
    if len(facts.contestants) < 2 or not mine.pack_left or facts.wins[1 - seat] == facts.target - 1:
        return None
    chance = Random(number)
    race = race_of(view, chance)
    total = squares = effort = 0.0
    for count, (hand, worth) in enumerate(imagined_worths(race, seat, chance, TIMES), start=1):
        total, squares = total + worth, squares + worth * worth
        effort += hand.effort
        if count >= FEWEST and effort > EFFORT:
            break
    mean = total / count
    error = sqrt(max(0.0, squares / count - mean * mean) / count)
    return Choice(number, seat, None if move is None else move == DEAL, mean, worth_conceded(race, seat, chance), error)


def accounts(choices: Sequence[Choice], results: tuple[float, float], *, is_played: bool) -> tuple[Account, Account]:
    """How the results of the two seats, 1 or ½ or 0, came about; `is_played` if the game was played to its end."""
    costs = [sum(choice.cost for choice in choices if choice.seat == seat) for seat in (0, 1)]
    given_up = 0.0 if is_played else results[0] - _left_at(choices)
    found = []
    for seat, given in ((0, given_up), (1, -given_up)):
        luck = results[seat] - 0.5 + costs[seat] - costs[1 - seat] - given
        found.append(Account(luck, -costs[seat], costs[1 - seat], given))
    return found[0], found[1]


def _left_at(choices: Sequence[Choice]) -> float:
    """The chance of the first seat when the game was given up."""
    if not choices:
        return 0.5
    last = choices[-1]
    return last.after if last.seat == 0 else 1 - last.after


def course(choices: Sequence[Choice], result: float, seat: int) -> list[float]:
    """The chance of a seat before each choice, and its result."""
    return [choice.before if choice.seat == seat else 1 - choice.before for choice in choices] + [result]
