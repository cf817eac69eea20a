"""What notifications say about play, and to whom they go."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts import news, push, sending
from accounts.models import TurnMail, User
from accounts.news import Channel, Kind
from oceans import service as service_clock
from tests.accounts.test_push import Browser, service
from tests.builders import due_seat, opened

__all__ = ["service"]

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _letters_are_kept(settings, monkeypatch, time_machine, now):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    monkeypatch.setattr(service_clock, "wall_clock", timezone.now)
    time_machine.move_to(now, tick=False)


@pytest.fixture
def browser(service, player, now):
    """A browser of the player's, switched on for turns."""
    browser = Browser(f"{service.origin}/send/1")
    fields = browser.fields()
    push.add(player, fields["endpoint"], fields["p256dh"], fields["auth"], now)
    news.switch(player, Kind.YOUR_TURN, Channel.PUSH, True)
    player.save()
    return browser


def players_turn(player, rival, now):
    """A match in which the player must answer."""
    while True:
        match = opened(now, player, rival)
        if due_seat(match).user_id == player.pk:
            return match


def send(now, time_machine, after=31 * MINUTE):
    time_machine.move_to(now + after, tick=False)
    sending.dispatch(now + after)


@pytest.mark.parametrize(
    ("wish", "mails"), [(TurnMail.ABSENCE, 1), (TurnMail.DAILY, 0), (TurnMail.NEVER, 0), (TurnMail.EVERY, 1)]
)
def test_a_turn_is_pushed_whatever_mail_is_wanted(browser, service, player, rival, now, time_machine, wish, mails):
    User.objects.filter(pk=player.pk).update(turn_mail=wish)
    players_turn(player, rival, now)
    send(now, time_machine)
    ((_path, _headers, body),) = service.got
    line = browser.read(body)
    assert line["title"].startswith("Your move ")
    assert line["tag"] == "your-turn"
    assert sum(one.to == [player.email] for one in mail.outbox) == mails


def test_the_line_says_who_and_how_long_and_leads_to_the_game(browser, service, player, rival, now, time_machine):
    match = players_turn(player, rival, now)
    send(now, time_machine)
    ((_path, _headers, body),) = service.got
    assert browser.read(body) == {
        "title": "Your move against rival: Ocean's Eleven, twos wild, 10 days left",
        "link": f"http://localhost:8000/game/{match.pk}/",
        "tag": "your-turn",
    }


def test_who_is_here_is_not_notified(browser, service, player, rival, now, time_machine):
    players_turn(player, rival, now)
    User.objects.update(last_seen_at=now + MINUTE)
    send(now, time_machine)
    assert service.got == []
