"""What directors decide, what follows from it, and that everybody can read it."""

from datetime import timedelta

import pytest

from oceans.refusals import Refusal
from tests.tournaments.made import (
    by_strength,
    end_match,
    event_of,
    fields,
    open_event,
    places,
    play_event,
    running_matches,
)
from tournaments import directing, rulings, running
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def test_directors_stop_pairing_start_by_hand_and_exclude(now, staff, stranger):
    people = fields(4)
    pk = open_event(now, people[:3], by=staff, format="swiss", most=9, starts="hand").pk
    with pytest.raises(Refusal, match="at least 4"):
        directing.start(tournament_id=pk, by=staff, now=now)
    running.enter(tournament_id=pk, user_id=people[3].pk, now=now)
    with pytest.raises(Refusal, match="director"):
        directing.start(tournament_id=pk, by=stranger, now=now)
    directing.start(tournament_id=pk, by=staff, now=now)
    event = Tournament.objects.get(pk=pk)
    directing.pause(tournament_id=pk, by=staff, now=now, is_paused=True)
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))
    assert event.rounds.get().closed_at == now, "it is over, and will not be overdue while pairing is stopped"
    directing.pause(tournament_id=pk, by=staff, now=now, is_paused=False)
    assert event.rounds.count() == 2
    rulings.extend(tournament_id=pk, number=2, by=staff, now=now)
    with pytest.raises(Refusal, match="extended before"):
        rulings.extend(tournament_id=pk, number=2, by=staff, now=now)
    rulings.exclude(tournament_id=pk, user_id=people[0].pk, by=staff, now=now)
    play_event(event, now)
    assert places(event)["p1"] is None
    running_one = event_of(now, people[1:])
    directing.cancel(tournament_id=running_one.pk, by=staff, now=now)
    assert Tournament.objects.get(pk=running_one.pk).state == "cancelled"
