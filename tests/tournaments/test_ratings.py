"""From the end of a match to a rating that can be checked."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from oceans import effects, queries
from oceans.refusals import Refusal
from tests.builders import bot, opened, play_out
from tests.conftest import person
from tests.tournaments.made import finish, finished
from tournaments import ladders, ratings, replays
from tournaments.models import (
    Rating,
    RatingChange,
    RatingChangeShadow,
    RatingDay,
    RatingDayShadow,
    RatingEvent,
    RatingShadow,
    TitleHeld,
)
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


def test_a_rating_that_was_tampered_with_is_found_and_put_right(player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    right = shown(player)
    Rating.objects.filter(user=player, pool="oe-twos").update(r=2000)
    with pytest.raises(CommandError, match="1 of 4 ratings differ"):
        call_command("ratings", stderr=StringIO())
    assert ratings.rebuild() == 2  # the wrong row goes, the right one comes
    assert shown(player) == right
    assert ratings.rebuild() == 0


def test_a_rebuild_gives_every_stored_row_as_it_was(player, rival, stranger, now):
    people = [player, rival, stranger]
    for number in range(14):
        first, second = people[number % 3], people[(number + 1) % 3]
        when = now + number // 3 * 7 * DAY
        rate(finished(when, first, second, winner=[first, second, None][number % 3]), when)
    tables = (RatingChange, RatingDay, Rating)
    before = [
        sorted(map(str, model.objects.values("pool", "user", "day", *fields))) for model, fields in columns(tables)
    ]
    for model in tables:
        model.objects.all().delete()
    ratings.rebuild()
    assert before == [
        sorted(map(str, model.objects.values("pool", "user", "day", *fields))) for model, fields in columns(tables)
    ]
    assert not any(model.objects.exists() for model in (RatingShadow, RatingDayShadow, RatingChangeShadow))


def columns(tables):
    """What a row says apart from its number."""
    for model in tables:
        yield model, [field.name for field in model._meta.fields if field.name not in ("id", "pool", "user", "day")]


def test_a_result_during_a_rebuild_is_in_it(player, rival, stranger, now, monkeypatch):
    rate(finished(now, player, rival, winner=player), now)
    late = finished(now, rival, stranger, winner=stranger)
    wrong = finished(now, player, stranger, winner=player)
    rate(wrong, now + 2 * DAY)
    into = replays.into

    def meanwhile(tables, pool, day, before=None):
        into(tables, pool, day, before)
        if pool == "overall" and before is not None:
            rate(late, now + 2 * DAY)
            ratings.void(wrong.pk, None, "", now + 2 * DAY)

    monkeypatch.setattr(replays, "into", meanwhile)
    assert ratings.rebuild() == 0
    assert Rating.objects.get(user=stranger, pool="oe-twos").games == 1
    call_command("ratings", stdout=StringIO())


def test_a_day_that_is_over_stays_closed(player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    rate(finished(now, player, rival, winner=rival), now - 2 * DAY)
    assert set(RatingEvent.objects.values_list("day", flat=True)) == {ratings.day_of(now)}


def test_deviation_grows_without_play(player, rival, now):
    rate(finished(now, player, rival, winner=player), now)
    card = Rating.objects.get(user=player, pool="oe-twos")
    later = ratings.strength_on(card, card.pool, card.day + 100)
    assert later.rd == pytest.approx((card.rd**2 + 1600) ** 0.5)
    assert ratings.strength_on(card, card.pool, card.day + 10_000).rd == 200


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


def test_ruled_ranks_turn_a_result_round(player, rival, now):
    match = finished(now, player, rival, winner=player)
    rate(match, now)
    won, lost = shown(player), shown(rival)
    places = [2 if seat.user == player else 1 for seat in match.seats.order_by("number")]
    ratings.re_rank(match.pk, places, None, "scored the wrong way round", now + 3 * DAY)
    assert (shown(player), shown(rival)) == (lost, won)
    for wrong, sentence in (([1], "each of the 2"), ([2, 2], "begin with 1"), (places, "already")):
        with pytest.raises(Refusal, match=sentence):
            ratings.re_rank(match.pk, wrong, None, "", now)
    call_command("ratings", stdout=StringIO())


def test_games_of_accounts_that_belong_together_do_not_count(client, player, rival, stranger, now):
    first = finished(now, player, rival, winner=player)
    rate(first, now)
    rate(finished(now, rival, stranger, winner=rival), now)
    linked = ratings.link(rival.pk, player.pk, since=now - DAY, until=None, by=None, why="one household", now=now + DAY)
    assert not Rating.objects.filter(user=player).exists()
    assert Rating.objects.get(user=rival, pool="oe-twos").games == 1
    assert "the accounts belong together" in client.get(f"/game/{first.pk}/").content.decode()
    second = finished(now + DAY, player, rival)
    rate(second, now + DAY)
    assert RatingEvent.objects.get(match=second, kind="result").code == "related"
    ratings.unlink(linked, None, now + 2 * DAY)
    assert Rating.objects.get(user=player, pool="oe-twos").games == 2
    call_command("ratings", stdout=StringIO())
    with pytest.raises(Refusal, match="two different"):
        ratings.link(player.pk, player.pk, since=now, until=None, by=None, why="", now=now)


def test_what_was_begun_outside_the_time_of_a_link_counts(player, rival, now):
    ratings.link(player.pk, rival.pk, since=now - 9 * DAY, until=now - DAY, by=None, why="", now=now)
    match = finished(now, player, rival, winner=player)
    rate(match, now)
    assert RatingEvent.objects.get(match=match).code == "ok"


def test_a_voided_game_says_so_on_its_page_and_the_chart_has_a_footnote(client, player, rival, now):
    for number in range(3):
        match = finished(now, player, rival, winner=player)
        rate(match, now + number * DAY)
    assert "Calculated again" not in client.get("/player/player/").content.decode()
    ratings.void(match.pk, None, "", now + 4 * DAY)
    game = client.get(f"/game/{match.pk}/").content.decode()
    assert "not rated" in game and "a moderator ruled it out" in game
    profile = client.get("/player/player/").content.decode()
    assert "a moderator ruled it out" in profile and "Calculated again on 5 Jul 2026" in profile


def test_a_result_costs_the_same_queries_on_any_day_and_at_any_table(player, rival, now):
    def queries_of(match, when):
        with CaptureQueriesContext(connection) as captured:
            rate(match, when)
        return len(captured)

    first = queries_of(finished(now, player, rival, winner=player), now)
    for number in range(1, 9):
        rate(finished(now + number * DAY, player, rival, winner=player), now + number * DAY)
    for number in range(5):
        rate(finished(now, player, person(f"x{number}")), now + 9 * DAY)
    assert queries_of(finished(now, player, rival), now + 9 * DAY) <= first


def test_the_board_has_only_settled_ratings_by_strength(player, rival, stranger, now):
    for number in range(12):
        when = now + number * DAY
        rate(finished(when, player, rival, winner=player), when)
        rate(finished(when, player, rival, winner=[player, rival][number % 2]), when)
    rate(finished(now, stranger, player, winner=stranger), now + 12 * DAY)
    board = reading.leader_board("oe-twos", now + 12 * DAY)
    assert [row.user for row in board] == [player, rival]
    assert [reading.place_on_board(user, "oe-twos", now + 12 * DAY) for user in (player, rival, stranger)] == [
        1,
        2,
        None,
    ]
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
    assert re.findall(r'<td class="r num">([^<]+)</td>', page) == ["−95", "+79"]
    assert ">unrated<" in page and ">1421<" in page


def test_no_rating_stands_beside_the_names_of_a_table_of_which_one_never_moved(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="oe-table", rated=True)
    moved = {player.pk: True, rival.pk: True, stranger.pk: False}
    finish(match, {player.pk: 1, rival.pk: 2, stranger.pk: 3}, now, moved=moved)
    rate(match, now)
    game = reading.rated_games(player, [match.pk])[match.pk]
    assert (game.change, game.against) == ("+79", None)


def test_pages_of_ratings_cost_the_same_however_many_play(now, django_assert_max_num_queries):
    for number in range(6):
        rate(finished(now, person(f"a{number}"), person(f"b{number}")), now)
    Rating.objects.update(games=20, rd=60, shown_until=ratings.day_of(timezone.now()))
    client = Client()
    with django_assert_max_num_queries(3):
        page = client.get("/ratings/oe-twos/").content.decode()
    assert page.count('class="who"') == 12
    assert client.get("/ratings/chess/").status_code == 404
    assert client.get("/ratings/oe-twos/?page=x").status_code == 200
    assert "Ocean" in client.get("/ratings/").content.decode()


def test_a_players_page_costs_the_same_however_much_he_has_played(player, rival, now, ladder):
    reader = Client()
    reader.force_login(rival)

    def cost():
        with CaptureQueriesContext(connection) as captured:
            assert "<polyline" in reader.get("/player/player/").content.decode()
        return len(captured)

    for number in range(2):
        rate(finished(now, player, rival, winner=player), now + number * DAY)
    rate(finished(now, player, rival, ended_by="time", moved=(True, False)), now)
    ladders.join(ladder_id=ladder.pk, user_id=player.pk, now=now)
    ladders.note_places(now + DAY)
    reader.get("/player/player/")
    few = cost()
    for number in range(2, 9):
        rate(finished(now, player, person(f"p{number}"), winner=player), now + number * DAY)
        rate(finished(now, player, rival, game="oe-jokers"), now + number * DAY)
        TitleHeld.objects.create(user=player, pool="oe-twos", step=number, reached_on=1)
    assert cost() <= few <= 23


def test_a_game_may_have_constants_of_its_own_and_a_later_change_is_told(player, rival, now, settings):
    rate(finished(now, player, rival, winner=player), now)
    usual = shown(player)
    settings.RATING_PARAMS = {"oe-twos": {"rd0": 120, "c": 3}}
    with pytest.raises(CommandError, match="2 of 4 ratings differ"):
        call_command("ratings", stderr=StringIO())
    call_command("ratings", "--rebuild", stdout=StringIO())
    assert 1500 < shown(player)[0] < usual[0] and shown(player)[1] < 120
    assert shown(player, "overall") == usual
    assert reading.strengths_of([player.pk + 99], ["oe-twos"])[player.pk + 99, "oe-twos"].deviation == 120


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"chess": {"rd0": 100}}, "there is no game called chess"),
        ({"oe-twos": {"floor": 0}}, "only rd0 and c may differ"),
        ({"oe-twos": {"rd0": -1}}, "above zero"),
        ({"oe-twos": {"c": "wide"}}, "could not convert"),
    ],
)
def test_constants_that_make_no_sense_are_refused_before_the_site_starts(params, told, settings):
    settings.RATING_PARAMS = params
    with pytest.raises(SystemCheckError, match=told):
        call_command("check")


def test_the_expected_score_of_equals_is_a_half():
    assert chance(*2 * [ratings.strength_on(None, "oe-twos", 5)]) == 0.5


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
