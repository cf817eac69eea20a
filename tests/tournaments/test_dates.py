"""What a player's private calendar says about events: when they begin and when their rounds do."""

from datetime import timedelta

import pytest
from django.test import Client
from icalendar import Calendar

from accounts import feeds
from tests.tournaments.made import by_strength, end_match, event_of, fields, open_event, running_matches
from tournaments import running
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _at_noon(time_machine, now):
    time_machine.move_to(now, tick=False)


def dates_of(user, now) -> list[tuple]:
    """What the calendar of a user shows of events, in order."""
    path = feeds.address_of(feeds.open_feed(user, "dates", now)).removeprefix("http://localhost:8000")
    events = Calendar.from_ical(Client().get(path).content).walk("VEVENT")
    return [(str(one["SUMMARY"]), one.start) for one in events if "/tournaments/" in one["URL"]]


def cup_of(now, people) -> Tournament:
    """An event that begins in five days, with these people."""
    return open_event(now, people, name="Summer cup", starts="date", starts_at=now + 5 * DAY)


def test_an_event_begins_on_its_day_for_those_who_entered(now, stranger):
    first, second = fields(2)
    event = cup_of(now, [first, second])
    assert dates_of(first, now) == [("Summer cup begins", now + 5 * DAY)]
    assert dates_of(stranger, now) == []
    running.withdraw(tournament_id=event.pk, user_id=second.pk, now=now)
    assert dates_of(second, now) == []


def test_each_round_begins_when_it_is_opened(now, time_machine):
    people = fields(4)
    event = event_of(now, people, format="knock-out")
    assert dates_of(people[0], now) == [("Round 1 of The event begins", now)]
    later = now + 3 * DAY
    time_machine.move_to(later, tick=False)
    for one in running_matches(event):
        end_match(one, later, by_strength(one.pairing.players))
    rounds = dates_of(people[0], later)
    assert rounds == [("Round 1 of The event begins", now), ("Round 2 of The event begins", later)]


def test_an_event_that_was_called_off_is_no_date(now):
    people = fields(2)
    event = cup_of(now, people)
    Tournament.objects.filter(pk=event.pk).update(state=Tournament.State.CANCELLED)
    assert dates_of(people[0], now) == []
