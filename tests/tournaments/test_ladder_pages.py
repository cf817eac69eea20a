"""What pages show of ladders, and what they do when somebody presses a button. Pages go by the real clock."""

import pytest
from django.test import Client
from django.utils import timezone

from tournaments import ladders
from tournaments.models import Challenge

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
        client.get("/ladders/twos/?all=1")
    client.force_login(bo)
    dashboard = client.get("/turn/").content.decode()
    assert "challenges you on The long ladder" in dashboard
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
