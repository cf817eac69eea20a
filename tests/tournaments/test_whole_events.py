"""Whole events and a ladder through the real services: games played by legal moves, news by effects, time by steps."""

from datetime import timedelta

import pytest

from oceans import effects, queries
from tests.builders import play_out
from tests.tournaments.made import event_of, fields, places, running_matches
from tournaments import plans, ratings, running, ticking
from tournaments.event_rows import value_of
from tournaments.models import EventMatch, Pairing, RatingEvent, Tournament
from tournaments.result_log import replay

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def play_on(event, now):
    """Play every match of an event by moves, with effects applied twice and the tick between."""
    for number in range(200):
        match = running_matches(event).first()
        if match is None:
            break
        now += HOUR
        play_out(match.match, now, seed=number)
        effects.apply_effects(now)
        effects.apply_effects(now)
        ticking.steps(now)
    event.refresh_from_db()
    return now


@pytest.mark.parametrize(
    ("count", "terms"),
    [
        (4, {"format": "round-robin"}),
        (6, {"format": "swiss", "shape": {"rounds": 2}}),
        (5, {"format": "knock-out"}),
        (4, {"format": "mini-cup", "game": "duel-it"}),
        (7, {"format": "tables", "game": "duel-it", "shape": {"target": 4, "rounds": 2}}),
    ],
)
def test_events_of_real_games_end_as_the_rules_say(now, count, terms):
    event = event_of(now, fields(count), **terms)
    play_on(event, now)
    assert event.state == "finished"
    value = value_of(event)
    told = plans.places_of(value)
    by_name = {one.user.username: told[one.user_id].place for one in event.entrants.select_related("user")}
    assert places(event) == by_name and 1 in by_name.values()
    for match in EventMatch.objects.all():
        ended = queries.ended(match.match_id)
        assert match.ranks == [ended.places[ended.users.index(player)] for player in match.pairing.players]
    assert RatingEvent.objects.count() == EventMatch.objects.count()
    cards = replay(ratings.whole_log())
    assert sum(card.games for card in cards[event.game].values()) == sum(
        len(row.players) * row.matches.count() for row in Pairing.objects.exclude(how="bye")
    )


def test_an_event_whose_news_got_lost_is_completed_by_the_tick(now, django_capture_on_commit_callbacks):
    """A worker dies after each match: the effect stays owed, and the tick finds it."""
    event = event_of(now, fields(3))
    for number, match in enumerate(list(running_matches(event))):
        play_out(match.match, now, seed=number)
    assert EventMatch.objects.exclude(ended_at=None).count() == 0
    effects.apply_effects(now)
    event.refresh_from_db()
    assert event.state == "finished"
    assert effects.apply_effects(now) == 0


def test_who_withdraws_by_the_page_of_a_running_event_loses_the_games_that_run(now):
    people = fields(4)
    event = event_of(now, people)
    running.withdraw(tournament_id=event.pk, user_id=people[0].pk, now=now)
    effects.apply_effects(now)
    codes = dict(RatingEvent.objects.values_list("reason", "code"))
    assert codes == {"abandoned": "abandoned"}
    play_on(event, now)
    assert Tournament.objects.get().state == "finished"
