"""Tickets of mini cups: won, used, given back, and moved by a ruling."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts import closing
from accounts.models import Notice
from oceans.refusals import Refusal
from tests.tournaments.made import fields, play_event
from tests.tournaments.test_event_pages import text_of
from tournaments import directing, mail, rulings, running, tickets
from tournaments.models import Ticket, Tournament

pytestmark = pytest.mark.django_db

LOW, HIGH = "mini-cup-oe-twos", "mini-cup-oe-twos-2"


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def levels():
    """Two levels of mini cups."""
    call_command("seed_events", "--levels", "oe-twos", "2", verbosity=0)


def open_one(series):
    return Tournament.objects.get(series=series, state="open")


def enter(event, user, now):
    running.enter(tournament_id=event.pk, user_id=user.pk, now=now)


def won_by_first(people, now):
    """The lower cup played to its end; the first of the people wins it."""
    event = open_one(LOW)
    for one in people:
        enter(event, one, now)
    return play_event(event, now)


def held(user):
    return [one.event.series for one in tickets.unused_by(user.pk)]


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def test_who_is_put_out_has_his_ticket_again_and_pays_with_it_when_taken_back_in(levels, now, staff):
    people = fields(4)
    won_by_first(people, now)
    event = open_one(HIGH)
    enter(event, people[0], now)
    terms = {"tournament_id": event.pk, "user_id": people[0].pk, "by": staff, "now": now}
    rulings.exclude(**terms)
    assert held(people[0]) == [HIGH]
    rulings.reinstate(**terms)
    assert held(people[0]) == []


def test_levels_are_set_up_once_and_can_grow(capsys):
    for count in ("2", "2", "3"):
        call_command("seed_events", "--levels", "oe-twos", count)
    assert capsys.readouterr().out.splitlines() == ["2 set up.", "0 set up.", "1 set up."]
    assert list(Tournament.objects.order_by("pk").values_list("series", "ticket_to", "by_ticket")) == [
        (LOW, HIGH, False),
        (HIGH, f"{HIGH[:-1]}3", True),
        (f"{HIGH[:-1]}3", "", True),
    ]
    for wrong in (("chess", "2"), ("oe-twos", "9")):
        with pytest.raises(CommandError):
            call_command("seed_events", "--levels", *wrong)


def test_the_winner_gets_a_ticket_and_enters_the_next_level_with_it(levels, now):
    people = fields(4)
    low = won_by_first(people, now)
    high = open_one(HIGH)
    assert held(people[0]) == [HIGH] and held(people[1]) == []
    following = open_one(LOW)
    assert following.ticket_to == HIGH and not following.by_ticket
    winner, loser = client_of(people[0]), client_of(people[1])
    assert "won a ticket to" in text_of(loser.get(f"/tournaments/{low.pk}/"))
    assert f'Ticket to <a href="/tournaments/{high.pk}/">' in text_of(winner.get("/tournaments/"))
    assert "ticket to the next level" in text_of(loser.get("/player/p1/"))
    address = f"/tournaments/{high.pk}/"
    assert "You have a ticket" in text_of(winner.get(address))
    assert "takes a ticket: win a mini cup of the level below" in text_of(loser.get(address))
    assert "takes a ticket" in text_of(loser.post(f"{address}enter/", follow=True))
    assert "You are in." in text_of(winner.post(f"{address}enter/", follow=True))
    assert held(people[0]) == [] and "Ticket to" not in text_of(winner.get("/tournaments/"))
    assert "ticket to the next level" not in text_of(loser.get("/player/p1/"))
    (notice,) = Notice.objects.filter(user=people[1], kind="title")
    assert "ticket" not in mail.event(notice).text
    winner.post(f"{address}withdraw/")
    (notice,) = Notice.objects.filter(user=people[0], kind="title")
    told = mail.event(notice).text
    assert "You have won a ticket to the mini cup of the next level." in told and "on the page of tournaments" in told


def test_a_ticket_comes_back_when_one_leaves_or_the_cup_is_called_off_but_not_after_the_start(levels, now, staff):
    people = fields(4)
    for _cup in range(2):
        won_by_first(people, now)
    high = open_one(HIGH)
    enter(high, people[0], now)
    assert len(held(people[0])) == 1
    running.withdraw(tournament_id=high.pk, user_id=people[0].pk, now=now)
    assert len(held(people[0])) == 2
    enter(high, people[0], now)
    directing.cancel(tournament_id=high.pk, by=staff, now=now)
    assert len(held(people[0])) == 2
    Ticket.objects.create(user=people[1], series=HIGH, won_in=high, won_at=now)
    Ticket.objects.create(user=people[2], series=HIGH, won_in=high, won_at=now)
    Ticket.objects.create(user=people[3], series=HIGH, won_in=high, won_at=now)
    high = open_one(HIGH)
    for one in people:
        enter(high, one, now)
    running.withdraw(tournament_id=high.pk, user_id=people[3].pk, now=now)
    assert held(people[3]) == [] and len(held(people[0])) == 1
    closing.close(people[0].pk, now)
    assert not Ticket.objects.filter(user=people[0], used_in=None).exists()


def make_second_win(event, people, staff, now):
    """A ruling that turns the game of the first two round, which moves the win to the second."""
    pairing = next(
        row
        for round_ in event.rounds.all()
        for row in round_.pairings.all()
        if set(row.players) == {people[0].pk, people[1].pk}
    )
    points = (0, 2) if pairing.players[0] == people[0].pk else (2, 0)
    rulings.set_result(
        tournament_id=event.pk, number=pairing.round.number, board=pairing.board, points=points, by=staff, now=now
    )


def test_a_ruling_moves_an_unused_ticket_to_the_new_winner_and_tells_him(levels, now, staff):
    people = fields(4)
    low = won_by_first(people, now)
    make_second_win(low, people, staff, now)
    assert held(people[0]) == [] and held(people[1]) == [HIGH]
    notice = Notice.objects.get(user=people[1], context__what="ticket")
    assert "the win is yours after a ruling" in mail.event(notice).subject
    rulings.exclude(tournament_id=low.pk, user_id=people[1].pk, by=staff, now=now)
    assert held(people[1]) == [] and mail.event(notice) is None
    assert len(held(people[0])) == 1


def test_a_used_ticket_stands_after_a_ruling_but_does_not_come_back(levels, now, staff):
    people = fields(4)
    low = won_by_first(people, now)
    high = open_one(HIGH)
    enter(high, people[0], now)
    make_second_win(low, people, staff, now)
    assert high.entrants.get().user == people[0] and held(people[1]) == [HIGH]
    running.withdraw(tournament_id=high.pk, user_id=people[0].pk, now=now)
    assert held(people[0]) == []
    with pytest.raises(Refusal, match="takes a ticket"):
        enter(high, people[0], now)


def test_a_house_without_a_next_level_gives_no_tickets(now):
    call_command("seed_events", verbosity=0)
    won_by_first(fields(4), now)
    assert not Ticket.objects.exists()
