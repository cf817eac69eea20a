"""The match engine: deals in a row, sealed answers, forced moves, orders, leaving, and the log.

Guarantees. A match is a value; every function returns a new one or raises and changes nothing. `MatchState.log` is the
list of inputs and the only truth: `replay` of it under the same keys gives the same value. A sealed answer is kept
aside, unknown to the game and absent from the log, until the last one is in. Called by the ledger, the tools and tests;
pages never see a MatchState (look.py makes their views).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .chance import DealKeys
from .game import DealResult, Due, Game, MatchResult, Progress, Said, State, Who
from .look import look
from .moves import IllegalMove, Move
from .orders import Order, Orders, in_turn, respond
from .table import Dealer, KeyedDealer, Pack, Packs, Place, Seat, StackedDealer, Table

Cause = Literal["seat", "forced", "order", "clock", "retire", "draw"]

LOOP_LIMIT = 100_000
"""More moves by the server itself than any deal can hold: beyond it a game must be broken."""


class ReplayError(Exception):
    """A log that the rules do not follow. `number` is the entry's, counted from 1."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"Entry {number}: {reason}")
        self.number = number


@dataclass(frozen=True, slots=True)
class Entry:
    """One input: seat, move (none when a seat retires or a match is drawn on time), cause."""

    deal_no: int
    turn: int
    seat: Seat | None
    move: Move | None
    cause: Cause

    @property
    def text(self) -> str:
        if self.move is not None:
            return str(self.move)
        return "resign" if self.cause == "retire" else self.cause


@dataclass(frozen=True, slots=True)
class Line:
    """Public sentences of one step, with the number of the log entry that caused it (0 for the opening of a deal)."""

    number: int
    deal_no: int
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """What was agreed before the first card. `button` is the first dealer; `stack` the chips each seat starts with."""

    game: Game
    options: Any
    seats: int
    button: Seat | None = None
    stacks: tuple[int, ...] | None = None
    pot: int = 0
    open_archive: bool = True


@dataclass(frozen=True, slots=True)
class Sealed:
    """An answer waiting for the others."""

    seat: Seat
    move: Move
    cause: Cause


Decks = Mapping[int, tuple[Packs, ...]]
"""Stacked packs by deal number: those of the deal, then those of each redeal in it. For examples and tests."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """The full truth about a match. Seen by oceans.rules, the ledger, play and queries only."""

    setup: Setup
    keys: DealKeys = field(repr=False)
    decks: tuple[tuple[int, tuple[Packs, ...]], ...] = field(repr=False)
    deal_no: int
    state: State = field(repr=False)
    turn: int
    button: Seat
    opening_stacks: tuple[int, ...]
    points: tuple[int, ...]
    out: tuple[tuple[Seat, int], ...] = ()
    retired: tuple[Seat, ...] = ()
    sealed: tuple[Sealed, ...] = field(default=(), repr=False)
    results: tuple[DealResult, ...] = ()
    log: tuple[Entry, ...] = ()
    story: tuple[Line, ...] = ()
    over: MatchResult | None = None

    @property
    def game(self) -> Game:
        return self.setup.game

    @property
    def options(self) -> Any:
        return self.setup.options

    def progress(self) -> Progress:
        """Where the match stands, counting chips and pot on the present table."""
        table = self.state.table
        points = self.points
        if not self.results or self.results[-1].deal_no != self.deal_no:
            made = self.game.points_so_far(self.state, self.setup.seats)
            points = tuple(old + new for old, new in zip(points, made, strict=True))
        return Progress(
            seats=self.setup.seats,
            options=self.options,
            results=self.results,
            stacks=tuple(place.stack for place in table.places),
            points=points,
            pot=table.pot,
            out=dict(self.out),
            retired=self.retired,
        )


def start(setup: Setup, keys: DealKeys, *, decks: Decks | None = None) -> MatchState:
    """Open deal one. Raises BadOptions if the options do not fit the game or the number of seats."""
    setup.game.check(setup.options, setup.seats)
    button = setup.seats - 1 if setup.button is None else setup.button
    stacks = setup.stacks or (getattr(setup.options, "stack", 0),) * setup.seats
    laid = tuple(sorted((decks or {}).items()))
    table, state = _opened(setup, keys, dict(laid), 1, button, stacks, setup.pot, frozenset(range(setup.seats)), None)
    match = MatchState(
        setup=setup,
        keys=keys,
        decks=laid,
        deal_no=1,
        state=state,
        turn=0,
        button=button,
        opening_stacks=tuple(place.stack for place in table.places),
        points=(0,) * setup.seats,
        story=(Line(0, 1, state.said),),
    )
    return _ended(match)


def due(match: MatchState) -> Due | None:
    """Who must answer; None when the match is over."""
    if match.over is not None:
        return None
    return match.game.due(match.state, match.options)


def is_unnamed(match: MatchState) -> bool:
    """Whether somebody is waited for and nobody is told who."""
    waiting = due(match)
    return waiting is not None and waiting.unnamed


def submit(match: MatchState, seat: Seat, move: Move, cause: Cause = "seat") -> MatchState:
    """Accept one answer, or raise IllegalMove. Where several seats answer together the answer is kept aside, and may
    be replaced, until all are in; then they are played together and the turn rises by one."""
    waiting = due(match)
    if waiting is None:
        raise IllegalMove("This game is over: no more moves can be made.")
    ask = waiting.asks.get(seat)
    if ask is None:
        raise IllegalMove("It is not your turn: wait for the others to move.")
    if (reason := ask.refuse(move)) is not None:
        raise IllegalMove(reason)
    answer = Sealed(seat, match.game.normal(move, ask), cause)
    kept = tuple(other for other in match.sealed if other.seat != seat)
    answers = tuple(sorted((*kept, answer), key=lambda one: one.seat))
    match = replace(match, sealed=answers)
    return _resolved(match, waiting)


def forced(match: MatchState) -> tuple[Seat, Move] | None:
    """The next move that has no alternative, from an open ask of a seat that answers alone. A forced answer to an ask
    that depends on concealed cards stays a question: playing it at once would tell the table about the hand. Only where
    all answer together and nobody is told who is asked is it entered, and kept aside until the others have answered."""
    waiting = due(match)
    if waiting is None:
        return None
    if waiting.unnamed:
        answered = {answer.seat for answer in match.sealed}
        missing = (_only(waiting, seat) for seat in waiting.asks if seat not in answered)
        return next(filter(None, missing), None)
    if waiting.sealed or len(waiting.asks) != 1:
        return None
    ((seat, ask),) = waiting.asks.items()
    return _only(waiting, seat) if ask.open else None


def settle(match: MatchState, orders: Orders | None = None) -> tuple[MatchState, dict[Seat, tuple[Order, ...]]]:
    """Play forced moves and standing orders until a person must answer. Returns the match and the orders whose scope
    still lasts, as they are tried; what was played stands in the log."""
    left = {seat: in_turn(match.game.orders, ones) for seat, ones in (orders or {}).items()}
    for _ in range(LOOP_LIMIT):
        if (move := forced(match)) is not None:
            match = submit(match, *move, cause="forced")
            continue
        played = _ordered(match, left)
        if played is None:
            return match, _lasting(match, left)
        match = played
    raise RuntimeError("the game plays on by itself without end")


def retire(match: MatchState, seat: Seat) -> MatchState:
    """The seat leaves the match (docs/rules/common.md, 14): out of the deal at once, not dealt in again, chips frozen.
    With two seats the other one wins. Raises IllegalMove if the match is over or the seat has left before."""
    if match.over is not None:
        raise IllegalMove("This game is over: nobody can resign from it now.")
    if seat in match.retired or seat in dict(match.out):
        raise IllegalMove("You are no longer in this game.")
    entry = Entry(match.deal_no, match.turn, seat, None, "retire")
    said = Said("{} leaves the game", (Who(seat),))
    sealed = tuple(answer for answer in match.sealed if answer.seat != seat)
    match = replace(match, retired=(*match.retired, seat), sealed=sealed, log=(*match.log, entry))
    staying = match.progress().staying
    if len(staying) == 1:
        table = _gathered(match.state.table)
        if table.pot:
            table = table.award(table.pot, staying)
        match = replace(match, state=replace(match.state, table=table), turn=match.turn + 1)
        return _over(_told(match, (said,)))
    before = due(match)
    state = match.game.leave(match.state, seat, match.options)
    match = _told(replace(match, state=state), (said, *state.said))
    after = due(match)
    # What the game itself says tells that play has moved on: a hand has ended, cards have been turned up.
    if after is None or before is None or state.said or not _goes_on(before, after, seat):
        return _ended(replace(match, turn=match.turn + 1, sealed=()))
    return _resolved(match, after)


def draw(match: MatchState) -> MatchState:
    """End a two-seat match level because both seats ran out of time at once; the pot is split."""
    entry = Entry(match.deal_no, match.turn, None, None, "draw")
    table = _gathered(match.state.table)
    if table.pot:
        table = table.award(table.pot, table.seats)
    match = replace(match, state=replace(match.state, table=table), log=(*match.log, entry), turn=match.turn + 1)
    match = _told(match, (Said("Both ran out of time: the game is a draw"),))
    result = MatchResult((1,) * match.setup.seats, match.game.score(match.progress()))
    return replace(match, over=result, sealed=())


def replay(
    setup: Setup, keys: DealKeys, log: Iterable[Entry], *, decks: Decks | None = None, strict: bool = True
) -> MatchState:
    """Fold the log. Strict: every forced entry must be the one the kernel would make, and none may be missing.
    Raises ReplayError with the entry's number."""
    match = start(setup, keys, decks=decks)
    for number, entry in enumerate(log, 1):
        match = replay_entry(match, number, entry, strict=strict)
    return match


def replay_entry(match: MatchState, number: int, entry: Entry, *, strict: bool = True) -> MatchState:
    """One step of `replay`."""
    try:
        if entry.cause == "draw":
            return draw(match)
        if entry.seat is None:
            raise ReplayError(number, "no seat is named")
        if entry.move is None:
            return retire(match, entry.seat)
        if strict:
            waiting = due(match)
            must = _only(waiting, entry.seat) if waiting is not None and waiting.unnamed else forced(match)
            if entry.cause == "forced" and must != (entry.seat, entry.move):
                raise ReplayError(number, f"“{entry.text}” by seat {entry.seat} was not forced here")
            if entry.cause != "forced" and must is not None:
                raise ReplayError(number, f"a forced “{must[1]}” by seat {must[0]} is missing before it")
        return submit(match, entry.seat, entry.move, entry.cause)
    except IllegalMove as refused:
        raise ReplayError(number, str(refused)) from refused


# Inside


def _gathered(table: Table) -> Table:
    """All stakes in the pot, but for what nobody has matched: that goes back to its seat (docs/rules/common.md, 18)."""
    return table.take_back(*table.uncalled()).gather()


def _goes_on(before: Due, after: Due, left: Seat) -> bool:
    """Whether those who were asked together with the seat that left are asked the same as before. What was filed for
    an opening is no answer to the draw after it, though the same seats be asked."""
    asks = {seat: ask for seat, ask in before.asks.items() if seat != left}
    return asks == after.asks if before.sealed else set(asks) == set(after.asks)


def _only(waiting: Due, seat: Seat) -> tuple[Seat, Move] | None:
    """The one move a seat has, if it is asked and has only one."""
    ask = waiting.asks.get(seat)
    only = None if ask is None else ask.only()
    return None if only is None else (seat, only)


def _resolved(match: MatchState, waiting: Due) -> MatchState:
    """Play the answers if all are in."""
    answers = {answer.seat: answer for answer in match.sealed}
    if set(answers) != set(waiting.asks):
        return match
    entries = tuple(Entry(match.deal_no, match.turn, one.seat, one.move, one.cause) for one in match.sealed)
    state = match.game.play(match.state, {seat: one.move for seat, one in answers.items()}, match.options)
    match = replace(match, state=state, sealed=(), turn=match.turn + 1, log=match.log + entries)
    return _ended(_told(match, state.said))


def _told(match: MatchState, said: tuple[Said, ...]) -> MatchState:
    return replace(match, story=(*match.story, Line(len(match.log), match.deal_no, said))) if said else match


def _ended(match: MatchState) -> MatchState:
    """Close the deal if nobody is due in it, and open the next one unless the match is over."""
    while match.over is None and match.game.due(match.state, match.options) is None:
        match = _closed(match)
        progress = match.progress()
        if len(progress.staying) <= 1 or match.game.is_over(progress):
            return _over(match)
        match = _next(match, progress)
    return match


def _closed(match: MatchState) -> MatchState:
    table = match.state.table
    ending = match.game.ending(match.state, match.options)
    deltas = tuple(place.stack - before for place, before in zip(table.places, match.opening_stacks, strict=True))
    gone = tuple((seat, match.deal_no) for seat in sorted(ending.out) if seat not in match.retired)
    return replace(
        match,
        points=tuple(old + new for old, new in zip(match.points, ending.points, strict=True)),
        out=match.out + gone,
        results=(*match.results, DealResult(match.deal_no, table, deltas, ending)),
    )


def _next(match: MatchState, progress: Progress) -> MatchState:
    seats = match.setup.seats
    button = next(
        seat for seat in ((match.button + step) % seats for step in range(1, seats + 1)) if seat in progress.staying
    )
    deal_no = match.deal_no + 1
    table, state = _opened(
        match.setup,
        match.keys,
        dict(match.decks),
        deal_no,
        button,
        progress.stacks,
        progress.pot,
        frozenset(progress.staying),
        match.results[-1].ending.carry,
    )
    match = replace(
        match,
        deal_no=deal_no,
        state=state,
        button=button,
        opening_stacks=tuple(place.stack for place in table.places),
    )
    return _told(match, state.said)


def _opened(
    setup: Setup,
    keys: DealKeys,
    decks: Decks,
    deal_no: int,
    button: Seat,
    stacks: tuple[int, ...],
    pot: int,
    dealt_in: frozenset[Seat],
    carry: Any,
) -> tuple[Table, State]:
    """The table of a new deal before and after the game opened it."""
    dealer: Dealer
    laid = decks.get(deal_no)
    if laid is None:
        dealer = KeyedDealer(keys.deal_key(deal_no))
        packs, shuffles = setup.game.packs(setup.options, setup.seats, dealer)
    else:
        dealer = StackedDealer(laid[0], laid[1:])
        contents, shuffles = setup.game.packs(setup.options, setup.seats, KeyedDealer(keys.deal_key(deal_no)))
        packs = tuple(Pack(order, old.contents) for order, old in zip(laid[0], contents, strict=True))
    table = Table(
        places=tuple(Place(stack=stack, is_in=seat in dealt_in) for seat, stack in enumerate(stacks)),
        packs=packs,
        button=button,
        dealt_in=dealt_in,
        pot=pot,
        shuffles=shuffles,
        dealer=dealer,
    )
    return table, setup.game.open(table, setup.options, carry)


def _over(match: MatchState) -> MatchState:
    return replace(match, over=match.game.result(match.progress()), sealed=())


def _ordered(match: MatchState, orders: dict[Seat, tuple[Order, ...]]) -> MatchState | None:
    """Let the standing orders of one seat answer, if they can; those that no longer apply are dropped."""
    waiting = due(match)
    if waiting is None:
        return None
    answered = {answer.seat for answer in match.sealed}
    for seat, ask in waiting.asks.items():
        if seat in answered or not orders.get(seat):
            continue
        move, orders[seat] = respond(orders[seat], look(match, seat), ask)
        if move is not None:
            return submit(match, seat, move, cause="order")
    return None


def _lasting(match: MatchState, orders: Mapping[Seat, tuple[Order, ...]]) -> dict[Seat, tuple[Order, ...]]:
    """The orders whose scope still lasts, each as it stands now."""
    if match.over is not None:
        return {}
    left = {}
    for seat, ones in orders.items():
        view = look(match, seat) if ones else None
        lasting = tuple(filter(None, (one.lasting(view) for one in ones))) if view is not None else ()
        if lasting:
            left[seat] = lasting
    return left
