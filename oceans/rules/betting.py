"""One betting round as a value, and the pots that come of it (docs/rules/common.md, 9, 10 and 18).

A game keeps a `Betting` in its state, asks it who is due, and hands it the answers. In turns the seats answer one after
the other; in a sealed round all file plans (plans.py) and the round is played from them by the very same steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from .asks import Amount, Ask, OneOf, Pick, Span
from .game import Due, Said, Who
from .moves import Move
from .plans import LevelPlan, TotalsPlan, lines_of, totals_of
from .table import Seat, Table

CHECK: Final = Move("check")
CALL: Final = Move("call")
FOLD: Final = Move("fold")


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be bet in one round. `kind` is fixed, spread or pot; `size` the fixed bet or the most of a spread bet;
    `raises` how many raises there may be."""

    kind: str
    size: int
    raises: int


@dataclass(frozen=True, slots=True)
class Betting:
    """A betting round. All of it is public.

    `waiting` has the seats still to act, the next one first; `to_match` the highest bet; `step` the last full bet or
    raise, which a full raise must reach; `raises` the full raises made; `acted` the seats that have acted since the
    last full bet or raise and may not raise until there is another."""

    limits: Limits
    waiting: tuple[Seat, ...]
    sealed: bool = False
    to_match: int = 0
    step: int = 0
    raises: int = 0
    acted: frozenset[Seat] = frozenset()

    @classmethod
    def begun(cls, table: Table, starter: Seat, limits: Limits, *, sealed: bool = False) -> Betting:
        """A round begun by `starter`, or by the next seat clockwise that has chips."""
        around = table.clockwise_from(starter)
        order = (starter, *around[:-1]) if starter in table.dealt_in else around
        able = with_chips(table)
        return cls(limits, tuple(seat for seat in order if seat in able), sealed)

    # Who must answer

    def is_over(self, table: Table) -> bool:
        """Whether everybody has answered, one seat is left, or at most one seat has chips and it owes nothing."""
        able = with_chips(table)
        if not self.waiting or len(active(table)) < 2:
            return True
        return len(able) < 2 and all(table.places[seat].bet >= self.to_match for seat in able)

    def due(self, table: Table) -> Due | None:
        """The next seat and what it may do, or all seats with chips and their plans; None when the round is over."""
        if self.is_over(table):
            return None
        if self.sealed:
            return Due({seat: self._plan_ask(table, seat) for seat in with_chips(table)}, sealed=True)
        return Due({self.waiting[0]: self._ask(table, self.waiting[0])})

    def bet_span(self, table: Table, seat: Seat) -> Span:
        """What a seat may open with; all its chips if they are too few."""
        most = {"fixed": self.limits.size, "spread": self.limits.size, "pot": max(1, chips_in(table))}[self.limits.kind]
        least = self.limits.size if self.limits.kind == "fixed" else 1
        cap = _cap(table, seat)
        return min(least, cap), min(most, cap)

    def raise_span(self, table: Table, seat: Seat) -> Span | None:
        """What a seat may raise to, None if it may not raise. A single amount may be short of a full raise."""
        cap = _cap(table, seat)
        others = [other for other in with_chips(table) if other != seat]
        if self.raises >= self.limits.raises or seat in self.acted or cap <= self.to_match or not others:
            return None
        least = self.to_match + self.step
        owed = self.to_match - table.places[seat].bet
        most = {
            "fixed": least,
            "spread": self.to_match + self.limits.size,
            "pot": self.to_match + chips_in(table) + owed,
        }[self.limits.kind]
        return min(least, cap), min(most, cap)

    def _ask(self, table: Table, seat: Seat) -> OneOf | Pick:
        if not self.to_match:
            return _asked("Nobody has bet yet.", (CHECK,), "bet", self.bet_span(table, seat))
        owed = min(self.to_match - table.places[seat].bet, table.places[seat].stack)
        span = self.raise_span(table, seat)
        return _asked(f"The bet is {self.to_match}: {owed} to call.", (FOLD, CALL), "raise", span)

    def _plan_ask(self, table: Table, seat: Seat) -> LevelPlan | TotalsPlan:
        opened = self.to_match > 0
        if self.limits.kind == "fixed":
            return LevelPlan("Say what you would do in this betting round.", self.limits.raises, opened)
        return TotalsPlan("Say what you would do in this betting round.", _cap(table, seat), opened)

    # Answers

    def after(self, table: Table, moves: Mapping[Seat, Move]) -> tuple[Table, Betting, tuple[Said, ...]]:
        """Play the answers of the seats due."""
        if self.sealed:
            return self._played(table, moves)
        ((seat, move),) = moves.items()
        return self.acted_on(table, seat, move)

    def acted_on(self, table: Table, seat: Seat, move: Move) -> tuple[Table, Betting, tuple[Said, ...]]:
        """One action by one seat: its chips move, and the turn passes."""
        place = table.places[seat]
        if move.amount is not None:
            table = table.pay(seat, move.amount - place.bet)
            said = _said("{} bets {}" if move.verb == "bet" else "{} raises to {}", table, seat, move.amount)
            return table, self._raised(table, seat, move.amount), (said,)
        if move == FOLD:
            return table.leave(seat), self.without(seat), (Said("{} folds", (Who(seat),)),)
        betting = replace(self.without(seat), acted=self.acted | {seat})
        if move == CHECK:
            return table, betting, (Said("{} checks", (Who(seat),)),)
        owed = min(self.to_match - place.bet, place.stack)
        table = table.pay(seat, owed)
        return table, betting, (_said("{} calls {}", table, seat, owed),)

    def without(self, seat: Seat) -> Betting:
        """The round when a seat has no more to say in it."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def _raised(self, table: Table, seat: Seat, total: int) -> Betting:
        """A bet or a raise: everybody else must answer it, and may raise again if it was a full one. A short opening
        bet counts as a bet."""
        fixed = self.limits.kind == "fixed"
        higher = total - self.to_match
        is_full = not self.to_match or higher >= self.step
        after = tuple(other for other in table.clockwise_from(seat) if other != seat)
        able = with_chips(table)
        return replace(
            self,
            waiting=tuple(other for other in after if other in able),
            to_match=total,
            step=self.limits.size if fixed else higher if is_full else self.step,
            raises=self.raises + (is_full and self.to_match > 0),
            acted=frozenset([seat]) if is_full else self.acted | {seat},
        )

    # Sealed rounds

    def _played(self, table: Table, plans: Mapping[Seat, Move]) -> tuple[Table, Betting, tuple[Said, ...]]:
        betting, said, tried = self, list[Said](), set[Seat]()
        while not betting.is_over(table):
            seat = betting.waiting[0]
            move = betting._from_lines(table, seat, lines_of(plans[seat]))
            if self.limits.kind != "fixed":
                move = betting._from_totals(table, seat, plans[seat], may_raise=seat not in tried)
                tried |= {seat} if betting.to_match else set()
            table, betting, more = betting.acted_on(table, seat, move)
            said += more
        return table, betting, tuple(said)

    def _from_lines(self, table: Table, seat: Seat, lines: Sequence[str]) -> Move:
        """The line for this level: bets and full raises count, short raises do not."""
        line = lines[min(1 + self.raises, len(lines) - 1) if self.to_match else 0]
        if line == "bet":
            return Move("bet", self.bet_span(table, seat)[1])
        if line == "raise":
            span = self.raise_span(table, seat)
            return CALL if span is None else Move("raise", span[1])
        return Move(line)

    def _from_totals(self, table: Table, seat: Seat, plan: Move, *, may_raise: bool) -> Move:
        """The raise is tried first, once; too high is the highest legal, too low is no raise, and where raising is not
        possible it is a call. Then the most that may be put in by calling decides."""
        totals = totals_of(plan)
        assert totals is not None
        if not self.to_match:
            return Move("bet", min(totals.opening, self.bet_span(table, seat)[1])) if totals.opening else CHECK
        if may_raise and totals.raise_to:
            span = self.raise_span(table, seat)
            if span is not None and totals.raise_to >= span[0]:
                return Move("raise", min(totals.raise_to, span[1]))
            if span is None and totals.raise_to >= self.to_match:
                return CALL
        return CALL if min(self.to_match, _cap(table, seat)) <= totals.most else FOLD


def passive(ask: Ask) -> Move:
    """The answer of a seat out of time: check if that is free, else fold (docs/rules/common.md, 14)."""
    if isinstance(ask, LevelPlan | TotalsPlan):
        return ask.passive()
    return CHECK if ask.refuse(CHECK) is None else FOLD


# Seats and chips


def active(table: Table) -> tuple[Seat, ...]:
    """The seats still in the deal, in order from the dealer's left."""
    return tuple(seat for seat in table.clockwise_from(table.button) if table.places[seat].is_in)


def with_chips(table: Table) -> tuple[Seat, ...]:
    """The seats still in the deal that can bet."""
    return tuple(seat for seat in active(table) if table.places[seat].stack)


def chips_in(table: Table) -> int:
    """All chips committed in this deal, the present round included."""
    return table.pot + sum(place.paid for place in table.places)


def closed(table: Table) -> tuple[Table, tuple[Said, ...]]:
    """The table after a betting round: what nobody matched goes back to the bettor, folded seats counting as matching
    (docs/rules/common.md, 18), and the bets lie with the stakes of the deal."""
    seat, amount = table.uncalled()
    if not amount:
        return table.close_round(), ()
    said = Said("{} takes back {}, which nobody matched", (Who(seat), amount))
    return table.take_back(seat, amount).close_round(), (said,)


# Pots


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the seats that may win them."""

    amount: int
    seats: tuple[Seat, ...]


def pots(table: Table) -> tuple[Pot, ...]:
    """The main pot, then side pots: stakes cut by the totals of the active seats. The table's own pot belongs to the
    main pot, chips above the highest active total to the last."""
    inside = active(table)
    stakes = [place.paid for place in table.places]
    levels = sorted({stakes[seat] for seat in inside})
    found, below = [], 0
    for number, level in enumerate(levels):
        amount = sum(min(stake, level) - min(stake, below) for stake in stakes)
        amount += table.pot if number == 0 else 0
        amount += sum(max(0, stake - level) for stake in stakes) if level == levels[-1] else 0
        found.append(Pot(amount, tuple(seat for seat in inside if stakes[seat] >= level)))
        below = level
    return tuple(pot for pot in found if pot.amount)


@dataclass(frozen=True, slots=True)
class Won:
    """A pot, or a part of it, and who wins it. `number` counts pots from 0, the main pot."""

    number: int
    amount: int
    winners: tuple[Seat, ...]
    is_whole: bool = True
    is_contested: bool = True


def awarded(table: Table, *contests: Mapping[Seat, Any]) -> tuple[Table, tuple[Won, ...]]:
    """Pay every pot to the best of the seats entitled to it. Each contest maps the seats that compete to their hands,
    the greater the better; a pot is parted between the contests, an odd chip going to the first named, and a contest
    without competitors leaves its part to the other (docs/rules/common.md, 10). Some contest must have a competitor
    for every pot."""
    won = []
    for number, pot in enumerate(pots(table)):
        held = [[seat for seat in pot.seats if seat in contest] for contest in contests]
        split = [(contest, seats) for contest, seats in zip(contests, held, strict=True) if seats]
        share, odd = divmod(pot.amount, len(split))
        for part, (contest, seats) in enumerate(split):
            best = max(contest[seat] for seat in seats)
            winners = tuple(seat for seat in seats if contest[seat] == best)
            won.append(Won(number, share + (part < odd), winners, len(split) == 1, len(pot.seats) > 1))
    table = table.gather()
    for one in won:
        table = table.award(one.amount, one.winners)
    return table, tuple(won)


def _cap(table: Table, seat: Seat) -> int:
    """The most a seat can have put in by the end of this round."""
    return table.places[seat].bet + table.places[seat].stack


def _asked(prompt: str, moves: tuple[Move, ...], verb: str, span: Span | None) -> OneOf | Pick:
    if span is None:
        return Pick(prompt, moves)
    if span[0] == span[1]:
        return Pick(prompt, (*moves, Move(verb, span[0])))
    return OneOf(prompt, (Pick(prompt, moves), Amount(prompt, verb, *span)))


def _said(text: str, table: Table, seat: Seat, amount: int) -> Said:
    return Said(text, (Who(seat), amount), note="" if table.places[seat].stack else "all in")
