"""Whether it is worth connecting to the mail server: after five failures in a row, one try a minute."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import F

from accounts.models import MailBreaker

FAILURES: Final = 5
PROBE_EVERY: Final = timedelta(minutes=1)


def may_connect(now: datetime) -> bool:
    """Whether to try now. While the breaker is open, only one caller a minute hears yes."""
    breaker = _row()
    if breaker.probe_at is None:
        return True
    return MailBreaker.objects.filter(pk=breaker.pk, probe_at__lte=now).update(probe_at=now + PROBE_EVERY) == 1


def is_open() -> bool:
    """Whether mail waits for the server at present."""
    return MailBreaker.objects.filter(probe_at__isnull=False).exists()


def failed(now: datetime) -> None:
    """Note a failed connection."""
    breaker = _row()
    MailBreaker.objects.filter(pk=breaker.pk).update(failures=F("failures") + 1)
    MailBreaker.objects.filter(pk=breaker.pk, failures__gte=FAILURES).update(probe_at=now + PROBE_EVERY)


def answered() -> None:
    """Note that the server answered, whatever it said."""
    MailBreaker.objects.exclude(failures=0, probe_at=None).update(failures=0, probe_at=None)


def _row() -> MailBreaker:
    return MailBreaker.objects.get_or_create(pk=1)[0]
