"""What games with betting rounds share (docs/rules/common.md, 8 to 11 and 15): antes, rounds, pots, showdown, and
matches for chips.

A deal is a list of steps, each begun in turn: a betting round, a choice made by all at once, cards dealt, the showdown.
A step that asks nobody is over at once. A game says what its steps are and fills in the hooks that differ.

    ante --> step --> step --> ... --> showdown          one seat left at any moment: it takes every pot
             '<------- redeal, where a game has it
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

from .asks import Ask, Cards
from .betting import Betting, Limits, Won, active, awarded, chips_in, closed, passive
from .cards import Card
from .game import Due, Ending, Game, HandReading, Length, Progress, Reading, Said, State, Who, shared_out
from .look import SeatView, View
from .moves import Move
from .options import Choice, Kind, Whole, choice, flag, whole
from .orders import Order
from .plans import PLAN
from .poker_orders import BETTING_ORDERS
from .ranking import HandRank, best_hand
from .table import Seat, Table

BET: Final = "bet"
SHOWDOWN: Final = "showdown"
PASS: Final = Move("pass")

LIMITS: Final = {"fixed": "Fixed bets", "spread": "Any bet up to a maximum", "pot": "Any bet up to the pot"}
LEFT: Final = 0.65
"""Of the seats in one betting round so many are in the next."""
HELD: Final = 0.8
"""So many of the betting rounds and choices that may follow one are held: not all have folded but one."""
ANSWERS: Final = 1.4
"""Answers of a seat in one betting round in turns."""
MODES: Final = {"turns": "In turn", "sealed": "All file plans at once"}


@dataclass(frozen=True, slots=True)
class PokerOptions:
    """docs/rules/common.md, 16."""

    stack: int = whole(100, 20, 1000, "Chips at the start")
    ante: int = whole(1, 0, 10, "Ante for each deal")
    limit: str = choice("fixed", LIMITS, "How much may be bet")
    bet: int = whole(2, 1, 20, "Bet", when={"limit": ("fixed",)})
    bet_max: int = whole(5, 2, 50, "Maximum bet", when={"limit": ("spread",)})
    raises: int = whole(2, 0, 3, "Raises in one betting round")
    late_double: bool = flag(False, "Bets are doubled in the late rounds", when={"limit": ("fixed", "spread")})
    betting: str = choice("turns", MODES, "How betting is done")
    rounds: int | None = whole(None, 1, 10, "Deals for each player", may_be_none=True)
    open_archive: bool = flag(True, "All cards become public after the game")


class Ranked(Protocol):
    """A hand that can be compared, the greater the better, and named."""

    @property
    def cards(self) -> tuple[Card, ...]: ...
    @property
    def title(self) -> str: ...
    @property
    def odd(self) -> str: ...
    @property
    def name(self) -> str: ...
    def __lt__(self, other: Any, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Holding:
    """The cards a hand may be made of: a seat's own down and up, and those in the middle of the table."""

    hole: tuple[Card, ...]
    row: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.hole + self.row

    @property
    def showing(self) -> Holding:
        """What the others can judge it by."""
        return Holding((), self.row, self.middle)


@dataclass(frozen=True, slots=True, kw_only=True)
class PokerState(State):
    """One deal. `step` counts the steps from 0, again after each of the `redeals`; `betting` is the round being held;
    `is_chosen`: the choice of this step has been made; `shown` has the seats whose hands were turned up at the end."""

    deal_no: int
    step: int = -1
    redeals: int = 0
    betting: Betting | None = None
    is_chosen: bool = False
    shown: frozenset[Seat] = frozenset()
    is_over: bool = False

    def say(self, *said: Said) -> Self:
        return replace(self, said=self.said + said)


S = TypeVar("S", bound=PokerState)


class Poker(Game):
    """A game of betting rounds. Its state class is `state`; `rounds` says how many betting rounds a deal has."""

    has_chips: ClassVar[bool] = True
    secret: ClassVar[frozenset[str]] = frozenset([PLAN])
    orders: ClassVar[tuple[type[Order], ...]] = BETTING_ORDERS
    state: ClassVar[type[PokerState]] = PokerState
    steps: tuple[str, ...]

    @property
    def rounds(self) -> int:
        return self.steps.count(BET)

    # What a game fills in

    @abstractmethod
    def begin(self, step: str, state: Any, options: Any) -> Any:
        """Begin a step that is neither a betting round nor the showdown."""

    def choices(self, step: str, state: Any, options: Any) -> Due | None:
        """Who must choose what in a step that is no betting round; None if nobody."""
        return None

    def choose(self, step: str, state: Any, moves: Mapping[Seat, Move], options: Any) -> Any:
        """Apply the choices of such a step."""
        raise NotImplementedError(f"{step} asks for nothing")

    def starter(self, state: Any, options: Any) -> Seat:
        """Who begins a betting round: the first active seat from the dealer's left."""
        return active(state.table)[0]

    def wild(self, held: Holding, facts: Any) -> frozenset[Card]:
        """Which of a seat's cards are wild. `facts` has the game's public fields: a state, or the facts of a view."""
        return frozenset()

    def rank(self, held: Holding, facts: Any, options: Any) -> Ranked:
        """What a hand is worth, whole or in part."""
        return best_hand(held.cards, self.wild(held, facts))

    def showdown(self, state: Any, options: Any) -> Any:
        """Show the hands, pay the pots, end the deal."""
        return self.paid(self.turned_up(state, options), self.hands(state, options))

    # The interface of games

    def open(self, table: Table, options: Any, carry: Any) -> PokerState:
        deal_no = 1 + (carry or 0)
        said = [Said("Deal {}", (deal_no,), is_heading=True)]
        if options.ante:
            for seat in active(table):
                table = table.ante(seat, options.ante)
            said.append(Said("Everybody antes {}: the pot is {}", (options.ante, chips_in(table))))
        return self.go_on(self.state(table=table, deal_no=deal_no, said=tuple(said)), options)

    def due(self, state: State, options: Any) -> Due | None:
        assert isinstance(state, PokerState)
        if state.is_over or state.step < 0:
            return None
        if state.betting is not None:
            return state.betting.due(state.table)
        return None if state.is_chosen else self.choices(self.steps[state.step], state, options)

    def play(self, state: State, moves: Mapping[Seat, Move], options: Any) -> PokerState:
        assert isinstance(state, PokerState)
        deal: PokerState = replace(state, said=())
        if deal.betting is None:
            deal = self.choose(self.steps[deal.step], replace(deal, is_chosen=True), moves, options)
        else:
            table, betting, said = deal.betting.after(deal.table, moves)
            deal = replace(deal, table=table, betting=betting, said=said)
        return self.go_on(deal, options)

    def leave(self, state: State, seat: Seat, options: Any) -> PokerState:
        """The hand is dead; what was put in stays in."""
        assert isinstance(state, PokerState)
        betting = state.betting and state.betting.without(seat)
        deal: PokerState = replace(state, table=state.table.leave(seat), betting=betting, said=())
        return self.go_on(deal, options)

    def ending(self, state: State, options: Any) -> Ending:
        assert isinstance(state, PokerState)
        places = state.table.places
        broke = frozenset(seat for seat in state.table.dealt_in if not places[seat].stack)
        return Ending(points=(0,) * len(places), out=broke, carry=state.deal_no, shown=state.shown)

    def is_over(self, progress: Progress) -> bool:
        return len(progress.results) >= deals_of(progress.options, progress.seats)

    def on_clock(self, view: View, ask: Ask) -> Move:
        """Check if it is free, else fold; throw, open or pay nothing (docs/rules/common.md, 14)."""
        if isinstance(ask, Cards):
            return Move(ask.verb)
        return PASS if ask.refuse(PASS) is None else passive(ask)

    def fitting(self, name: str, kind: Kind, values: Mapping[str, Any], seats: int) -> Kind | None:
        if name != "rounds" or not isinstance(kind, Whole):
            return kind
        usual = f"{usual_rounds(seats)}, as usual"
        numbers = range(kind.low, kind.high + 1)
        return Choice(kind.label, (("", usual), *((str(number), str(number)) for number in numbers)))

    def length(self, options: Any, seats: int) -> Length:
        """In turns a seat answers a round now and then twice; of a sealed round one visit by all is the whole. From
        round to round fewer are left."""
        deals, choices = deals_of(options, seats), len(set(self.steps) & self.asking)
        left = sum(LEFT**number for number in range(self.rounds))
        if options.betting == "sealed":
            held = sum(HELD**number for number in range(self.rounds))
            return Length(deals * (left + LEFT * choices), deals * (held + HELD * choices))
        visits = ANSWERS * left
        return Length(deals * (visits + LEFT * choices), deals * (visits * seats + HELD * choices))

    asking: ClassVar[frozenset[str]] = frozenset()
    """Steps at which everybody chooses."""

    def reading(self, view: View) -> Reading:
        hands = tuple(self._hand_reading(view, one) for one in view.seats)
        if view.result is not None:
            return Reading(shared_out(view.result), None, hands)
        heading = f"deal {view.deal_no}"
        betting = view.facts.betting
        if betting is None or betting.sealed:
            verdict = Said("The pot is {}: everybody chooses at once", (view.pot,))
        elif betting.to_match:
            verdict = Said(
                "The pot is {}, the bet {}: {} to act", (view.pot, betting.to_match, Who(betting.waiting[0]))
            )
        else:
            verdict = Said("The pot is {}: {} to act", (view.pot, Who(betting.waiting[0])))
        return Reading(verdict, None, hands, heading, labels=_labels(view))

    # The course of a deal

    def go_on(self, state: S, options: Any) -> S:
        """Go through the steps until somebody must answer or the deal is over."""
        while not state.is_over:
            if len(active(state.table)) == 1:
                return self.left_alone(self.finish(state, options))
            if self.due(state, options) is not None:
                return state
            state = self.finish(state, options)
            state = replace(state, step=state.step + 1, is_chosen=False)
            step = self.steps[state.step]
            if step == BET:
                state = self.bet(state, options)
            elif step == SHOWDOWN:
                state = self.showdown(state, options)
            else:
                state = self.begin(step, state, options)
        return state

    def finish(self, state: S, options: Any) -> S:
        """End the present step."""
        if state.betting is None:
            return state
        table, said = closed(state.table)
        return replace(state, table=table, betting=None).say(*said)

    def bet(self, state: S, options: Any) -> S:
        """Begin a betting round."""
        return replace(state, betting=self.round_of(state, options))

    def round_of(self, state: PokerState, options: Any) -> Betting:
        """The betting round of the present step, before anybody has acted."""
        starter, sealed = self.starter(state, options), options.betting == "sealed"
        return Betting.begun(state.table, starter, self.limits(state, options), sealed=sealed)

    def limits(self, state: PokerState, options: Any) -> Limits:
        """The limits of the present round; `late_double` holds in the last two of four rounds and more, else in the
        last one."""
        number = self.round_number(state)
        late = options.late_double and number > self.rounds - (2 if self.rounds > 3 else 1)
        size = options.bet if options.limit == "fixed" else options.bet_max
        return Limits(options.limit, size * 2 if late else size, options.raises)

    def round_number(self, state: PokerState) -> int:
        """Which betting round the present step is, counted from 1."""
        return self.steps[: state.step + 1].count(BET)

    def left_alone(self, state: S) -> S:
        """The last active seat takes every pot without showing."""
        (seat,) = active(state.table)
        pot = chips_in(state.table)
        table = state.table.gather().award(pot, (seat,))
        said = Said("{} is alone and takes the pot of {}", (Who(seat), pot))
        return replace(state, table=table, is_over=True).say(said)

    def redealt(self, state: S, ante: int) -> S:
        """Begin again with a new pack: same dealer, same pot, the seats still active, each paying an ante."""
        table = state.table.redeal()
        for seat in active(table):
            table = table.ante(seat, ante)
        said = Said("New cards are dealt: the pot is {}", (chips_in(table),))
        state = replace(state, table=table, step=-1, redeals=state.redeals + 1, is_chosen=False, shown=frozenset())
        return state.say(said)

    # Showdown

    def holding(self, table: Table, seat: Seat) -> Holding:
        """The cards a seat's hand may be made of."""
        place = table.places[seat]
        middle = tuple(held.card for zone in table.zones for held in zone.held)
        return Holding(tuple(held.card for held in place.hole), place.row, middle)

    def hands(self, state: PokerState, options: Any) -> dict[Seat, Ranked]:
        """The hands of the active seats."""
        table = state.table
        return {seat: self.rank(self.holding(table, seat), state, options) for seat in active(table)}

    def turned_up(self, state: S, options: Any) -> S:
        """Turn the active hands up and say what they are."""
        hands = self.hands(state, options)
        for seat, hand in hands.items():
            cards = self.holding(state.table, seat).cards
            text = "{} shows " + " ".join(["{}"] * len(cards))
            state = replace(state, table=state.table.show(seat)).say(Said(text, (Who(seat), *cards), note=hand.name))
        return replace(state, shown=frozenset(hands))

    def paid(self, state: S, *contests: Mapping[Seat, Ranked]) -> S:
        """Pay the pots by these hands and end the deal."""
        table, won = awarded(state.table, *contests)
        pots = 1 + max((one.number for one in won), default=0)
        state = replace(state, table=table, is_over=True)
        for one in won:
            reason = next((contest[one.winners[0]].name for contest in contests if one.winners[0] in contest), "")
            state = state.say(_won(one, pots, reason))
        return state

    def _hand_reading(self, view: View, one: SeatView) -> HandReading:
        hole = tuple(card for card in one.hole if card is not None)
        middle = tuple(card for zone in view.zones for card in zone.cards if card is not None)
        held, is_hidden = Holding(hole, one.row, middle), len(hole) < len(one.hole)
        if is_hidden:
            held = held.showing
        if not held.cards:
            return HandReading()
        hand = self.rank(held, view.facts, view.options)
        rest = tuple(card for card in held.cards + middle if card not in hand.cards)
        return HandReading(
            name=f"Showing {hand.title[0].lower()}{hand.title[1:]}" if is_hidden else hand.title,
            detail=f"with {hand.odd}" if hand.odd else "",
            best=hand.cards,
            rest=rest,
            stands_for=tuple(hand.meanings.items()) if isinstance(hand, HandRank) else (),
        )


def deals_of(options: Any, seats: int) -> int:
    """How many deals a match has."""
    return int((options.rounds or usual_rounds(seats)) * seats)


def usual_rounds(seats: int) -> int:
    """How often each seat deals if nothing else is agreed."""
    return 2 if seats < 5 else 1


def _labels(view: View) -> dict[str, Said]:
    """What a call costs the viewer."""
    betting = view.facts.betting
    if view.ask is None or view.viewer is None or betting is None or betting.sealed or not betting.to_match:
        return {}
    own = view.seats[view.viewer]
    owed = betting.to_match - own.bet
    return {"call": Said("Call {}", (owed,)) if owed < own.stack else Said("Call {}, all in", (own.stack,))}


def _won(one: Won, pots: int, reason: str) -> Said:
    name = "the pot" if pots == 1 else "the main pot" if not one.number else f"side pot {one.number}"
    verb = "wins" if len(one.winners) == 1 else "share"
    what = f"{name} of {{}}" if one.is_whole else f"{{}} of {name}"
    text = f"{', '.join(['{}'] * len(one.winners))} {verb} {what}"
    note = reason if one.is_contested else "nobody else is in it"
    return Said(text, (*map(Who, one.winners), one.amount), note=note)
