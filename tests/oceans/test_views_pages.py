"""The front page, the dashboard, players and rules."""

import html
import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import FormerName
from oceans import effects, ledger, play, queries
from oceans.rules.games import GAMES
from tests.builders import answer_until_turn_passes, due_seat, opened, other_seat, play_out, state_of

pytestmark = pytest.mark.django_db


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text_of(response) -> str:
    return response.content.decode()


def test_the_sample_hand_follows_the_real_rules():
    start = text_of(Client().get("/"))
    assert "You are behind." in start and "Pair of nines" in start
    dealt = text_of(Client().get("/?sample=deal"))
    assert "You are ahead." in dealt and "Three nines" in dealt
    conceded = text_of(Client().get("/?sample=concede"))
    assert "The bot won hand 3" in conceded
    assert Client().get("/?sample=<script>").status_code == 200


def test_pages_without_a_reader_cost_no_query(django_assert_num_queries):
    client = Client()
    for path in ("/games/", "/games/oe-twos/", "/fair/", "/help/"):
        client.get(path)
        with django_assert_num_queries(0):
            assert client.get(path).status_code == 200


@pytest.mark.parametrize("slug", [game.slug for game in GAMES] + sorted({game.family for game in GAMES}))
def test_every_game_has_its_rules(slug):
    page = text_of(Client().get(f"/games/{slug}/"))
    assert "In one minute" in page and "in full in the folder" not in page


@pytest.mark.parametrize(
    ("slug", "read"),
    [
        ("five-draw", "flush, ace high with jack, eight, four and two"),
        ("jacks", "two pair, nines and fours with ace"),
        ("spit", "five queens"),
        ("five-stud", "pair of jacks with eight, six and four"),
        ("lowboy", "eight low with six, four, two and ace"),
        ("seven-stud", "flush, queen high with jack, eight, six and three"),
        ("duel-it", "straight, three and two"),
    ],
)
def test_hands_drawn_on_rules_pages_are_read_by_the_rules(slug, read):
    assert f"</b> {read}</p>" in text_of(Client().get(f"/games/{slug}/"))


def test_unknown_rules_are_not_there():
    assert Client().get("/games/chess/").status_code == 404


def test_games_are_found_by_word_and_by_players():
    assert "Guts" not in text_of(Client().get("/games/?q=ocean")).split("<main")[1].split("<footer")[0]
    assert "Ocean's Eleven, twos wild".replace("'", "&#x27;") not in text_of(Client().get("/games/?players=5"))
    assert "No game fits" in text_of(Client().get("/games/?q=chess"))


def test_the_number_equals_the_list_on_every_page(player, rival, now):
    """docs/behaviours: counters."""
    matches = [opened(now, player, rival) for _ in range(3)]
    client = signed_in(player)
    waiting = sum(due_seat(match).user == player for match in matches)
    page = text_of(client.get("/turn/"))
    assert page.count('<li class="game">') == waiting
    for path in ("/turn/", "/lobby/", "/games/"):
        assert f'<span class="count">{waiting}<' in text_of(client.get(path))


def test_next_goes_round_all_waiting_games(player, rival, now):
    matches = [opened(now, player, rival) for _ in range(4)]
    for match in matches:
        if due_seat(match).user != player:
            answer_until_turn_passes(match, now)
    client = signed_in(player)
    seen, here = set(), ""
    for _ in matches:
        response = client.get(f"/turn/next/?after={here}")
        assert response.status_code == 303
        here = response["Location"].split("/")[2]
        seen.add(int(here))
    assert seen == {match.pk for match in matches}


def test_what_is_put_aside_is_passed_over_but_still_counted_until_it_is_answered(player, rival, now, time_machine):
    time_machine.move_to(now, tick=False)
    matches = [opened(now, player, rival, pace=pace) for pace in ("daily", "steady", "classic")]
    for match in matches:
        if due_seat(match).user != player:
            answer_until_turn_passes(match, now)
    first, second, third = (f"/game/{match.pk}/" for match in matches)
    client = signed_in(player)

    def following(after: str = "") -> str:
        return client.get(f"/turn/next/?after={after}")["Location"]

    assert f'action="{first}aside/"' in text_of(client.get(first))
    assert client.get(f"{first}aside/").status_code == 405
    response = client.post(f"{first}aside/")
    assert client.get(response["Location"])["Location"] == second
    assert [following(), following("0")] == [second, second], "not back to the first, though it has the least time"
    assert '<span class="count">3<' in text_of(client.get("/turn/"))
    client.post(f"{second}aside/")
    client.post(f"{third}aside/")
    assert following() == "/turn/", "back to the list when none is left"
    answer_page = client.post(f"{first}move/", {"move": "deal", "turn": state_of(matches[0]).turn})
    assert answer_page.status_code == 303
    if due_seat(matches[0]).user == player:
        assert following() == first
    time_machine.move_to(now + timedelta(hours=13), tick=False)
    assert following() in (first, second)


def test_only_players_put_a_game_aside_and_one_that_waits_alone_cannot_be(player, rival, stranger, now):
    match = opened(now, player, rival)
    assert signed_in(stranger).post(f"/game/{match.pk}/aside/").status_code == 403
    assert "/aside/" not in text_of(signed_in(due_seat(match).user).get(f"/game/{match.pk}/"))


def test_next_leads_to_the_list_when_nothing_waits(player):
    assert signed_in(player).get("/turn/next/")["Location"] == "/turn/"


def test_the_dashboard_is_for_people_who_are_signed_in():
    response = Client().get("/turn/")
    assert response.status_code == 302 and "login" in response["Location"]


def test_a_game_that_is_stopped_for_repair_stays_in_the_list_of_its_players(player, rival, now):
    match = opened(now, player, rival)
    for _failure in range(5):
        play.note_failure(match_id=match.pk, now=now)
    for user in (player, rival):
        page = text_of(signed_in(user).get("/turn/"))
        assert f"/game/{match.pk}/" in page and "stopped for repair" in page


def test_a_finished_game_is_listed_until_it_is_looked_at(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    client = signed_in(player)
    assert "Just finished" in text_of(client.get("/turn/"))
    client.get(f"/game/{match.pk}/")
    assert "Just finished" not in text_of(client.get("/turn/"))


@pytest.mark.parametrize("games", [1, 6])
def test_the_dashboard_costs_the_same_however_long(player, rival, now, django_assert_max_num_queries, games):
    for _ in range(games):
        opened(now, player, rival)
    client = signed_in(player)
    client.get("/turn/")
    ledger.forget()
    with django_assert_max_num_queries(8):
        client.get("/turn/")


def test_a_finished_game_opens_at_the_first_move_its_player_has_not_seen(player, rival, now):
    match = opened(now, player, rival)
    client = signed_in(player)
    client.get(f"/game/{match.pk}/")
    known = match.seats.get(user=player).seen_number
    play_out(match, now)
    (link,) = re.findall(rf'href="(/game/{match.pk}/[^"]*)"', text_of(client.get("/turn/")))
    assert link == f"/game/{match.pk}/replay/?move={known + 1}"
    page = text_of(client.get(link))
    assert re.search(rf'move={known + 1}" aria-current="step"', page)
    assert "Just finished" not in text_of(client.get("/turn/")), "it has been looked at"


def test_a_player_page_tells_games_and_facts(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    effects.apply_effects(now)
    page = text_of(Client().get("/player/player/"))
    assert "Finished games" in page and "rival" in page and "games played to an end" in page


@pytest.mark.parametrize("number", ["9" * 30, "-" + "9" * 30, "9" * 5000, "x"])
def test_an_address_of_older_games_that_makes_no_sense_shows_the_newest(player, number):
    page = Client().get("/player/player/", {"before": f"2026-01-01T00:00:00+00:00_{number}"})
    assert page.status_code == 200


def test_finished_games_can_be_searched_on_a_players_page(player, rival, stranger, now, monkeypatch):
    monkeypatch.setattr("oceans.views.people.HISTORY", 1)
    duels = [opened(now, player, rival, label="Autumn Cup", event="test:1") for _ in range(2)]
    pot = opened(now, player, stranger, game="guts")
    for match in (*duels, pot):
        play_out(match, now)

    def found(query: str) -> list[int]:
        page = text_of(Client().get(f"/player/player/?{query}"))
        finished = page[page.index('id="games"') :]
        return [int(number) for number in re.findall(r'<th scope="row"><a href="/game/(\d+)/"', finished)]

    assert found("opponent=stranger") == found("game=guts") == [pot.pk]
    assert found("event=autumn&opponent=rival&game=oe-twos") == [duels[1].pk]
    older = re.search(r'href="\?([^"]*before=[^"]*)#games"', text_of(Client().get("/player/player/?event=autumn")))
    assert found(html.unescape(older[1])) == [duels[0].pk], "the next page goes on with what is searched"
    assert found("opponent=nobody") == []
    assert "No finished game fits." in text_of(Client().get("/player/player/?opponent=nobody"))
    for nonsense in ("game=no-such", "result=x", "opponent=" + "a" * 99, "event=%00"):
        assert len(found(nonsense)) == 1


def test_a_player_page_tells_the_reader_how_the_two_stand_and_what_is_played(player, rival, stranger, now):
    play_out(opened(now, player, rival), now)
    running = opened(now, player, rival)
    hidden = opened(now, player, rival, is_private=True)
    for reader, other in ((player, rival), (rival, player)):
        page = text_of(signed_in(reader).get(f"/player/{other.username}/"))
        won = queries.between(reader, other).won
        assert f"You and {other.username}" in page and f">{won}–{1 - won}<" in page
        assert ("You lead." if won else f"{other.username} leads.") in page
        assert f"/game/{running.pk}/" in page and f"/game/{hidden.pk}/" in page
    for client in (Client(), signed_in(stranger)):
        page = text_of(client.get("/player/player/"))
        assert "You and" not in page
        assert f"/game/{running.pk}/" in page and f"/game/{hidden.pk}/" not in page


def test_names_lead_to_their_page_however_written(player, now):
    FormerName.objects.create(user=player, name="oldname", given_up_at=now)
    assert Client().get("/player/PLAYER/")["Location"] == "/player/player/"
    assert Client().get("/player/oldname/")["Location"] == "/player/player/"
    assert Client().get("/player/nobody/").status_code == 404
    assert Client().get("/player/a%00b/").status_code == 404


def test_after_a_move_players_go_where_they_wish(player, rival, now):
    match, other = opened(now, player, rival), opened(now, player, rival)
    for one in (match, other):
        if due_seat(one).user != player:
            answer_until_turn_passes(one, now)
    client = signed_in(player)
    for wish in ("next", "list"):
        player.after_move = wish
        player.save()
        seat = due_seat(match)
        if seat.user != player:
            answer_until_turn_passes(match, now)
        match.refresh_from_db()
        response = client.post(f"/game/{match.pk}/move/", {"move": "deal", "turn": match.turn})
        match.refresh_from_db()
        stays = not match.is_running or due_seat(match).user == player
        there = {"next": f"/turn/next/?after={match.pk}", "list": "/turn/"}[wish]
        assert response["Location"] == (f"/game/{match.pk}/" if stays else there)
    assert other_seat(other, due_seat(other)).user == rival
