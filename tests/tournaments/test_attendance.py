"""Who sleeps leaves every game he plays, and those who waited for him lose nothing by it."""

import pytest

from oceans import effects, play, queries
from oceans.models import Match, Seat
from tests.builders import opened
from tests.tournaments.made import end_match, event_of, fields, finish, running_matches
from tournaments import attendance
from tournaments.models import Attendance, Ending, Rating, RatingEvent

pytestmark = pytest.mark.django_db


def miss(match, now, user, other):
    end_match(match, now, {other: 1, user: 2}, ended_by="time", late=[user])
    attendance.note_ending(queries.ended(match.match_id), now)


def test_games_outside_events_are_closed_unrated_when_an_account_falls_asleep(now):
    people = fields(4)
    sleeper, friend = people[0], people[1]
    game = opened(now, sleeper, friend, rated=True)
    Seat.objects.filter(match=game).update(has_moved=True)
    event = event_of(now, people)
    for match in [m for m in running_matches(event) if sleeper.pk in m.pairing.players]:
        miss(match, now, sleeper.pk, next(p for p in match.pairing.players if p != sleeper.pk))
    effects.apply_effects(now)
    game.refresh_from_db()
    assert (game.status, game.ended_by, game.unrated_because) == ("finished", "resigned", "abandoned")
    assert queries.ended(game.pk).places[queries.ended(game.pk).users.index(friend.pk)] == 1
    assert RatingEvent.objects.get(match=game).code == "abandoned"
    assert not Rating.objects.filter(user=friend).exists()
    assert not Ending.objects.filter(match=game).exists()


def test_losing_friendly_games_on_time_puts_nobody_to_sleep(now):
    sleeper, *others = fields(4)
    for other in others:
        game = opened(now, sleeper, other)
        finish(game, {sleeper.pk: 2, other.pk: 1}, now, ended_by="time", late=[sleeper.pk])
        attendance.note_ending(queries.ended(game.pk), now)
    assert not Attendance.objects.filter(dormant_at__isnull=False).exists()


def test_a_table_goes_on_rated_without_who_fell_asleep(now):
    people = fields(3)
    table = opened(now, *people, game="oe-table", rated=True)
    Seat.objects.filter(match=table).update(has_moved=True)
    play.withdraw_user(people[0].pk, now, unrated_because="abandoned")
    table = Match.objects.get(pk=table.pk)
    assert table.is_running and table.unrated_because == ""
