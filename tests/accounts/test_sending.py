"""The outbox against a real mail server: each piece of news once, whatever the server, the clock or a sender does."""

from datetime import time, timedelta

import pytest
from django.db import transaction

from accounts import breaker, notices, sending
from accounts.models import Notice, User
from accounts.news import Kind

pytestmark = pytest.mark.django_db(transaction=True)

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def tell(user, says, now, *, kind=Kind.RESULT, key=None, **more):
    notices.notify(user_id=user.pk, kind=kind, key=key or says, context={"says": says}, now=now, **more)


def state_of(says) -> str:
    return Notice.objects.get(context__says=says).state


def test_news_told_twice_is_one_mail(sink, newsroom, reader, now):
    for _ in range(2):
        tell(reader, "You won", now)
    assert sending.dispatch(now) == 1
    assert sending.dispatch(now + HOUR) == 0
    (mail,) = sink.to("reader@example.org")
    assert mail["Subject"] == "You won"
    assert newsroom.ended == [("You won", "sent")]
    notice = Notice.objects.get()
    assert (notice.state, notice.message, notice.lease_token) == ("sent", None, None)


def test_news_of_an_event_that_was_undone_is_never_told(sink, newsroom, reader, now):
    with pytest.raises(RuntimeError), transaction.atomic():
        tell(reader, "You won", now)
        raise RuntimeError
    assert sending.dispatch(now) == 0
    assert not Notice.objects.exists()


def test_what_is_no_longer_true_is_not_sent(sink, newsroom, reader, now):
    tell(reader, "Your turn", now, kind=Kind.YOUR_TURN)
    newsroom.untrue.add("Your turn")
    assert sending.dispatch(now) == 0
    assert sink.mails == []
    assert newsroom.ended == [("Your turn", "skipped")]


def test_several_pieces_of_news_share_a_mail(sink, newsroom, reader, now):
    for says in ("You won", "You lost", "You drew"):
        tell(reader, says, now)
    assert sending.dispatch(now) == 1
    (mail,) = sink.mails
    assert mail["Subject"] == "You won, and 2 more"
    text = mail.get_body(("plain",)).get_content()
    assert all(f"{says}." in text for says in ("You won", "You lost", "You drew"))
    assert set(Notice.objects.values_list("state", flat=True)) == {"sent"}


def test_one_mail_in_thirty_minutes(sink, newsroom, reader, now):
    tell(reader, "one", now)
    sending.dispatch(now)
    tell(reader, "two", now + MINUTE)
    sending.dispatch(now + 29 * MINUTE)
    assert len(sink.mails) == 1
    sending.dispatch(now + 31 * MINUTE)
    assert len(sink.mails) == 2


def test_a_busy_day_brings_at_most_48_mails(sink, newsroom, reader, now):
    for minute in range(0, 24 * 60, 10):
        instant = now + minute * MINUTE
        tell(reader, f"news {minute}", instant)
        sending.dispatch(instant)
    assert len(sink.mails) <= 48


def test_the_last_warning_waits_for_nothing(sink, newsroom, reader, now):
    reader.quiet_from, reader.quiet_to = time(11), time(13)
    reader.save()
    tell(reader, "quiet news", now)
    tell(reader, "7 hours left", now, kind=Kind.RUNNING_OUT)
    sending.dispatch(now)
    assert [mail["Subject"] for mail in sink.mails] == ["7 hours left"]


def test_quiet_hours_are_local(sink, newsroom, reader, now):
    reader.time_zone, reader.quiet_from, reader.quiet_to = "Asia/Tokyo", time(20), time(7)
    reader.save()
    tell(reader, "You won", now)
    sending.dispatch(now)
    assert sink.mails == []
    assert Notice.objects.get().due_at == now + 10 * HOUR
    sending.dispatch(now + 10 * HOUR)
    assert len(sink.mails) == 1


@pytest.mark.parametrize("change", [{"email": ""}, {"is_active": False}, {"is_guest": True}])
def test_nobody_without_a_proved_address_is_written_to(sink, newsroom, reader, now, change):
    tell(reader, "You won", now)
    User.objects.update(**change)
    sending.dispatch(now)
    assert sink.mails == []
    assert newsroom.ended == [("You won", "skipped")]


def test_a_kind_that_is_switched_off_ends_as_skipped(sink, newsroom, reader, now):
    reader.news = {"running-out": {"mail": False}}
    reader.save()
    tell(reader, "7 hours left", now, kind=Kind.RUNNING_OUT)
    sending.dispatch(now)
    assert sink.mails == []
    assert newsroom.ended == [("7 hours left", "skipped")]


def test_a_refusal_for_now_is_tried_again_later_and_holds_up_nobody(sink, newsroom, reader, now):
    other = User.objects.create_user("other", email="other@example.org")
    sink.refuse_at_rcpt["reader@example.org"] = "450 4.2.1 try later"
    tell(reader, "to the reader", now)
    tell(other, "to the other", now)
    assert sending.dispatch(now) == 1
    assert len(sink.to("other@example.org")) == 1
    waits, instant = [], now
    while state_of("to the reader") == "pending":
        due = Notice.objects.get(context__says="to the reader").due_at
        waits.append((due - instant) / MINUTE)
        instant = due
        sending.dispatch(instant)
    assert all(
        expected <= wait <= 1.1 * expected for wait, expected in zip(waits, (1, 5, 15, 60, 240, 720), strict=True)
    )
    assert ("to the reader", "failed") in newsroom.ended


def test_a_deferred_mail_is_written_afresh(sink, newsroom, reader, now):
    sink.refuse_at_data["reader@example.org"] = "451 busy"
    tell(reader, "Your turn", now)
    sending.dispatch(now)
    sink.refuse_at_data.clear()
    newsroom.untrue.add("Your turn")
    sending.dispatch(now + HOUR)
    assert sink.mails == []
    assert state_of("Your turn") == "skipped"


def test_an_address_that_does_not_exist_gets_no_second_mail(sink, newsroom, reader, now):
    sink.refuse_at_rcpt["reader@example.org"] = "550 5.1.1 no such user"
    tell(reader, "one", now)
    sending.dispatch(now)
    assert state_of("one") == "failed"
    reader.refresh_from_db()
    assert reader.address_refused_at is not None
    sink.refuse_at_rcpt.clear()
    tell(reader, "two", now + HOUR)
    sending.dispatch(now + HOUR)
    assert sink.mails == []


def test_three_refused_mails_in_a_week_suspend_an_address(sink, newsroom, reader, now):
    sink.refuse_at_data["reader@example.org"] = "554 5.7.1 looks like spam"
    for day in range(3):
        reader.refresh_from_db()
        assert reader.is_reachable
        tell(reader, f"day {day}", now + timedelta(days=day))
        sending.dispatch(now + timedelta(days=day))
    reader.refresh_from_db()
    assert not reader.is_reachable


@pytest.mark.parametrize(("kind", "mails", "state"), [(Kind.YOUR_TURN, 2, "unknown"), (Kind.INVITATION, 1, "unknown")])
def test_a_server_that_drops_the_line_after_the_mail(sink, newsroom, reader, now, kind, mails, state):
    sink.drop_after_data.add("reader@example.org")
    tell(reader, "news", now, kind=kind)
    for hour in range(6):
        sending.dispatch(now + hour * HOUR)
    assert len(sink.mails) == mails
    assert len({mail["Message-ID"] for mail in sink.mails}) == 1
    assert len({mail.get_body(("plain",)).get_content() for mail in sink.mails}) == 1
    assert state_of("news") == state
    assert newsroom.ended == [("news", state)]


def test_a_server_that_falls_silent_is_not_waited_for(sink, newsroom, reader, now, settings):
    settings.EMAIL_TIMEOUT = 0.2
    sink.silent_seconds = 0.5
    tell(reader, "Your turn", now, kind=Kind.YOUR_TURN)
    assert sending.dispatch(now, limit=1) == 0
    assert Notice.objects.get().ambiguous == 1
    sink.silent_seconds = 0
    assert sending.dispatch(now + HOUR) == 1
    assert state_of("Your turn") == "sent"


def test_a_server_that_refuses_to_hear_the_mail_has_not_got_it(sink, newsroom, reader, now):
    sink.refuse_at_data_command = "421 4.3.2 closing"
    tell(reader, "You won", now, kind=Kind.INVITATION)
    sending.dispatch(now)
    assert state_of("You won") == "pending"
    sink.refuse_at_data_command = ""
    sending.dispatch(now + HOUR)
    assert state_of("You won") == "sent"


def test_a_repeat_that_is_no_longer_true_is_left_out(sink, newsroom, reader, now):
    sink.drop_after_data.add("reader@example.org")
    tell(reader, "Your turn", now, kind=Kind.YOUR_TURN)
    sending.dispatch(now, limit=1)
    newsroom.untrue.add("Your turn")
    sending.dispatch(now + HOUR)
    assert len(sink.mails) == 1
    assert state_of("Your turn") == "unknown"


def test_a_server_that_is_away_costs_no_attempt_and_is_asked_once_a_minute(smtp_port, newsroom, reader, now):
    tell(reader, "You won", now)
    sending.dispatch(now)
    assert breaker.is_open()
    assert not breaker.may_connect(now + 30 * timedelta(seconds=1))
    assert breaker.may_connect(now + 2 * MINUTE)
    assert not breaker.may_connect(now + 2 * MINUTE)
    notice = Notice.objects.get()
    assert (notice.state, notice.attempts) == ("pending", 0)


def test_after_an_outage_only_what_is_still_true_goes(smtp_port, newsroom, reader, now, request):
    for says in ("stale", "live"):
        tell(reader, says, now, kind=Kind.YOUR_TURN)
    for minute in range(0, 360, 30):
        sending.dispatch(now + minute * MINUTE)
    newsroom.untrue.add("stale")
    sink = request.getfixturevalue("sink")
    sending.dispatch(now + 6 * HOUR)
    assert [mail["Subject"] for mail in sink.mails] == ["live"]
    assert not breaker.is_open()
    assert sorted(newsroom.ended) == [("live", "sent"), ("stale", "skipped")]


def test_a_mail_that_cannot_be_written_fails_alone(sink, newsroom, reader, now):
    newsroom.broken.add("broken")
    tell(reader, "broken", now)
    tell(reader, "whole", now)
    for hour in range(4):
        sending.dispatch(now + hour * HOUR)
    assert state_of("broken") == "failed"
    assert [mail["Subject"] for mail in sink.mails] == ["whole"]


def test_a_sender_that_never_came_back_before_sending_loses_nothing(sink, newsroom, reader, now):
    tell(reader, "You won", now)
    sending._claim(now)
    assert sending.dispatch(now + MINUTE) == 0
    assert sending.expire_leases(now + 9 * MINUTE) == 0
    assert sending.expire_leases(now + 11 * MINUTE) == 1
    sending.dispatch(now + 15 * MINUTE)
    assert len(sink.mails) == 1
    assert state_of("You won") == "sent"


def test_what_was_claimed_under_a_clock_far_ahead_is_not_kept_until_then(sink, newsroom, reader, now):
    tell(reader, "You won", now)
    assert sending._claim(now + timedelta(days=1000)) is not None
    assert sending.expire_leases(now) == 1
    sending.dispatch(now + 10 * MINUTE)
    assert len(sink.mails) == 1


def test_a_sender_that_wakes_after_its_lease_can_mark_nothing(sink, newsroom, reader, now):
    tell(reader, "You won", now)
    claim = sending._claim(now)
    sending.expire_leases(now + 11 * MINUTE)
    sending.dispatch(now + 15 * MINUTE)
    assert sending._send(claim, now + 16 * MINUTE) == 0
    assert len(sink.mails) == 1
    assert newsroom.ended == [("You won", "sent")]


def test_a_listener_that_fails_does_not_bring_the_mail_back(sink, newsroom, reader, now, monkeypatch):
    def fail(notice):
        raise ValueError("listener")

    notices.register(Kind.RESULT, compose=newsroom.compose, on_terminal=fail)
    tell(reader, "You won", now)
    sending.dispatch(now)
    sending.expire_leases(now + HOUR)
    sending.dispatch(now + HOUR)
    assert len(sink.mails) == 1
    assert state_of("You won") == "sent"
