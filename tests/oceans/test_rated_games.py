"""Who may play whom for ratings by offers, and what the lobby says about it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from oceans import offers, play, queries
from oceans.models import Match, NoShow
from oceans.refusals import BadRequest, Refusal
from tests.builders import bot, due_seat, give_notice, opened, pass_time
from tests.conftest import person
from tests.tournaments.made import finished

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def taken(poster, taker, now, **terms):
    """A match by way of an offer."""
    (match_id,) = offers.post(user=poster, game=terms.pop("game", "oe-twos"), now=now, rated=True, **terms)
    offers.accept(match_id=match_id, user=taker, now=now)
    return Match.objects.get(pk=match_id)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_the_fifth_rated_game_of_a_pair_in_a_month_is_not_rated_and_says_so(player, rival, stranger):
    now = timezone.now()
    for number in range(4):
        pair = (player, rival) if number % 2 else (rival, player)
        assert taken(*pair, now - (20 - number) * DAY).rated
    offers.post(user=player, game="oe-twos", now=now, rated=True)
    lobby = signed_in(rival).get("/lobby/").content.decode()
    assert "you two have played four rated games in 30 days" in lobby and "for you to win" not in lobby
    assert "four rated games" not in signed_in(stranger).get("/lobby/").content.decode()
    fifth = taken(player, rival, now)
    assert not fifth.rated
    page = signed_in(rival).get(f"/game/{fifth.pk}/").content.decode()
    assert "not rated" in page and "four rated games in 30 days" in page
    assert taken(player, stranger, now).rated
    assert taken(player, rival, now, game="oe-jokers").rated
    assert taken(player, rival, now + 15 * DAY).rated


def test_a_table_counts_for_each_of_its_pairs(player, rival, stranger, now):
    others = [person("ann"), person("ben")]
    for number in range(4):
        (match_id,) = offers.post(user=player, game="guts", seats=3, rated=True, now=now)
        for one in (rival, others[number % 2]):
            offers.accept(match_id=match_id, user=one, now=now)
    (match_id,) = offers.post(user=stranger, game="guts", seats=3, rated=True, now=now)
    for one in (player, rival):
        offers.accept(match_id=match_id, user=one, now=now)
    assert not Match.objects.get(pk=match_id).rated


def test_games_of_events_and_unrated_ones_do_not_use_up_a_pair(player, rival, now):
    for number in range(4):
        opened(now, player, rival, rated=True, event=f"ladder:{number}")
        opened(now, player, rival)
    assert taken(player, rival, now).rated


def test_who_leaves_three_games_without_a_move_plays_unrated_for_two_weeks(player, rival):
    now = timezone.now()
    for _ in range(2):
        match = opened(now, player, rival)
        seat = match.seats.get(user=player)
        play.resign(match_id=match.pk, seat=seat.number, now=now)
    assert taken(player, rival, now).rated
    match = opened(now, player, rival)
    while due_seat(match).user != player:
        match = opened(now, player, rival)
    give_notice(match)
    later = pass_time(20 * DAY, now)
    assert play.run_out_clock(match_id=match.pk, now=later)
    player.refresh_from_db()
    rival.refresh_from_db()
    assert rival.rated_from is None
    offers.post(user=rival, game="oe-twos", now=now, rated=True)
    offers.post(user=rival, game="oe-twos", now=now)
    reasons = [row.why_not for row in queries.open_offers(player)]
    assert reasons[0] == "" and "three games without a move" in reasons[1]
    with pytest.raises(BadRequest, match="open to you again from"):
        offers.post(user=player, game="oe-twos", now=later, rated=True)
    assert offers.post(user=player, game="oe-twos", now=later)
    assert offers.post(user=player, game="oe-twos", now=later + 15 * DAY, rated=True)


def test_leaving_a_bot_at_once_harms_nobody(player, now):
    for _ in range(4):
        match = opened(now, player, User.objects.filter(is_bot=True).first() or bot())
        play.resign(match_id=match.pk, seat=match.seats.get(user=player).number, now=now)
    player.refresh_from_db()
    assert player.rated_from is None and not NoShow.objects.exists()


def test_new_accounts_offer_no_rated_games_by_link(player, rival):
    now = timezone.now()
    with pytest.raises(BadRequest, match="private link are open to you from"):
        offers.post(user=player, game="oe-twos", now=now, rated=True, private=True)
    later = now + 8 * DAY
    with pytest.raises(BadRequest, match="Finish five games"):
        offers.post(user=player, game="oe-twos", now=later, rated=True, private=True)
    assert offers.post(user=player, game="oe-twos", now=later, private=True)
    for _ in range(5):
        finished(now, player, rival)
    assert offers.post(user=player, game="oe-twos", now=later, rated=True, private=True)


def test_an_offer_for_some_ratings_says_so_and_refuses_others(player, rival):
    now = timezone.now()
    page = signed_in(player).post(
        "/lobby/new/",
        {
            "game": "oe-twos",
            "pace": "classic",
            "leave_allowed": "all",
            "opponent": "anyone",
            "min_rating": "1600",
            "max_rating": "1400",
        },
    )
    assert page.status_code == 400 and 'value="1600"' in page.content.decode()
    assert "must not be above the highest" in page.content.decode()
    (strong,) = offers.post(user=player, game="oe-twos", now=now, min_rating=1600)
    (fitting,) = offers.post(user=player, game="oe-twos", now=now, min_rating=1400, max_rating=1500)
    lobby = signed_in(rival).get("/lobby/").content.decode()
    assert "ratings from 1600" in lobby and "ratings from 1400 to 1500" in lobby
    assert "and yours is 1500?: choose another one." in lobby
    with pytest.raises(Refusal, match="for ratings from 1600"):
        offers.accept(match_id=strong, user=rival, now=now)
    assert offers.accept(match_id=fitting, user=rival, now=now)


def test_the_lobby_shows_ratings_and_the_chance_to_win_a_rated_game(player, rival):
    now = timezone.now()
    offers.post(user=player, game="oe-twos", now=now, rated=True)
    lobby = signed_in(rival).get("/lobby/").content.decode()
    assert "1500?" in lobby and "50 in 100 for you to win" in lobby
    for reader in (signed_in(player), Client()):
        assert "for you to win" not in reader.get("/lobby/").content.decode()
    offers.post(user=player, game="oe-twos", now=now, rated=True, invite="rival")
    assert "50 in 100 for you to win" in signed_in(rival).get("/turn/").content.decode()


def test_the_lobby_of_rated_offers_costs_few_queries_however_full(player, rival, django_assert_max_num_queries):
    now = timezone.now()
    for number in range(12):
        poster = person(f"poster{number}")
        offers.post(user=poster, game="oe-twos", now=now, rated=True, only_strangers=number % 2 == 0)
    reader = signed_in(rival)
    reader.get("/lobby/")
    with django_assert_max_num_queries(8):
        assert reader.get("/lobby/").content.decode().count("in 100 for you to win") == 12
