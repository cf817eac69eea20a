"""Locks of what has no row to lock: one writer at a time, by a number. SQLite has one writer anyway."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def alone(number: int) -> Iterator[None]:
    """A transaction that holds the lock of this number to its end; a second one waits."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
        yield
