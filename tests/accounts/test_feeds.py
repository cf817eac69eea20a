"""Secret addresses of feeds: made, changed and switched off by their owner, of use to nobody else."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts import closing, feeds
from accounts.models import Feed, User

pytestmark = pytest.mark.django_db

KINDS = tuple(Feed.Kind.values)


@pytest.fixture
def north(client):
    user = User.objects.create_user("north", email="north@example.org")
    client.force_login(user)
    return user


def press(client, kind: str, do: str, **more):
    return client.post(reverse("settings_feed", args=[kind]), {"do": do, **more})


def shown(client, kind: str) -> str | None:
    """The address on the settings page, as a path."""
    page = client.get(reverse("settings_mail")).content.decode()
    found = re.search(rf'id="id_feed_{kind}" value="http://localhost:8000([^"]+)"', page)
    return found[1] if found else None


def serial_of(user, kind: str) -> str:
    return Feed.objects.get(user=user, kind=kind).serial


@pytest.mark.parametrize("kind", KINDS)
def test_an_address_is_made_changed_and_switched_off(client, north, kind):
    assert shown(client, kind) is None
    press(client, kind, "make")
    first = shown(client, kind)
    assert Client().get(first).status_code == 200
    press(client, kind, "make")
    assert shown(client, kind) == first, "a second press changes nothing"
    serial = serial_of(north, kind)
    press(client, kind, "renew", serial=serial)
    second = shown(client, kind)
    assert second != first
    assert (Client().get(first).status_code, Client().get(second).status_code) == (404, 200)
    press(client, kind, "renew", serial=serial)
    assert shown(client, kind) == second, "the same press, arriving twice"
    press(client, kind, "renew", serial="\0")
    assert shown(client, kind) == second, "no serial at all"
    press(client, kind, "off")
    assert shown(client, kind) is None
    assert Client().get(second).status_code == 404


def test_each_feed_has_an_address_of_its_own(client, north):
    press(client, "news", "make")
    assert shown(client, "dates") is None
    news = shown(client, "news")
    assert Client().get(news.replace("news.atom", "dates.ics")).status_code == 404


def test_opening_the_settings_makes_no_feed(client, north):
    client.get(reverse("settings_mail"))
    client.get(reverse("settings_feed", args=["news"]))
    assert not Feed.objects.exists()


@pytest.mark.parametrize(("kind", "do", "status"), [("news", "burn", 400), ("mail", "make", 404)])
def test_other_wishes_are_refused(client, north, kind, do, status):
    assert press(client, kind, do).status_code == status
    assert not Feed.objects.exists()


def test_nobody_changes_the_feed_of_another(client, north, now):
    other = User.objects.create_user("other")
    theirs = feeds.open_feed(other, "news", now)
    press(client, "news", "renew", serial=theirs.serial)
    press(client, "news", "off")
    assert feeds.reader_of("news", feeds.address_of(theirs).split("/")[-2]) == other


def test_neither_the_database_nor_a_guess_opens_a_feed(client, north, now):
    feed = feeds.open_feed(north, "news", now)
    path = feeds.address_of(feed).removeprefix("http://localhost:8000")
    token = path.split("/")[-2]
    assert feed.serial in token and len(token) > len(feed.serial) + 40
    for wrong in (feed.serial, token[:-1], "x" + token, token.swapcase(), f"{feed.serial}."):
        assert Client().get(reverse("feed_news", args=[wrong])).status_code == 404


def test_fetching_is_no_visit_and_needs_no_cookie(client, north):
    press(client, "news", "make")
    path = shown(client, "news")
    User.objects.update(last_seen_at=None)
    for reader in (Client(), client):
        response = reader.get(path)
        assert not response.cookies
        assert response["Cache-Control"] == "private, no-cache"
    assert User.objects.get().last_seen_at is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_that_has_the_feed_gets_no_body(client, north, kind):
    press(client, kind, "make")
    path = shown(client, kind)
    tag = Client().get(path)["ETag"]
    again = Client().get(path, headers={"if-none-match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert again["Cache-Control"] == "private, no-cache"
    assert Client().head(path)["ETag"] == tag
    assert Client().get(path, headers={"if-none-match": 'W/"other"'}).status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_only_reading_is_possible_there(client, north, kind):
    press(client, kind, "make")
    assert Client().post(shown(client, kind)).status_code == 405


def test_a_guest_has_feeds_too(client):
    client.force_login(User.objects.create(username="guest-0000", is_guest=True))
    press(client, "dates", "make")
    assert Client().get(shown(client, "dates")).status_code == 200


def test_closing_an_account_ends_its_feeds(client, north, now):
    for kind in KINDS:
        press(client, kind, "make")
    paths = [shown(client, kind) for kind in KINDS]
    closing.close(north.pk, now + timedelta(days=1))
    assert [Client().get(path).status_code for path in paths] == [404, 404]


def test_the_host_header_is_in_no_feed(client, north, settings):
    settings.ALLOWED_HOSTS = ["*"]
    for kind in KINDS:
        press(client, kind, "make")
        assert b"evil" not in Client().get(shown(client, kind), headers={"host": "evil.example"}).content
