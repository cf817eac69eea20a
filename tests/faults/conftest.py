"""Processes of their own on a database file of their own, killed at named spots; and a mail server to count at."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

ROOT = Path(__file__).parents[2]

PREPARE = """
import django
django.setup()
from django.utils import timezone
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Mails:
    """Counts the mails that reached a mail server, by their identity."""

    def __init__(self) -> None:
        self.identities: list[str] = []

    async def handle_DATA(self, _server, _session, envelope):
        for line in envelope.content.decode("utf-8", "replace").splitlines():
            if line.lower().startswith("message-id:"):
                self.identities.append(line.partition(":")[2].strip())
        return "250 taken"


class _Quiet(Controller):
    def factory(self):
        return SMTP(self.handler, hostname="sink")


class Site:
    """A whole small site on SQLite, worked on by short programs and by `manage.py`, each a process of its own."""

    def __init__(self, folder: Path, smtp_port: int) -> None:
        self._environment = {
            **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
            "DJANGO_SETTINGS_MODULE": "oceans.settings",
            "VAR_DIR": str(folder),
            "EMAIL_HOST": "127.0.0.1",
            "EMAIL_PORT": str(smtp_port),
            "EMAIL_USE_TLS": "0",
            "LOG_LEVEL": "CRITICAL",
        }

    def start(self, *command: str, failpoint: str = "", stdin: int | None = None, **environment: str):
        """Start a process; it dies at the failpoint if one is named."""
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", *command],
            env={**self._environment, "OCEANS_FAILPOINT": failpoint, **environment},
            cwd=ROOT,
            stdin=stdin if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, program: str, failpoint: str = "", **environment: str) -> str:
        """Run a program in a new process; return what it printed. It must die by SIGKILL if a failpoint is named."""
        with self.start("-c", PREPARE + program, failpoint=failpoint, **environment) as process:
            said, _ = process.communicate(timeout=120)
        assert process.returncode == (-signal.SIGKILL if failpoint else 0), said
        return said.strip()

    def manage(self, *arguments: str, failpoint: str = "") -> int:
        """Run a management command; return how it ended."""
        with self.start("manage.py", *arguments, failpoint=failpoint) as process:
            process.communicate(timeout=120)
        return process.returncode


@pytest.fixture
def mails() -> Iterator[Mails]:
    mails = Mails()
    mails.controller = _Quiet(mails, hostname="127.0.0.1", port=free_port())
    mails.controller.start()
    yield mails
    mails.controller.stop()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two people, `player` and `rival`, and a match between them in which both have moved."""
    folder = tmp_path_factory.mktemp("prepared")
    made = Site(folder, smtp_port=9)
    assert made.manage("migrate", "--verbosity", "0") == 0
    made.run(OPEN_A_MATCH)
    return folder


@pytest.fixture
def site(prepared: Path, tmp_path: Path, mails: Mails) -> Site:
    """A site of its own that begins as the prepared one."""
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    return Site(tmp_path, mails.controller.port)


OPEN_A_MATCH = """
from accounts.models import User
from oceans.models import Match
from tests.builders import answer_until_turn_passes, opened
people = [User.objects.create_user(name, email=f"{name}@example.org") for name in ("player", "rival")]
now = timezone.now()
match = opened(now, *people, pace="days-1", leave_allowed="none")
answer_until_turn_passes(match, now)
answer_until_turn_passes(match, now)
"""

LET_TIME_RUN_OUT = """
from datetime import timedelta
from accounts.models import Notice
from oceans.models import Match, ServiceClock
from tests.builders import at_service_time, give_notice
match = Match.objects.get()
give_notice(match)
at_service_time(match.due_s, timezone.now())
"""


def wait_until(holds, seconds: float = 30) -> None:
    """Wait for something that a process does; fail if it does not come."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        threading.Event().wait(0.1)
