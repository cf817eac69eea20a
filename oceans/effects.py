"""What transitions owe to the rest of the site: rows written with them, applied after commit or else by the tick."""

from datetime import datetime

import structlog
from django.db import transaction

from oceans.models import Effect
from oceans.signals import match_finished

log = structlog.get_logger("oceans.effects")

MOST_ATTEMPTS = 20
"""Failures after which an effect waits for somebody to look at it."""


def owe_end(match_id: int, now: datetime) -> None:
    """Owe the news that a match is over; in the transaction that ends it."""
    effect = Effect(kind=Effect.MATCH_FINISHED, ref=str(match_id), created_at=now)
    Effect.objects.bulk_create([effect], ignore_conflicts=True)
    transaction.on_commit(lambda: _apply_end(match_id, now), robust=True)


def apply_effects(now: datetime, limit: int = 50) -> int:
    """Apply what is still owed, oldest first; return how much of it succeeded. For the tick."""
    waiting = Effect.objects.filter(done_at=None, attempts__lt=MOST_ATTEMPTS).order_by("id")
    return sum(_apply(pk, now) for pk in list(waiting.values_list("pk", flat=True)[:limit]))


def _apply_end(match_id: int, now: datetime) -> None:
    effect = Effect.objects.filter(kind=Effect.MATCH_FINISHED, ref=str(match_id), done_at=None).first()
    if effect is not None:
        _apply(effect.pk, now)


def _apply(pk: int, now: datetime) -> bool:
    """Send one effect's signal. No lock is held meanwhile: two at once are harmless, as receivers are idempotent."""
    effect = Effect.objects.get(pk=pk)
    if effect.done_at:
        return False
    answers = match_finished.send_robust(sender=Effect, match_id=int(effect.ref))
    failures = [answer for _receiver, answer in answers if isinstance(answer, Exception)]
    if not failures:
        Effect.objects.filter(pk=pk).update(done_at=now)
        return True
    for failure in failures:
        log.error("effect failed", kind=effect.kind, ref=effect.ref, error=repr(failure))
    Effect.objects.filter(pk=pk).update(attempts=effect.attempts + 1)
    return False
