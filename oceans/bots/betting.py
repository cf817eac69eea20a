"""How the house bots bet, whatever the game: by what their hand is likely to win, and by the odds of the pot.

A game tells which part of the pot the hand is likely to win (`Odds`). To call, that part of the pot must be worth the
chips it costs, those of later rounds included; to bet or raise it must be clearly more than an equal share. The higher
the bets against the pot, the better the hands of those who make them are thought to be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, Final

from oceans.rules.asks import Ask, Fields, Span, span_of
from oceans.rules.look import View
from oceans.rules.moves import Move

CHECK: Final = Move("check")
CALL: Final = Move("call")
FOLD: Final = Move("fold")

TO_BET: Final = 0.04
TO_RAISE: Final = 0.15
"""From which edge it bets, and raises."""
RESPECT: Final = 0.35
"""How much better it thinks the hand of one who bets the size of the pot: 1 would be the better of two hands."""
MOST_RESPECTED: Final = 3.0
"""Bets of more than so many pots are feared no more than those."""
LATER: Final = 0.3
"""How many bets it expects to pay in each later round."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What a seat expects at the showdown. `won` has, for each way its hand may come out, the part of the pot it then
    wins from `rivals` seats whose hands are as chance has them; `rounds_left` betting rounds follow the present one."""

    won: Sequence[float]
    rivals: int
    rounds_left: int

    def share(self, pressure: float = 0.0) -> float:
        """The part of the pot it wins from rivals of whom one has bet so many pots."""
        power: float = 1 + RESPECT * min(pressure, MOST_RESPECTED) / self.rivals
        return fsum([part**power for part in self.won]) / len(self.won)

    def edge(self, pressure: float = 0.0) -> float:
        """How far that is above an equal share: 0 there, 1 where all of the pot is won."""
        fair = 1 / (self.rivals + 1)
        return (self.share(pressure) - fair) / (1 - fair)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a betting round. `before` is the pot before the round, `pot` what calling now may win, `put` what the
    seat has put into the round, `stack` what it has left, `bet` the usual bet."""

    odds: Odds
    before: int
    pot: int
    to_match: int
    put: int
    stack: int
    bet: float

    @property
    def pressure(self) -> float:
        return self.to_match / max(1, self.before)

    def pays_to_call(self) -> bool:
        """Whether what the hand is likely to win is worth what it costs."""
        owed = min(self.to_match - self.put, self.stack)
        later = min(self.stack - owed, LATER * self.bet * self.odds.rounds_left)
        return self.odds.share(self.pressure) * (self.pot + owed + later * (self.odds.rivals + 1)) >= owed + later

    def pays_to_bet(self) -> bool:
        return self.odds.edge() >= TO_BET

    def pays_to_raise(self) -> bool:
        return self.odds.edge(self.pressure) >= TO_RAISE

    def facing(self, to_match: int, put: int) -> Spot:
        """The same place once one rival has put so much into the round, and the seat itself so much."""
        put = min(put, self.put + self.stack)
        higher = min(to_match, self.put + self.stack) - self.to_match
        pot, stack = self.pot + higher + put - self.put, self.stack + self.put - put
        return replace(self, pot=pot, to_match=to_match, put=put, stack=stack)


def answer(view: View, ask: Ask, odds: Odds) -> Move:
    """The answer to an ask of a betting round."""
    spot = _spot(view, odds)
    if isinstance(ask, Fields):
        limits = view.facts.betting.limits
        return ask.filled(_lines(spot, limits) if limits.kind == "fixed" else _totals(spot, limits))
    if ask.refuse(CHECK) is None:
        return Move("bet", sized(span_of(ask, "bet"), odds)) if spot.pays_to_bet() else CHECK
    span = span_of(ask, "raise")
    if span is not None and spot.pays_to_raise():
        return Move("raise", sized(span, odds))
    return CALL if spot.pays_to_call() else FOLD


def sized(span: Span | None, odds: Odds) -> int:
    """An amount within these bounds: the higher, the better the hand."""
    low, high = span or (0, 0)
    return low + round((high - low) * max(0.0, odds.edge()))


def _spot(view: View, odds: Odds) -> Spot:
    assert view.viewer is not None
    own, betting, seats = view.seats[view.viewer], view.facts.betting, view.seats
    owed = min(betting.to_match - own.bet, own.stack)
    dead = view.pot - sum(one.paid for one in seats)
    pot = dead + sum(min(one.paid, own.paid + owed) for one in seats)
    before = view.pot - sum(one.bet for one in seats)
    size = betting.limits.size
    usual = {"fixed": size, "spread": size / 2, "pot": before / 3}[betting.limits.kind]
    return Spot(odds, before, pot, betting.to_match, own.bet, own.stack, usual)


def _lines(spot: Spot, limits: Any) -> dict[str, str]:
    """A plan with a fixed limit: what it would do at each level of betting, levels before having come out as planned.
    If somebody has bet already the first line is not asked for."""
    lines, put = {"level0": "check"}, spot.put
    if not spot.to_match and spot.pays_to_bet():
        lines["level0"], put = "bet", limits.size
    for level in range(1, limits.raises + 2):
        total = (spot.to_match or limits.size) + (level - 1) * limits.size
        there = spot.facing(total, min(put, total))
        if level <= limits.raises and there.pays_to_raise():
            line, put = "raise", total + limits.size
        elif there.pays_to_call():
            line, put = "call", total
        else:
            line = "fold"
        lines[f"level{level}"] = line
    return lines


def _totals(spot: Spot, limits: Any) -> dict[str, int]:
    """A plan with amounts: what it opens with, the most it would call, and what it would raise to."""
    cap, odds = spot.put + spot.stack, spot.odds
    opening = 0
    if not spot.to_match and spot.pays_to_bet():
        opening = min(cap, sized((1, limits.size if limits.kind == "spread" else max(1, spot.before)), odds))
    most = 0
    for total in _amounts(max(1, spot.to_match), cap):
        if not spot.facing(total, min(opening, total)).pays_to_call():
            break
        most = total
    raise_to = 0
    usual = spot.to_match or max(1, round(spot.bet))
    if limits.raises and spot.facing(usual, 0).pays_to_raise():
        bet = spot.to_match or (limits.size if limits.kind == "spread" else spot.before)
        highest = bet + (limits.size if limits.kind == "spread" else 2 * bet + spot.before)
        raise_to = min(cap, sized((2 * usual, max(2 * usual, highest)), odds))
    return {"opening": opening, "most": most, "raise_to": raise_to}


def _amounts(least: int, most: int) -> Iterator[int]:
    """Amounts to think about: few, and none much higher than the one before."""
    amount = least
    while amount < most:
        yield amount
        amount += 1 + amount // 4
    yield most
