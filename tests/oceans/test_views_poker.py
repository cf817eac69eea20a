"""The page of a match with bets and hidden cards: what buttons cost, what is sealed, how a deal ended and why."""

import re

import pytest
from django.test import Client

from oceans import ledger, play
from oceans.rules import engine
from oceans.rules.moves import Move
from tests.builders import opened, state_of
from tests.rules.builders import dealt

pytestmark = pytest.mark.django_db

HANDS = "Kh Kd 9c 5s 2d  Ah Ac 8h 4h 3c  7s 7c Qd Td 6h"
"""East has the better pair."""


@pytest.fixture
def table(player, rival, stranger, now, time_machine, monkeypatch):
    """Three people with these hands in every deal, and how to play for them by seat."""
    time_machine.move_to(now, tick=False)
    plain = engine.start
    decks = dict.fromkeys(range(1, 9), (dealt(HANDS, 3),))
    monkeypatch.setattr(engine, "start", lambda setup, keys, **rest: plain(setup, keys, decks=decks))
    ledger.forget()

    def begun(game: str, **options):
        match = opened(now, player, rival, stranger, game=game, options=options)

        def moved(*moves: str) -> None:
            for text in moves:
                seat, move = text.split(maxsplit=1)
                turn = state_of(match).turn
                play.make_move(match_id=match.pk, seat=int(seat), turn=turn, move=Move.parse(move), now=now)

        return match, moved

    yield begun
    ledger.forget()


def client_of(match, seat: int) -> Client:
    client = Client()
    client.force_login(match.seats.get(number=seat).user)
    return client


def page_of(match, seat: int) -> str:
    return re.sub(r"\s+", " ", client_of(match, seat).get(f"/game/{match.pk}/").content.decode())


def words(html: str) -> str:
    """What somebody reads, cards as they are called."""
    named = re.sub(r'<span class="mc[^>]*aria-label="([^"]*)".*?</span>', r"\1 ", html)
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", "", named))


def buttons(page: str) -> list[str]:
    return re.findall(r'<button class="btn[^>]*name="move"[^>]*>([^<]*)<', page)


def test_buttons_say_what_they_cost(table):
    match, moved = table("five-draw")
    moved("0 bet 2")
    assert buttons(page_of(match, 1)) == ["Fold", "Call 2", "Raise to 4"]
    moved("1 raise 4", "2 fold")
    assert buttons(page_of(match, 0)) == ["Fold", "Call 2", "Raise to 6"]


def test_a_call_that_takes_the_last_chips_says_so(table):
    match, moved = table("five-draw", stack=20, bet=20)
    moved("0 bet 19")
    assert "Call 19, all in" in buttons(page_of(match, 1))


def test_a_duel_says_what_the_bid_becomes(table):
    match, moved = table("duel-it")
    moved("0 bid 4")
    assert buttons(page_of(match, 1)) == ["Forget it", "Show", "Raise to 6", "Raise to 10", "Duel: the bid is 8"]


def test_a_sealed_plan_is_shown_to_its_owner_and_can_be_changed(table):
    match, _moved = table("five-draw", betting="sealed")
    client, url = client_of(match, 1), f"/game/{match.pk}/"
    lines = {"level0": "bet", "level1": "raise", "level2": "call", "level3": "fold"}
    for level1 in ("raise", "call"):
        client.post(f"{url}move/", {"turn": 0, **lines, "level1": level1})
        page = page_of(match, 1)
        chosen = re.findall(r'<select name="(level\d)".*?value="(\w+)" selected', page)
        assert dict(chosen) == {**lines, "level1": level1}
        assert "Change my choice" in page
    assert "bet/call/call/fold" not in client_of(match, 0).get(url).content.decode()


def test_sealed_cards_are_shown_to_their_owner_and_refused_ones_stay_ticked(table):
    match, moved = table("five-draw")
    moved("0 check", "1 check", "2 check", "1 draw 8h 4h")
    ticked = re.compile(r'name="cards" value="(\w+)" checked')
    assert ticked.findall(page_of(match, 1)) == ["8h", "4h"]
    many = {"turn": state_of(match).turn, "move": "draw", "cards": ["Kh", "9c", "5s", "2d"]}
    refused = client_of(match, 0).post(f"/game/{match.pk}/move/", many)
    assert refused.status_code == 400 and "Choose from 0 to 3 cards: you chose 4." in refused.content.decode()
    assert ticked.findall(refused.content.decode()) == many["cards"]


def test_a_sealed_draw_of_no_cards_is_called_by_its_own_name(table):
    match, moved = table("five-draw")
    moved("0 check", "1 check", "2 check", "1 draw")
    assert "You have sealed: Stand pat." in page_of(match, 1)


def test_it_is_told_how_a_deal_ended_and_why(table):
    match, moved = table("five-draw")
    moved("0 bet 2", "1 call", "2 fold", "0 draw", "1 draw", "0 check", "1 check")
    names = list(match.seats.order_by("number").values_list("user__username", flat=True))
    for seat in range(3):
        told = words(page_of(match, seat).split('id="ended"')[1].split("</section>")[0])
        assert "How deal 1 ended" in told
        assert f"{names[1]} wins the pot of 7, pair of aces, eight, four and three" in told
        assert f"{names[0]} shows king of hearts king of diamonds nine of clubs" in told
        assert f"{names[0]} −3, {names[1]} +4, {names[2]} −1" in told
        assert "seven of spades" not in told, "a folded hand is not shown"


def test_side_pots_are_told_while_they_are_played_for(table):
    match, moved = table("five-draw", stack=20, limit="pot")
    moved("0 bet 3", "1 call", "2 call", "0 draw", "1 draw", "2 draw", "0 check", "1 bet 12", "2 call", "0 fold")
    moved("1 bet 3", "2 call", "0 raise 6", "1 call")
    names = list(match.seats.order_by("number").values_list("user__username", flat=True))
    told = words(page_of(match, 0))
    assert f"Main pot: 12 for {names[1]}, {names[2]} and {names[0]}" in told
    assert f"Side pot 1: 6 for {names[1]} and {names[0]}" in told


def test_points_stand_beside_names_where_there_are_no_chips(table):
    match, moved = table("duel-it")
    moved("0 bid 10", "1 forget", "2 forget")
    page = page_of(match, 1)
    assert "5 points" in page and "0 points" in page and "chips" not in page.split('id="table"')[1].split("<nav")[0]
