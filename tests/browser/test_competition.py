"""Competition in Chromium: no barriers, no sideways scrolling, and a private event from its form to titles."""

from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.utils import timezone

from oceans import queries
from tests.browser.test_pages import TOO_WIDE, session_cookie
from tests.tournaments.made import event_of, fields, finished, play_event
from tournaments import ladders, ratings, running, talking
from tournaments.models import Ladder, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def addresses(player, rival):
    """Every kind of page of competition, as the player sees it."""
    now = timezone.now()
    people = [player, *fields(5)]
    for one in people[1:]:
        match = finished(now, player, one, winner=one)
        ratings.record_result(_ended(match), now)
    ratings.record_result(_ended(finished(now, player, rival)), now)
    later = now + timedelta(days=1)
    ratings.record_result(_ended(finished(later, player, rival)), later)
    ladder = Ladder.objects.create(slug="long", name="The long ladder", game="oe-twos", applied_at=now)
    for one in people:
        ladders.join(ladder_id=ladder.pk, user_id=one.pk, now=now)
    ladders.challenge(ladder_id=ladder.pk, by=people[3].pk, to=player.pk, now=now)
    shapes = [
        {"format": "round-robin"},
        {"format": "knock-out"},
        {"format": "swiss"},
        {"format": "tables", "game": "duel-it", "shape": {"target": 3, "rounds": 2}},
    ]
    events = [event_of(now, people, **shape) for shape in shapes]
    play_event(events[0], now)
    talking.say(tournament_id=events[1].pk, by=player, text="Good luck to all", now=now)
    events.append(play_event(event_of(now, people, format="cup", shape={"limit": 4}), now))
    draft = running.create(
        by=None, name="Draft", format="swiss", game="oe-twos", pace="classic", now=now, most=8, opens_at=later
    )
    fixed = (
        "/tournaments/",
        f"/tournaments/{draft}/",
        "/tournaments/new/",
        f"/tournaments/{events[2].pk}/edit/",
        "/ladders/",
        "/ladders/long/",
        "/ladders/long/history/",
    )
    boards = ("/ratings/", "/ratings/oe-twos/", "/player/player/", "/turn/", f"/game/{match.pk}/")
    return [*fixed, *boards, *(f"/tournaments/{event.pk}/" for event in events)]


def _ended(match):
    return queries.ended(match.pk)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_competition_have_no_barriers(new_context, live_server, player, addresses, scheme):
    player.is_staff = True
    player.save()
    context = new_context(viewport={"width": 360, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    context.add_cookies([session_cookie(player, live_server.url)])
    page = context.new_page()
    for address in addresses:
        page.goto(live_server.url + address)
        page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true })")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{address}\n{found.generate_report()}"
        assert page.evaluate(TOO_WIDE) == "", address


def test_a_private_event_from_the_form_to_the_winners_page(new_context, live_server, player):
    player.is_staff = True
    player.save()
    context = new_context(viewport={"width": 360, "height": 800})
    context.add_cookies([session_cookie(player, live_server.url)])
    page = context.new_page()
    page.goto(live_server.url + "/tournaments/new/")
    page.get_by_label("Name of the tournament").fill("Friends of the sea")
    page.get_by_label("Players, at most").fill("5")
    page.get_by_text("5 players, everyone plays everyone once, 10 rated games").wait_for()
    page.get_by_label("Anyone with the password").check()
    assert page.get_by_label("Name of the tournament").input_value() == "Friends of the sea"
    page.get_by_label("Password", exact=True).fill("sesame")
    page.get_by_role("button", name="Open for entries").click()
    page.get_by_role("heading", name="Friends of the sea").wait_for()
    event = Tournament.objects.get()
    for one in fields(4):
        running.enter(tournament_id=event.pk, user_id=one.pk, now=timezone.now(), password="sesame")
    page.get_by_label("Password").fill("sesame")
    page.get_by_role("button", name="Enter").click()
    page.get_by_text("4 games of yours are running here.").wait_for()
    play_event(event, timezone.now())
    page.goto(live_server.url + "/player/player/")
    page.get_by_text("Friends of the sea, first place").wait_for()
    assert "first place" not in Client().get("/player/p2/").content.decode()


def test_a_long_name_in_one_word_makes_no_page_wider_than_a_phone(new_context, live_server, player):
    event = event_of(timezone.now(), [player, *fields(3)], name="W" * 80, text="x" * 300)
    context = new_context(viewport={"width": 360, "height": 800})
    context.add_cookies([session_cookie(player, live_server.url)])
    page = context.new_page()
    for address in ("/tournaments/", f"/tournaments/{event.pk}/"):
        page.goto(live_server.url + address)
        assert page.evaluate(TOO_WIDE) == "", address
