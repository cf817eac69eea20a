"""Where a game does not say whom it waits for, as at the opening of Jacks or Better, nobody learns who was asked or has
answered: not from pages, not from clocks, not from the order of lists."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from oceans import ledger, play
from oceans.models import Seat
from oceans.refusals import Refusal
from oceans.rules import engine
from oceans.rules.moves import Move
from tests.builders import legal, opened, pass_time, state_of
from tests.oceans.test_two_worlds import TOKENS
from tests.rules.builders import dealt

OPENERS = "Jc Jd 7h 4s 2c  Ts 8d 6c 5h 3s  Kh Kc 9d 5s 2d  Qs Td 8h 6s 4c"
"""Seats 0 and 2 may open."""
ASKED, OTHERS = (0, 2), (1, 3)


@pytest.fixture
def people(player, rival, stranger, django_user_model):
    return [player, rival, stranger, django_user_model.objects.create_user("fourth", "fourth@example.org", "pw")]


@pytest.fixture
def lay(monkeypatch):
    """Lay other hands for the first deal of every match."""
    plain, decks = engine.start, {}

    def laid(hands: str) -> None:
        decks[1] = (dealt(hands, 4),)
        ledger.forget()

    monkeypatch.setattr(engine, "start", lambda setup, keys, **rest: plain(setup, keys, decks=decks))
    return laid


@pytest.fixture
def match(people, now, lay):
    """A match in which two of four seats are asked whether they open."""
    lay(OPENERS)
    with time_machine.travel(now, tick=False):
        yield opened(now, *people, game="jacks")
    ledger.forget()


def answered(match, seat: int, text: str, now) -> None:
    play.make_move(match_id=match.pk, seat=seat, turn=state_of(match).turn, move=Move.parse(text), now=now)


def pages(match, user) -> dict[str, bytes]:
    """All a person can look at, with what changes on every load taken out."""
    client = Client()
    if user is not None:
        client.force_login(user)
    names = [seat.user.username for seat in match.seats.select_related("user")]
    game = [f"/game/{match.pk}/{part}" for part in ("", "?stamp=x", "replay/", "record.json", "fair.json", "fair/")]
    paths = ["/", "/turn/", "/lobby/", *game, *(f"/player/{name}/" for name in names)]
    return {path: TOKENS.sub(rb"\1", client.get(path).content) for path in paths}


@pytest.mark.django_db
def test_only_those_who_may_open_are_asked(match):
    assert {seat.number for seat in Seat.objects.filter(match=match, is_due=True)} == set(ASKED)
    assert legal(match, 0) == ("pass", "open") and legal(match, 1) == ("pass",)


@pytest.mark.django_db
def test_nobody_else_sees_that_somebody_has_answered(match, people, now, django_user_model):
    other_match = opened(now, *people, game="guts")
    users = {seat.number: seat.user for seat in match.seats.select_related("user")}
    staff = django_user_model.objects.create_superuser("boss", "boss@example.org", "pw")
    watchers = [*(users[seat] for seat in (0, *OTHERS)), staff, None]
    before = [pages(match, watcher) for watcher in watchers]
    later = now + timedelta(minutes=5)
    answered(match, 2, "open", later)
    after = [pages(match, watcher) for watcher in watchers]
    for watcher, was, is_now in zip(watchers, before, after, strict=True):
        for path in was:
            assert was[path] == is_now[path], f"{path} for {watcher}"
    match.refresh_from_db()
    assert match.moved_at == other_match.moved_at == now


@pytest.mark.django_db
def test_nobody_sees_which_of_the_others_may_open(match, lay):
    """The same match as if seat 3 held the kings instead of seat 2 looks the same to all but those two."""
    seats = match.seats.select_related("user").filter(number__in=(0, 1))
    watchers = [*(seat.user for seat in seats), None]
    worlds = []
    for hands in (OPENERS, "  ".join(OPENERS.split("  ")[at] for at in (0, 1, 3, 2))):
        lay(hands)
        worlds.append([pages(match, watcher) for watcher in watchers])
    assert worlds[0] == worlds[1]


@pytest.mark.django_db
def test_who_is_asked_sees_that_it_is_his_turn_and_the_others_only_that_it_is_not_theirs(match):
    for seat in match.seats.select_related("user"):
        client = Client()
        client.force_login(seat.user)
        page, turn = (client.get(path).content.decode() for path in (f"/game/{match.pk}/", "/turn/"))
        if seat.number in ASKED:
            assert "Your move against" in page and "One game waits for you" in turn
        else:
            assert "Your choice is sealed." in page and "Waiting for others" in turn
            assert "<td>not told</td>" in turn
        assert len(re.findall('class="clock', page)) == 1, "the own clock alone"


@pytest.mark.django_db
def test_clocks_come_out_of_the_wait_as_they_went_into_it(match, now):
    """Whoever was asked has thought for two days; a clock that had lost them would say so."""
    before = list(match.seats.order_by("number").values_list("bank_s", flat=True))
    later = pass_time(timedelta(days=2), now)
    answered(match, 2, "pass", later)
    answered(match, 0, "open", later)
    after = dict(match.seats.values_list("number", "bank_s"))
    assert [after[seat] for seat in range(4)] == before
    assert Seat.objects.get(match=match, is_due=True).number == 1, "betting goes on from the opener's left"


@pytest.mark.django_db
def test_giving_time_does_not_tell_whose_clock_runs(match, people, now):
    """A full clock that runs has room again after a while; one that stands has none."""
    giver = Client()
    giver.force_login(people[1])
    told = set()
    for later in (now, pass_time(timedelta(minutes=5), now)):
        with time_machine.travel(later, tick=False):
            for seat in (2, 3):
                told |= {giver.post(f"/game/{match.pk}/give-time/", {"seat": seat}).status_code for _try in range(12)}
    assert told == {Refusal.status}
    assert Seat.objects.filter(match=match, deadline_s__gt=0).count() == len(ASKED), "and nothing has moved"


@pytest.mark.django_db
def test_staff_pages_do_not_say_who_is_asked(match, now, client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("boss", "boss@example.org", "pw"))
    page = client.get(f"/admin/oceans/match/{match.pk}/change/").content.decode()
    for name in ("is_due", "deadline_s", "effective_s", "due_s"):
        assert f"field-{name}" not in page
