"""House bots at the table. They see what their seat sees and answer through the same verb as everybody, without a lock
while they think: within a second after the move before theirs, and what does not fit into that by the tick. Where only
bots sit, the match is a show: they take their time, so that there is something to watch.
"""

import secrets
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from oceans import bots, ledger
from oceans.models import Match, Seat
from oceans.refusals import Refusal
from oceans.rules.look import look

BUDGET_S: Final = 0.8
"""How long a request waits for bots."""
SHOW_PAUSE: Final = timedelta(minutes=2)
"""Between two answers of a show."""


def follow(match_id: int, now: datetime) -> None:
    """Let bots answer after the commit of what a person did."""
    transaction.on_commit(partial(play_bots, match_id=match_id, now=now), robust=True)


def play_bots(
    *, match_id: int, now: datetime, budget_s: float = BUDGET_S, seconds: Callable[[], float] = time.monotonic
) -> int:
    """Let the bots of a match answer until a person is due or the time budget is used up; return how often they did.

    `seconds` is the clock of the budget. A bot always finishes the answer it has begun.
    """
    until = seconds() + budget_s
    for count in range(10_000):
        seat = _bot_due(match_id)
        if seat is None or seconds() >= until:
            return count
        if not seat.has_company and (seat.match.moved_at or now) > now - SHOW_PAUSE:
            return count
        if not _answer(seat, now):
            return count
    raise RuntimeError(f"the bots of match {match_id} play on without end")


def waiting_for_bots(now: datetime, limit: int = 200) -> list[int]:
    """Matches in which a bot should answer by now, longest wait first."""
    shows = Q(has_company=False, match__moved_at__gt=now - SHOW_PAUSE)
    waiting = _due_bots().exclude(shows)
    return list(waiting.order_by("turn_since_at", "id").values_list("match_id", flat=True)[:limit])


def play_show(*, match_id: int, now: datetime, answers: int) -> None:
    """Let the bots of a show answer so often at once."""
    for _count in range(answers):
        seat = _bot_due(match_id)
        if seat is None or not _answer(seat, now):
            return


def _answer(seat: Seat, now: datetime) -> bool:
    """Let a bot answer; False if somebody resigned or another run of this was quicker. Whoever comes next looks
    again."""
    from oceans.play.moves import answer

    view = look(ledger.load(seat.match), seat.number)
    if view.ask is None:
        return False
    move = bots.choose(seat.user.username, view, view.ask, secrets.randbelow)
    try:
        answer(match_id=seat.match_id, seat=seat.number, turn=view.turn, move=move, now=now, calls_bots=False)
    except Refusal:
        return False
    return True


def _bot_due(match_id: int) -> Seat | None:
    return _due_bots().filter(match=match_id).select_related("match", "user").order_by("number").first()


def _due_bots() -> QuerySet[Seat]:
    company = Seat.objects.filter(match=OuterRef("match"), user__is_bot=False)
    due = Seat.objects.filter(is_due=True, user__is_bot=True, match__status=Match.Status.RUNNING)
    return due.annotate(has_company=Exists(company))  # type: ignore[no-redef]
