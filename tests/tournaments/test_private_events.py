"""Private events: passwords are not guessed, strangers do not see the games, talk stays inside."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import blocking
from oceans import queries
from oceans.models import Match
from oceans.refusals import Refusal, TooMany
from tests.conftest import person
from tests.tournaments.made import by_strength, event_of, fields, finish, open_event, play_event, running_matches
from tests.tournaments.test_event_pages import choices, text_of
from tournaments import directing, ratings, rulings, running, talking
from tournaments.models import Talk, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def event(now, staff):
    return open_event(now, fields(3), by=staff, most=3, access="password", password="sesame")


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def test_ten_passwords_an_hour_are_looked_at(now, staff, stranger):
    pk = open_event(now, by=staff, format="swiss", most=9, access="password", password="a").pk
    for _ in range(10):
        with pytest.raises(Refusal, match="does not fit"):
            running.enter(tournament_id=pk, user_id=stranger.pk, now=now, password="b")
    with pytest.raises(TooMany, match="in an hour"):
        running.enter(tournament_id=pk, user_id=stranger.pk, now=now, password="a")
    running.enter(tournament_id=pk, user_id=person("other").pk, now=now, password="a")
    running.enter(tournament_id=pk, user_id=stranger.pk, now=now + timedelta(hours=1), password="a")
    assert Tournament.objects.get().entered == 2


def test_strangers_do_not_find_the_games_anywhere(event, staff, stranger):
    match = running_matches(event).first()
    outsider = next(one.user for one in event.entrants.all() if one.user_id not in match.pairing.players)
    games = [f"/game/{match.match_id}/{page}" for page in ("", "replay/", "record.json", "fair/", "luck/")]
    for address in games:
        assert Client().get(address).status_code == client_of(stranger).get(address).status_code == 404
    assert client_of(outsider).get(games[0]).status_code == client_of(staff).get(games[0]).status_code == 200
    for address in ("/", "/lobby/", f"/tournaments/{event.pk}/"):
        assert f"/game/{match.match_id}/" not in text_of(client_of(stranger).get(address))
    assert f"/game/{match.match_id}/" in text_of(client_of(outsider).get(f"/tournaments/{event.pk}/"))
    assert Client().post(f"{games[0]}chat/", {"text": "x"}).status_code == 302
    assert client_of(stranger).post(f"{games[0]}chat/", {"text": "x"}).status_code == 404


def test_ended_games_are_on_the_players_own_page_only(event, now, stranger):
    play_event(event, now)
    Match.objects.filter(event=f"event:{event.pk}").update(story=None)
    match = Match.objects.filter(seats__user__username="p1").first()
    own = event.entrants.get(user__username="p1").user
    assert f"/game/{match.pk}/" not in text_of(client_of(stranger).get("/player/p1/"))
    assert f"/game/{match.pk}/" in text_of(client_of(own).get("/player/p1/"))


def test_ratings_on_a_players_page_do_not_name_private_games_to_strangers(event, now, stranger):
    player = event.entrants.first().user
    counted, voided = matches = [one for one in running_matches(event) if player.pk in one.pairing.players]
    for match in matches:
        finish(match.match, by_strength(match.pairing.players), now)
        ratings.record_result(queries.ended(match.match_id), now)
    ratings.void(voided.match_id, None, "", now)
    Match.objects.update(story=None)
    page = f"/player/{player.username}/"
    told = [f"/game/{counted.match_id}/", f"/game/{voided.match_id}/", "against p", "a moderator ruled it out"]
    own, foreign = text_of(client_of(player).get(page)), text_of(client_of(stranger).get(page))
    assert all(words in own for words in told)
    assert not any(words in foreign for words in told)
    Match.objects.update(is_private=False)
    assert all(words in text_of(Client().get(page)) for words in told)


def test_the_director_may_open_the_games(event, now, staff, stranger):
    address = f"/game/{running_matches(event).first().match_id}/"
    directing.change(tournament_id=event.pk, by=staff, now=now, are_games_open=True)
    assert client_of(stranger).get(address).status_code == 200
    directing.change(tournament_id=event.pk, by=staff, now=now, are_games_open=False)
    assert client_of(stranger).get(address).status_code == 404


def test_talk_is_for_those_who_play_and_read_by_them(event, now, stranger):
    own = event.entrants.first().user
    page = f"/tournaments/{event.pk}/"
    assert "Said." in text_of(client_of(own).post(f"{page}say/", {"text": "good <luck>\x00 all"}, follow=True))
    assert "good &lt;luck&gt; all" in text_of(client_of(own).get(page))
    assert "luck" not in text_of(client_of(stranger).get(page))
    refused = client_of(stranger).post(f"{page}say/", {"text": "hello"}, follow=True)
    assert "Only those who play here" in text_of(refused)
    assert "Write something first." in text_of(client_of(own).post(f"{page}say/", {"text": "  "}, follow=True))
    assert Talk.objects.count() == 1


def test_invitations_are_seen_by_both_sides_and_can_be_taken_back(now, staff, stranger):
    guest, player = person("guest"), person("player")
    event = open_event(now, format="swiss", by=staff, most=9, access="invited", invited=[guest.pk, player.pk])
    running.enter(tournament_id=event.pk, user_id=player.pk, now=now)
    page, settings = f"/tournaments/{event.pk}/", f"/tournaments/{event.pk}/edit/"
    assert "you are invited" in text_of(client_of(guest).get("/turn/"))
    assert "you are invited" not in text_of(client_of(player).get("/turn/"))
    shown = text_of(client_of(staff).get(settings))
    assert shown.count("has not answered yet") == shown.count("has entered") == shown.count("Take back<") == 1
    assert client_of(stranger).get(settings).status_code == 403
    refused = client_of(stranger).post(f"{page}uninvite/", {"name": "guest"}, follow=True)
    assert refused.status_code == 403 and "you are invited" in text_of(client_of(guest).get("/turn/"))
    for _post in range(2):
        answer = client_of(staff).post(f"{page}uninvite/", {"name": "guest"}, follow=True)
        assert "The invitation is taken back." in text_of(answer)
    assert "has not answered yet" not in text_of(answer)
    assert "has entered already" in text_of(client_of(staff).post(f"{page}uninvite/", {"name": "player"}, follow=True))
    assert "you are invited" not in text_of(client_of(guest).get("/turn/"))
    with pytest.raises(Refusal, match="invited players"):
        running.enter(tournament_id=event.pk, user_id=guest.pk, now=now)
    running.withdraw(tournament_id=event.pk, user_id=player.pk, now=now)
    shown = text_of(client_of(staff).get(settings))
    assert '<span class="soft">withdrawn</span>' in shown
    assert "taken back" in text_of(client_of(staff).post(f"{page}uninvite/", {"name": "player"}, follow=True))
    with pytest.raises(Refusal, match="invited players"):
        running.enter(tournament_id=event.pk, user_id=player.pk, now=now)


def test_a_block_hides_invitations_to_events(now, staff, stranger):
    open_event(now, format="swiss", by=staff, most=9, access="invited", invited=[stranger.pk])
    blocking.block(stranger.pk, staff.pk, now)
    assert "you are invited" not in text_of(client_of(stranger).get("/turn/"))


def test_too_many_names_are_refused_in_words(now, staff):
    event = open_event(now, format="swiss", by=staff, most=9, access="invited")
    names = ", ".join(f"n{number}" for number in range(201))
    terms = {"format": "swiss", "access": "invited", "invited": names, "most": "9"}
    answer = client_of(staff).post(f"/tournaments/{event.pk}/edit/", choices(**terms))
    assert answer.status_code == 400 and "Name at most 200 players at a time." in text_of(answer)
    assert names in text_of(answer)


def test_a_line_posted_twice_is_said_once(event):
    own = client_of(event.entrants.first().user)
    for text in ("hello", " hello ", "good luck", "hello"):
        own.post(f"/tournaments/{event.pk}/say/", {"text": text})
    assert list(Talk.objects.order_by("pk").values_list("text", flat=True)) == ["hello", "good luck", "hello"]


def test_who_was_put_out_reads_on_but_says_nothing(event, now, staff):
    gone, other = (one.user for one in event.entrants.all()[:2])
    talking.say(tournament_id=event.pk, by=other, text="hear me out", now=now)
    rulings.exclude(tournament_id=event.pk, user_id=gone.pk, by=staff, now=now)
    page = f"/tournaments/{event.pk}/"
    read = text_of(client_of(gone).get(page))
    assert "hear me out" in read and "you can read its talk" in read and "Message to all players" not in read
    assert "You were put out" in text_of(client_of(gone).post(f"{page}say/", {"text": "but why"}, follow=True))
    assert Talk.objects.count() == 1
    rulings.reinstate(tournament_id=event.pk, user_id=gone.pk, by=staff, now=now)
    talking.say(tournament_id=event.pk, by=gone, text="thank you", now=now)


def test_nobody_talks_without_end_and_directors_strike_lines(now, staff):
    people = fields(3)
    event = event_of(now, people)
    for number in range(10):
        talking.say(tournament_id=event.pk, by=people[0], text=f"line {number}", now=now)
    with pytest.raises(TooMany):
        talking.say(tournament_id=event.pk, by=people[0], text="more", now=now)
    line = Talk.objects.first()
    with pytest.raises(Refusal, match="Only the director"):
        talking.strike(tournament_id=event.pk, line_id=line.pk, by=people[1])
    talking.strike(tournament_id=event.pk, line_id=line.pk, by=staff)
    talking.strike(tournament_id=event.pk, line_id=line.pk, by=staff)
    talking.strike(tournament_id=event.pk, line_id=Talk.objects.first().pk, by=people[0])
    assert Talk.objects.count() == 8
    directing.cancel(tournament_id=event.pk, by=staff, now=now)
    with pytest.raises(Refusal, match="closed"):
        talking.say(tournament_id=event.pk, by=people[0], text="still there?", now=now + timedelta(days=15))


def test_talk_of_people_who_block_one_another_is_not_shown_to_them(now):
    one, other, third = people = fields(3)
    event = event_of(now, people)
    talking.say(tournament_id=event.pk, by=one, text="hear me out", now=now)
    blocking.block(other.pk, one.pk, now)
    page = f"/tournaments/{event.pk}/"
    assert "hear me out" not in text_of(client_of(other).get(page))
    assert "hear me out" in text_of(client_of(third).get(page))
