"""Settings pages, the link that stops mail, and the mailbox of a site without a mail server."""

import re
import secrets
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives, get_connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import closing, letters, news, notices, queries, renaming, sending
from accounts.mailbox import LocalMailbox
from accounts.models import FormerName, LocalMail, Notice, User
from accounts.news import Kind

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def north(client):
    """Somebody who is signed in."""
    user = User.objects.create_user("north", email="north@example.org", password="a long password")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    client.post(reverse("account_login"), {"login": "north", "password": "a long password"})
    return user


def test_preferences_are_kept(client, north):
    fields = {"time_zone": "Europe/Amsterdam", "after_move": "next", "keys_on": "on", "theme": "dark", "suits": "4"}
    assert client.post(reverse("settings"), fields).status_code == 302
    north.refresh_from_db()
    assert (north.time_zone, north.after_move, north.keys_on, north.theme, north.suits) == (
        "Europe/Amsterdam",
        "next",
        True,
        "dark",
        "4",
    )
    page = client.get(reverse("settings")).content.decode()
    assert re.search(r'value="dark"[^>]*checked', page)


def test_an_unknown_time_zone_is_refused_beside_the_field(client, north):
    response = client.post(
        reverse("settings"), {"time_zone": "Mars/Olympus", "after_move": "next", "theme": "dark", "suits": "4"}
    )
    assert response.status_code == 422
    assert 'id="id_time_zone_error"' in response.content.decode()


def test_the_look_is_kept_in_the_browser_of_a_stranger(client):
    response = client.post(reverse("settings_look"), {"theme": "dark", "suits": "4", "next": "/lobby/?page=2"})
    assert response.url == "/lobby/?page=2"
    assert (client.cookies["theme"].value, client.cookies["suits"].value) == ("dark", "4")


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "lobby", "javascript:alert(1)", ""])
def test_the_look_leads_nowhere_else(client, target):
    assert client.post(reverse("settings_look"), {"theme": "dark", "next": target}).url == "/"


def test_the_look_of_somebody_signed_in_goes_along(client, north):
    client.post(reverse("settings_look"), {"theme": "light"})
    north.refresh_from_db()
    assert (north.theme, north.suits) == ("light", "2")


def test_kinds_of_mail_and_quiet_hours(client, north):
    fields = {"turn_mail": "daily", "digest_hour": "6", "quiet_from": "22:00", "quiet_to": "07:00", "mail-result": "on"}
    assert client.post(reverse("settings_mail"), fields).status_code == 302
    north.refresh_from_db()
    assert [kind for kind in Kind if news.wants(north, kind)] == [
        Kind.YOUR_TURN,
        Kind.DIGEST,
        Kind.RESULT,
        Kind.ACCOUNT,
    ]
    assert (north.turn_mail, north.digest_hour, str(north.quiet_from)) == ("daily", 6, "22:00:00")


def test_who_stopped_mail_about_waiting_games_sees_it_and_can_have_it_again(client, north):
    for kind in (Kind.YOUR_TURN, Kind.DIGEST):
        news.switch(north, kind, news.Channel.MAIL, False)
    north.save()
    page = client.get(reverse("settings_mail")).content.decode()
    assert re.search(r'value="never"[^>]*checked', page)
    client.post(reverse("settings_mail"), {"turn_mail": "absence", "digest_hour": "6"})
    north.refresh_from_db()
    assert news.wants(north, Kind.YOUR_TURN)


def test_half_of_the_quiet_hours_is_refused(client, north):
    response = client.post(
        reverse("settings_mail"), {"turn_mail": "daily", "digest_hour": "6", "quiet_from": "22:00", "quiet_to": ""}
    )
    assert response.status_code == 422


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("0001-01-01", "0001-01-01"),
        ("2020-05-01", "2020-05-03"),
        ("9999-12-01", "9999-12-31"),
        ("9999-12-31", "9999-12-31"),
        ("2026-02-30", "a\0b"),
    ],
)
def test_leave_that_is_over_or_far_away_is_refused_and_costs_nothing(client, north, first, last):
    response = client.post(reverse("settings_holiday"), {"first": first, "last": last})
    assert response.status_code == 422
    assert not north.leaves.exists()


def test_a_test_mail_comes_once_an_hour_and_wakes_an_address(client, north):
    User.objects.update(address_refused_at=timezone.now())
    for _ in range(3):
        client.post(reverse("settings_mail_test"))
    assert Notice.objects.filter(user=north).count() == 1
    north.refresh_from_db()
    assert north.is_reachable


# --- Stopping mail -------------------------------------------------------------------------------------------------

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def mail(sink, newsroom, reader, now):
    """One piece of news as it arrived."""
    notices.notify(user_id=reader.pk, kind=Kind.RESULT, key="1", context={"says": "You won"}, now=now)
    sending.dispatch(now)
    return sink.mails[0]


def path_of(mail) -> str:
    (link,) = re.fullmatch(r"<(.*)>", mail["List-Unsubscribe"].strip()).groups()
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def test_one_click_turns_this_kind_off_without_cookies_or_tokens(mail, reader):
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stranger = Client(enforce_csrf_checks=True)
    for _ in range(2):
        response = stranger.post(
            path_of(mail), "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded"
        )
        assert response.status_code == 200
        reader.refresh_from_db()
        assert not news.wants(reader, Kind.RESULT)
        assert news.wants(reader, Kind.RUNNING_OUT)
    assert not stranger.cookies.get("sessionid")


@pytest.mark.parametrize(
    "body",
    [{}, {"List-Unsubscribe": "one-click"}, {"List-Unsubscribe": ["One-Click", "One-Click"]}, {**ONE_CLICK, "x": "y"}],
)
def test_other_bodies_change_nothing(mail, reader, body):
    assert Client().post(path_of(mail), body).status_code == 400
    reader.refresh_from_db()
    assert news.wants(reader, Kind.RESULT)


def test_opening_the_link_changes_nothing_and_offers_a_button_and_undo(mail, reader):
    client = Client()
    page = client.get(path_of(mail)).content.decode()
    assert 'value="off"' in page
    client.head(path_of(mail))
    client.options(path_of(mail))
    reader.refresh_from_db()
    assert news.wants(reader, Kind.RESULT)
    assert 'value="on"' in client.post(path_of(mail), {"do": "off"}).content.decode()
    client.post(path_of(mail), {"do": "on"})
    reader.refresh_from_db()
    assert news.wants(reader, Kind.RESULT)


def test_no_changed_token_is_believed(reader):
    token = letters.off_token(reader.pk, [Kind.RESULT])
    for _ in range(10_000):
        at = secrets.randbelow(len(token))
        changed = token[:at] + secrets.choice("abcXYZ012-_:") + token[at + 1 :]
        assert changed == token or letters.read_off_token(changed) is None
    assert Client().post(f"{reverse('mail_off')}?token={token[:-1]}", ONE_CLICK).status_code == 400


def test_stopping_everything_leaves_codes(reader):
    Client().post(f"{reverse('mail_off')}?token={letters.off_token(reader.pk, [news.ALL])}", ONE_CLICK)
    reader.refresh_from_db()
    assert [kind for kind in Kind if news.wants(reader, kind)] == [Kind.ACCOUNT]


def test_a_robot_that_opens_every_link_changes_nothing(mail, reader):
    bodies = [mail.get_body((form,)).get_content() for form in ("plain", "html")]
    links = {link for body in bodies for link in re.findall(r"https?://[^\s\"<>]+", body)}
    assert len(links) >= 4
    before = [list(table.objects.values()) for table in (User, Notice, EmailAddress)]
    owner = Client()
    owner.force_login(reader)
    before[0] = list(User.objects.values())
    for visitor in (Client(), owner):
        for link in links:
            parts = urlsplit(link.replace("&amp;", "&"))
            for method in ("get", "head", "options"):
                getattr(visitor, method)(f"{parts.path}?{parts.query}")
    after = [list(table.objects.values()) for table in (User, Notice, EmailAddress)]
    for rows in (*before, *after):
        for row in rows:
            row.pop("last_seen_at", None)
    assert before == after


def test_the_headers_of_a_mail(mail, reader):
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "result." in mail["List-Id"]
    assert mail["To"] == "reader@example.org"
    assert mail.get_body(("plain",)).get_content().startswith("Hello reader,")
    assert mail.get_content_type() == "multipart/alternative"


@pytest.mark.parametrize("sign", ["\r\nBcc: evil@example.org", "\nX: y", "\u2028", "\x1b[2J", "\u202e"])
def test_no_text_can_add_a_header(sink, newsroom, reader, now, sign):
    notices.notify(user_id=reader.pk, kind=Kind.RESULT, key="1", context={"says": f"You won{sign}"}, now=now)
    sending.dispatch(now)
    (mail,) = sink.mails
    assert mail["Subject"].startswith("You won")
    assert mail["Bcc"] is None and mail["X"] is None


# --- Names ---------------------------------------------------------------------------------------------------------


def test_renaming_keeps_old_links_and_nobody_else_can_take_the_name(client, north, now):
    assert client.post(reverse("settings_account"), {"name": "south"}).status_code == 302
    assert queries.player_named("NORTH").username == "south"
    other = User.objects.create_user("other")
    with pytest.raises(renaming.NotRenamed):
        renaming.rename(other.pk, "North", now)


def test_a_name_changes_every_ninety_days_at_most(north, now):
    renaming.rename(north.pk, "south", now)
    with pytest.raises(renaming.NotRenamed):
        renaming.rename(north.pk, "east", now + timedelta(days=89))
    renaming.rename(north.pk, "North", now + timedelta(days=90))
    assert list(FormerName.objects.values_list("name", flat=True)) == ["south"]


@pytest.mark.parametrize("name", ["OTHER", "admin", "a", "Ａnn", "north"])
def test_names_that_cannot_be_taken(client, north, name):
    User.objects.create_user("other")
    response = client.post(reverse("settings_account"), {"name": name})
    assert response.status_code == 422
    assert User.objects.get(pk=north.pk).username == "north"


# --- Closing an account --------------------------------------------------------------------------------------------


def test_a_closed_account_leaves_nothing_but_a_row(client, north, newsroom, sink, now, monkeypatch):
    ended = []
    monkeypatch.setattr(closing, "_hooks", [])
    closing.register(lambda user_id, at: ended.append(User.objects.get(pk=user_id).username))
    renaming.rename(north.pk, "south", now)
    notices.notify(user_id=north.pk, kind=Kind.RESULT, key="1", context={"says": "You won"}, now=now)
    elsewhere = Client()
    elsewhere.force_login(north)
    assert "/reauthenticate/" in client.post(reverse("settings_close"), {"name": "SOUTH"}).url
    client.post(reverse("account_reauthenticate"), {"password": "a long password"})
    assert client.post(reverse("settings_close"), {"name": "nort"}).status_code == 422
    response = client.post(reverse("settings_close"), {"name": "SOUTH"})
    assert response.url == "/"
    assert ended == ["south"]
    north.refresh_from_db()
    assert (north.shown_name, north.email, north.is_active) == ("deleted player", "", False)
    assert not EmailAddress.objects.exists() and not FormerName.objects.exists()
    assert elsewhere.get(reverse("settings")).status_code == 302
    sending.dispatch(now)
    assert sink.mails == []
    assert queries.player_named("south") is None
    assert User.objects.create_user("south").pk


def test_closing_twice_ends_things_once(north, now, monkeypatch):
    ended = []
    monkeypatch.setattr(closing, "_hooks", [])
    closing.register(lambda user_id, at: ended.append(user_id))
    closing.close(north.pk, now)
    closing.close(north.pk, now)
    assert ended == [north.pk]


# --- Visits --------------------------------------------------------------------------------------------------------


def test_a_visit_is_noted_but_not_at_every_page(client, north, django_assert_num_queries):
    before = timezone.now()
    client.get(reverse("settings"))
    north.refresh_from_db()
    assert queries.has_visited_since(north, before)
    seen = north.last_seen_at
    client.get(reverse("settings"))
    north.refresh_from_db()
    assert north.last_seen_at == seen


# --- Mailbox -------------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(settings):
    """A mail that stayed on this machine."""
    settings.LOCAL_MAILBOX = True
    mail = EmailMultiAlternatives("Hello", "See http://localhost:8000/turn/", to=["north@example.org"])
    mail.attach_alternative("<html><head></head><body><script>alert(1)</script></body></html>", "text/html")
    get_connection("accounts.mailbox.LocalMailbox").send_messages([mail])
    return LocalMail.objects.get()


def test_kept_mails_can_be_read_here(client, kept):
    assert "Hello" in client.get(reverse("mailbox")).content.decode()
    page = client.get(reverse("mailbox_mail", args=[kept.pk])).content.decode()
    assert 'href="http://localhost:8000/turn/"' in page
    assert "<script>alert" not in page
    frame = client.get(reverse("mailbox_html", args=[kept.pk]))
    assert "default-src 'none'" in frame["Content-Security-Policy"]
    assert frame["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize("name", ["mailbox", "mailbox_mail", "mailbox_html"])
def test_nobody_reads_them_from_elsewhere(client, kept, settings, name):
    address = reverse(name, args=[] if name == "mailbox" else [kept.pk])
    assert client.get(address, REMOTE_ADDR="192.0.2.7").status_code == 404
    settings.LOCAL_MAILBOX = False
    assert client.get(address).status_code == 404


def test_only_the_newest_mails_are_kept(db, monkeypatch):
    monkeypatch.setattr("accounts.mailbox.KEPT", 3)
    LocalMailbox().send_messages([EmailMultiAlternatives(str(number), "", to=["a@example.org"]) for number in range(9)])
    assert list(LocalMail.objects.values_list("subject", flat=True)) == ["8", "7", "6"]
