"""The league in rows: its first start, standing registration, movement, and who waits or is let go."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Notice
from tests.tournaments.made import by_strength, end_match, fields, finished, open_event, play_event, running_matches
from tests.tournaments.test_event_pages import text_of
from tournaments import directing, running, ticking
from tournaments.models import Award, Ending, Entrant, Tournament
from tournaments.queries import event_groups

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def league(now):
    return open_event(now, name="League", format="league", pace="daily", starts="date", series="league-oe-twos")


def enter(event, people, now):
    for one in people:
        running.enter(tournament_id=event.pk, user_id=one.pk, now=now)
    event.refresh_from_db()


def names(event, **which):
    return set(event.entrants.filter(**which).values_list("user__username", flat=True))


def test_the_first_edition_starts_when_seven_have_been_in_for_a_week(now, league):
    people = fields(8)
    enter(league, people[:6], now)
    assert league.starts_at is None
    enter(league, people[6:7], now + DAY)
    assert league.starts_at == now + 8 * DAY
    running.withdraw(tournament_id=league.pk, user_id=people[0].pk, now=now + 2 * DAY)
    league.refresh_from_db()
    assert league.starts_at is None
    enter(league, people[7:], now + 3 * DAY)
    assert league.starts_at == now + 10 * DAY
    for day in range(4, 10):
        ticking.steps(now + day * DAY)
    keys = Notice.objects.filter(kind="event-starts", user=people[7]).order_by("pk").values_list("dedup", flat=True)
    assert [key.split(":")[2] for key in keys] == ["3d", "1d"]
    league.refresh_from_db()
    assert league.is_open
    ticking.steps(now + 10 * DAY)
    league.refresh_from_db()
    assert league.is_running and names(league, seed__isnull=False) == {f"p{n}" for n in range(2, 9)}


def test_the_next_edition_takes_entries_meanwhile_and_starts_a_week_after(now, league):
    people = fields(15)
    enter(league, people[:13], now)
    ticking.steps(now + 7 * DAY)
    league.refresh_from_db()
    assert sorted(set(league.entrants.values_list("level", "group"))) == [(1, 1), (2, 1)]
    following = Tournament.objects.get(edition=2)
    assert following.is_open and following.entered == 13 and following.starts_at is None
    running.withdraw(tournament_id=following.pk, user_id=people[0].pk, now=now + 8 * DAY)
    enter(following, people[13:14], now + 8 * DAY)
    running.withdraw(tournament_id=league.pk, user_id=people[1].pk, now=now + 8 * DAY)
    Entrant.objects.filter(tournament=league, user__in=people[2:4]).update(misses=2)
    play_event(league, now + 9 * DAY)
    assert Award.objects.get(kind="champion").user.username == "p1"
    following.refresh_from_db()
    assert following.starts_at == now + 16 * DAY
    assert names(following, state="in") == {f"p{n}" for n in range(5, 15)}
    enter(following, people[2:3], now + 10 * DAY)
    ticking.steps(now + 15 * DAY)
    assert Tournament.objects.get(pk=following.pk).is_open
    ticking.steps(now + 16 * DAY)
    following.refresh_from_db()
    assert following.is_running
    second = league.entrants.filter(level=2, place=1).get().user.username
    order = list(following.entrants.exclude(seed=None).order_by("seed").values_list("user__username", flat=True))
    assert len(order) == 11
    assert order.index(second) < order.index("p3"), "who missed too much comes in as relegated"


def test_changing_the_text_of_a_league_leaves_its_date(now, league, staff):
    enter(league, fields(7), now)
    directing.change(tournament_id=league.pk, by=staff, now=now, text="Hello", starts_at=None)
    league.refresh_from_db()
    assert (league.text, league.starts_at, league.due_at) == ("Hello", now + 7 * DAY, now + 7 * DAY)


def test_too_few_put_an_edition_off_until_there_are_four(now, league):
    people = fields(9)
    enter(league, people[:7], now)
    ticking.steps(now + 7 * DAY)
    play_event(league, now + 8 * DAY)
    following = Tournament.objects.get(edition=2)
    for one in people[:4]:
        running.withdraw(tournament_id=following.pk, user_id=one.pk, now=now + 9 * DAY)
    ticking.steps(now + 15 * DAY)
    ticking.steps(now + 16 * DAY)
    following.refresh_from_db()
    assert following.is_open and following.due_at is None
    enter(following, people[7:8], now + 17 * DAY)
    ticking.steps(now + 17 * DAY)
    following.refresh_from_db()
    assert following.is_running and following.entered == 4


def test_two_go_up_also_where_the_first_of_a_group_has_left_it(now, league):
    people = fields(13)
    enter(league, people, now)
    ticking.steps(now + 7 * DAY)
    league.refresh_from_db()
    leader = people[7]
    assert league.entrants.get(user=leader).level == 2
    for match in [one for one in running_matches(league) if leader.pk in one.pairing.players][:4]:
        end_match(match, now + 8 * DAY, by_strength(match.pairing.players))
    running.withdraw(tournament_id=league.pk, user_id=leader.pk, now=now + 8 * DAY)
    play_event(league, now + 8 * DAY)
    assert league.entrants.get(user=leader).place == 1
    ticking.steps(now + 15 * DAY)
    following = Tournament.objects.get(edition=2)
    assert names(following, level=1, state="in") == {"p9", "p10", "p1", "p2", "p3", "p4"}


def test_one_is_champion_until_the_next_edition_ends(now, league):
    enter(league, fields(7), now)
    ticking.steps(now + 7 * DAY)
    play_event(league, now + 8 * DAY)
    assert 'champion <span class="soft">since Jul 2026' in Client().get("/player/p1/").content.decode()
    ticking.steps(now + 15 * DAY)
    following = Tournament.objects.get(edition=2)
    play_event(
        following,
        now + 80 * DAY,
        lambda users: {user: place for place, user in enumerate(sorted(users, reverse=True), 1)},
    )
    assert 'champion <span class="soft">Jul 2026 to Sep 2026' in Client().get("/player/p1/").content.decode()


def test_who_is_barred_at_the_start_waits_for_the_next_edition(now, league):
    people = fields(9)
    enter(league, people, now)
    match = finished(now, people[0], people[1])
    Ending.objects.create(user=people[0], match=match, kind="timeout", at=now)
    ticking.steps(now + 7 * DAY)
    league.refresh_from_db()
    assert league.is_running and names(league, state="waiting") == {"p1"}
    assert league.entrants.get(state="waiting").seed is None
    following = Tournament.objects.get(edition=2)
    play_event(league, now + 8 * DAY)
    assert "p1" in names(following, state="in")


def test_of_a_large_league_one_group_is_shown_and_the_way_to_the_others(now, league, monkeypatch):
    monkeypatch.setattr(event_groups, "TOGETHER", 1)
    people = fields(15)
    enter(league, people, now)
    ticking.steps(now + 7 * DAY)
    page = f"/tournaments/{league.pk}/"
    low = league.entrants.filter(level=2).first().user
    reader = Client()
    reader.force_login(low)
    top = text_of(Client().get(page))
    assert "<h2>Level 1, group 1</h2>" in top and "<h2>Level 2, group 1</h2>" not in top
    assert 'href="?group=2.1#groups"' in top and "Your group" not in top
    own = text_of(reader.get(page))
    assert "<h2>Level 2, group 1</h2>" in own and "<h2>Level 1, group 1</h2>" not in own
    away = text_of(reader.get(f"{page}?group=1.1"))
    assert "<h2>Level 1, group 1</h2>" in away and "Your group" in away and "games of yours are running here" in away
    assert "<h2>Level 2, group 1</h2>" in text_of(Client().get(f"{page}?player={low.username.upper()}"))
    assert "Nobody named nobody plays in this event." in text_of(Client().get(f"{page}?player=nobody"))
    for odd in ("\x00", "x" * 300, "p1\x00"):
        assert "plays in this event." in text_of(Client().get(page, {"player": odd}))
    for odd in ("9.9", "1", "x.y", "1.1.1", "-1.2", "٣.١", "99999999999.1"):
        assert "<h2>Level 1, group 1</h2>" in text_of(Client().get(page, {"group": odd}))
    told = Client().get(f"{page}figures.json").json()
    assert {line["table"] for line in told["standings"]} == {"Level 1, group 1", "Level 2, group 1"}


def test_a_page_of_a_large_league_costs_the_same_however_many_play(now, league, monkeypatch):
    monkeypatch.setattr(event_groups, "TOGETHER", 1)
    people = fields(45)
    enter(league, people, now)
    ticking.steps(now + 7 * DAY)
    assert league.entrants.values("level", "group").distinct().count() > 3
    with CaptureQueriesContext(connection) as asked:
        page = Client().get(f"/tournaments/{league.pk}/")
    assert len(asked) <= 14 and text_of(page).count("/player/") < 100
