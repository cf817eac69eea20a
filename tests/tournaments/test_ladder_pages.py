"""What pages show of ladders, and what they do when somebody presses a button. Pages go by the real clock."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Leave, User
from tests.tournaments.made import fields, finished
from tournaments import ladders
from tournaments.models import Challenge, Ending, Ladder, LadderDay, Rung
from tournaments.order_keys import STEP
from tournaments.queries import ladders as reading

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    return timezone.now()


def test_the_page_offers_what_is_possible_and_says_why_not(ladder, people, now, django_assert_max_num_queries):
    _ada, bo, cleo, dag, _eli, fay = people
    ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=bo.pk, now=now)
    client = Client()
    client.force_login(fay)
    page = client.get("/ladders/twos/").content.decode()
    assert "Challenge cleo" in page and "Challenge ada" not in page
    assert "There is an open challenge between you two." in page
    assert "1 of 2" in page and "Take back" in page
    with django_assert_max_num_queries(16):
        client.get("/ladders/twos/?from=1")
    client.force_login(bo)
    dashboard = client.get("/turn/").content.decode()
    assert "challenges you (The long ladder)" in dashboard
    response = client.post(f"/challenge/{Challenge.objects.get().pk}/accept/")
    assert response.status_code == 303 and "/game/" in response["Location"]
    assert client.get(response["Location"]).status_code == 200
    assert "fay" in Client().get("/ladders/twos/").content.decode()
    client.force_login(dag)
    client.post("/ladders/twos/challenge/", {"to": "cleo"})
    assert Challenge.objects.filter(by=dag, to=cleo).exists()
    assert "above you" in client.post("/ladders/twos/challenge/", {"to": "eli"}, follow=True).content.decode()
    assert "no player" in client.post("/ladders/twos/challenge/", {"to": "nobody"}, follow=True).content.decode()


def test_pages_of_ladders_are_for_everybody(ladder, people, now):
    client = Client()
    assert "The long ladder" in client.get("/ladders/").content.decode()
    assert "ada joined" in client.get("/ladders/twos/history/").content.decode()
    assert client.get("/ladders/none/").status_code == 404
    client.force_login(people[0])
    assert "You have left" in client.post("/ladders/twos/leave/", follow=True).content.decode()
    assert "back from" in client.post("/ladders/twos/join/", follow=True).content.decode()


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_a_reason_says_until_when_it_holds(ladder, people, now):
    _ada, bo, cleo, _dag, _eli, fay = people
    number = ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=bo.pk, now=now)
    ladders.decline(challenge_id=number, user_id=bo.pk, now=now)
    Leave.objects.create(user=cleo, starts_at=now, begun_at=now, days=3)
    page = signed_in(fay).get("/ladders/twos/").content.decode()
    assert f"You two may meet again from {now + timedelta(days=7):%Y-%m-%d %H:%M} UTC." in page
    assert f"On leave until {now + timedelta(days=3):%Y-%m-%d %H:%M} UTC at most." in page


def test_who_is_barred_after_a_time_out_may_not_join_and_reads_until_when(ladder, people, rival, stranger, now):
    match = finished(now, rival, stranger)
    Ending.objects.create(user=rival, match=match, kind="timeout", at=now)
    page = signed_in(rival).post("/ladders/twos/join/", follow=True).content.decode()
    assert f"wait until {now + timedelta(days=14):%Y-%m-%d}" in page
    assert not Rung.objects.filter(user=rival).exists()


def test_a_ladder_opens_when_enough_players_ask_for_it(ladder, people, now):
    askers = fields(8)
    for one in askers[:-1]:
        finished(now, one, askers[-1], game="oe-jokers")
    guest = User.objects.create(username="guest", is_guest=True)
    page = signed_in(guest).post("/ladders/ask/", {"game": "oe-jokers"}, follow=True).content.decode()
    assert "sign up first" in page
    assert (
        "Ladders are for games of two"
        in signed_in(askers[0]).post("/ladders/ask/", {"game": "oe-none-such"}, follow=True).content.decode()
    )
    for one in askers[:-1]:
        for _ in range(2):
            page = signed_in(one).post("/ladders/ask/", {"game": "oe-jokers"}, follow=True).content.decode()
        assert "you have asked" in page
    assert "7 of 8" in page
    assert not Ladder.objects.filter(game="oe-jokers").exists()
    page = signed_in(askers[-1]).post("/ladders/ask/", {"game": "oe-jokers"}, follow=True).content.decode()
    assert "the ladder is open" in page
    opened = Ladder.objects.get(game="oe-jokers")
    assert list(opened.rungs.order_by("order_key").values_list("user", flat=True)) == [one.pk for one in askers]


def test_places_are_noted_each_night_and_drawn_on_both_pages(ladder, people, now):
    ada, bo, *_others = people
    start = now - timedelta(days=40)
    for number in range(4):
        ladders.note_places(start + timedelta(days=number))
    assert LadderDay.objects.count() == 6  # nobody moved after the first night
    number = ladders.challenge(ladder_id=ladder.pk, by=bo.pk, to=ada.pk, now=now)
    ladders.decline(challenge_id=number, user_id=ada.pk, now=now)
    Rung.objects.filter(user=bo).update(order_key=Rung.objects.get(user=ada).order_key - 1, best=1)
    for _ in range(2):
        assert ladders.note_places(now - timedelta(days=9)) in (0, 2)
    assert LadderDay.objects.count() == 8
    (career,) = reading.careers(ada, now)
    assert (career.position, career.best, career.days_on_top) == (2, 1, 31)
    assert [value for _at, value in career.chart.rows] == [1, 1, 2, 2]
    for page in ("/ladders/twos/", "/player/ada/"):
        shown = signed_in(ada).get(page).content.decode()
        assert "1 on top" in shown and "<polyline" in shown and "The same as a table" in shown
    ladders.leave(ladder_id=ladder.pk, user_id=ada.pk, now=now)
    ladders.note_places(now + timedelta(days=1))
    (career,) = reading.careers(ada, now + timedelta(days=5))
    assert career.position is None and career.best == 1
    assert LadderDay.objects.get(user=ada, position=None)


def test_the_best_place_counts_days_on_which_others_had_left_above(ladder, people, now):
    ada, bo, cleo, dag, eli, _fay = people
    for one in (ada, bo):
        ladders.leave(ladder_id=ladder.pk, user_id=one.pk, now=now)
    (career,) = reading.careers(cleo, now)
    assert (career.position, career.best) == (1, 1)
    ladders.note_places(now + timedelta(days=1))
    for by in (dag, eli):  # the first decline is free
        number = ladders.challenge(ladder_id=ladder.pk, by=by.pk, to=cleo.pk, now=now)
        ladders.decline(challenge_id=number, user_id=cleo.pk, now=now)
    (career,) = reading.careers(cleo, now + timedelta(days=2))
    assert (career.position, career.best) == (2, 1)
    assert Rung.objects.get(user=cleo).best == 3
    (career,) = reading.careers(eli, now)
    assert (career.position, career.best) == (1, 1)


def test_a_long_ladder_is_shown_in_parts_and_costs_the_same(ladder, people, now):
    def queries_of(path, client):
        with CaptureQueriesContext(connection) as captured:
            page = client.get(path).content.decode()
        return len(captured), page

    reader = signed_in(people[-1])
    reader.get("/ladders/twos/")
    few, _page = queries_of("/ladders/twos/", reader)
    crowd = User.objects.bulk_create(User(username=f"c{number}", email="x@example.org") for number in range(240))
    terms = {"ladder": ladder, "joined_at": now, "active_at": now, "idle_since": now}
    Rung.objects.bulk_create(
        Rung(user=user, order_key=(7 + number) * STEP, best=7 + number, **terms) for number, user in enumerate(crowd)
    )
    many, page = queries_of("/ladders/twos/", reader)
    assert many <= few and ">12<" in page and ">13<" not in page
    _count, top = queries_of("/ladders/twos/?from=1", reader)
    assert top.count('scope="row"') >= 100 and "?from=101#near" in top and "Further up" not in top
    _count, end = queries_of("/ladders/twos/?from=201", reader)
    assert "Further down" not in end and "?from=101#near" in end
    reader = signed_in(crowd[-1])
    _count, page = queries_of("/ladders/twos/", reader)
    assert "197 to 245" in page and "Further up" in page


def test_what_happens_on_a_long_ladder_costs_as_much_as_on_a_short_one(ladder, people, now):
    def cost(verb, **names):
        with CaptureQueriesContext(connection) as captured:
            verb(ladder_id=ladder.pk, now=now, **names)
        return len(captured)

    ada, bo, cleo, dag, eli, fay = people
    short = cost(ladders.challenge, by=fay.pk, to=bo.pk), cost(ladders.leave, user_id=ada.pk)
    crowd = User.objects.bulk_create(User(username=f"c{number}", email="x@example.org") for number in range(300))
    terms = {"ladder": ladder, "joined_at": now, "active_at": now, "idle_since": now}
    Rung.objects.bulk_create(
        Rung(user=user, order_key=(7 + number) * STEP, best=6 + number, **terms) for number, user in enumerate(crowd)
    )
    assert (cost(ladders.challenge, by=eli.pk, to=cleo.pk), cost(ladders.leave, user_id=dag.pk)) <= short
    placed = ladder.rungs.filter(left_at=None).placed().order_by("order_key")
    assert list(placed.values_list("position", "user")) == list(
        enumerate([bo.pk, cleo.pk, eli.pk, fay.pk, *(user.pk for user in crowd)], start=1)
    )
    ladder.refresh_from_db()
    assert ladder.top == bo


def test_staff_make_ladders_of_games_of_two_only(db, client):
    client.force_login(User.objects.create_superuser("keeper", "keeper@example.org", "a password for tests"))
    terms = {"name": "Guts", "slug": "guts", "pace": "classic"}
    client.post("/admin/tournaments/ladder/add/", {**terms, "game": "no-such-game"})
    client.post("/admin/tournaments/ladder/add/", {**terms, "game": "oe-twos", "slug": "ask"})
    assert not Ladder.objects.exists()
    client.post("/admin/tournaments/ladder/add/", {**terms, "game": "oe-twos"})
    assert Ladder.objects.get().game == "oe-twos"
