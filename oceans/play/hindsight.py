"""What the choices of a finished game were worth: asked for by somebody, worked out by the tick when there is time, and
kept, as it takes seconds and follows from the log."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from oceans import ledger, queries
from oceans.bots.hindsight import Choice, judged
from oceans.models import Hindsight, Match
from oceans.refusals import Refusal, TooMany
from oceans.rules import engine
from oceans.rules.look import look

log = structlog.get_logger("oceans.hindsight")

BUDGET_S: Final = 2.0
"""How long one tick works on this, while bots wait that it should let answer; the next one goes on where it stopped."""
LEASE: Final = timedelta(minutes=1)
"""For so long other ticks leave alone what one has taken up, and nothing is tried again after a failure."""
MOST_WAITING: Final = 10
"""For so many games at a time one person may wait."""


def ask_for_hindsight(*, match: Match, user_id: int, now: datetime) -> None:
    """Ask for the work on a game that is over; again, or when somebody else has, changes nothing unless it failed.
    Raises Refusal with a sentence."""
    if not match.is_over:
        raise Refusal(_("The game is still running: luck and choices can be looked at when it is over."))
    if not queries.has_hindsight(match):
        raise Refusal(_("Luck and choices are worked out for games of Ocean's Eleven between two that have a result."))
    row = Hindsight.objects.filter(match=match).first()
    if row is not None and not row.has_failed:
        return
    if _waiting().filter(asked_by=user_id).count() >= MOST_WAITING:
        raise TooMany(_("Several games are being worked out for you: wait until they are done."))
    if row is not None:
        Hindsight.objects.filter(pk=row.pk).update(asked_by=user_id, asked_at=now, attempts=0, taken_at=None)
        return
    row = Hindsight(match=match, asked_by_id=user_id, asked_at=now)
    Hindsight.objects.bulk_create([row], ignore_conflicts=True)


def work_out(now: datetime, *, seconds: Callable[[], float] = time.monotonic) -> int:
    """Work on what was asked for, first come first served, as far as time allows; return how many games are done with
    it. For the tick."""
    until, done = seconds() + BUDGET_S, 0
    free = _waiting().filter(Q(taken_at=None) | Q(taken_at__lte=now - LEASE))
    first = free.order_by("asked_at", "pk").select_related("match")
    while seconds() < until and (row := first.first()) is not None:
        if not free.filter(pk=row.pk).update(attempts=F("attempts") + 1, taken_at=now):
            continue
        try:
            is_whole = _judge_on(row, lambda: seconds() >= until)
        except Exception:
            log.exception("the choices of a match cannot be judged", match=row.match_id)
            continue
        made_at = now if is_whole else None
        Hindsight.objects.filter(pk=row.pk).update(choices=row.choices, attempts=0, taken_at=None, made_at=made_at)
        done += is_whole
    return done


def _waiting() -> QuerySet[Hindsight]:
    return Hindsight.objects.filter(made_at=None, attempts__lt=Hindsight.MOST_ATTEMPTS)


def _judge_on(row: Hindsight, is_late: Callable[[], bool]) -> bool:
    """Judge the choices of a match that are not judged yet, at least one; False if it got late before the last."""
    row.choices = row.choices or []
    last = row.choices[-1][0] if row.choices else 0
    for choice in choices_of(row.match, after=last):
        row.choices.append(choice.written())
        if is_late():
            return False
    return True


def choices_of(match: Match, after: int = 0) -> Iterator[Choice]:
    """The choices of a match after an entry of its log, each judged by what those who watched saw then; last the one
    that was open when a game was given up."""
    state = engine.start(ledger.setup_of(match), ledger.keys_of(match))
    for number, entry in ledger.entries_of(match):
        waiting = engine.due(state) if number > after else None
        if waiting is not None:
            seat = min(waiting.asks) if entry.move is None or entry.seat is None else entry.seat
            choice = judged(look(state, None), number, seat, entry.move)
            if choice is not None:
                yield choice
        state = engine.replay_entry(state, number, entry)
