"""The tick from the command line: once, or as the scheduler of a site without Celery (and a second one beside it)."""

import os
import signal
import stat
import sys
import threading
import time
from typing import Any, Final

import structlog
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections, connection

from oceans import service, tick

log = structlog.get_logger("oceans.tick")

LOOK_EVERY_S: Final = 0.25
NUDGE_EVERY_S: Final = 1.0


class Command(BaseCommand):
    help = "Do whatever is due: remind, judge clocks, let bots move, send mail. With --loop every 30 seconds, for ever."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--loop", action="store_true", help="go on until told to stop, or until standard input ends"
        )
        parser.add_argument(
            "--confirm", action="store_true", help="let an unlikely number of time-outs be judged that was held back"
        )

    def handle(self, *, loop: bool, confirm: bool, **_options: Any) -> None:
        if confirm:
            self.stdout.write("They will be judged." if service.confirm_mass() else "No time-outs are held back.")
        elif loop:
            Loop().run()
        else:
            for name, count in tick.tick().items():
                self.stdout.write(f"{name}: {count}")


class Loop:
    """Ticks by the monotonic clock, so that a jump of the wall clock neither stops nor hurries it; between ticks it
    looks whether somebody wrote to the database, and does at once what waits."""

    def __init__(self) -> None:
        self._told_to_stop = threading.Event()
        self._seen_version: int | None = None

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._told_to_stop.set())
        if _is_pipe(sys.stdin):
            threading.Thread(target=self._watch_stdin, daemon=True).start()
        tick_at = nudge_at = time.monotonic()
        while not self._told_to_stop.is_set():
            now = time.monotonic()
            if now >= tick_at:
                self._survive(tick.tick)
                tick_at = max(tick_at + tick.EVERY_S, time.monotonic())
            elif now >= nudge_at or self._is_written_to():
                self._survive(tick.nudge)
                nudge_at = time.monotonic() + NUDGE_EVERY_S
            self._told_to_stop.wait(LOOK_EVERY_S)
        connection.close()

    def _survive(self, work: Any) -> None:
        """Work that fails, such as for a database that restarts, is done again at the next turn."""
        try:
            close_old_connections()
            work()
        except DatabaseError:
            log.exception("the database does not answer")
            connection.close()

    def _is_written_to(self) -> bool:
        """On SQLite: whether another connection has committed since the last look."""
        if connection.vendor != "sqlite":
            return False
        with connection.cursor() as cursor:
            (version,) = cursor.execute("PRAGMA data_version").fetchone()
        changed = version != self._seen_version
        self._seen_version = version
        return changed

    def _watch_stdin(self) -> None:
        """Whoever started us holds the other end; when it is gone, so are we."""
        while os.read(sys.stdin.fileno(), 1024):
            pass
        self._told_to_stop.set()


def _is_pipe(stream: Any) -> bool:
    """Whether standard input is a pipe that somebody holds, and not a file or /dev/null."""
    try:
        return stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError, AttributeError):
        return False
