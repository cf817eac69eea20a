"""Guts (docs/rules/guts.md): everybody secretly says in or out; the best hand among those in takes the pot, the
others who were in pay its amount into a new one. A pot lives through as many deals as it takes until nobody pays.

    deal --> [all asked together, sealed: in | out] --> opened, settled --> next deal of this pot, or a new pot
    after `max_deals` deals of one pot, or if all would be out: last call, nobody is asked, the best hand takes the pot
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from ..asks import Ask, Pick
from ..cards import RANK_NAMES, Card
from ..game import Due, Ending, Game, HandReading, Progress, Reading, Said, State, Who, shared_out
from ..look import SeatView, View
from ..moves import Move
from ..options import choice, flag, whole
from ..table import NOBODY, Seat, Table, Viewer

IN: Final = Move("in")
OUT: Final = Move("out")

LOOKS: Final = {
    "own": "Each sees the own hand",
    "none": "Nobody sees a hand (blind)",
    "others": "Everybody sees the hands of the others",
}


@dataclass(frozen=True, slots=True)
class GutsOptions:
    """docs/rules/guts.md, 1."""

    cards: int = whole(2, 1, 3, "Cards each")
    look: str = choice("own", LOOKS, "Who sees a hand before the choice")
    stack: int = whole(100, 20, 1000, "Chips at the start")
    ante: int = whole(1, 1, 10, "Ante for each new pot")
    pots: int = whole(3, 1, 10, "Pots to play")
    match_cap: int | None = whole(None, 1, 1000, "Most a loser pays at once", may_be_none=True)
    max_deals: int = whole(12, 1, 30, "Deals before the last call")
    open_archive: bool = flag(True, "All cards become public after the game")


@dataclass(frozen=True, slots=True)
class PotCarry:
    """What one deal leaves to the next besides chips: pots finished, deals of the present pot, a last call due."""

    pots_done: int
    deals: int
    last_call: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GutsState(State):
    """One deal. `declared` has who was in once the choices are open; `done` says the deal is settled."""

    before: PotCarry
    last_call: bool = False
    declared: frozenset[Seat] | None = None
    shown: frozenset[Seat] = frozenset()
    out: frozenset[Seat] = frozenset()
    collected: bool = False
    someone_paid: bool = False
    out_next: bool = False
    quitters: frozenset[Seat] = frozenset()


Value = tuple[int, ...]


def hand_value(cards: Collection[Card]) -> Value:
    """Section 2, plain: largest group, then ranks; no straights or flushes. Greater is better."""
    ranks = [card.rank for card in cards]
    return tuple(
        part
        for count, rank in sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
        for part in (count, rank)
    )


def hand_words(cards: Collection[Card]) -> str:
    """A hand in words: "pair of nines, five"."""
    value = hand_value(cards)
    groups = [(value[at], RANK_NAMES[value[at + 1] - 2]) for at in range(0, len(value), 2)]
    count, top = groups[0]
    rest = ", ".join(name for _, name in groups[1:])
    if count == 1:
        return ", ".join(name for _, name in groups) if rest else top
    many = f"{top}es" if top == "six" else f"{top}s"
    name = f"pair of {many}" if count == 2 else f"three {many}"
    return f"{name}, {rest}" if rest else name


class Guts(Game):
    """The plain engine."""

    family: ClassVar[str] = "guts"
    has_chips: ClassVar[bool] = True

    def __init__(self, slug: str, name: str) -> None:
        self.slug, self.name, self.seats, self.options = slug, name, range(2, 11), GutsOptions

    def open(self, table: Table, options: Any, carry: Any) -> GutsState:
        before = carry or PotCarry(0, 0)
        said: list[Said] = [Said("Deal {} of pot {}", (before.deals + 1, before.pots_done + 1), is_heading=True)]
        if table.pot == 0:
            for seat in table.clockwise_from(table.button):
                table = table.pay_pot(seat, options.ante)
            said.append(Said("Everybody antes {}: the pot is {}", (options.ante, table.pot)))
        for _ in range(options.cards):
            for seat in table.clockwise_from(table.button):
                table = table.deal_down(seat, 1, _seen_by(options.look, seat, len(table.places)))
        last_call = before.last_call or before.deals >= options.max_deals
        state = GutsState(table=table, before=before, last_call=last_call, said=tuple(said))
        return _last_call(state) if last_call else state

    def due(self, state: State, options: Any) -> Due | None:
        assert isinstance(state, GutsState)
        if state.declared is not None:
            return None
        prompt = f"Are you in for the pot of {state.table.pot}?"
        return Due({seat: Pick(prompt, (IN, OUT)) for seat in _playing(state)}, sealed=True)

    def play(self, state: State, moves: Mapping[Seat, Move], options: Any) -> GutsState:
        assert isinstance(state, GutsState)
        inside = frozenset(seat for seat, move in moves.items() if move == IN)
        state = replace(state, declared=inside, said=(_declaration(inside),))
        if options.look == "others":
            for seat in _playing(state):
                state = replace(state, table=state.table.show(seat))
        return _settled(state, options) if inside else replace(state, said=(*state.said, Said("The pot stays")))

    def leave(self, state: State, seat: Seat, options: Any) -> GutsState:
        """The choice is void and the hand counts for nothing (section 7, Retiring)."""
        assert isinstance(state, GutsState)
        return replace(state, table=state.table.leave(seat), quitters=state.quitters | {seat}, said=())

    def ending(self, state: State, options: Any) -> Ending:
        assert isinstance(state, GutsState)
        over = state.collected and not state.someone_paid
        before = state.before
        carry = PotCarry(before.pots_done + 1, 0) if over else replace(before, deals=before.deals + 1)
        broke = frozenset(seat for seat in state.table.dealt_in if over and state.table.places[seat].stack == 0)
        return Ending(
            points=(0,) * len(state.table.places),
            out=state.out | broke,
            carry=replace(carry, last_call=state.out_next),
            shown=state.shown,
        )

    def is_over(self, progress: Progress) -> bool:
        carry = progress.results[-1].ending.carry
        return bool(carry.pots_done >= progress.options.pots)

    def on_clock(self, view: View, ask: Ask) -> Move:
        return OUT

    def visits(self, options: Any, seats: int) -> str:
        return f"{options.pots} pots of a few deals each; one choice a deal, made by everybody at once."

    def reading(self, view: View) -> Reading:
        return _reading(view)


def _seen_by(look: str, seat: Seat, seats: int) -> frozenset[Viewer]:
    if look == "own":
        return frozenset([seat])
    return NOBODY if look == "none" else frozenset(other for other in range(seats) if other != seat)


def _playing(state: GutsState) -> tuple[Seat, ...]:
    around = state.table.clockwise_from(state.table.button)
    return tuple(seat for seat in around if seat not in state.quitters)


def _cards(table: Table, seat: Seat) -> tuple[Card, ...]:
    return tuple(held.card for held in table.places[seat].hole)


def _declaration(inside: frozenset[Seat]) -> Said:
    if not inside:
        return Said("Nobody is in")
    return Said("In: " + ", ".join(["{}"] * len(inside)), tuple(Who(seat) for seat in sorted(inside)))


def _best(state: GutsState, seats: Collection[Seat]) -> tuple[Seat, ...]:
    values = {seat: hand_value(_cards(state.table, seat)) for seat in seats}
    top = max(values.values())
    return tuple(seat for seat, value in values.items() if value == top)


def _shown(state: GutsState, seats: Collection[Seat]) -> GutsState:
    table = state.table
    said = list(state.said)
    for seat in _playing(state):
        if seat in seats:
            cards = _cards(table, seat)
            said.append(Said("{} shows " + " ".join(["{}"] * len(cards)), (Who(seat), *cards), note=hand_words(cards)))
            table = table.show(seat)
    return replace(state, table=table, said=tuple(said), shown=state.shown | frozenset(seats))


def _taken(state: GutsState, winners: Collection[Seat]) -> GutsState:
    pot = state.table.pot
    text = "{} takes the pot of {}" if len(winners) == 1 else ", ".join(["{}"] * len(winners)) + " share the pot of {}"
    said = Said(text, (*(Who(seat) for seat in winners), pot))
    return replace(state, table=state.table.award(pot, winners), said=(*state.said, said), collected=True)


def _last_call(state: GutsState) -> GutsState:
    """Section 3, Last call: all are in, all hands are shown, the best takes the pot, nobody pays."""
    seats = _playing(state)
    state = replace(state, declared=frozenset(seats), said=(*state.said, Said("Last call: everybody is in")))
    return _taken(_shown(state, seats), _best(state, seats))


def _settled(state: GutsState, options: Any) -> GutsState:
    """Section 3.3, with section 7 on going out."""
    assert state.declared is not None
    inside = state.declared
    pot = state.table.pot
    if len(inside) > 1:
        state = _shown(state, inside)
    winners = _best(state, inside)
    state = _taken(state, winners)
    price = pot if options.match_cap is None else min(pot, options.match_cap)
    for seat in sorted(inside - set(winners)):
        stack = state.table.places[seat].stack
        paid = min(price, stack)
        out = state.out | {seat} if stack < price else state.out
        said = Said("{} pays {}" + (" and is out of the game" if stack < price else ""), (Who(seat), paid))
        state = replace(
            state,
            table=state.table.pay_pot(seat, paid),
            out=out,
            someone_paid=state.someone_paid or paid > 0,
            said=(*state.said, said),
        )
    staying = [seat for seat in _playing(state) if seat not in state.out]
    if not staying:
        return replace(state, out=frozenset(), out_next=True)
    if len(staying) == 1 and state.table.pot:
        return _taken(state, staying)
    return state


# In words


def _reading(view: View) -> Reading:
    hands = tuple(_hand(one) for one in view.seats)
    heading = f"pot {view.facts.before.pots_done + 1}, deal {view.facts.before.deals + 1}"
    if view.result is not None:
        return Reading(shared_out(view.result), None, hands)
    waiting = len(view.waits_for)
    verdict = Said("The pot is {}", (view.pot,))
    reason = Said("{} still to choose, all choices are opened together", (waiting,)) if waiting else None
    return Reading(verdict, reason, hands, heading)


def _hand(one: SeatView) -> HandReading:
    cards = tuple(card for card in one.hole if card is not None)
    if not cards or len(cards) < len(one.hole):
        return HandReading()
    return HandReading(name=hand_words(cards).capitalize(), best=cards)


GUTS_GAMES: Final = (Guts("guts", "Guts"),)
