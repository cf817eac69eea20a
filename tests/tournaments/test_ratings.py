"""From the end of a match to a rating that can be checked."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from oceans import effects, queries
from tests.builders import bot, opened, play_out
from tests.conftest import person
from tests.tournaments.made import finished
from tournaments import ratings
from tournaments.models import Rating, RatingChange, RatingDay, RatingEvent, TitleHeld
from tournaments.queries import ratings as reading
from tournaments.rate import chance
from tournaments.receivers import record

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def rate(match, now):
    return ratings.record_result(queries.ended(match.pk), now)


def shown(user, pool="oe-twos"):
    card = Rating.objects.get(user=user, pool=pool)
    return round(card.r, 4), round(card.rd, 4)


def test_a_newcomers_first_win_is_the_example_of_the_rules(player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    assert shown(player) == (1578.6291, 179.8809)
    assert shown(rival) == (1421.3709, 179.8809)
    assert shown(player, "overall") == (1578.6291, 179.8809)


def test_a_real_match_is_rated_when_it_ends(player, rival, now, django_capture_on_commit_callbacks):
    match = opened(now, player, rival, rated=True)
    with django_capture_on_commit_callbacks(execute=True):
        play_out(match, now)
    effects.apply_effects(now)
    assert RatingEvent.objects.get(match=match).code == "ok"
    assert Rating.objects.filter(pool="oe-twos").count() == 2


def test_news_that_comes_twice_is_rated_once(player, rival, now):
    match = finished(now, player, rival, winner=player)
    record(match_id=match.pk)
    before = shown(player)
    record(match_id=match.pk)
    assert (RatingEvent.objects.count(), RatingChange.objects.count()) == (1, 4)
    assert shown(player) == before


def test_the_order_of_a_days_results_does_not_show(player, rival, stranger, now):
    matches = [
        finished(now, player, rival, winner=player),
        finished(now, rival, stranger, winner=stranger),
        finished(now, stranger, player),
    ]
    for match in matches:
        rate(match, now)
    forwards = [shown(user) for user in (player, rival, stranger)]
    for model in (RatingChange, RatingDay, Rating, RatingEvent):
        model.objects.all().delete()
    for match in reversed(matches):
        rate(match, now)
    assert [shown(user) for user in (player, rival, stranger)] == forwards


def test_stored_ratings_are_what_the_log_gives(player, rival, stranger, now):
    people = [player, rival, stranger]
    for number in range(12):
        first, second = people[number % 3], people[(number + 1) % 3]
        when = now + number // 4 * 9 * DAY
        rate(finished(when, first, second, winner=[first, second, None][number % 3]), when)
    out = StringIO()
    call_command("ratings", stdout=out)
    assert "6 ratings are what the log says." in out.getvalue()
    before = list(Rating.objects.order_by("pool", "user").values_list("pool", "user", "r", "rd", "games", "peak"))
    call_command("ratings", "--rebuild", stdout=out)
    assert (
        list(Rating.objects.order_by("pool", "user").values_list("pool", "user", "r", "rd", "games", "peak")) == before
    )


def test_a_rating_that_was_tampered_with_is_found(player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    Rating.objects.filter(user=player, pool="oe-twos").update(r=2000)
    with pytest.raises(CommandError, match="1 of 4 ratings differ"):
        call_command("ratings", stderr=StringIO())


def test_a_day_that_is_over_stays_closed(player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    rate(finished(now, player, rival, winner=rival), now - 2 * DAY)
    assert set(RatingEvent.objects.values_list("day", flat=True)) == {ratings.day_of(now)}


def test_deviation_grows_without_play(player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    card = Rating.objects.get(user=player, pool="oe-twos")
    later = ratings.strength_on(card, card.day + 100)
    assert later.rd == pytest.approx((card.rd**2 + 1600) ** 0.5)
    assert ratings.strength_on(card, card.day + 10_000).rd == 200


@pytest.mark.parametrize(
    ("match", "code"),
    [
        ({"rated": False}, "casual"),
        ({"ended_by": "time", "moved": (True, False)}, "unplayed"),
        ({"moved": (False, True)}, "unplayed"),
    ],
)
def test_what_does_not_count_says_why(player, rival, now, match, code):
    rate(finished(now, player, rival, winner=player, **match), now)
    assert RatingEvent.objects.get().code == code
    assert not Rating.objects.exists()


def test_games_with_bots_do_not_count(player, now):
    rate(finished(now, player, bot(), winner=player), now)
    assert RatingEvent.objects.get().code == "bot"


def test_a_voided_result_is_gone_from_all_ratings_and_can_come_back(player, rival, stranger, now):
    wrong = finished(now, player, rival, winner=player)
    rate(wrong, now)
    rate(finished(now, rival, stranger, winner=rival), now)
    rate(finished(now, stranger, player), now + 3 * DAY)
    before = [shown(user) for user in (player, rival, stranger)]
    ratings.void(wrong.pk, None, "played by one person", now + 4 * DAY)
    assert Rating.objects.get(user=player, pool="oe-twos").games == 1
    assert shown(rival)[0] > 1500
    with pytest.raises(Exception, match="already"):
        ratings.void(wrong.pk, None, "", now + 4 * DAY)
    ratings.unvoid(wrong.pk, None, "a mistake", now + 5 * DAY)
    assert [shown(user) for user in (player, rival, stranger)] == before
    call_command("ratings", stdout=StringIO())


def test_the_board_has_only_settled_ratings_by_strength(player, rival, stranger, now):
    for number in range(12):
        when = now + number * DAY
        rate(finished(when, player, rival, winner=player), when)
        rate(finished(when, player, rival, winner=[player, rival][number % 2]), when)
    rate(finished(now, stranger, player, winner=stranger), now + 12 * DAY)
    board = reading.leader_board("oe-twos", now + 12 * DAY)
    assert [row.user for row in board] == [player, rival]
    assert not any("?" in row.shown for row in board)
    assert reading.leader_board("oe-twos", now + 200 * DAY) == []
    assert reading.leader_board("oe-none", now) == []


def test_a_permanent_rank_is_given_when_the_day_is_over_and_stays(player, rival, now):
    for number in range(12):
        when = now + number * DAY
        rate(finished(when, player, rival, winner=player), when)
        rate(finished(when, player, rival), when)
    last = now + 11 * DAY
    ratings.award_ranks(last)
    ratings.award_ranks(last + DAY)
    first = reading.ranks_of([player.pk])[player.pk]
    assert first.name == "Paddler"
    for number in range(13, 40):
        when = now + number * DAY
        rate(finished(when, player, rival, winner=rival), when)
        ratings.award_ranks(when + DAY)
    assert reading.ranks_of([player.pk])[player.pk] == first
    assert ratings.award_ranks(now + 41 * DAY) == 0
    assert TitleHeld.objects.filter(user=player, step=first.step).count() == 1


def test_the_players_page_shows_rating_history_and_how_it_came_about(client, player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    rate(finished(now, player, rival, rated=True, ended_by="time", moved=(True, False)), now)
    rate(finished(now + DAY, player, rival, winner=rival), now + DAY)
    page = client.get("/player/player/").content.decode()
    assert "1 against rival (1500), 0.50 expected" in page
    assert "+78.6" in page
    assert "Rating" in page and "<polyline" in page and "The same as a table" in page
    assert "not rated" in page and "fewer than two players moved" in page


def test_pages_of_ratings_cost_the_same_however_many_play(now, django_assert_max_num_queries):
    for number in range(6):
        rate(finished(now, person(f"a{number}"), person(f"b{number}")), now)
    Rating.objects.update(games=20, rd=60)
    client = Client()
    with django_assert_max_num_queries(3):
        page = client.get("/ratings/oe-twos/").content.decode()
    assert page.count('class="who"') == 12
    assert client.get("/ratings/chess/").status_code == 404
    assert client.get("/ratings/oe-twos/?page=x").status_code == 200
    assert "Ocean" in client.get("/ratings/").content.decode()


def test_the_expected_score_of_equals_is_a_half():
    assert chance(ratings.strength_on(None, 5), ratings.strength_on(None, 5)) == 0.5


def test_a_games_page_shows_the_chances_then_what_it_was_worth(client, player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    running = opened(now, player, rival, rated=True)
    page = client.get(f"/game/{running.pk}/").content.decode()
    chances = [int(found) for found in re.findall(r"(\d+) in 100 to win", page)]
    assert sum(chances) == 100 and max(chances) > 60 and "1579?" in page
    done = finished(now, player, rival, winner=rival, ended_by="time", moved=(True, False))
    rate(done, now)
    page = client.get(f"/game/{done.pk}/").content.decode()
    assert "not rated" in page and "fewer than two players moved" in page
    first = RatingEvent.objects.order_by("pk").first()
    assert "+78.6" in client.get(f"/game/{first.match_id}/").content.decode()
    assert "in 100 to win" not in client.get(f"/game/{opened(now, player, rival).pk}/").content.decode()
