"""Pages of events: made by a member, entered, followed, directed and read by programs. Pages go by the real clock."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format

from tests.conftest import person
from tests.tournaments.made import end_match, event_of, fields, finished, open_event, play_event, running_matches
from tournaments import estimates, running, talking
from tournaments.models import Attendance, Ending, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    return timezone.now()


def choices(**changed):
    usual = {
        "game": "oe-twos",
        "rated": "on",
        "format": "round-robin",
        "cycles": "1",
        "games": "1",
        "limit": "6",
        "target": "4",
        "pace": "classic",
        "leave": "on",
        "name": "Winter <Cup>",
        "text": "Be & quick",
        "most": "3",
        "starts": "full",
        "access": "anyone",
    }
    return {**usual, **changed}


def text_of(response):
    return response.content.decode()


def test_a_member_makes_an_event_that_others_enter_and_play(maker, player, now):
    assert "Knockout" in text_of(maker.get("/tournaments/new/"))
    made = maker.post("/tournaments/new/", choices())
    assert made.status_code == 303
    page = text_of(Client().get(made["Location"]))
    assert "Winter &lt;Cup&gt;" in page and "Be &amp; quick" in page and "Sign in to enter" in page
    event = Tournament.objects.get()
    assert event.made_by == player and event.rated
    for one in fields(3):
        client = Client()
        client.force_login(one)
        assert "You are in." in text_of(client.post(f"{made['Location']}enter/", follow=True))
    event.refresh_from_db()
    assert event.is_running
    assert "2 games of yours are running here." in text_of(client.get(made["Location"]))
    assert "Winter" in text_of(client.get("/turn/"))
    play_event(event, now)
    page = text_of(Client().get(made["Location"]))
    assert "place 1" in page and "Cross-table" in page and "Sonneborn-Berger" in page
    assert 'class="w"' in page and 'class="self"' in page


def test_what_cannot_be_made_is_said_on_the_form(maker, now):
    answer = maker.post("/tournaments/new/", choices(most="2"))
    assert answer.status_code == 400 and "3 to 16" in text_of(answer)
    answer = maker.post("/tournaments/new/", choices(access="invited", invited="nobody at all"))
    assert "There is no player called nobody at all." in text_of(answer)
    assert maker.post("/tournaments/new/", {}).status_code == 400
    assert not Tournament.objects.exists()


def test_newcomers_are_told_from_when_they_may(client, rival, stranger, now):
    client.force_login(rival)
    assert "when your account is 30 days old" in text_of(client.get("/tournaments/new/"))
    rival.date_joined -= timedelta(days=40)
    rival.save()
    for _ in range(19):
        Ending.objects.create(user=rival, match=finished(now, rival, stranger), kind="finished", at=now)
    assert "Finish one more game first" in text_of(client.get("/tournaments/new/"))
    assert client.post("/tournaments/new/", choices()).status_code == 409
    assert Client().get("/tournaments/new/").status_code == 302


def test_a_private_event_asks_for_its_password_and_is_not_rated(maker, rival, now):
    made = maker.post("/tournaments/new/", choices(access="password", password="sesame"))
    assert not Tournament.objects.get().rated
    client = Client()
    client.force_login(rival)
    assert "password does not fit" in text_of(client.post(f"{made['Location']}enter/", {"password": "x"}, follow=True))
    assert "You are in." in text_of(client.post(f"{made['Location']}enter/", {"password": "sesame"}, follow=True))
    assert client.get(f"{made['Location']}figures.json").status_code == 404


def test_only_the_director_directs(maker, now):
    made = maker.post("/tournaments/new/", choices(starts="hand", most="9"))["Location"]
    people = fields(4)
    event = Tournament.objects.get()
    for one in people:
        running.enter(tournament_id=event.pk, user_id=one.pk, now=now)
    client = Client()
    client.force_login(people[0])
    assert "For the director" not in text_of(client.get(made))
    assert "Only the director" in text_of(client.post(f"{made}start/", follow=True))
    assert "It has begun." in text_of(maker.post(f"{made}start/", follow=True))
    assert "No further round" in text_of(maker.post(f"{made}pause/", follow=True))
    assert "It goes on." in text_of(maker.post(f"{made}resume/", follow=True))
    assert "as much time again" in text_of(maker.post(f"{made}extend/", {"round": "1"}, follow=True))
    assert "no player" in text_of(maker.post(f"{made}exclude/", {"name": "?"}, follow=True))
    assert "Put out." in text_of(maker.post(f"{made}exclude/", {"name": "p4"}, follow=True))
    assert "left the tournament" in text_of(client.post(f"{made}withdraw/", follow=True))
    assert maker.post(f"{made}dance/").status_code == 404
    assert "Called off." in text_of(maker.post(f"{made}cancel/", follow=True))


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"format": "swiss"}, "Buchholz, cut 1"),
        ({"format": "knock-out"}, "Semi-finals"),
        ({"format": "cup", "shape": {"limit": 4}}, "Group 2"),
        ({"format": "tables", "game": "duel-it", "shape": {"target": 3, "rounds": 2}}, "Opposition"),
        ({"format": "mini-cup", "game": "duel-it"}, "place 1"),
    ],
)
def test_every_shape_has_its_page_at_every_stage(now, terms, words):
    event = event_of(now, fields(6), **terms)
    assert Client().get(f"/tournaments/{event.pk}/").status_code == 200
    play_event(event, now)
    page = text_of(Client().get(f"/tournaments/{event.pk}/"))
    assert words in page
    for name in ("figures.json", "standings.csv", "pairings.csv"):
        assert Client().get(f"/tournaments/{event.pk}/{name}").status_code == 200


def test_points_stand_before_results_where_a_phone_shows_them(now):
    event = play_event(event_of(now, fields(3)), now)
    head = re.findall(r"<th scope=\"col\"[^>]*>(?:<[^>]+>)*([^<]*)", text_of(Client().get(f"/tournaments/{event.pk}/")))
    assert head[:6] == ["Place", "Player", "Pts", "1", "2", "3"]
    assert len(head) == len(set(head))


def test_players_are_listed_by_place_and_those_without_one_come_last(now):
    event = play_event(event_of(now, fields(8), format="cup", shape={"limit": 4}), now)
    listed = text_of(Client().get(f"/tournaments/{event.pk}/")).split('id="entrants"')[1].split("</section>")[0]
    names = re.findall(r'href="/player/(p\d)/"', listed)
    placed = list(event.entrants.exclude(place=None).order_by("place", "seed").values_list("user__username", flat=True))
    assert len(placed) < len(names) == 8
    assert names[: len(placed)] == placed


def test_the_endless_event_shows_how_a_score_came_about(now):
    event = play_event(open_event(now, fields(2), format="infinity"), now)
    assert "(1000 × (2.00 − 1) + 2000) / 2.00 = 1500" in text_of(Client().get(f"/tournaments/{event.pk}/"))


def test_programs_read_standings_and_pairings(now):
    event = play_event(event_of(now, fields(3)), now)
    told = Client().get(f"/tournaments/{event.pk}/figures.json").json()
    assert [(line["player"], line["points"]) for line in told["standings"]] == [("p1", "2"), ("p2", "1"), ("p3", "0")]
    assert len(told["pairings"]) == 3 and told["seed"] == event.seed
    assert "p1 / p2" in text_of(Client().get(f"/tournaments/{event.pk}/pairings.csv"))


@pytest.mark.parametrize(
    "terms",
    [
        {"format": "round-robin"},
        {"format": "swiss", "shape": {"rounds": 2}},
        {"format": "knock-out"},
        {"format": "cup", "shape": {"limit": 4}},
        {"format": "tables", "game": "duel-it", "shape": {"target": 4, "rounds": 2}},
    ],
    ids=lambda terms: terms["format"],
)
def test_a_page_costs_the_same_however_many_entered(now, terms):
    costs = set()
    for count in (6, 14):
        event = event_of(now, [person(f"{count}-{number}") for number in range(count)], **terms)
        talking.say(tournament_id=event.pk, by=event.entrants.first().user, text="hello", now=now)
        for _stage in ("running", "finished"):
            with CaptureQueriesContext(connection) as asked:
                assert Client().get(f"/tournaments/{event.pk}/").status_code == 200
            costs.add((event.state, len(asked)))
            play_event(event, now)
    assert len(costs) == 2 and max(number for _state, number in costs) <= 14


def test_the_lists_cost_the_same_however_many_events(now):
    costs = set()
    for count in (2, 5):
        for number in range(count):
            event_of(now, [person(f"{count}-{number}-{one}") for one in range(3)])
        with CaptureQueriesContext(connection) as asked:
            Client().get("/tournaments/")
        costs.add(len(asked))
    assert len(costs) == 1


def test_the_list_tells_how_many_pairings_are_open(now):
    event = event_of(now, fields(3))
    assert "3 pairings open" in text_of(Client().get("/tournaments/"))
    end_match(running_matches(event).first(), now, {one.user_id: one.seed for one in event.entrants.all()})
    assert "2 pairings open" in text_of(Client().get("/tournaments/"))
    play_event(event, now)
    assert "pairings open" not in text_of(Client().get("/tournaments/"))


def test_a_running_event_says_when_it_ends(now):
    event = event_of(now, fields(4), format="swiss")
    page = text_of(Client().get(f"/tournaments/{event.pk}/"))
    usual, latest = (date_format(now + timedelta(days=2 * days), "j M Y") for days in (75, 225))
    assert f"about {usual} at the usual pace, by {latest} if all use their full time" in page


def test_the_end_of_a_cup_counts_the_longer_final(now):
    event = event_of(now, fields(8), format="cup", shape={"limit": 4})
    page = text_of(Client().get(f"/tournaments/{event.pk}/"))
    usual, latest = (date_format(now + timedelta(days=days), "j M Y") for days in (75 + 75 + 150, 225 + 225 + 450))
    assert f"about {usual} at the usual pace, by {latest} if all use their full time" in page


@pytest.mark.parametrize(
    ("format", "shape", "players", "told"),
    [
        ("round-robin", {"cycles": 2, "serial": True}, 5, (20, 10 * 75)),
        ("round-robin", {"at_a_time": 2}, 6, (15, 3 * 75)),
        ("league", {}, 27, (108, 75)),
        ("knock-out", {"games": 3, "third_place": True}, 8, (24, 3 * 150)),
        ("knock-out", {"games": 3, "in_turn": True}, 4, (9, 2 * 225)),
        ("cup", {"limit": 6, "games": 1, "final_games": 3}, 13, (29, 75 * 3 + 150)),
        ("cup", {"limit": 6, "games": 3, "final_games": 3}, 13, (37, 75 + 3 * 150)),
        ("cup", {"limit": 6, "games": 1, "final_games": 3}, 6, (15, 75)),
        ("tables", {"target": 4, "smallest": 3, "largest": 6, "rounds": 3, "final_table": True}, 9, (7, 4 * 75)),
    ],
)
def test_how_many_games_and_days_an_event_has(format, shape, players, told):
    found = estimates.estimate(format, shape, players, "classic")
    assert (found.matches, found.days) == told


def test_titles_are_on_the_winners_page_and_the_lists_show_events(now):
    event = play_event(event_of(now, fields(5)), now)
    assert "The event</a>, first place" in text_of(Client().get("/player/p1/"))
    page = text_of(Client().get("/tournaments/"))
    assert event.name in page and "No tournament takes entries just now" in page


def test_an_account_that_sleeps_is_woken_by_its_owner(client, player, now):
    Attendance.objects.create(user=player, in_a_row=3, dormant_at=now)
    client.force_login(player)
    assert "Your account sleeps." in text_of(client.get("/tournaments/"))
    assert "Welcome back" in text_of(client.post("/tournaments/wake/", follow=True))
    assert not Attendance.objects.filter(dormant_at__isnull=False).exists()
