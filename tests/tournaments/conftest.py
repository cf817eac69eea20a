"""A ladder with people on it, somebody of the staff, and a member who may make events."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.conftest import person
from tests.tournaments.made import finished
from tournaments import ladders
from tournaments.models import Ending, Ladder


@pytest.fixture
def staff(db):
    found = person("staff")
    found.is_staff = True
    found.save()
    return found


@pytest.fixture
def maker(player, rival, now):
    """A member of some standing, signed in."""
    player.date_joined = now - timedelta(days=40)
    player.save()
    for _ in range(20):
        Ending.objects.create(user=player, match=finished(now, player, rival), kind="finished", at=now)
    client = Client()
    client.force_login(player)
    return client


@pytest.fixture
def ladder(now):
    return Ladder.objects.create(slug="twos", name="The long ladder", game="oe-twos", applied_at=now)


@pytest.fixture
def people(ladder, now):
    """Six members, ada on top."""
    found = [person(name) for name in ("ada", "bo", "cleo", "dag", "eli", "fay")]
    for first, second in zip(found, found[1:] + found[:1], strict=True):
        finished(now, first, second)
    for one in found:
        ladders.join(ladder_id=ladder.pk, user_id=one.pk, now=now)
    return found
