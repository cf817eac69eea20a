"""Where a game does not say whom it waits for, as at the opening of Jacks or Better, nobody learns who was asked or has
answered: not from pages, not from clocks, not from the order of lists."""

import logging
import random
import re
from datetime import timedelta

import pytest
import time_machine
from django.apps import apps
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import Client

from accounts.models import Leave, Notice, User
from oceans import ledger, mail, play
from oceans.models import Match, Seat
from oceans.play import opening
from oceans.refusals import Refusal
from oceans.rules import engine
from oceans.rules.moves import Move
from tests.builders import give_notice, legal, opened, pass_time, state_of
from tests.oceans.test_routes import ROUTES
from tests.oceans.test_two_worlds import OWN_SECRETS, TOKENS, seen
from tests.rules.builders import dealt

OPENERS = "Jc Jd 7h 4s 2c  Ts 8d 6c 5h 3s  Kh Kc 9d 5s 2d  Qs Td 8h 6s 4c"
"""Seats 0 and 2 may open."""
ASKED, OTHERS = (0, 2), (1, 3)
OTHERWISE = "  ".join(OPENERS.split("  ")[at] for at in (0, 1, 3, 2))
"""Seats 0 and 3 may open."""
AGAIN = "Jh Js 7c 4c 2d  Th 8c 6d 5c 3d  9h 7s 6s 4h 2h  Qd Tc 8s 5d 3c"
"""Seat 0 may open."""
ROLES = ("seat 0", "seat 1", "staff", "nobody")


@pytest.fixture
def people(player, rival, stranger, django_user_model):
    return [player, rival, stranger, django_user_model.objects.create_user("fourth", "fourth@example.org", "pw")]


@pytest.fixture
def lay(monkeypatch):
    """Lay other hands for the first deal of every match of this game, and if it is dealt anew for that."""
    plain, decks = engine.start, {}

    def laid(hands: str, again: str = "") -> None:
        decks[1] = tuple(dealt(cards, 4) for cards in (hands, again) if cards)
        ledger.forget()

    def start(setup, keys, **rest):
        return plain(setup, keys, decks=decks) if setup.game.has_unnamed_waits else plain(setup, keys, **rest)

    monkeypatch.setattr(engine, "start", start)
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
    game = [
        f"/game/{match.pk}/{part}" for part in ("", "?stamp=x", "replay/", "record.json", "fair.json", "fair/", "luck/")
    ]
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
    for hands in (OPENERS, OTHERWISE):
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
@pytest.mark.parametrize("leave_allowed", ["all", "none"])
def test_the_final_reminder_does_not_tell_whether_others_have_answered(people, now, lay, leave_allowed):
    lay(OPENERS)
    told = set()
    for has_answered in (False, True):
        match = opened(now, *people, game="jacks", leave_allowed=leave_allowed)
        if has_answered:
            answered(match, 0, "pass", now)
        seat = match.seats.select_related("user").get(number=2)
        notice = Notice(
            user=seat.user, kind="running-out", context={"match": match.pk, "seat": 2, "deadline_s": seat.deadline_s}
        )
        told.add(mail.running_out(notice, seat.user, now).text.splitlines()[0])
    ledger.forget()
    assert len(told) == 1 and "If it does" not in told.pop()


@pytest.mark.django_db
def test_staff_pages_do_not_say_who_is_asked(match, now, client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("boss", "boss@example.org", "pw"))
    page = client.get(f"/admin/oceans/match/{match.pk}/change/").content.decode()
    for name in ("is_due", "deadline_s", "effective_s", "due_s"):
        assert f"field-{name}" not in page


@pytest.mark.django_db
def test_staff_find_time_outs_and_reminders_when_the_game_is_over(match, now, client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("boss", "boss@example.org", "pw"))
    match.seats.update(has_moved=True)
    late = match.seats.select_related("user").get(number=2).user.username
    answered(match, 0, "pass", now)
    later = pass_time(timedelta(hours=241), now)
    give_notice(match)
    assert play.run_out_clock(match_id=match.pk, now=later)
    lists = [f"/admin/{name}/?q={late}" for name in ("oceans/timeout", "accounts/notice")]
    assert ["field-reason" in page or "field-user" in page for page in texts(client, lists)] == [False, False]
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CANCELLED, finished_at=later, due_s=None)
    assert all("field-reason" in page or "field-user" in page for page in texts(client, lists))


def texts(client, paths) -> list[str]:
    return [client.get(path).content.decode() for path in paths]


def world(asked: int, people, now, look) -> list:
    """What `look` sees of a wait in which seat 0 and one other are asked: that one runs out of time, a day of leave is
    spent, the day is over, the game passes; new cards are dealt, and seat 0 opens."""

    def passes(span: timedelta, at):
        later = pass_time(span, at)
        give_notice(match)
        assert play.run_out_clock(match_id=match.pk, now=later)
        return later

    beside = opened(now, *people, game="guts", are_seats_drawn=False)
    match = opened(now, *people, game="jacks", are_seats_drawn=False)
    match.seats.update(has_moved=True)
    assert set(match.seats.filter(is_due=True).values_list("number", flat=True)) == {0, asked}
    answered(match, 0, "pass", now)
    later = passes(timedelta(hours=241), now)
    assert Leave.objects.get().user == people[asked]
    with time_machine.travel(later, tick=False):
        while_asked = look(match, beside)
    User.objects.filter(pk=people[asked].pk).update(auto_leave=False)
    later = passes(timedelta(hours=24), later)
    assert state_of(match).state.redeals == 1
    answered(match, 0, "open", later)
    with time_machine.travel(later, tick=False):
        return [while_asked, look(match, beside)]


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_no_address_tells_who_was_asked_or_whose_day_of_leave_was_spent(
    role, people, now, lay, monkeypatch, caplog, client, django_user_model
):
    """Seat 2 is asked in one world, seat 3 in the other, and all that is stored is stored as it was there."""
    caplog.set_level(logging.DEBUG)
    staff = django_user_model.objects.create_superuser("boss", "boss@example.org", "pw")
    users = {"seat 0": people[0], "seat 1": people[1], "staff": staff}
    if role in users:
        client.force_login(users[role])

    def look(match, beside) -> dict[str, tuple]:
        paths = {path.replace("/game/1/", f"/game/{match.pk}/") for path, _ in ROUTES}
        paths |= {"/admin/accounts/notice/", "/admin/accounts/leave/", "/admin/oceans/timeout/"}
        paths |= {f"/admin/oceans/match/{match.pk}/change/", "/admin/oceans/match/", f"/game/{beside.pk}/"}
        paths |= {f"/player/{person.username}/" for person in people}
        ledger.forget()
        cache.clear()
        paths = {path for path in paths if not path.startswith(OWN_SECRETS)}
        return {path: seen(client, path, caplog)[:4] for path in sorted(paths)}

    worlds = []
    for hands, asked in ((OPENERS, 2), (OTHERWISE, 3)):
        count_anew()
        lay(hands, AGAIN)
        monkeypatch.setattr(opening.secrets, "token_bytes", random.Random(1).randbytes)
        with transaction.atomic(), time_machine.travel(now, tick=False):
            worlds.append(world(asked, people, now, look))
            transaction.set_rollback(True)
    for moment, (one, other) in enumerate(zip(*worlds, strict=True)):
        for path in one:
            assert one[path] == other[path], f"{path} at moment {moment}"


def count_anew() -> None:
    """Let numbers be given again that a rollback has freed, where the database does not do so by itself."""
    models = [model for app in ("oceans", "accounts") for model in apps.get_app_config(app).get_models()]
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(sql)
