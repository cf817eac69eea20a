"""Celery tasks: the same functions that `manage.py tick --loop` calls. All of them are only hints (tick.py)."""

import time
from typing import Final

import structlog
from celery import shared_task
from django.conf import settings
from kombu.exceptions import OperationalError

from oceans import tick as ticking

log = structlog.get_logger("oceans.tasks")

PAUSE_S: Final = 30
"""Seconds without a further hint after the broker failed to take one."""

_hint_again_at = 0.0


@shared_task(name="oceans.tasks.tick", ignore_result=True)
def tick(**_later: object) -> None:
    """Do whatever is due."""
    ticking.tick()


@shared_task(name="oceans.tasks.nudge", ignore_result=True)
def nudge(**_later: object) -> None:
    """Do what a hint may be about."""
    ticking.nudge()


def hint(**_signal: object) -> None:
    """Tell a worker that something waits. Never fails and never waits long: without a broker nothing happens, and
    after one that did not answer nothing is tried for a while."""
    global _hint_again_at
    if not settings.CELERY_BROKER_URL or time.monotonic() < _hint_again_at:
        return
    try:
        nudge.apply_async(expires=25)
    except (OperationalError, OSError) as error:
        _hint_again_at = time.monotonic() + PAUSE_S
        log.warning("broker away", error=type(error).__name__, pause_s=PAUSE_S)
