"""Redis may be away, deaf or empty at any time: moves are stored, pages wait little, and the tick does the rest."""

import json
import socket

import pytest
from redis import Redis

from tests.faults.conftest import LET_TIME_RUN_OUT
from tests.faults.test_kills import ENDING

HINTS = """
import json, time
from oceans import tasks
times = []
for _ in range(50):
    began = time.monotonic()
    tasks.hint()
    times.append(time.monotonic() - began)
print(json.dumps(times))
"""

RESIGN = """
import time
from accounts.models import Notice
from oceans import play
from oceans.models import Match
began = time.monotonic()
play.resign(match_id=Match.objects.get().pk, seat=0, now=timezone.now())
print(time.monotonic() - began)
"""


@pytest.fixture
def broker(redis_url):
    queue = Redis.from_url(redis_url)
    queue.flushdb()
    yield queue
    queue.flushdb()
    queue.close()


@pytest.fixture
def deaf_port():
    """A server that accepts and never answers."""
    with socket.socket() as hole:
        hole.bind(("127.0.0.1", 0))
        hole.listen(16)
        yield hole.getsockname()[1]


@pytest.mark.redis
def test_what_may_go_at_once_hints_to_a_worker(site, broker, redis_url):
    site.run(RESIGN, REDIS_URL=redis_url)
    assert broker.llen("celery") >= 1


@pytest.mark.redis
def test_a_flushed_queue_loses_nothing(site, mails, broker, redis_url):
    site.run(RESIGN, REDIS_URL=redis_url)
    broker.flushdb()
    assert mails.identities == []
    assert site.manage("tick") == 0
    assert len(mails.identities) == 2


def test_a_redis_that_is_gone_is_tried_once_in_a_while(site):
    first, *further = json.loads(site.run(HINTS, REDIS_URL="redis://127.0.0.1:9/0"))
    assert first < 1.5
    assert max(further) < 0.05


def test_a_redis_that_never_answers_is_not_waited_for(site, deaf_port):
    first, *further = json.loads(site.run(HINTS, REDIS_URL=f"redis://127.0.0.1:{deaf_port}/0"))
    assert first < 3
    assert max(further) < 0.05


def test_a_move_is_stored_while_redis_is_gone_and_told_by_the_tick(site, mails):
    assert float(site.run(RESIGN, REDIS_URL="redis://127.0.0.1:9/0")) < 3
    assert site.manage("tick") == 0
    assert len(mails.identities) == 2
    assert site.run(ENDING).startswith("finished resigned 0 2 0")


@pytest.mark.redis
def test_a_worker_that_is_killed_costs_one_tick(site, mails, broker, redis_url):
    """Whatever it had taken from the queue is found again in the database."""
    site.run(LET_TIME_RUN_OUT)
    worker = ("-m", "celery", "-A", "oceans", "worker", "-P", "solo", "--without-gossip", "--without-mingle")
    with site.start(*worker, failpoint="move.before_commit", REDIS_URL=redis_url) as killed:
        site.run("from oceans import tasks\ntasks.tick.delay()", REDIS_URL=redis_url)
        assert killed.wait(timeout=60) == -9
    assert site.manage("tick") == 0
    assert site.run(ENDING) == "finished time 1 2 0 None"
    assert len(mails.identities) == 2
