"""The page of a match: what it shows to whom, and what happens to what is posted there."""

import re

import pytest
from django.test import Client

from accounts.models import TurnMail, User
from oceans import ledger, play
from oceans.models import MoveLog
from tests.builders import answer_until_turn_passes, bot, due_seat, legal, opened, other_seat, play_out, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def now(now, time_machine):
    time_machine.move_to(now, tick=False)
    return now


@pytest.fixture
def match(player, rival, now):
    return opened(now, player, rival)


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text_of(response) -> str:
    return response.content.decode()


def cards_in(response) -> set[str]:
    return set(re.findall(r'data-card="([^"]+)"', text_of(response)))


def post_move(client: Client, match, move: str, turn: int | None = None, **headers):
    turn = state_of(match).turn if turn is None else turn
    return client.post(f"/game/{match.pk}/move/", {"move": move, "turn": turn}, **headers)


def test_a_move_turns_a_card_and_leads_back_to_the_table(match):
    client = signed_in(due_seat(match).user)
    before = len(state_of(match).log)
    response = post_move(client, match, "deal")
    assert (response.status_code, response["Location"]) == (303, f"/game/{match.pk}/")
    assert len(state_of(match).log) > before
    assert client.get(response["Location"]).status_code == 200


def test_the_same_move_sent_twice_counts_once(match):
    client = signed_in(due_seat(match).user)
    turn = state_of(match).turn
    post_move(client, match, "deal", turn)
    after = MoveLog.objects.filter(match=match).count()
    assert post_move(client, match, "deal", turn).status_code == 303
    assert MoveLog.objects.filter(match=match).count() == after


def test_an_old_page_gets_the_table_as_it_is_and_a_sentence(match, now):
    seat = due_seat(match)
    turn = state_of(match).turn
    answer_until_turn_passes(match, now)
    log = len(state_of(match).log)
    response = post_move(signed_in(seat.user), match, "concede", turn)
    assert response.status_code == 200
    assert "has moved on since this page was loaded" in text_of(response)
    assert len(state_of(match).log) == log


def test_a_move_out_of_turn_is_refused_in_words(match):
    waiting = other_seat(match, due_seat(match))
    response = post_move(signed_in(waiting.user), match, "deal")
    assert response.status_code == 200
    assert "not your turn" in text_of(response)


@pytest.mark.parametrize("move", ["", "fly", "deal 9", "x" * 500])
def test_what_is_no_move_here_is_refused_in_words(match, move):
    log = len(state_of(match).log)
    response = post_move(signed_in(due_seat(match).user), match, move)
    assert response.status_code == 400
    assert 'class="note soon"' in text_of(response)
    assert len(state_of(match).log) == log


@pytest.mark.parametrize("turn", ["", "-1", "nine", "9" * 40])
def test_a_page_without_a_true_turn_changes_nothing(match, turn):
    log = len(state_of(match).log)
    response = post_move(signed_in(due_seat(match).user), match, "deal", turn)
    assert response.status_code == 200
    assert len(state_of(match).log) == log


def test_only_players_move(match, stranger):
    assert post_move(signed_in(stranger), match, "deal").status_code == 403
    assert post_move(Client(), match, "deal").status_code == 403


def test_an_unknown_match_is_not_there(player):
    assert signed_in(player).get("/game/999999/").status_code == 404


def test_watchers_see_the_table_and_no_way_to_move(match, stranger):
    for client in (Client(), signed_in(stranger)):
        page = text_of(client.get(f"/game/{match.pk}/"))
        assert "You are watching." in page
        assert 'id="act"' not in page
        assert "Private note" not in page


def test_every_card_on_the_page_is_one_the_reader_may_see(match, now):
    """Ocean's Eleven has one secret, the order of the packs."""
    answer_until_turn_passes(match, now)
    state = state_of(match)
    dealt = {str(card) for place in state.state.table.places for card in place.row}
    dealt |= {str(held.card) for gone in state.state.table.gone for held in gone}
    for client in (Client(), *(signed_in(seat.user) for seat in match.seats.all())):
        assert cards_in(client.get(f"/game/{match.pk}/")) <= dealt


def test_hidden_hands_are_shown_to_their_holder_only(player, rival, now):
    match = opened(now, player, rival, game="guts")
    table = state_of(match).state.table
    holes = {seat.user: {str(held.card) for held in table.places[seat.number].hole} for seat in match.seats.all()}
    assert cards_in(signed_in(player).get(f"/game/{match.pk}/")) == holes[player]
    assert cards_in(signed_in(rival).get(f"/game/{match.pk}/")) == holes[rival]
    assert cards_in(Client().get(f"/game/{match.pk}/")) == set()


def test_a_sealed_choice_can_be_seen_and_changed_by_its_owner_only(player, rival, now):
    match = opened(now, player, rival, game="guts")
    client = signed_in(player)
    assert post_move(client, match, "in").status_code == 303
    assert "You have sealed: In." in text_of(client.get(f"/game/{match.pk}/"))
    assert "You have sealed" not in text_of(signed_in(rival).get(f"/game/{match.pk}/"))
    post_move(client, match, "out")
    assert "You have sealed: Out." in text_of(client.get(f"/game/{match.pk}/"))


def test_a_table_that_polls_hears_nothing_until_something_is_new(match, now):
    watcher = Client()
    page = text_of(watcher.get(f"/game/{match.pk}/"))
    stamp = re.search(r'\?stamp=([^"]+)"', page).group(1)
    ask = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "table"}
    assert watcher.get(f"/game/{match.pk}/?stamp={stamp}", **ask).status_code == 204
    answer_until_turn_passes(match, now)
    fresh = watcher.get(f"/game/{match.pk}/?stamp={stamp}", **ask)
    assert fresh.status_code == 200
    assert 'id="table"' in text_of(fresh) and "<html" not in text_of(fresh)
    play.resign(match_id=match.pk, seat=0, now=now)
    over = watcher.get(f"/game/{match.pk}/?stamp={stamp}", **ask)
    assert over.status_code == 286
    assert "data-poll" not in text_of(over)


def test_conceding_is_asked_again_and_says_what_it_costs(match, now):
    seat = due_seat(match)
    if "concede" not in legal(match, seat.number):
        answer_until_turn_passes(match, now)
        seat = due_seat(match)
    client = signed_in(seat.user)
    sheet = text_of(client.get(f"/game/{match.pk}/concede/"))
    assert "Concede hand 1?" in sheet
    assert "cannot be taken back" in sheet
    assert "Keep playing" in sheet


def test_resigning_takes_a_second_step(match, now):
    answer_until_turn_passes(match, now)
    answer_until_turn_passes(match, now)
    client = signed_in(due_seat(match).user)
    assert "Resign the game?" in text_of(client.get(f"/game/{match.pk}/resign/"))
    match.refresh_from_db()
    assert match.is_running
    assert client.post(f"/game/{match.pk}/resign/").status_code == 303
    match.refresh_from_db()
    assert match.status == "finished"
    assert "You lost" in text_of(client.get(f"/game/{match.pk}/"))


def test_a_bot_answers_before_the_page_comes_back(player, now, django_capture_on_commit_callbacks):
    match = opened(now, player, bot())
    client = signed_in(player)
    for _ in range(40):
        match.refresh_from_db()
        if not match.is_running or due_seat(match).user != player:
            break
        with django_capture_on_commit_callbacks(execute=True):
            post_move(client, match, legal(match, due_seat(match).number)[0])
        match.refresh_from_db()
        assert not match.is_running or due_seat(match).user == player


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({}, "You will get a mail when it is your turn."),
        ({"turn_mail": TurnMail.DAILY}, "Your daily list will name it when it is your turn."),
        ({"turn_mail": TurnMail.NEVER}, ""),
        ({"news": {"your-turn": {"mail": False}}}, ""),
        ({"is_guest": True, "email": ""}, ""),
    ],
)
def test_who_waits_is_promised_only_the_mail_that_will_come(match, facts, told):
    seat = due_seat(match)
    waits = other_seat(match, seat).user
    User.objects.filter(pk=waits.pk).update(**facts)
    page = text_of(signed_in(waits).get(f"/game/{match.pk}/"))
    assert f"Waiting for {seat.user.username}." in page
    promises = ("You will get a mail when it is your turn.", "Your daily list will name it when it is your turn.")
    assert [words for words in promises if words in page] == ([told] if told else [])


def test_notes_are_seen_by_their_author_only(match, player, rival):
    signed_in(player).post(f"/game/{match.pk}/note/", {"text": "bluffs when short", "afterwards": ""})
    assert "bluffs when short" in text_of(signed_in(player).get(f"/game/{match.pk}/"))
    for client in (signed_in(rival), Client()):
        assert "bluffs when short" not in text_of(client.get(f"/game/{match.pk}/"))


def test_words_for_afterwards_stand_beside_the_game_once_it_is_over(match, player, rival, stranger, now):
    post = {"text": "for me alone", "afterwards": "<b>well</b> played"}
    signed_in(player).post(f"/game/{match.pk}/note/", post)
    readers = [signed_in(rival), signed_in(stranger), Client()]
    pages = [f"/game/{match.pk}/", f"/game/{match.pk}/replay/"]
    assert not any("well" in text_of(reader.get(page)) for reader in readers for page in pages)
    play_out(match, now)
    for reader in [signed_in(player), *readers]:
        for page in pages:
            assert "&lt;b&gt;well&lt;/b&gt; played" in text_of(reader.get(page))
    assert not any("for me alone" in text_of(reader.get(page)) for reader in readers for page in pages)


def test_chat_keeps_what_it_refuses(match, player):
    client = signed_in(player)
    long = "so " * 300
    response = client.post(f"/game/{match.pk}/chat/", {"text": long})
    assert response.status_code == 400
    assert "at most 500 letters" in text_of(response) and long.strip() in text_of(response)
    client.post(f"/game/{match.pk}/chat/", {"text": "good <b>luck</b>"})
    page = text_of(client.get(f"/game/{match.pk}/"))
    assert "good &lt;b&gt;luck&lt;/b&gt;" in page


def test_a_refused_note_stays_in_its_own_field(match, player):
    """Were it put into the field for messages, the next click would tell it to the opponent."""
    client = signed_in(player)
    response = client.post(f"/game/{match.pk}/note/", {"text": "my plan " * 600, "afterwards": "well played"})
    assert response.status_code == 400
    page = text_of(response)
    assert re.search(r'<textarea name="text"[^>]*>(my plan ){600}<', page)
    assert re.search(r'<textarea name="afterwards"[^>]*>well played<', page)
    assert page.count("my plan") == 600


def test_a_note_is_kept_without_what_no_database_keeps(match, player):
    client = signed_in(player)
    assert client.post(f"/game/{match.pk}/note/", {"text": "a\0b", "afterwards": "\0"}).status_code == 303
    assert "ab</textarea>" in text_of(client.get(f"/game/{match.pk}/"))


@pytest.fixture
def finished(match, now):
    play_out(match, now)
    match.refresh_from_db()
    return match


def test_a_replay_goes_through_the_whole_match(finished):
    client = Client()
    last = MoveLog.objects.filter(match=finished).count()
    first = client.get(f"/game/{finished.pk}/replay/?move=0")
    assert len(cards_in(first)) >= 2
    for asked in ("", f"?move={last}", "?hand=2", "?move=99999999", "?move=x", "?hand=0"):
        assert client.get(f"/game/{finished.pk}/replay/{asked}").status_code == 200


def test_records_come_as_text_and_json(finished):
    client = Client()
    text = text_of(client.get(f"/game/{finished.pk}/record.txt"))
    assert "Hand 1" in text and "player" in text and "wins" in text
    record = client.get(f"/game/{finished.pk}/record.json").json()
    assert len(record["moves"]) == MoveLog.objects.filter(match=finished).count()
    assert client.get(f"/game/{finished.pk}/fair.json").json()["seed"]


def test_the_decks_record_of_a_running_match_keeps_its_secret(match):
    record = Client().get(f"/game/{match.pk}/fair.json").json()
    assert record["seed"] is None
    assert all(deck["order"] is None for hand in record["hands"] for deck in hand["decks"])


def test_a_rematch_invites_and_the_other_click_begins_it(finished, player, rival):
    signed_in(player).post(f"/game/{finished.pk}/rematch/")
    assert "invites you" in text_of(signed_in(rival).get("/turn/"))
    response = signed_in(rival).post(f"/game/{finished.pk}/rematch/")
    assert response.status_code == 303
    assert signed_in(player).get(response["Location"]).status_code == 200


@pytest.mark.parametrize("known", [True, False], ids=["state at hand", "after a restart"])
def test_the_page_costs_few_queries(match, now, django_assert_max_num_queries, known):
    answer_until_turn_passes(match, now)
    client = signed_in(due_seat(match).user)
    client.get(f"/game/{match.pk}/")
    if not known:
        ledger.forget()
    with django_assert_max_num_queries(7 if known else 8):
        client.get(f"/game/{match.pk}/")


def test_the_page_is_small(finished):
    import gzip

    page = Client().get(f"/game/{finished.pk}/").content
    assert len(page) <= 40_000
    assert len(gzip.compress(page)) <= 8_000


def test_a_betting_plan_is_filed_by_its_fields(client, player, rival, now):
    match = opened(now, player, rival, game="five-draw", options={"betting": "sealed"})
    seat = match.seats.get(user=player)
    client.force_login(player)
    assert b'name="level0"' in client.get(f"/game/{match.pk}/").content
    plan = {"turn": state_of(match).turn, "level0": "bet", "level1": "call", "level2": "call", "level3": "fold"}
    client.post(f"/game/{match.pk}/move/", plan)
    sealed = {one.seat: str(one.move) for one in state_of(match).sealed}
    assert sealed == {seat.number: "plan bet/call/call/fold"}
    refused = client.post(f"/game/{match.pk}/move/", {**plan, "level1": "sulk"})
    assert refused.status_code == 400
    assert {one.seat: str(one.move) for one in state_of(match).sealed} == sealed
