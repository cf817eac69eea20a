"""A ladder with people on it, somebody of the staff, and a member who may make events."""

from collections import Counter
from datetime import timedelta

import pytest
from django.test import Client

from tests.conftest import person
from tests.tournaments.made import finished
from tournaments import endless, infinity, ladders
from tournaments.event_matches import UNCOUNTED
from tournaments.models import Ending, Ladder, Pairing, Round, Tournament


@pytest.fixture(autouse=True)
def _what_waits_is_counted_right(request):
    """After every test the counters and scores of events say what their pairings say."""
    yield
    if request.node.get_closest_marker("django_db") is None:
        return
    waiting = list(Pairing.objects.filter(how="open").select_related("round").prefetch_related("matches"))
    by_event = Counter(pairing.round.tournament_id for pairing in waiting)
    by_round = Counter(pairing.round_id for pairing in waiting)
    assert dict(Tournament.objects.filter(undecided__gt=0).values_list("pk", "undecided")) == by_event
    assert dict(Round.objects.filter(undecided__gt=0).values_list("pk", "undecided")) == by_round
    for pairing in waiting:
        counted = [one for one in pairing.matches.all() if one.ended_at is None or one.reason not in UNCOUNTED]
        is_running = any(one.ended_at is None for one in counted)
        assert is_running or pairing.lacking, f"{pairing} waits for nothing"
        assert len(counted) + pairing.lacking <= pairing.games or len(counted) >= pairing.games
    assert not Pairing.objects.exclude(how="open").filter(lacking__gt=0).exists()
    for event in Tournament.objects.filter(format="infinity"):
        results = endless.results_by_player(event)
        for one in event.entrants.all():
            history = infinity.score_history(results.get(one.user_id, []))
            assert one.score == (history[-1].new if history else infinity.FIRST_SCORE)
            assert endless.steps_of(one) == history[-5:]


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
