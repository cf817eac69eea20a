"""What players do at a running match: move, resign, place orders, give time."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from oceans import ledger, rated_games
from oceans.models import Match
from oceans.play import clocks, timeouts
from oceans.play.transition import Position, advance, cancel, locked, running
from oceans.refusals import BadRequest, NotRunning, NotYourTurn, Refusal, StaleTurn, TimeIsUp
from oceans.rules import engine
from oceans.rules.engine import MatchState
from oceans.rules.look import look
from oceans.rules.moves import Move
from oceans.rules.options import BadOptions
from oceans.rules.orders import Order, Orders


def make_move(*, match_id: int, seat: int, turn: int, move: Move, now: datetime) -> None:
    """Answer for a seat. `turn` is the one the player saw.

    The same answer to the same turn is accepted again, without effect. Raises StaleTurn if the page is old,
    NotYourTurn, NotRunning or TimeIsUp, and IllegalMove with a sentence if the rules refuse the move.
    """
    if not answer(match_id=match_id, seat=seat, turn=turn, move=move, now=now):
        raise TimeIsUp


def answer(*, match_id: int, seat: int, turn: int, move: Move, now: datetime, calls_bots: bool = True) -> bool:
    """`make_move`, but False if the time was up; what followed from that is stored then."""
    with locked(match_id, now) as here:
        here.calls_bots = calls_bots
        if here.match.started_at is None or not 0 <= seat < len(here.seats):
            raise NotRunning
        here.before = ledger.load(here.match)
        if _has_been_made(here.state, seat, turn, move):
            return True
        if not here.match.is_running:
            raise NotRunning
        if turn != here.state.turn:
            raise StaleTurn
        if timeouts.judge(here):
            return False
        _check_due(here.state, seat)
        orders = ledger.orders_of(here.match, here.state.game)
        after, left = engine.settle(engine.submit(here.state, seat, move), orders)
        advance(here, after, actor=seat, orders=left, orders_before=orders)
        return True


def resign(*, match_id: int, seat: int, now: datetime, unrated_because: str = "") -> None:
    """Leave a match for good. Where nobody has moved yet the match is cancelled instead, unless it is of an event.

    `unrated_because` says why an ending by it does not count for ratings. Raises NotRunning, or IllegalMove if the seat
    has left already.
    """
    with running(match_id, now) as here:
        if timeouts.judge(here) and not here.match.is_running:
            # Somebody's time had run out before, and that ending stands.
            return
        if not here.match.event and not any(other.has_moved for other in here.seats):
            rated_games.note_no_show(here.match, [here.seats[seat].user_id], now)
            cancel(here, Match.EndedBy.WITHDRAWN)
            return
        orders = ledger.orders_of(here.match, here.state.game)
        after = engine.retire(here.state, seat)
        staying = {number: ones for number, ones in orders.items() if number != seat}
        after, left = engine.settle(after, staying)
        if after.over is not None:
            here.match.unrated_because = unrated_because
        advance(here, after, orders=left, orders_before=orders, ended_by=Match.EndedBy.RESIGNED)


def place_order(*, match_id: int, seat: int, turn: int, kind: str, body: Mapping[str, Any], now: datetime) -> None:
    """File a standing order, in place of the one of its kind that the seat may have had. It answers at once if it can.

    `turn` is the one the player saw. The same order filed again at the same turn is accepted without effect while it is
    in force. Raises StaleTurn if the page is old, TimeIsUp, and BadRequest with a sentence if the game has no such
    order or its terms make no sense.
    """
    with running(match_id, now) as here:
        is_late = timeouts.judge(here)
        if not is_late:
            _place(here, seat, turn, _new_order(here.state, kind, body))
    if is_late:
        raise TimeIsUp


def cancel_order(*, match_id: int, seat: int, kind: str, now: datetime) -> None:
    """Withdraw the seat's standing order of a kind, if there is one; those that are left answer at once if they can.
    Raises TimeIsUp."""
    with running(match_id, now) as here:
        is_late = timeouts.judge(here)
        if not is_late:
            orders = ledger.orders_of(here.match, here.state.game)
            _refile(here, seat, orders, [one for one in orders.get(seat, ()) if one.kind != kind])
    if is_late:
        raise TimeIsUp


def _place(here: Position, seat: int, turn: int, order: Order) -> None:
    orders = ledger.orders_of(here.match, here.state.game)
    before = {one.kind: one for one in orders.get(seat, ())}
    same = before.get(order.kind)
    if same is not None and same.filed_turn == turn and same.chosen() == order.chosen():
        return
    if turn != here.state.turn:
        raise StaleTurn
    try:
        filed = order.filed(look(here.state, seat))
    except BadOptions as refused:
        raise BadRequest(str(refused)) from refused
    _refile(here, seat, orders, {**before, order.kind: filed}.values())


def _refile(here: Position, seat: int, orders: Orders, filed: Iterable[Order]) -> None:
    """Let the seat have these orders instead of those it had."""
    after, left = engine.settle(here.state, {**orders, seat: tuple(filed)})
    if after is here.state:
        # Nothing that others may see has happened.
        ledger.record_orders(here.match, orders, left, here.now)
    else:
        advance(here, after, actor=seat, orders=left, orders_before=orders)


def give_time(*, match_id: int, seat: int, to: int, now: datetime) -> None:
    """Add a day to an opponent's clock. Raises Refusal where the match is of an event, where nobody is told whose clock
    runs, or the clock is full."""
    with running(match_id, now) as here:
        if here.match.event:
            raise Refusal(_("Time cannot be given in games of an event."))
        if engine.is_unnamed(here.state):
            raise Refusal(_("Nobody is told who must answer now: give time when that is over."))
        if to == seat or not 0 <= to < len(here.seats):
            raise BadRequest(_("Choose an opponent to give time to."))
        if not clocks.add_gift(here, here.seats[to]):
            raise Refusal(_("This clock is already as full as it may be."))
        ledger.write_seat(here.seats[to])
        clocks.note_earliest(here)
        here.match.save(update_fields=["due_s"])


def _has_been_made(state: MatchState, seat: int, turn: int, move: Move) -> bool:
    """Whether the seat's answer to that turn is in, and is this one. Nothing is left to do then."""
    if any(one.seat == seat and one.move == move for one in state.sealed) and turn == state.turn:
        return True
    for entry in reversed(state.log):
        if entry.turn < turn:
            return False
        if entry.turn == turn and entry.seat == seat and entry.move is not None:
            return entry.move == move and entry.cause == "seat"
    return False


def _check_due(state: MatchState, seat: int) -> None:
    due = engine.due(state)
    if due is None or seat not in due.asks:
        raise NotYourTurn


def _new_order(state: MatchState, kind: str, terms: Mapping[str, Any]) -> Order:
    found = next((order for order in state.game.orders if order.kind == kind), None)
    if found is None:
        raise BadRequest(_("%(game)s has no standing order of that kind.") % {"game": state.game.name})
    try:
        return found.of(terms)
    except BadOptions as refused:
        raise BadRequest(str(refused)) from refused
