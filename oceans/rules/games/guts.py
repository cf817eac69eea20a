"""The guts family (docs/rules/guts.md): everybody secretly says in or out; the best hand among those in takes the pot,
the others who were in pay its amount into a new one. A pot lives through as many deals as it takes until nobody pays.

    deal --> [declare: all together, sealed, in | out] --somebody in--> settled --> next deal of this pot, or a new pot
                ^                        |--nobody in, passes left--> [pass: all together, sealed] --.
                '------------------------|-----------------------------------------------------------'
                                         '--nobody in--> Nelly, if played --> next deal of this pot
    after `max_deals` deals of one pot, or if all would be out: last call, nobody is asked, the best hand takes the pot

One engine; the games of the family are settings of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Final

from ..asks import Ask, Cards, Pick
from ..cards import Card
from ..game import Due, Ending, Game, HandReading, Length, Progress, Reading, Said, State, Who, shared_out
from ..look import View
from ..moves import Move
from ..options import BadOptions, Kind, Whole, choice, flag, whole
from ..orders import Order
from ..small_hands import Value, best_of, words_of
from ..table import NOBODY, Seat, Table, Viewer
from .guts_orders import Blindly, InWithHand

IN: Final = Move("in")
OUT: Final = Move("out")
SPIT: Final = "spit"

LOOKS: Final = {
    "own": "Each sees the own hand",
    "none": "Nobody sees a hand (blind)",
    "others": "Everybody sees the hands of the others",
}
NELLIES: Final = {
    "off": "No penalty",
    "fee": "The best hand pays a fee",
    "capped": "The best hand pays the pot, up to a limit",
    "harsh": "The best hand pays the pot",
}
THREE_RANKS: Final = {"plain": "Pairs and threes only", "poker": "Straights and flushes too"}
DEALS_A_POT: Final = 2.7
"""How many deals a pot usually lives through, whatever the number of players."""


@dataclass(frozen=True, slots=True)
class GutsOptions:
    """docs/rules/guts.md, 1 and 7."""

    cards: int = whole(2, 1, 3, "Cards each")
    look: str = choice("own", LOOKS, "Who sees a hand before the choice")
    nelly: str = choice("off", NELLIES, "If nobody is in")
    nelly_fee: int = whole(2, 1, 10, "Fee if nobody is in", when={"nelly": ("fee",)})
    nelly_max: int = whole(10, 1, 100, "Most that is paid if nobody is in", when={"nelly": ("capped",)})
    phantoms: int = whole(0, 0, 3, "Phantom hands")
    reaper: int = whole(0, 0, 2, "Extra cards of a phantom", when={"phantoms": (1, 2, 3)})
    spit: bool = flag(False, "A wild card for all")
    pass_: int = whole(0, 0, 2, "Cards passed left if nobody is in", when={"look": ("own",), "cards": (2, 3)})
    pass_limit: int = whole(3, 1, 3, "Passes in one deal", when={"pass": (1, 2)})
    three_ranks: str = choice("plain", THREE_RANKS, "Ranking of three cards", when={"cards": (3,), "spit": (False,)})
    stack: int = whole(100, 20, 1000, "Chips at the start")
    ante: int = whole(1, 1, 10, "Ante for each new pot")
    pots: int = whole(3, 1, 10, "Pots to play")
    match_cap: int | None = whole(None, 1, 1000, "Most a loser pays at once (empty: all)", may_be_none=True)
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
    """One deal. `phase` is declare, pass or done; `inside` has who was in once a declaration is open."""

    options: GutsOptions
    before: PotCarry
    phase: str = "declare"
    inside: frozenset[Seat] = frozenset()
    passes: int = 0
    shown: frozenset[Seat] = frozenset()
    out: frozenset[Seat] = frozenset()
    collected: bool = False
    someone_paid: bool = False
    last_call_next: bool = False
    quitters: frozenset[Seat] = frozenset()


class Guts(Game):
    """One setting of the engine; `fixed` says which options it leaves open."""

    family: ClassVar[str] = "guts"
    orders: ClassVar[tuple[type[Order], ...]] = (InWithHand, Blindly)
    has_chips: ClassVar[bool] = True

    def __init__(self, slug: str, name: str, fixed: Mapping[str, tuple[Any, ...]] | None = None) -> None:
        self.slug, self.name, self.seats, self.options = slug, name, range(2, 11), GutsOptions
        self.fixed = fixed or {}

    def check(self, options: Any, seats: int) -> None:
        if options.pass_ and (options.look != "own" or options.pass_ >= options.cards):
            raise BadOptions("Cards can be passed only if each sees the own hand and keeps at least one card.")
        if options.three_ranks == "poker" and (options.cards != 3 or options.spit):
            raise BadOptions("Straights and flushes count only with three cards and without a wild card.")
        if options.reaper and not options.phantoms:
            raise BadOptions("Extra cards of a phantom need at least one phantom.")

    def open(self, table: Table, options: Any, carry: Any) -> GutsState:
        before = carry or PotCarry(0, 0)
        said = [Said("Deal {} of pot {}", (before.deals + 1, before.pots_done + 1), is_heading=True)]
        if table.pot == 0:
            for seat in table.clockwise_from(table.button):
                table = table.pay_pot(seat, options.ante)
            said.append(Said("Everybody antes {}: the pot is {}", (options.ante, table.pot)))
        last_call = before.last_call or before.deals >= options.max_deals
        table = _dealt(table, options, with_phantoms=not last_call)
        if options.spit:
            table = table.deal_zone(SPIT).show_zone(SPIT)
            said.append(Said("The spit is {}", (table.zone(SPIT)[0].card,)))
        state = GutsState(table=table, options=options, before=before, said=tuple(said))
        return _last_call(state) if last_call else state

    def due(self, state: State, options: Any) -> Due | None:
        assert isinstance(state, GutsState)
        if state.phase == "done":
            return None
        asks: dict[Seat, Ask] = {}
        for seat in _playing(state):
            if state.phase == "pass":
                own = _cards(state.table, seat)
                prompt = f"Nobody is in. Choose what you pass to the left: {options.pass_} of your cards."
                asks[seat] = Cards(prompt, "pass", own, options.pass_, options.pass_)
            else:
                asks[seat] = Pick(f"Are you in for the pot of {state.table.pot}?", (IN, OUT))
        return Due(asks, sealed=True)

    def play(self, state: State, moves: Mapping[Seat, Move], options: Any) -> GutsState:
        assert isinstance(state, GutsState)
        state = replace(state, said=())
        if state.phase == "pass":
            return _passed(state, moves)
        inside = frozenset(seat for seat, move in moves.items() if move == IN)
        state = _say(replace(state, inside=inside), _declaration(inside))
        if options.look == "others":
            state = _shown(state, _playing(state))
        if inside:
            return _finished(_compared(state))
        if state.passes < options.pass_limit and options.pass_:
            return replace(state, phase="pass")
        return _finished(_nelly(state))

    def leave(self, state: State, seat: Seat, options: Any) -> GutsState:
        """The choice is void and the hand counts for nothing (section 7, Retiring)."""
        assert isinstance(state, GutsState)
        return replace(state, table=state.table.leave(seat), quitters=state.quitters | {seat}, said=())

    def ending(self, state: State, options: Any) -> Ending:
        assert isinstance(state, GutsState)
        over = state.collected and not state.someone_paid
        before = state.before
        carry = PotCarry(before.pots_done + 1, 0) if over else PotCarry(before.pots_done, before.deals + 1)
        broke = frozenset(seat for seat in state.table.dealt_in if over and state.table.places[seat].stack == 0)
        return Ending(
            points=(0,) * len(state.table.places),
            out=state.out | broke,
            carry=replace(carry, last_call=state.last_call_next),
            shown=state.shown,
        )

    def is_over(self, progress: Progress) -> bool:
        return bool(progress.results[-1].ending.carry.pots_done >= progress.options.pots)

    def on_clock(self, view: View, ask: Ask) -> Move:
        """Out; passing: the lowest cards by rank, then suit (section 7)."""
        if not isinstance(ask, Cards):
            return OUT
        lowest = sorted(ask.of, key=lambda card: (card.rank, card.suit))[: ask.fewest]
        return Move(ask.verb, cards=tuple(sorted(lowest)))

    def normal(self, move: Move, ask: Ask) -> Move:
        return replace(move, cards=tuple(sorted(move.cards)))

    def fitting(self, name: str, kind: Kind, values: Mapping[str, Any], seats: int) -> Kind | None:
        """At least one card is kept."""
        if name == "pass" and isinstance(kind, Whole):
            return replace(kind, high=min(kind.high, values["cards"] - 1))
        return kind

    def length(self, options: Any, seats: int) -> Length:
        """Where everybody sees the hands of the others a pot lives longer the more there are."""
        deals = max(DEALS_A_POT, seats) if options.look == "others" else DEALS_A_POT
        deals = options.pots * min(deals, options.max_deals)
        return Length(deals, deals)

    def reading(self, view: View) -> Reading:
        return _reading(view)


# Dealing, ranking, telling


def _dealt(table: Table, options: GutsOptions, *, with_phantoms: bool) -> Table:
    """Section 7, Dealing: round by round, players first, then phantoms; extra rounds for phantoms alone."""
    phantoms = [f"phantom {number}" for number in range(1, options.phantoms + 1)] if with_phantoms else []
    order = table.clockwise_from(table.button)
    for turn in range(options.cards + (options.reaper if phantoms else 0)):
        for seat in order if turn < options.cards else ():
            table = table.deal_down(seat, 1, _seen_by(options.look, seat, len(table.places)))
        for name in phantoms:
            table = table.deal_zone(name)
    return table


def _seen_by(look: str, seat: Seat, seats: int) -> frozenset[Viewer]:
    if look == "own":
        return frozenset([seat])
    return NOBODY if look == "none" else frozenset(other for other in range(seats) if other != seat)


def _playing(state: GutsState) -> tuple[Seat, ...]:
    around = state.table.clockwise_from(state.table.button)
    return tuple(seat for seat in around if seat not in state.quitters)


def _cards(table: Table, seat: Seat) -> tuple[Card, ...]:
    return tuple(held.card for held in table.places[seat].hole)


def _value(options: GutsOptions, cards: Iterable[Card], spit: Card | None) -> Value:
    return best_of(tuple(cards), options.cards, spit, poker=options.three_ranks == "poker")


def _spit(table: Table) -> Card | None:
    return table.zone(SPIT)[0].card if table.zone(SPIT) else None


def _value_of(state: GutsState, seat: Seat) -> Value:
    return _value(state.options, _cards(state.table, seat), _spit(state.table))


def _best(state: GutsState, seats: Collection[Seat]) -> tuple[Seat, ...]:
    values = {seat: _value_of(state, seat) for seat in seats}
    top = max(values.values())
    return tuple(seat for seat, value in values.items() if value == top)


def _declaration(inside: frozenset[Seat]) -> Said:
    if not inside:
        return Said("Nobody is in")
    return Said("In: " + ", ".join(["{}"] * len(inside)), tuple(Who(seat) for seat in sorted(inside)))


def _say(state: GutsState, *said: Said) -> GutsState:
    return replace(state, said=state.said + said)


def _shows(who: str, cards: tuple[Card, ...], options: GutsOptions, spit: Card | None, *parts: Who) -> Said:
    note = words_of(_value(options, cards, spit), poker=options.three_ranks == "poker")
    return Said(f"{who} shows " + " ".join(["{}"] * len(cards)), (*parts, *cards), note=note)


def _shown(state: GutsState, seats: Collection[Seat]) -> GutsState:
    table, spit = state.table, _spit(state.table)
    for seat in _playing(state):
        if seat in seats and seat not in state.shown:
            state = _say(state, _shows("{}", _cards(table, seat), state.options, spit, Who(seat)))
            table = table.show(seat)
    return replace(state, table=table, shown=state.shown | frozenset(seats))


def _phantoms(state: GutsState) -> tuple[GutsState, Value | None]:
    """Turn the phantoms up; the value of the best one."""
    best: Value | None = None
    spit = _spit(state.table)
    for zone in state.table.zones:
        if zone.name != SPIT:
            cards = tuple(held.card for held in zone.held)
            state = _say(
                replace(state, table=state.table.show_zone(zone.name)),
                _shows(zone.name.capitalize(), cards, state.options, spit),
            )
            value = _value(state.options, cards, spit)
            best = value if best is None else max(best, value)
    return state, best


# Settling


def _compared(state: GutsState) -> GutsState:
    """Section 3.3 up to the payments."""
    inside = state.inside
    has_phantoms = any(zone.name != SPIT for zone in state.table.zones)
    if len(inside) > 1 or has_phantoms:
        state = _shown(state, inside)
    state, phantom = _phantoms(state)
    winners = _best(state, inside)
    pot, cap = state.table.pot, state.options.match_cap
    price = pot if cap is None else min(pot, cap)
    if phantom is not None and phantom > _value_of(state, winners[0]):
        state = _say(state, Said("A phantom is better: nobody takes the pot"))
        return _paid(state, sorted(inside), price)
    return _paid(_taken(state, winners), sorted(inside - set(winners)), price)


def _nelly(state: GutsState) -> GutsState:
    """Section 3.4: the best hand of all pays the penalty, unless a phantom is better."""
    options, pot = state.options, state.table.pot
    if options.nelly == "off":
        return _say(state, Said("The pot stays"))
    penalty = {"fee": options.nelly_fee, "capped": min(pot, options.nelly_max), "harsh": pot}[options.nelly]
    state, phantom = _phantoms(state)
    best = _best(state, _playing(state))
    if phantom is not None and phantom > _value_of(state, best[0]):
        return _say(state, Said("A phantom is better: nobody pays"))
    return _paid(_shown(state, best), sorted(best), penalty)


def _taken(state: GutsState, winners: Collection[Seat]) -> GutsState:
    pot = state.table.pot
    text = "{} takes the pot of {}" if len(winners) == 1 else ", ".join(["{}"] * len(winners)) + " share the pot of {}"
    said = Said(text, (*(Who(seat) for seat in winners), pot))
    return _say(replace(state, table=state.table.award(pot, winners), collected=True), said)


def _paid(state: GutsState, seats: Iterable[Seat], price: int) -> GutsState:
    """These seats pay a price, as far as their chips go; who cannot pay it all is out (section 7, Going out)."""
    for seat in seats:
        stack = state.table.places[seat].stack
        short = stack < price
        said = Said("{} pays {} and is out of the game" if short else "{} pays {}", (Who(seat), min(price, stack)))
        state = replace(
            _say(state, said),
            table=state.table.pay_pot(seat, price),
            out=state.out | {seat} if short else state.out,
            someone_paid=state.someone_paid or min(price, stack) > 0,
        )
    return state


def _finished(state: GutsState) -> GutsState:
    """Section 3, Running out: one seat left takes what is in the pot; if none would be left all stay."""
    state = replace(state, phase="done")
    staying = [seat for seat in _playing(state) if seat not in state.out]
    if not staying:
        said = Said("Nobody would be left: everybody stays for a last call")
        return _say(replace(state, out=frozenset(), last_call_next=True), said)
    if len(staying) == 1 and state.out and state.table.pot:
        return _taken(state, staying)
    return state


def _last_call(state: GutsState) -> GutsState:
    """Section 3, Last call: all are in, all hands are shown, the best takes the pot, nobody pays."""
    seats = _playing(state)
    state = _say(replace(state, inside=frozenset(seats), phase="done"), Said("Last call: everybody is in"))
    state = _shown(state, seats)
    return _taken(state, _best(state, seats))


def _passed(state: GutsState, moves: Mapping[Seat, Move]) -> GutsState:
    """Section 3.4: everybody's cards go to the next seat that is still playing."""
    order = _playing(state)
    left_of = dict(zip(order, (*order[1:], order[0]), strict=True))
    table = state.table.pass_cards([(seat, left_of[seat], moves[seat].cards) for seat in order])
    text = (
        "Everybody passes a card to the left" if state.options.pass_ == 1 else "Everybody passes two cards to the left"
    )
    return _say(replace(state, table=table, phase="declare", passes=state.passes + 1), Said(text))


# In words


def _reading(view: View) -> Reading:
    options = view.options
    spit = next((zone.cards[0] for zone in view.zones if zone.name == SPIT), None)
    hands = []
    for one in view.seats:
        cards = tuple(card for card in one.hole if card is not None)
        if len(cards) < max(1, len(one.hole)):
            hands.append(HandReading())
            continue
        words = words_of(_value(options, cards, spit), poker=options.three_ranks == "poker")
        hands.append(HandReading(name=words.capitalize(), best=cards))
    if view.result is not None:
        return Reading(shared_out(view.result), None, tuple(hands))
    before, waiting = view.facts.before, len(view.waits_for)
    reason = Said("{} still to choose; all choices are opened together", (waiting,)) if waiting else None
    heading = f"pot {before.pots_done + 1}, deal {before.deals + 1}"
    return Reading(Said("The pot is {}", (view.pot,)), reason, tuple(hands), heading)


# The family


def _preset(**settings: tuple[Any, ...]) -> dict[str, tuple[Any, ...]]:
    """Everything that makes a variant held at its default, but for these settings."""
    shape = (
        "look",
        "nelly",
        "nelly_fee",
        "nelly_max",
        "phantoms",
        "reaper",
        "spit",
        "pass",
        "pass_limit",
        "three_ranks",
    )
    defaults = {one.name.removesuffix("_"): one.default for one in fields(GutsOptions)}
    free = {"nelly": ["nelly_fee", "nelly_max"], "pass": ["pass_limit"]}
    opened = {name for setting in settings for name in free.get(setting, [])}
    held = {name: (defaults[name],) for name in shape if name not in opened}
    return {"cards": (2, 3), **held, **settings}


GUTS_GAMES: Final = (
    Guts("guts", "Guts"),
    Guts("guts-3", "3-card Guts", _preset(cards=(3,), three_ranks=("plain", "poker"))),
    Guts("guts-nelly", "Guts with the Nelly Rule", _preset(nelly=("fee", "capped"))),
    Guts("guts-harsh-nelly", "Harsh Nelly", _preset(nelly=("harsh",))),
    Guts("guts-phantom", "Phantom Guts", _preset(phantoms=(1,))),
    Guts("guts-phantom-2", "Double Phantom", _preset(phantoms=(2,))),
    Guts("guts-phantom-3", "Triple Phantom", _preset(phantoms=(3,))),
    Guts("guts-reaper", "Reaper", _preset(phantoms=(1, 2, 3), reaper=(1, 2))),
    Guts("guts-spit", "Spit Guts", _preset(spit=(True,))),
    Guts("guts-nuclear", "Nuclear Guts", _preset(phantoms=(1,), spit=(True,), nelly=("fee",))),
    Guts("guts-nuclear-harsh", "Harsh Nuclear Guts", _preset(phantoms=(1,), spit=(True,), nelly=("harsh",))),
    Guts("guts-nuclear-double", "Double Nuclear Guts", _preset(phantoms=(2,), spit=(True,), nelly=("fee",))),
    Guts("guts-pass", "Pass the Guts", {**_preset(**{"pass": (1, 2)}), "cards": (2, 3)}),
    Guts("guts-blind", "Blind Guts", _preset(look=("none",))),
    Guts("indian", "Indian", _preset(cards=(1,), look=("others",))),
)
