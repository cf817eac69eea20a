"""Draw poker (docs/rules/draw-and-stud.md, D and 1 to 3): cards of one's own, a bet, new cards for some of them, a bet.

    five-draw   deal --> bet --> draw --> bet --> showdown
    spit        the same with four cards each and one in the middle, which is everybody's and wild with its rank
    jacks       deal --> open --> draw --> bet --> showdown
                          |                            '-- nothing as good as three of a kind: redeal
                          '-- nobody opens: redeal         (same pot, same dealer, those still in, new antes)

draw: all together, sealed. open: all together, sealed and unnamed; betting goes on from the opener's left.
One engine; its members differ by what a deal's steps are and by the hooks of poker.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Final

from ..asks import Amount, Ask, Cards, OneOf, Pick, Picker
from ..betting import active, with_chips
from ..cards import ACE, Card
from ..game import Due, Length, Said, Who
from ..hand_values import Category
from ..moves import Move
from ..options import BadOptions, Choice, Kind, flag, whole
from ..orders import Order
from ..poker import BET, PASS, SHOWDOWN, Holding, Poker, PokerOptions, PokerState
from ..poker_orders import BETTING_ORDERS, Discard
from ..ranking import HandRank, best_hand
from ..table import Seat, Table

DEAL: Final = "deal"
DRAW: Final = "draw"
OPEN: Final = "open"
SPIT: Final = "spit"

DEALT_ANEW: Final = 1.4
"""How often the cards of one deal are dealt in the mean until somebody wins."""

REDEALS: Final = 20
"""Redeals after which neither openers nor trips are asked for."""


@dataclass(frozen=True, slots=True)
class DrawOptions(PokerOptions):
    """docs/rules/draw-and-stud.md, 1 and its clarifications."""

    max_throw: int | None = whole(None, 1, 3, "Most cards thrown", may_be_none=True)
    four_with_ace: bool = flag(True, "Four may be thrown if an ace is kept")


@dataclass(frozen=True, slots=True)
class JacksOptions(DrawOptions):
    """docs/rules/draw-and-stud.md, 2."""

    redeal_ante: bool = flag(True, "A new ante at each redeal")
    redeal_limit: int | None = whole(None, 1, 5, "Redeals before any hand wins (empty: no limit)", may_be_none=True)


@dataclass(frozen=True, slots=True)
class Throw(Cards):
    """The cards to throw: up to `usual`, and more only if what stays is an ace."""

    usual: int = 3

    def refuse(self, move: Move) -> str | None:
        reason = Cards.refuse(self, move)
        if reason is None and len(move.cards) > self.usual and not _kept_ace(self.of, move.cards):
            return f"Throw at most {self.usual} cards; {len(move.cards)} only if you keep an ace."
        return reason

    def some(self, pick: Picker) -> Move:
        move = Cards.some(self, pick)
        return move if self.refuse(move) is None else Move(self.verb, cards=move.cards[: self.usual])


class Draw(Poker):
    """One member of the family; `own` is how many cards each holds."""

    family: ClassVar[str] = "draw"
    asking: ClassVar[frozenset[str]] = frozenset([DRAW, OPEN])
    orders: ClassVar[tuple[type[Order], ...]] = (*BETTING_ORDERS, Discard)
    own: int = 5
    steps = (DEAL, BET, DRAW, BET, SHOWDOWN)

    def __init__(self, slug: str, name: str, seats: range, options: type) -> None:
        self.slug, self.name, self.seats, self.options = slug, name, seats, options

    def check(self, options: Any, seats: int) -> None:
        """Raises BadOptions where the pack might run out."""
        most = _most_thrown(seats)
        if self.usual_throw(options, seats) > most:
            raise BadOptions(f"With {seats} players at most {most} {'card' if most == 1 else 'cards'} can be thrown.")

    def fitting(self, name: str, kind: Kind, values: Mapping[str, Any], seats: int) -> Kind | None:
        """Only as many cards can be thrown as the pack allows."""
        most = _most_thrown(seats)
        if name == "max_throw":
            fewer = tuple((str(number), str(number)) for number in range(1, most))
            return Choice(kind.label, (("", str(most)), *fewer)) if fewer else None
        if name == "four_with_ace" and (values["max_throw"] or most) != 3:
            return None
        return super().fitting(name, kind, values, seats)

    def begin(self, step: str, state: Any, options: Any) -> Any:
        if step != DEAL:
            return state
        table = state.table
        for _ in range(self.own):
            for seat in active(table):
                table = table.deal_down(seat)
        return replace(state, table=table)

    def choices(self, step: str, state: Any, options: Any) -> Due | None:
        if step != DRAW:
            return None
        return Due({seat: self._throw(state.table, seat, options) for seat in active(state.table)}, sealed=True)

    def choose(self, step: str, state: Any, moves: Mapping[Seat, Move], options: Any) -> Any:
        return _drawn(state, moves)

    def usual_throw(self, options: Any, seats: int) -> int:
        """How many cards may be thrown without keeping an ace."""
        return int(options.max_throw or _most_thrown(seats))

    def four_with_ace(self, options: Any) -> bool:
        return bool(options.four_with_ace)

    def normal(self, move: Move, ask: Ask) -> Move:
        return replace(move, cards=tuple(sorted(move.cards)))

    def _throw(self, table: Table, seat: Seat, options: Any) -> Throw:
        own, usual = _hole(table, seat), self.usual_throw(options, len(table.places))
        more = self.four_with_ace(options) and usual == 3 and any(card.rank == ACE for card in own)
        prompt = f"Choose the cards you throw, up to {usual}" + (", or four if you keep an ace." if more else ".")
        return Throw(prompt, DRAW, own, 0, usual + more, usual=usual)


class Spit(Draw):
    """Section 3: four cards each and one for all, wild with all cards of its rank."""

    own = 4

    def check(self, options: Any, seats: int) -> None:
        """Seven players use at most 50 cards."""

    def usual_throw(self, options: Any, seats: int) -> int:
        return 3

    def four_with_ace(self, options: Any) -> bool:
        return False

    def begin(self, step: str, state: Any, options: Any) -> Any:
        state = super().begin(step, state, options)
        if step != DEAL:
            return state
        table = state.table.deal_zone(SPIT).show_zone(SPIT)
        return replace(state, table=table).say(Said("The spit is {}", (table.zone(SPIT)[0].card,)))

    def wild(self, held: Holding, facts: Any) -> frozenset[Card]:
        ranks = {card.rank for card in held.middle}
        return frozenset(card for card in held.cards + held.middle if card.rank in ranks)

    def rank(self, held: Holding, facts: Any, options: Any) -> HandRank:
        return best_hand(held.cards + held.middle, self.wild(held, facts))


class Jacks(Draw):
    """Section 2: a pair of jacks to open, three of a kind to win."""

    has_unnamed_waits: ClassVar[bool] = True
    secret: ClassVar[frozenset[str]] = Draw.secret | {OPEN, PASS.verb}
    steps = (DEAL, OPEN, DRAW, BET, SHOWDOWN)

    @property
    def rounds(self) -> int:
        return 2

    def round_number(self, state: Any) -> int:
        return 1 if self.steps[state.step] == OPEN else 2

    def begin(self, step: str, state: Any, options: Any) -> Any:
        if step == OPEN and state.redeals >= REDEALS:
            return self.bet(state, options)
        return super().begin(step, state, options)

    def choices(self, step: str, state: Any, options: Any) -> Due | None:
        """At the opening those who may not open can only pass, which is entered for them; nobody is told who they are.
        With at most one seat that has chips there is no opening."""
        if step != OPEN:
            return super().choices(step, state, options)
        if len(with_chips(state.table)) < 2:
            return None
        asks = {seat: self._opening(state, seat, options) for seat in active(state.table)}
        return Due(asks, sealed=True, unnamed=True)

    def choose(self, step: str, state: Any, moves: Mapping[Seat, Move], options: Any) -> Any:
        if step != OPEN:
            return super().choose(step, state, moves, options)
        opener = next((seat for seat in active(state.table) if moves.get(seat, PASS) != PASS), None)
        if opener is None:
            return state
        betting = self.round_of(state, options)
        amount = moves[opener].amount or betting.bet_span(state.table, opener)[1]
        table, betting, _ = betting.acted_on(state.table, opener, Move("bet", amount))
        said = Said("{} opens for {}", (Who(opener), amount), note="" if table.places[opener].stack else "all in")
        return replace(state, table=table, betting=betting).say(said)

    def length(self, options: Any, seats: int) -> Length:
        one = super().length(options, seats)
        return Length(one.visits * DEALT_ANEW, one.waits * DEALT_ANEW)

    def finish(self, state: Any, options: Any) -> Any:
        if state.is_chosen and self.steps[state.step] == OPEN and state.betting is None:
            return self._again(state.say(Said("Nobody opens")), options)
        return super().finish(state, options)

    def showdown(self, state: Any, options: Any) -> Any:
        """The trips test looks at the best of all active hands."""
        is_tested = state.redeals < min(REDEALS, REDEALS if options.redeal_limit is None else options.redeal_limit)
        best = max(best_hand(_hole(state.table, seat)) for seat in active(state.table))
        if not is_tested or best.category >= Category.THREE_OF_A_KIND:
            return super().showdown(state, options)
        state = self.turned_up(state, options)
        return self._again(state.say(Said("Nobody has three of a kind or better")), options)

    def _again(self, state: Any, options: Any) -> Any:
        return self.redealt(state, options.ante if options.redeal_ante else 0)

    def _opening(self, state: Any, seat: Seat, options: Any) -> Pick | OneOf:
        if not (state.table.places[seat].stack and opens(_hole(state.table, seat))):
            return Pick("You cannot open: that takes a pair of jacks or better, and chips.", (PASS,), open=False)
        prompt = "You may open the betting. Nobody learns that you were asked."
        if options.limit == "fixed":
            return Pick(prompt, (PASS, Move(OPEN)), open=False)
        span = self.round_of(state, options).bet_span(state.table, seat)
        return OneOf(prompt, (Pick(prompt, (PASS,), open=False), Amount(prompt, OPEN, *span, open=False)))


@lru_cache(maxsize=1024)
def opens(cards: tuple[Card, ...]) -> bool:
    """Whether a hand may open: a pair of jacks or better."""
    hand = best_hand(cards)
    return hand.category > Category.PAIR or (hand.category == Category.PAIR and hand.value[1] >= 11)


def _drawn(state: PokerState, moves: Mapping[Seat, Move]) -> PokerState:
    """Everybody's cards are replaced, in order from the dealer's left; the ace kept by one who throws four is shown."""
    for seat in active(state.table):
        table, thrown = state.table, moves[seat].cards
        said = Said("{} draws {}", (Who(seat), len(thrown))) if thrown else Said("{} stands pat", (Who(seat),))
        if len(thrown) > 3:
            kept = tuple(card for card in _hole(table, seat) if card not in thrown)
            table = table.show(seat, kept)
            said = Said("{} keeps {} and draws {}", (Who(seat), *kept, len(thrown)))
        table = table.discard(seat, thrown).deal_down(seat, len(thrown))
        state = replace(state, table=table).say(said)
    return state


def _hole(table: Table, seat: Seat) -> tuple[Card, ...]:
    return tuple(held.card for held in table.places[seat].hole)


def _kept_ace(own: Collection[Card], thrown: Collection[Card]) -> bool:
    return all(card.rank == ACE for card in own if card not in thrown)


def _most_thrown(seats: int) -> int:
    """So that the pack suffices: seven throwing two use 49 cards, eight throwing one 48."""
    return 3 if seats < 7 else 2 if seats == 7 else 1


DRAW_GAMES: Final = (
    Draw("five-draw", "5-Card Draw", range(2, 9), DrawOptions),
    Jacks("jacks", "Jacks or Better", range(2, 7), JacksOptions),
    Spit("spit", "Spit in the Ocean", range(2, 8), PokerOptions),
)
