"""Senders that are killed at the worst moments, in processes of their own, against a real database and mail server."""

import os
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta

import pytest
from django.conf import settings as site
from django.db import connection

from accounts import notices, sending
from accounts.models import Notice
from accounts.news import Kind

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

SENDER = """
import sys
from datetime import datetime
import django
django.setup()
from django.conf import settings
settings.EMAIL_BACKEND, settings.EMAIL_USE_TLS = "accounts.delivery.WatchedBackend", False
settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", int(sys.argv[1])
from accounts import notices, sending
from accounts.letters import Message
notices.register(sys.argv[3], compose=lambda notice: Message(subject=notice.context["says"], text="news"))
print(sending.dispatch(datetime.fromisoformat(sys.argv[2])), flush=True)
"""


def sender(port: int, now: datetime, kind: str, failpoint: str = "") -> subprocess.Popen:
    """Another runner, on the database of this test."""
    database = connection.settings_dict
    url = f"postgres://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "oceans.settings",
        "DATABASE_URL": url,
        "OCEANS_FAILPOINT": failpoint,
    }
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", SENDER, str(port), now.isoformat(), kind],
        env=environment,
        cwd=site.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("kind", [Kind.RUNNING_OUT, Kind.INVITATION])
@pytest.mark.parametrize(
    ("spot", "delivered"), [("mail.before_data", 0), ("mail.after_data", 1), ("mail.before_mark", 1)]
)
def test_a_killed_sender_neither_loses_nor_multiplies(sink, smtp_port, newsroom, reader, now, kind, spot, delivered):
    notices.notify(user_id=reader.pk, kind=kind, key="1", context={"says": "news"}, now=now)
    with sender(smtp_port, now, kind, spot) as killed:
        assert killed.wait(timeout=60) == -signal.SIGKILL
    assert len(sink.mails) == delivered
    assert Notice.objects.get().state == "claimed"
    for minutes in (1, 11, 50, 100):
        later = now + timedelta(minutes=minutes)
        sending.expire_leases(later)
        sending.dispatch(later)
    repeats = 1 if kind == Kind.RUNNING_OUT else 0
    assert len(sink.mails) == delivered + repeats
    assert len({mail["Message-ID"] for mail in sink.mails}) <= 1
    assert Notice.objects.get().state == ("sent" if repeats else "unknown")
    assert len(newsroom.ended) == 1


def test_a_sender_that_sleeps_past_its_lease_marks_nothing(sink, smtp_port, newsroom, reader, now):
    sink.silent_seconds = 1.5
    notices.notify(user_id=reader.pk, kind=Kind.RUNNING_OUT, key="1", context={"says": "news"}, now=now)
    with sender(smtp_port, now, Kind.RUNNING_OUT) as sleeper:
        deadline = time.monotonic() + 30
        while not Notice.objects.filter(tried_at__isnull=False).exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert Notice.objects.get().tried_at is not None
        sleeper.send_signal(signal.SIGSTOP)
        sending.expire_leases(now + timedelta(minutes=11))
        sink.silent_seconds = 0
        assert sending.dispatch(now + timedelta(minutes=11)) == 1
        sleeper.send_signal(signal.SIGCONT)
        assert sleeper.wait(timeout=60) == 0
    assert 1 <= len(sink.mails) <= 2
    assert newsroom.ended == [("news", "sent")]


def test_several_senders_share_the_work_without_a_double(sink, smtp_port, newsroom, now, django_user_model):
    for number in range(30):
        user = django_user_model.objects.create_user(f"reader{number}", email=f"reader{number}@example.org")
        notices.notify(user_id=user.pk, kind=Kind.RESULT, key="1", context={"says": "news"}, now=now)
    runners = [sender(smtp_port, now, Kind.RESULT) for _ in range(3)]
    for runner in runners:
        with runner:
            assert runner.wait(timeout=60) == 0
    sending.dispatch(now, limit=30)
    assert sorted(mail["To"] for mail in sink.mails) == sorted(f"reader{number}@example.org" for number in range(30))
