"""House bots at the table. They see what their seat sees and answer through the same verb as everybody, without a lock
while they think: within a second after the move before theirs, and what does not fit into that by the tick."""

import secrets
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction

from oceans import bots, ledger
from oceans.models import Match, Seat
from oceans.refusals import Refusal
from oceans.rules.look import look

BUDGET_S: Final = 0.8
"""How long a request waits for bots."""


def follow(match_id: int, now: datetime) -> None:
    """Let bots answer after the commit of what a person did."""
    transaction.on_commit(partial(play_bots, match_id=match_id, now=now), robust=True)


def play_bots(
    *, match_id: int, now: datetime, budget_s: float = BUDGET_S, seconds: Callable[[], float] = time.monotonic
) -> int:
    """Let the bots of a match answer until a person is due or the time budget is used up; return how often they did.

    `seconds` is the clock of the budget. A bot always finishes the answer it has begun.
    """
    from oceans.play.moves import answer

    until = seconds() + budget_s
    for count in range(10_000):
        seat = _bot_due(match_id)
        if seat is None or seconds() >= until:
            return count
        view = look(ledger.load(seat.match), seat.number)
        if view.ask is None:
            return count
        move = bots.choose(seat.user.username, view, view.ask, secrets.randbelow)
        try:
            answer(match_id=match_id, seat=seat.number, turn=view.turn, move=move, now=now)
        except Refusal:
            # Somebody resigned or another run of this was quicker; whoever comes next looks again.
            return count
    raise RuntimeError(f"the bots of match {match_id} play on without end")


def play_waiting_bots(now: datetime, budget_s: float = 5.0, seconds: Callable[[], float] = time.monotonic) -> int:
    """Let bots answer wherever one is waited for, longest wait first, within a time budget; return how often."""
    until = seconds() + budget_s
    waiting = Seat.objects.filter(is_due=True, user__is_bot=True, match__status=Match.Status.RUNNING)
    played = 0
    for match_id in waiting.order_by("deadline_s", "id").values_list("match_id", flat=True)[:200]:
        left = until - seconds()
        if left <= 0:
            break
        played += play_bots(match_id=match_id, now=now, budget_s=left, seconds=seconds)
    return played


def _bot_due(match_id: int) -> Seat | None:
    seats = Seat.objects.filter(match=match_id, is_due=True, user__is_bot=True, match__status=Match.Status.RUNNING)
    return seats.select_related("match", "user").order_by("number").first()
