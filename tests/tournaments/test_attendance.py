"""Who sleeps leaves every game he plays, and those who waited for him lose nothing by it."""

from datetime import timedelta

import pytest

from oceans import effects, play, queries
from oceans.models import Match, Seat
from tests.builders import opened
from tests.tournaments.made import end_match, event_of, fields, finish, running_matches
from tournaments import attendance, entering
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


def test_a_game_left_over_after_others_decided_is_no_game_of_the_event_any_more(now):
    strong, weak = fields(2)
    event = event_of(now, [strong, weak], format="knock-out", shape={"games": 3})
    first, second, third = running_matches(event)
    for match in (first, second):
        end_match(match, now, {strong.pk: 1, weak.pk: 2})
    miss(third, now + timedelta(days=1), strong.pk, weak.pk)
    assert event.entrants.get(user=strong).misses == 0
    assert not Ending.objects.filter(match=third.match_id, kind="timeout").exists()
    assert Attendance.objects.get(user=strong).in_a_row == 1


@pytest.mark.parametrize("event", ["", "ladder:twos"])
def test_three_rated_games_lost_on_time_in_a_row_put_an_account_to_sleep(now, event):
    sleeper, *others = fields(4)
    for day, other in enumerate(others):
        assert not Attendance.objects.filter(dormant_at__isnull=False).exists()
        game = opened(now, sleeper, other, rated=True)
        Match.objects.filter(pk=game.pk).update(event=event)
        at = now + timedelta(days=day)
        finish(game, {sleeper.pk: 2, other.pk: 1}, at, ended_by="time", late=[sleeper.pk])
        for _ in range(2):
            attendance.note_ending(queries.ended(game.pk), at)
    assert Attendance.objects.get(dormant_at__isnull=False).user == sleeper
    assert entering.bar_of(sleeper.pk, now + timedelta(days=3)) is None, "only events bar"
    one = entering.applicants("oe-twos", [sleeper], now + timedelta(days=3), ())[sleeper.pk]
    assert (one.timeouts, one.finished) == (3, 3)


def test_a_seat_retired_by_the_clock_is_missed_though_the_others_played_to_the_end(now):
    people = fields(4)
    event = event_of(now, people, format="tables", game="oe-table", shape={"rounds": 2})
    match = running_matches(event).get()
    places = {one.pk: place for place, one in enumerate(people, start=1)}
    end_match(match, now, places, ended_by="played", late=[people[3].pk])
    assert [event.entrants.get(user=one).misses for one in people] == [0, 0, 0, 1]


def test_where_neither_came_to_a_knock_out_match_nobody_goes_on(now):
    event = event_of(now, fields(3), format="knock-out")
    (match,) = running_matches(event)
    players = match.pairing.players
    neither = {"ended_by": "drawn-on-time", "moved": dict.fromkeys(players, False), "late": players}
    end_match(match, now, dict.fromkeys(players, 1), **neither)
    event.refresh_from_db()
    assert event.state == "finished"
    assert [event.entrants.get(seed=seed).place for seed in (1, 2, 3)] == [1, 2, 2]


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
