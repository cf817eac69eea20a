"""Reports of mail that came back, brought to the command as a mail server brings them."""

import io
import sys
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from accounts import addresses, bounces, notices, sending
from accounts.letters import Message
from accounts.models import Notice, User
from accounts.news import Kind

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)
NOBODY = "5.1.1", "smtp; 550 5.1.1 <reader@example.org>: Recipient address rejected: User unknown"
FULL = "5.2.2", "smtp; 552 5.2.2 <reader@example.org>: mailbox full"
IGNORED = 77


@pytest.fixture(autouse=True)
def _at_noon(time_machine, now, settings):
    settings.BOUNCE_ADDRESS = "bounces@cards.example.org"
    time_machine.move_to(now, tick=False)


def report(status: str, said: str, *, to: str = "", action: str = "failed") -> str:
    """A report as Postfix writes them."""
    return f"""\
Return-Path: <>
From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
To: {to}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="A/B"

--A/B
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--A/B
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net
Arrival-Date: Wed,  1 Jul 2026 12:00:00 +0000 (UTC)

Final-Recipient: rfc822; reader@example.org
Original-Recipient: rfc822;reader@example.org
Action: {action}
Status: {status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: {said}

--A/B
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Subject: news

--A/B--
"""


@pytest.fixture
def bring(monkeypatch, capsys):
    """Brings a report to the command; returns its exit status and what it said."""

    def bring(text: str, *address: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        try:
            call_command("bounce", *address)
        except CommandError as error:
            return error.returncode, str(error)
        return 0, capsys.readouterr().out

    return bring


@pytest.fixture
def send(reader, newsroom, sink, now, time_machine):
    """Sends the reader one mail so many days after noon; returns its return address."""

    def send(after=timedelta()) -> str:
        time_machine.move_to(now + after, tick=False)
        key = str(len(sink.senders))
        notices.notify(user_id=reader.pk, kind=Kind.RESULT, key=key, context={"says": "news"}, now=now + after)
        assert sending.dispatch(now + after) == 1
        return sink.senders[-1]

    return send


def is_reachable(reader: User) -> bool:
    reader.refresh_from_db()
    return reader.is_reachable


def test_each_mail_comes_back_to_an_address_of_its_own_and_is_from_the_site(send, sink, settings):
    first, second = send(), send(DAY)
    assert first != second
    assert all(one.startswith("bounces+") and len(one.split("@")[0]) <= 64 for one in (first, second))
    assert {mail["From"] for mail in sink.mails} == {settings.DEFAULT_FROM_EMAIL}


def test_without_an_address_for_them_mail_comes_back_to_the_sender(send, settings):
    settings.BOUNCE_ADDRESS = ""
    assert send() in settings.DEFAULT_FROM_EMAIL


def test_one_report_of_nobody_there_gives_the_address_up(send, bring, reader):
    address = send()
    assert bring(report(*NOBODY), address) == (0, "Noted: 5.1.1.\n")
    assert not is_reachable(reader)
    notice = Notice.objects.get()
    assert notice.state == "failed"
    assert notice.reason.startswith("5.1.1 smtp; 550")


def test_the_address_is_found_in_the_report_too(send, bring, reader):
    assert bring(report(*NOBODY, to=f"<{send()}>"))[0] == 0
    assert not is_reachable(reader)


def test_servers_that_write_the_address_in_capitals_are_understood(send, bring, reader):
    assert bring(report(*NOBODY), send().upper())[0] == 0
    assert not is_reachable(reader)


def test_three_other_reports_in_a_week_give_the_address_up(send, bring, reader):
    for day in range(3):
        assert is_reachable(reader)
        bring(report(*FULL), send(day * DAY))
    assert not is_reachable(reader)


def test_three_in_more_than_a_week_do_not(send, bring, reader):
    for day in (0, 4, 8):
        bring(report(*FULL), send(day * DAY))
    assert is_reachable(reader)


def test_reports_and_refusals_count_together(send, bring, reader, sink, now):
    for day in range(2):
        bring(report(*FULL), send(day * DAY))
    sink.refuse_at_data["reader@example.org"] = "554 5.7.1 looks like spam"
    notices.notify(user_id=reader.pk, kind=Kind.RESULT, key="x", context={"says": "news"}, now=now + 2 * DAY)
    sending.dispatch(now + 2 * DAY)
    assert not is_reachable(reader)


def test_the_same_report_twice_counts_once(send, bring, reader):
    address = send()
    for _ in range(5):
        bring(report(*FULL), address)
    assert bring(report(*FULL), address) == (0, "Known already: 5.2.2.\n")
    assert is_reachable(reader)


@pytest.mark.parametrize("status", ["5.4.4", "4.4.1", "4.2.2"])
def test_what_passes_by_itself_never_gives_an_address_up(send, bring, reader, status):
    for day in range(4):
        assert bring(report(status, "X-Postfix; gave up"), send(day * DAY))[0] == 0
    assert is_reachable(reader)
    assert set(Notice.objects.values_list("state", flat=True)) == {"failed"}


@pytest.mark.parametrize(
    "text",
    [
        report("4.4.1", "X-Postfix; connection timed out", action="delayed"),
        report("2.0.0", "smtp; 250 ok", action="delivered"),
        report("", ""),
        "From: reader@example.org\nSubject: I am away\n\nUntil Monday.\n",
        "",
        "\0\xff" * 100,
    ],
    ids=["delayed", "delivered", "no status", "an answer by a machine", "empty", "noise"],
)
def test_other_mail_changes_nothing(send, bring, text):
    address = send()
    before = list(Notice.objects.values()), list(User.objects.values())
    assert bring(text, address)[0] == 0
    assert (list(Notice.objects.values()), list(User.objects.values())) == before


@pytest.mark.parametrize(
    ("status", "said", "reachable"),
    [
        ("5.0.0", "smtp; 550-5.1.1 The email account that you tried to reach does not exist.", False),
        ("5.0.0", "smtp; 550 No such user", True),
        ("5.1.10", "smtp; 556 5.1.10 Recipient address has null MX", False),
        ("5.1.1 (bad destination mailbox address)", "", False),
        ("5.1.8", "smtp; 501 5.1.8 Sender domain must exist", True),
        ("5.7.1", "smtp; 550 5.7.1 Message rejected as spam", True),
    ],
)
def test_what_a_single_report_means(send, bring, reader, status, said, reachable):
    assert bring(report(status, said), send())[0] == 0
    assert is_reachable(reader) is reachable


def test_changed_and_foreign_addresses_are_ignored(send, bring, reader):
    address = send()
    name, host = address.split("@")
    wrong = [
        f"{name[:-1]}{'a' if name[-1] != 'a' else 'b'}@{host}",
        name.replace("+", "+1") + "@" + host,
        f"bounces+zzzzzz.1.{name[-20:]}@{host}",
        f"bounces@{host}",
        "somebody+else@example.org",
        "",
    ]
    for one in wrong:
        status, said = bring(report(*NOBODY), one)
        assert (status, said.split(":")[0]) == (IGNORED, "Ignored"), one
    assert is_reachable(reader)
    assert Notice.objects.get().state == "sent"


def test_parts_within_parts_within_parts_are_refused_in_words(bring, send):
    parts = [f'Content-Type: multipart/mixed; boundary="{number}"\n\n--{number}\n' for number in range(3000)]
    status, said = bring("".join(parts), send())
    assert (status, said) == (IGNORED, "Ignored: no report has so many parts in parts.")


def test_after_two_weeks_an_address_has_expired(send, bring, reader, time_machine, now):
    address = send()
    time_machine.move_to(now + 15 * DAY, tick=False)
    assert bring(report(*NOBODY), address) == (IGNORED, "Ignored: This return address has expired.")
    assert is_reachable(reader)


def test_a_report_about_a_former_address_says_nothing_about_the_present_one(send, bring, reader):
    address = send()
    User.objects.update(email="new@example.org")
    assert bring(report(*NOBODY), address)[0] == IGNORED
    assert is_reachable(reader)


def test_a_report_about_a_code_for_nobody_yet_is_noted(sink, bring, now):
    notices.notify_address(address="ann@example.org", message=Message(subject="Your code", text="X"), now=now)
    sending.dispatch(now)
    assert bring(report(*NOBODY), sink.senders[-1])[0] == 0
    assert Notice.objects.get().state == "failed"


def test_several_pieces_of_news_in_one_mail_come_back_together(reader, newsroom, sink, bring, now):
    for key in "abc":
        notices.notify(user_id=reader.pk, kind=Kind.RESULT, key=key, context={"says": key}, now=now)
    sending.dispatch(now)
    bring(report(*FULL), sink.senders[-1])
    assert list(Notice.objects.values_list("state", flat=True)) == ["failed"] * 3
    assert is_reachable(reader), "one mail, one refusal"


def test_a_report_that_comes_before_its_mail_is_marked_should_come_again(reader, newsroom, sink, bring, now):
    notices.notify(user_id=reader.pk, kind=Kind.RESULT, key="1", context={"says": "news"}, now=now)
    claim = sending._claim(now)
    address = bounces.return_address(claim.rows[0], reader.email, now)
    assert bring(report(*NOBODY), address)[0] == 75
    assert sending._send(claim, now) == 1
    assert bring(report(*NOBODY), address)[0] == 0
    assert not is_reachable(reader)


def test_who_mends_the_address_is_written_to_again(send, bring, reader, now):
    bring(report(*NOBODY), send())
    addresses.proved(reader)
    assert is_reachable(reader)
    send(DAY)
