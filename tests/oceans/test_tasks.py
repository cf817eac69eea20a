"""Tasks do what the command does; hints are nothing where there is no broker. With one: tests/faults/test_redis.py."""

import pytest
from django.conf import settings as site

from oceans import service, tasks, tick
from oceans.celery import app
from oceans.models import ServiceClock
from tests.builders import bot, due_seat, opened

pytestmark = pytest.mark.django_db


def test_the_tasks_are_those_of_the_schedule():
    assert {entry["task"] for entry in site.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)
    assert site.CELERY_BEAT_SCHEDULE["tick"]["options"]["expires"] < tick.EVERY_S
    assert not site.CELERY_TASK_ACKS_LATE and site.CELERY_TASK_IGNORE_RESULT


def test_the_task_is_the_tick_and_takes_words_of_later_versions():
    tasks.tick(something="later")
    assert ServiceClock.objects.get().last_tick_at is not None


def test_a_nudge_lets_bots_move(player, now):
    match = opened(service.wall_clock(), player, bot())
    tasks.nudge(something="later")
    assert due_seat(match).user_id == player.pk


def test_without_a_broker_a_hint_tries_nothing(settings, monkeypatch):
    settings.CELERY_BROKER_URL = ""
    monkeypatch.setattr(tasks.nudge, "apply_async", lambda **_options: pytest.fail("a broker was asked"))
    tasks.hint()
