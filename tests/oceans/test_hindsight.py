"""Luck and choices of a finished game: asked for on its page, worked out by the tick, shown to whoever may see it."""

import pytest
from django.test import Client

from oceans import play, tick
from oceans.bots import hindsight as judging
from oceans.models import Hindsight, Match, MoveLog
from oceans.play import hindsight
from oceans.refusals import TooMany
from tests.builders import answer, due_seat, legal, opened, play_out
from tests.conftest import person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(judging, "TIMES", 8)


@pytest.fixture
def reader(player):
    client = Client()
    client.force_login(player)
    return client


def text_of(answer):
    return answer.content.decode()


def test_it_is_asked_for_once_and_worked_out_by_the_tick(player, rival, now, reader):
    match = opened(now, player, rival)
    page = f"/game/{match.pk}/luck/"
    assert "still running" in text_of(reader.get(page))
    assert "still running" in text_of(reader.post(f"{page}ask/", follow=True))
    play_out(match, now)
    assert page in text_of(reader.get(f"/game/{match.pk}/")) and page in text_of(
        reader.get(f"/game/{match.pk}/replay/")
    )
    assert "Sign in to ask" in text_of(Client().get(page)) and "Work it out" in text_of(reader.get(page))
    assert Client().post(f"{page}ask/").status_code == 302 and not Hindsight.objects.exists()
    for _twice in range(2):
        assert "being worked out" in text_of(reader.post(f"{page}ask/", follow=True))
    assert play.work_out(now) == 1 and play.work_out(now) == 0
    shown = text_of(Client().get(page))
    for words in ("Luck of the cards", "Own choices", "All choices", "<b>+50</b>", "<b>−50</b>"):
        assert words in shown
    assert "Not played to the end" not in shown
    assert Hindsight.objects.count() == 1


def test_the_tick_works_on_it(player, rival, now, reader):
    match = opened(now, player, rival)
    play_out(match, now)
    reader.post(f"/game/{match.pk}/luck/ask/")
    assert tick.tick()["hindsight"] == 1


def test_a_game_that_was_resigned_tells_what_was_given_up(player, rival, now, reader):
    match = opened(now, player, rival)
    for _ in range(6):
        answer(match, legal(match, due_seat(match).number)[0], now)
    play.resign(match_id=match.pk, seat=0, now=now)
    reader.post(f"/game/{match.pk}/luck/ask/")
    play.work_out(now)
    assert "Not played to the end" in text_of(reader.get(f"/game/{match.pk}/luck/"))


@pytest.mark.parametrize("terms", [{"game": "guts-3"}, {"game": "oe-table"}])
def test_other_games_and_tables_have_none(player, rival, stranger, now, reader, terms):
    people = (player, rival, stranger) if terms["game"] == "oe-table" else (player, rival)
    match = opened(now, *people, **terms)
    Match.objects.filter(pk=match.pk).update(status="finished", finished_at=now, due_s=None)
    answer = reader.post(f"/game/{match.pk}/luck/ask/", follow=True)
    assert "Ocean&#x27;s Eleven between two" in text_of(answer) and not Hindsight.objects.exists()
    assert f"/game/{match.pk}/luck/" not in text_of(reader.get(f"/game/{match.pk}/"))


def test_a_private_game_shows_nothing_to_strangers(player, rival, stranger, now, reader):
    match = opened(now, player, rival, is_private=True, event="event:1")
    play_out(match, now)
    outside = Client()
    outside.force_login(stranger)
    page = f"/game/{match.pk}/luck/"
    assert outside.get(page).status_code == outside.post(f"{page}ask/").status_code == 404
    assert not Hindsight.objects.exists() and reader.get(page).status_code == 200


def test_nobody_waits_for_many_games_at_once(player, rival, now, monkeypatch):
    monkeypatch.setattr(hindsight, "MOST_WAITING", 1)
    for number in range(2):
        match = opened(now, player, rival)
        play_out(match, now, seed=number)
        if number:
            with pytest.raises(TooMany, match="wait until they are done"):
                play.ask_for_hindsight(match=match, user_id=player.pk, now=now)
        play.ask_for_hindsight(match=match, user_id=rival.pk if number else player.pk, now=now)
    assert Hindsight.objects.count() == 2


def test_one_that_fails_holds_up_no_other_and_is_given_up(player, rival, now, monkeypatch):
    broken, whole = opened(now, player, rival), opened(now, player, rival)
    for match in (broken, whole):
        play_out(match, now)
        play.ask_for_hindsight(match=match, user_id=person(f"asks{match.pk}").pk, now=now)
    MoveLog.objects.filter(match=broken, number=3).update(text="nonsense")
    assert play.work_out(now) == 1
    assert Hindsight.objects.get(match=whole).made_at is not None
    assert Hindsight.objects.get(match=broken).attempts == hindsight.MOST_ATTEMPTS


def test_a_long_game_is_judged_in_several_ticks(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    play.ask_for_hindsight(match=match, user_id=player.pk, now=now)
    whole = [choice.written() for choice in hindsight.choices_of(Match.objects.get(pk=match.pk))]
    clock = iter(range(1000))
    ticks = 1
    while not play.work_out(now, seconds=lambda: 3 * next(clock)):
        ticks += 1
    assert ticks > 3
    assert Hindsight.objects.get().choices == whole
