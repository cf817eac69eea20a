"""Luck and choices of a finished game: asked for on its page, worked out by the tick, shown to whoever may see it."""

import re
from datetime import timedelta
from itertools import count

import pytest
from django.test import Client

from oceans import play, tick
from oceans.bots import hindsight as judging
from oceans.models import Hindsight, Match, MoveLog
from oceans.play import hindsight
from oceans.refusals import Refusal, TooMany
from tests.builders import answer, due_seat, legal, opened, other_seat, play_out
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
        waiting = text_of(reader.post(f"{page}ask/", follow=True))
        assert "being worked out" in waiting and "data-poll" in waiting
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


def shown(answer):
    """The lines of the account: what it is called, and a number for each seat."""
    line = re.compile(r'<tr><th scope="row">([^<]+)</th><td[^>]*>(?:<b>)?([−+0-9]+).*?<td[^>]*>(?:<b>)?([−+0-9]+)')
    return [(name, int(a.replace("−", "-")), int(b.replace("−", "-"))) for name, a, b in line.findall(text_of(answer))]


def test_the_lines_of_the_account_add_up_as_they_are_shown(player, rival, now, reader):
    """Each rounded by itself would be 15, 25 and 39 or 89 of a hundred."""
    match = opened(now, player, rival)
    play_out(match, now)
    choices = [[1, 0, True, 0.5, 0.648, 0.01], [2, 1, True, 0.5, 0.754, 0.01]]
    Hindsight.objects.create(match=match, asked_at=now, made_at=now, choices=choices)
    *lines, (_name, *sums) = shown(reader.get(f"/game/{match.pk}/luck/"))
    assert [sum(line[1] for line in lines), sum(line[2] for line in lines)] == sums
    assert sums in ([50, -50], [-50, 50])


def test_a_choice_leads_to_the_table_as_it_was_before_it(player, rival, now, reader):
    match = opened(now, player, rival)
    play_out(match, now)
    reader.post(f"/game/{match.pk}/luck/ask/")
    play.work_out(now)
    page = text_of(reader.get(f"/game/{match.pk}/luck/"))
    choices = Hindsight.objects.get().choices
    conceded = next(number for number, _seat, has_dealt, *_rest in choices if not has_dealt)
    assert f'/replay/?move={conceded - 1}">{conceded}</a>' in page


@pytest.mark.parametrize("moves", [1, 2, 9])
def test_luck_before_a_resignation_is_not_given_up(player, rival, now, reader, moves):
    """The position that was left is judged, not the one before the last card."""
    match = opened(now, player, rival)
    for _ in range(moves):
        answer(match, legal(match, due_seat(match).number)[0], now)
    due, gone = due_seat(match).number, other_seat(match, due_seat(match)).number
    play.resign(match_id=match.pk, seat=gone, now=now)
    reader.post(f"/game/{match.pk}/luck/ask/")
    play.work_out(now)
    page = reader.get(f"/game/{match.pk}/luck/")
    _number, seat, has_dealt, dealing, conceding, _error = Hindsight.objects.get().choices[-1]
    assert (seat, has_dealt) == (due, None) and "was to choose" in text_of(page)
    lines = {name: worth for name, *worth in shown(page)}
    assert lines["Not played to the end"][due] == round(100 - 100 * max(dealing, conceding))
    assert lines["From an even game to the result"][due] == 50


def test_a_game_without_a_choice_has_nothing_to_wait_for(player, rival, now, reader):
    match = opened(now, player, rival)
    Match.objects.filter(pk=match.pk).update(status="finished", ended_by="by-staff", finished_at=now, due_s=None)
    reader.post(f"/game/{match.pk}/luck/ask/")
    play.work_out(now)
    page = text_of(reader.get(f"/game/{match.pk}/luck/"))
    assert "before anybody had a choice" in page and "data-poll" not in page


def test_a_cancelled_game_is_not_said_to_be_another_game(player, rival, now, reader):
    match = opened(now, player, rival)
    play.resign(match_id=match.pk, seat=0, now=now)
    match.refresh_from_db()
    assert match.status == Match.Status.CANCELLED
    assert "that have a result" in text_of(reader.get(f"/game/{match.pk}/luck/"))
    assert "that have a result" in text_of(reader.post(f"/game/{match.pk}/luck/ask/"))


def test_a_game_by_older_rules_is_not_judged_by_the_present_ones(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    for retired in ({"rules_version": match.rules_version + 1}, {"game": "oe-threes"}):
        Match.objects.filter(pk=match.pk).update(**retired)
        with pytest.raises(Refusal, match="that have a result"):
            play.ask_for_hindsight(match=Match.objects.get(), user_id=player.pk, now=now)


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


def test_one_that_fails_holds_up_no_other_and_is_given_up(player, rival, now, reader, monkeypatch):
    broken, whole = opened(now, player, rival), opened(now, player, rival)
    for match in (broken, whole):
        play_out(match, now)
        play.ask_for_hindsight(match=match, user_id=person(f"asks{match.pk}").pk, now=now)
    text = MoveLog.objects.get(match=broken, number=3).text
    MoveLog.objects.filter(match=broken, number=3).update(text="nonsense")
    assert play.work_out(now) == 1
    assert Hindsight.objects.get(match=whole).made_at is not None
    for minutes in (0.5, 1, 2):
        assert not Hindsight.objects.get(match=broken).has_failed
        assert play.work_out(now + timedelta(minutes=minutes)) == 0
    failed = Hindsight.objects.get(match=broken)
    assert failed.has_failed
    page = f"/game/{broken.pk}/luck/"
    monkeypatch.setattr(hindsight, "MOST_WAITING", 1)
    MoveLog.objects.filter(match=broken, number=3).update(text=text)
    shown = text_of(reader.get(page))
    assert "failed to work this out" in shown and "data-poll" not in shown
    play.ask_for_hindsight(match=broken, user_id=failed.asked_by_id, now=now)
    assert "being worked out" in text_of(reader.get(page)) and play.work_out(now) == 1


def test_two_ticks_at_once_do_not_work_on_the_same_game(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    play.ask_for_hindsight(match=match, user_id=player.pk, now=now)
    looks = count()

    def seconds_while_another_ticks():
        """Two looks at the clock before the game is taken up, and one after each choice."""
        if next(looks) >= 2:
            assert play.work_out(now) == 0
        return 0.0

    assert play.work_out(now, seconds=seconds_while_another_ticks) == 1
    assert next(looks) > 10 and Hindsight.objects.get().made_at is not None


def test_a_long_game_is_judged_in_several_ticks(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    play.ask_for_hindsight(match=match, user_id=player.pk, now=now)
    whole = [choice.written() for choice in hindsight.choices_of(Match.objects.get(pk=match.pk))]
    clock = iter(range(1000))
    ticks = 1
    while not play.work_out(now, seconds=lambda: next(clock)):
        ticks += 1
    assert ticks > 3
    assert Hindsight.objects.get().choices == whole
