"""What private feeds say about games: what waits, how games ended, when clocks run out; and never a card."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from icalendar import Calendar

from accounts import feeds
from accounts.models import User
from oceans import play
from oceans.rules.playing import picker
from tests.builders import answer, answer_until_turn_passes, due_seat, legal, opened, other_seat, play_out, state_of
from tests.oceans.test_two_worlds import TABLES, World, played, seen
from tests.rules.contract.twins import twin_packs

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _at_noon(time_machine, now):
    time_machine.move_to(now, tick=False)


@pytest.fixture
def match(player, rival, now):
    return opened(now, player, rival)


def path_of(user, kind: str, now: datetime) -> str:
    return feeds.address_of(feeds.open_feed(user, kind, now)).removeprefix("http://localhost:8000")


def news_of(user, now: datetime) -> list[dict[str, str]]:
    response = Client().get(path_of(user, "news", now))
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(response.content)
    return [
        {
            "id": entry.findtext(f"{ATOM}id"),
            "title": entry.findtext(f"{ATOM}title"),
            "updated": entry.findtext(f"{ATOM}updated"),
            "link": entry.find(f"{ATOM}link").get("href"),
            "summary": entry.findtext(f"{ATOM}summary"),
        }
        for entry in feed.findall(f"{ATOM}entry")
    ]


def dates_of(user, now: datetime) -> list:
    response = Client().get(path_of(user, "dates", now))
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(response.content).walk("VEVENT")


def tag_of(user, kind: str, now: datetime) -> str:
    return Client().get(path_of(user, kind, now))["ETag"]


def test_a_game_that_waits_is_news_to_its_player_alone(match, now):
    seat = due_seat(match)
    (one,) = news_of(seat.user, now)
    other = other_seat(match, seat).user
    assert one["title"] == f"Your move against {other.username}: Ocean's Eleven, twos wild"
    assert one["link"] == f"http://localhost:8000/game/{match.pk}/"
    assert one["updated"] == "2026-07-01T12:00:00+00:00"
    assert "Time until Sat 11 Jul, 12:00 UTC." in one["summary"]
    assert news_of(other, now) == []


def test_times_are_in_the_readers_zone(match, now):
    seat = due_seat(match)
    User.objects.update(time_zone="Asia/Tokyo")
    (one,) = news_of(seat.user, now)
    assert "Time until Sat 11 Jul, 21:00 JST." in one["summary"]


def test_ones_own_next_card_is_no_news(match, now):
    seat = due_seat(match)
    while due_seat(match).number == seat.number and match.is_running:
        answer(match, legal(match, seat.number)[0], now)
        if due_seat(match).number == seat.number:
            assert news_of(seat.user, now) == []
    assert [one["title"].split()[0] for one in news_of(due_seat(match).user, now)] == ["Your"]


def test_each_turn_is_a_new_entry_and_stays_the_same_one(match, now, time_machine):
    seat = due_seat(match)
    (first,) = news_of(seat.user, now)
    assert news_of(seat.user, now) == [first]
    answer_until_turn_passes(match, now + HOUR)
    answer_until_turn_passes(match, now + 2 * HOUR)
    (second,) = news_of(seat.user, now)
    assert second["id"] != first["id"]


def test_results_and_cancelled_games_are_news_to_both(match, player, rival, now):
    play_out(match, now + HOUR)
    called_off = opened(now, player, rival)
    play.resign(match_id=called_off.pk, seat=0, now=now + 2 * HOUR)
    for user, other in ((player, rival), (rival, player)):
        cancelled, result = news_of(user, now)
        assert cancelled["title"] == f"Cancelled against {other.username}: Ocean's Eleven, twos wild"
        assert "It was cancelled: a player left before the first move." in cancelled["summary"]
        place = match.seats.get(user=user).place
        assert result["title"].startswith("You won" if place == 1 else "You lost")


def test_a_deadline_is_a_date_that_moves_with_the_clock(match, now):
    seat = due_seat(match)
    (event,) = dates_of(seat.user, now)
    assert event.start == datetime(2026, 7, 11, 12, 0, tzinfo=UTC)
    assert event["SUMMARY"].startswith("Time runs out against ")
    assert event["URL"] == f"http://localhost:8000/game/{match.pk}/"
    other = other_seat(match, seat)
    assert dates_of(other.user, now) == []
    play.give_time(match_id=match.pk, seat=other.number, to=seat.number, now=now)
    (later,) = dates_of(seat.user, now)
    assert later["UID"] == event["UID"]
    assert later.start == event.start + timedelta(days=1)


def test_a_feed_says_when_something_has_changed_and_only_then(match, player, rival, now):
    for kind in ("news", "dates"):
        tags = {user: tag_of(user, kind, now) for user in (player, rival)}
        assert tags == {user: tag_of(user, kind, now) for user in (player, rival)}
        answer_until_turn_passes(match, now + HOUR)
        for user in (player, rival):
            assert tag_of(user, kind, now) != tags[user]


def test_a_renamed_opponent_is_a_change(match, now):
    seat = due_seat(match)
    before = tag_of(seat.user, "news", now)
    User.objects.filter(pk=other_seat(match, seat).user_id).update(username="renamed")
    assert tag_of(seat.user, "news", now) != before


@pytest.mark.parametrize("kind", ["news", "dates"])
def test_asking_again_costs_the_same_however_many_games_wait(
    match, player, rival, now, kind, django_assert_max_num_queries
):
    for _ in range(6):
        opened(now, player, rival)
    path = path_of(player, kind, now)
    tag = Client().get(path)["ETag"]
    with django_assert_max_num_queries(5):
        assert Client().get(path, headers={"if-none-match": tag}).status_code == 304
    with django_assert_max_num_queries(5):
        assert Client().get(path).status_code == 200


def test_markup_in_names_stays_text(match, now):
    seat = due_seat(match)
    User.objects.filter(pk=other_seat(match, seat).user_id).update(username="<b>&amp;")
    (one,) = news_of(seat.user, now)
    assert "<b>&amp;" in one["title"]
    assert "<b>" not in one["summary"]
    (event,) = dates_of(seat.user, now)
    assert "<b>&amp;" in event["SUMMARY"]


@pytest.mark.parametrize("game", ["oe-twos", "guts"])
def test_unseen_cards_change_nothing_in_a_feed(game, player, rival, stranger, now, monkeypatch, caplog):
    match = played(game, [player, rival, stranger], now)
    assert game in TABLES
    state = state_of(match)
    world = World(monkeypatch, state)
    packs = twin_packs(state, None, state.deal_no, picker(f"feeds {game}"))
    for user in (player, rival):
        for kind in ("news", "dates"):
            path, worlds = path_of(user, kind, now), []
            for packs_of in (None, packs):
                world.become(packs_of)
                worlds.append(seen(Client(), path, caplog))
            assert worlds[0] == worlds[1], path
