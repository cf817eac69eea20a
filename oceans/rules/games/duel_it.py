"""Duel It (docs/rules/duel-it.md): two cards each, and a bidding for points which the bank creates.

deal --> [first bidder: bid 2..10] --> [next clockwise, who has not answered this bid: forget | show | raise | duel]
a raise or a duel makes a new bid that everybody else still in must answer again
one left in: half the bid   --or--   all answered with show: showdown, the best hand alone takes the whole bid
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from ..asks import Ask, Pick
from ..cards import ACE, RANK_NAMES, Card
from ..game import Due, Ending, Game, HandReading, Length, Progress, Reading, Said, State, Who, shared_out
from ..look import View
from ..moves import Move
from ..options import BadOptions, Choice, Kind, whole
from ..orders import Order
from ..table import Seat, Table
from .duel_it_orders import ResponseTable

FORGET: Final = Move("forget")
SHOW: Final = Move("show")
DUEL: Final = Move("duel")
OPENINGS: Final = (2, 4, 6, 8, 10)
HIGHEST_RAISE: Final = 10
LONGEST: Final = 20
"""Rounds after which a match to a target ends at the latest."""


@dataclass(frozen=True, slots=True)
class DuelOptions:
    """docs/rules/duel-it.md, 1."""

    deals: int | None = whole(None, 2, 100, "Deals to play (whole rounds)", may_be_none=True)
    target: int | None = whole(None, 20, 200, "Or: points to reach", may_be_none=True, when={"deals": (None,)})


@dataclass(frozen=True, slots=True)
class Answers(Pick):
    """The answers to a bid. A raise to exactly twice the bid is the duel by another name (section 7)."""

    same_as_duel: Move | None = None

    def refuse(self, move: Move) -> str | None:
        return None if move == self.same_as_duel else Pick.refuse(self, move)


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelState(State):
    """One deal. `bid` is 0 until the first bid; `answered` has those who said show to the present bid."""

    deal_no: int
    bid: int = 0
    holder: Seat | None = None
    answered: frozenset[Seat] = frozenset()
    scored: tuple[int, ...]
    shown: frozenset[Seat] = frozenset()
    over: bool = False


def hand_value(cards: Collection[Card]) -> tuple[int, int, int]:
    """Section 2: straight flush, pair, straight, flush, high card; ace high only. Greater is better."""
    high, low = sorted((card.rank for card in cards), reverse=True)
    suited = len({card.suit for card in cards}) == 1
    if high == low:
        return (4, high, low)
    if high - low == 1:
        return (5 if suited else 3, high, low)
    return (2 if suited else 1, high, low)


def hand_words(cards: Collection[Card]) -> str:
    """A hand in words: "pair of kings", "straight, queen and jack"."""
    kind, high, low = hand_value(cards)
    top, other = RANK_NAMES[high - 2], RANK_NAMES[low - 2]
    if kind == 4:
        return f"pair of {top}{'es' if top == 'six' else 's'}"
    if kind == 5 and high == ACE:
        return "royal flush, ace and king"
    return {5: "straight flush, ", 3: "straight, ", 2: "flush, ", 1: ""}[kind] + f"{top} and {other}"


class DuelIt(Game):
    """docs/rules/duel-it.md."""

    slug, name, seats, options = "duel-it", "Duel It", range(2, 11), DuelOptions
    family: ClassVar[str] = "duel-it"
    orders: ClassVar[tuple[type[Order], ...]] = (ResponseTable,)

    def check(self, options: Any, seats: int) -> None:
        if options.deals and options.target:
            raise BadOptions("Choose either a number of deals or a number of points to reach, not both.")
        if options.deals and (options.deals % seats or options.deals > 10 * seats):
            raise BadOptions(
                f"With {seats} players choose whole rounds: {seats}, {2 * seats} and so on up to {10 * seats} deals."
            )

    def open(self, table: Table, options: Any, carry: Any) -> DuelState:
        order = table.clockwise_from(table.button)
        for _ in range(2):
            for seat in order:
                table = table.deal_down(seat)
        deal_no = 1 + (carry or 0)
        said = (Said("Deal {}", (deal_no,), is_heading=True),)
        return DuelState(table=table, deal_no=deal_no, scored=(0,) * len(table.places), said=said)

    def due(self, state: State, options: Any) -> Due | None:
        assert isinstance(state, DuelState)
        seat = None if state.over else _to_answer(state)
        if seat is None:
            return None
        if not state.bid:
            return Due({seat: Pick("Make the first bid.", tuple(Move("bid", amount) for amount in OPENINGS))})
        return Due({seat: _answers(state.bid)})

    def play(self, state: State, moves: Mapping[Seat, Move], options: Any) -> DuelState:
        assert isinstance(state, DuelState)
        ((seat, move),) = moves.items()
        if move == FORGET:
            state = replace(state, table=state.table.leave(seat), said=(Said("{} forgets it", (Who(seat),)),))
        elif move == SHOW:
            state = replace(state, answered=state.answered | {seat}, said=(Said("{} says show", (Who(seat),)),))
        else:
            bid = 2 * state.bid if move == DUEL else move.amount or 0
            text = {"bid": "{} bids {}", "raise": "{} raises to {}", "duel": "{} duels: the bid is {}"}[move.verb]
            said = (Said(text, (Who(seat), bid)),)
            state = replace(state, bid=bid, holder=seat, answered=frozenset(), said=said)
        return _settled(state)

    def leave(self, state: State, seat: Seat, options: Any) -> DuelState:
        """As if it said forget it; if it must open, the next seat opens instead (sections 4 and 7)."""
        assert isinstance(state, DuelState)
        return _settled(replace(state, table=state.table.leave(seat), said=()))

    def ending(self, state: State, options: Any) -> Ending:
        assert isinstance(state, DuelState)
        return Ending(points=state.scored, shown=state.shown, carry=state.deal_no)

    def is_over(self, progress: Progress) -> bool:
        done, options = len(progress.results), progress.options
        if not options.target:
            return done >= (options.deals or usual_deals(progress.seats))
        if done % progress.seats:
            return False
        reached = any(progress.points[seat] >= options.target for seat in progress.staying)
        return reached or done >= LONGEST * progress.seats

    def on_clock(self, view: View, ask: Ask) -> Move:
        return FORGET if ask.refuse(FORGET) is None else Move("bid", OPENINGS[0])

    def normal(self, move: Move, ask: Ask) -> Move:
        return DUEL if isinstance(ask, Answers) and move == ask.same_as_duel else move

    def fitting(self, name: str, kind: Kind, values: Mapping[str, Any], seats: int) -> Kind | None:
        """Whole rounds only."""
        if name != "deals":
            return kind
        rounds = range(seats, 10 * seats + 1, seats)
        usual = f"{usual_deals(seats)}, as usual"
        return Choice(kind.label, (("", usual), *((str(deals), str(deals)) for deals in rounds)))

    def length(self, options: Any, seats: int) -> Length:
        deals = options.deals or usual_deals(seats)
        if options.target:
            deals = min(LONGEST, round(0.5 + 0.12 * options.target)) * seats
        answers = 1.2 * seats - 0.7
        return Length(deals * answers / seats, deals * answers)

    def reading(self, view: View) -> Reading:
        return _reading(view)


def usual_deals(seats: int) -> int:
    """Twelve deals rounded up to whole rounds."""
    return -(-12 // seats) * seats


def _inside(state: DuelState) -> tuple[Seat, ...]:
    around = state.table.clockwise_from(state.table.button if state.holder is None else state.holder)
    return tuple(seat for seat in around if state.table.places[seat].is_in)


def _to_answer(state: DuelState) -> Seat | None:
    return next((seat for seat in _inside(state) if seat != state.holder and seat not in state.answered), None)


def _answers(bid: int) -> Answers:
    raises = tuple(Move("raise", amount) for amount in OPENINGS if bid < amount <= HIGHEST_RAISE and amount != 2 * bid)
    higher = (*raises, DUEL) if bid <= HIGHEST_RAISE else ()
    same = Move("raise", 2 * bid) if 2 * bid in OPENINGS else None
    return Answers(f"The bid is {bid}. What do you answer?", (FORGET, SHOW, *higher), True, same)


def _settled(state: DuelState) -> DuelState:
    """Section 3.3."""
    inside = _inside(state)
    if len(inside) == 1:
        if not state.bid:
            return replace(state, over=True, said=(*state.said, Said("Nobody bids: no points")))
        return _scored(state, inside[0], state.bid // 2, "{} is alone and scores {}")
    if _to_answer(state) is not None:
        return state
    table = state.table
    said = list(state.said)
    for seat in inside:
        cards = _cards(table, seat)
        said.append(Said("{} shows {} {}", (Who(seat), *cards), note=hand_words(cards)))
        table = table.show(seat)
    state = replace(state, table=table, shown=frozenset(inside), said=tuple(said))
    values = {seat: hand_value(_cards(table, seat)) for seat in inside}
    best = [seat for seat in inside if values[seat] == max(values.values())]
    if len(best) > 1:
        return replace(state, over=True, said=(*state.said, Said("The best hand is shared: no points")))
    return _scored(state, best[0], state.bid, "{} has the best hand and scores {}")


def _scored(state: DuelState, seat: Seat, points: int, text: str) -> DuelState:
    scored = tuple(points if other == seat else 0 for other in state.table.seats)
    return replace(state, scored=scored, over=True, said=(*state.said, Said(text, (Who(seat), points))))


def _cards(table: Table, seat: Seat) -> tuple[Card, ...]:
    return tuple(held.card for held in table.places[seat].hole)


def _reading(view: View) -> Reading:
    hands = tuple(
        HandReading(name=hand_words(cards).capitalize(), best=cards) if len(cards) == 2 else HandReading()
        for cards in (tuple(card for card in one.hole if card is not None) for one in view.seats)
    )
    if view.result is not None:
        return Reading(shared_out(view.result), None, hands)
    facts = view.facts
    heading = f"deal {view.deal_no}"
    if not facts.bid:
        return Reading(Said("Nobody has bid yet"), None, hands, heading)
    verdict = Said("The bid is {}, made by {}", (facts.bid, Who(facts.holder)))
    return Reading(verdict, None, hands, heading, labels={DUEL.verb: Said("Duel: the bid is {}", (2 * facts.bid,))})


DUEL_IT: Final = DuelIt()
