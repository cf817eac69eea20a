"""What a director can change of an event, until when, and what an impossible change is answered with."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.test import Client
from django.utils import timezone

from accounts import closing
from oceans.refusals import BadRequest, Refusal
from tests.conftest import person
from tests.tournaments.made import event_of, fields, open_event, play_event, running_matches
from tests.tournaments.test_event_pages import choices, text_of
from tournaments import directing, running, ticking
from tournaments.models import Ruling, Tournament

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def event(now, staff):
    terms = {"starts": "date", "starts_at": now + 10 * DAY, "conditions": {"min_games": 5, "max_rating": 1800}}
    return open_event(now, by=staff, name="Cup of friends", most=8, **terms)


def changed(event, staff, now, **terms):
    directing.change(tournament_id=event.pk, by=staff, now=now, **terms)
    event.refresh_from_db()
    return event


def test_everything_changes_until_the_first_player_enters(now, staff, event):
    changed(event, staff, now, format="swiss", shape={"rounds": 3}, pace="brisk", most=4, name="Swiss of friends")
    assert (event.format, event.shape, event.pace, event.name) == ("swiss", {"rounds": 3}, "brisk", "Swiss of friends")
    assert not Ruling.objects.exists()
    with pytest.raises(BadRequest, match="3 to 16"):
        changed(event, staff, now, format="round-robin", most=99)
    event.refresh_from_db()
    assert event.format == "swiss"


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"format": "swiss"}, "this stands: shape"),
        ({"pace": "brisk"}, "this stands: clock"),
        ({"rated": False}, "this stands: rated or not"),
        ({"shape": {"cycles": 2}}, "this stands: details of the shape"),
        ({"most": 4}, "not shrink"),
        ({"starts_at": -1}, "not brought forward"),
        ({"conditions": {"min_games": 6, "max_rating": 1800}}, "not stricter"),
        ({"conditions": {"max_rating": 1700}}, "not stricter"),
        ({"conditions": {"max_rating": 1800, "no_provisional": True}}, "not stricter"),
    ],
)
def test_what_stands_once_somebody_has_entered(now, staff, event, terms, words):
    Tournament.objects.update(entered=1)
    if terms.get("starts_at") == -1:
        terms = {"starts_at": event.starts_at - DAY}
    with pytest.raises(Refusal, match=words):
        changed(event, staff, now, **terms)


def test_texts_later_dates_and_looser_conditions_change_later_and_are_told(now, staff, event):
    Tournament.objects.update(entered=1)
    later = event.starts_at + DAY
    changed(event, staff, now, text="Bring cards", starts_at=later, most=12, conditions={"max_rating": 1900})
    assert (event.text, event.starts_at, event.due_at, event.most) == ("Bring cards", later, later, 12)
    assert Ruling.objects.get().about == "conditions, date, number of players, text"


def test_after_the_start_only_texts_change(now, staff):
    event = event_of(now, fields(3))
    changed(event, staff, now, text="Hurry")
    assert event.text == "Hurry"
    with pytest.raises(Refusal, match="not the number of players"):
        changed(event, staff, now, most=9)
    directing.cancel(tournament_id=event.pk, by=staff, now=now)
    with pytest.raises(Refusal, match="over"):
        changed(event, staff, now, text="Too late")


def test_the_settings_page_shows_what_is_open_and_keeps_it(staff, stranger):
    helper = person("helper")
    client = Client()
    client.force_login(staff)
    made = client.post("/tournaments/new/", choices(most="8", access="password", password="old", starts="hand"))
    address = f"{made['Location']}edit/"
    assert "Nobody has entered yet" in text_of(client.get(address))
    terms = choices(most="9", access="password", password="", starts="hand", directors="helper", name="New name")
    assert client.post(address, terms).status_code == 303
    event = Tournament.objects.get()
    assert (event.name, event.most, list(event.directors.all())) == ("New name", 9, [helper])
    assert check_password("old", event.password)
    running.enter(tournament_id=event.pk, user_id=stranger.pk, now=timezone.now(), password="old")
    page = text_of(client.get(address))
    assert "Players have entered" in page and "disabled" in page
    answer = client.post(address, choices(format="swiss", most="8", name="Newer"))
    assert answer.status_code == 409 and "may grow, but not shrink" in text_of(answer)
    assert 'value="Newer"' in text_of(answer)
    assert client.post(address, choices(format="swiss", most="10", name="Newer", directors="helper")).status_code == 303
    event.refresh_from_db()
    assert (event.format, event.name, event.most) == ("round-robin", "Newer", 10)
    other = Client()
    other.force_login(stranger)
    assert other.get(address).status_code == 403
    other.force_login(helper)
    assert other.get(address).status_code == 200


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"most": "8"}, "8 players, everyone plays everyone once, 28 rated games of "),
        ({"most": "8"}, "At this pace it should take about 11 weeks."),
        (
            {"most": "8", "cycles": "2", "pacing": "round"},
            "everyone plays everyone twice, one round at a time, 56 rated",
        ),
        ({"most": "8", "pacing": "4", "rated": ""}, "at most 4 games at a time, 28 unrated games"),
        ({"format": "swiss", "most": "16"}, "16 players, a Swiss of 5 rounds, 40 rated games"),
        ({"format": "knock-out", "games": "3", "most": "8"}, "knockout, best of 3, 21 rated games"),
        ({"format": "cup", "most": "13"}, "13 players, 3 groups, then a knockout of their best two, "),
        (
            {"format": "tables", "game": "duel-it", "most": "9", "final_table": "on"},
            "4 rounds at tables of 4, then a final",
        ),
        ({"most": "8", "access": "invited", "name": ""}, "28 unrated games"),
        ({"most": "99"}, "This shape is for 3 to 16 players."),
        ({"most": "many"}, "Players, at most: Enter a whole number."),
        ({"most": ""}, "Say how many players it takes to be full, or set a date."),
        ({"starts": "date"}, "Set a date in the future."),
    ],
)
def test_the_form_says_in_words_what_the_choices_come_to_or_what_is_missing(maker, chosen, words):
    heard = maker.post("/tournaments/new/", choices(**chosen, preview="1"), headers={"HX-Request": "true"})
    assert heard.status_code == 200 and words in text_of(heard) and "<" not in text_of(heard)
    assert words in text_of(maker.post("/tournaments/new/", choices(**chosen, preview="1")))
    assert not Tournament.objects.exists()


def test_the_empty_form_says_what_it_would_make_and_the_page_says_the_same(staff):
    client = Client()
    client.force_login(staff)
    assert "28 rated games of" in text_of(client.get("/tournaments/new/"))
    made = client.post("/tournaments/new/", choices(most="8", starts="hand"))
    assert "28 games, about 11 weeks" in text_of(client.get(made["Location"]))
    assert "28 rated games of" in text_of(client.get(f"{made['Location']}edit/"))


def test_dates_with_seconds_are_kept_as_they_are_when_a_text_is_changed(staff):
    now = timezone.now().replace(second=40)
    dates = {"starts_at": now + 10 * DAY, "closes_at": now + 9 * DAY}
    event = open_event(now, fields(1), by=staff, most=8, starts="date", **dates)
    client = Client()
    client.force_login(staff)
    shown = {name: f"{at:%Y-%m-%dT%H:%M}" for name, at in dates.items()}
    page = text_of(client.get(f"/tournaments/{event.pk}/edit/"))
    assert all(f'value="{value}"' in page for value in shown.values())
    posted = choices(most="8", starts="date", text="See you", **shown)
    assert client.post(f"/tournaments/{event.pk}/edit/", posted).status_code == 303
    event.refresh_from_db()
    assert event.text == "See you" and (event.starts_at, event.closes_at) == tuple(dates.values())


@pytest.mark.parametrize("terms", [{"most": 300}, {"starts": "date", "starts_at": 5 * DAY}])
def test_a_member_who_directs_an_event_of_staff_is_not_held_to_the_limits_of_members(staff, rival, terms):
    now = timezone.now().replace(second=0, microsecond=0)
    terms = {"starts": "hand", **terms}
    if "starts_at" in terms:
        terms["starts_at"] += now
    pk = running.create(
        by=staff, now=now, name="Open", format="swiss", game="oe-twos", pace="classic", is_draft=True, **terms
    )
    changed(Tournament.objects.get(pk=pk), staff, now, directors=[rival.pk])
    client = Client()
    client.force_login(rival)
    at = terms.get("starts_at")
    posted = choices(
        format="swiss",
        most=terms.get("most", ""),
        starts=terms["starts"],
        starts_at=f"{at:%Y-%m-%dT%H:%M}" if at else "",
        text="See you",
        directors="rival",
    )
    answer = client.post(f"/tournaments/{pk}/edit/", {**posted, "preview": "1"}, headers={"hx-request": "true"})
    assert "This shape is for" not in text_of(answer) and "at most: up to" not in text_of(answer)
    assert client.post(f"/tournaments/{pk}/edit/", posted).status_code == 303
    assert "It is open for entries." in text_of(client.post(f"/tournaments/{pk}/open/", follow=True))
    assert Tournament.objects.get(pk=pk).text == "See you"


@pytest.mark.parametrize(
    ("name", "kept"), [("\u200b\u202e", "Ocean's Eleven, twos wild: "), ("Cup\n of\u202e May", "Cup of May")]
)
def test_the_name_of_an_event_is_one_line_that_can_be_seen(maker, name, kept):
    page = maker.post("/tournaments/new/", choices(name=name))["Location"]
    assert Tournament.objects.get().name.startswith(kept)
    Tournament.objects.update(name="Winter")
    assert maker.post(f"{page}edit/", choices(name=name)).status_code == 303
    assert Tournament.objects.get().name.startswith(kept)


def test_the_events_of_a_closed_account_go_to_the_staff(now, stranger, event):
    other = event_of(now, fields(3))
    Tournament.objects.filter(pk=event.pk).update(made_by=stranger)
    other.directors.add(stranger)
    closing.close(stranger.pk, now)
    event.refresh_from_db()
    assert event.made_by is None and event.is_open
    assert not other.directors.exists()


def test_a_members_event_of_three_is_not_rated(now, stranger):
    for count, is_rated in ((3, False), (4, True)):
        people = [person(f"{count}-{number}") for number in range(count)]
        pk = open_event(now, people, most=8, starts="hand").pk
        Tournament.objects.filter(pk=pk).update(made_by=stranger)
        directing.start(tournament_id=pk, by=stranger, now=now)
        assert Tournament.objects.get(pk=pk).rated is is_rated


def test_a_large_swiss_is_paired_by_the_tick_and_not_at_a_page(now):
    event = event_of(now, fields(66), format="swiss", shape={"rounds": 1})
    assert event.is_running and not event.rounds.exists()
    ticking.steps(now)
    assert event.rounds.get().pairings.count() == 33
    assert running_matches(event).count() == 33
    play_event(event, now)
    ticking.steps(now)
    event.refresh_from_db()
    assert event.state == "finished"
