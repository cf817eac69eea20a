"""Signing up and in: guests keep what they have, nobody learns who has an account, and codes come once."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts import guests, sending
from accounts.middleware import GuestsAside
from accounts.models import FormerName, Notice, User

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "correct horse battery"


def known(name: str, **more) -> User:
    """Somebody who signed up and proved the address."""
    user = User.objects.create_user(name, email=f"{name.lower()}@example.org", password=PASSWORD, **more)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def last_mail() -> dict:
    return Notice.objects.latest("id").message


def code_in(mail: dict) -> str:
    """The code stands on a line of its own."""
    return re.search(r"^([A-Z0-9]{3,}(?:-[A-Z0-9]{3,})*)$", mail["text"], re.M).group(1)


def become_guest(client: Client) -> User:
    """Make the client's browser a guest's, as a page that starts a game does."""
    request = RequestFactory().get("/")
    request.session = client.session
    request.user = AnonymousUser()
    with guests.guest_for(request) as guest:
        pass
    request.session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = request.session.session_key
    return guest


def sign_up(client: Client, name: str, email: str | None = None) -> HttpResponse:
    fields = {"username": name, "email": email or f"{name}@example.org", "password1": PASSWORD}
    return client.post(reverse("account_signup"), fields)


def whoami(client: Client) -> str | None:
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).username if key else None


def test_signing_up_with_a_mailed_code(client):
    assert sign_up(client, "ann").url == reverse("account_email_verification_sent")
    assert whoami(client) is None
    assert "<title>Confirm your address" in client.get(reverse("account_email_verification_sent")).content.decode()
    response = client.post(reverse("account_email_verification_sent"), {"code": code_in(last_mail())})
    assert response.status_code == 302
    assert whoami(client) == "ann"
    assert EmailAddress.objects.get().verified


def test_a_wrong_code_signs_nobody_in(client):
    sign_up(client, "ann")
    client.post(reverse("account_email_verification_sent"), {"code": "WRONG-CODE"})
    assert whoami(client) is None
    assert not EmailAddress.objects.get().verified


def test_a_guest_is_made_once_for_a_browser(client):
    guest = become_guest(client)
    assert re.fullmatch(r"guest-[0-9a-f]{4}", guest.username)
    assert client.get(reverse("settings")).wsgi_request.user == guest
    assert not guest.has_usable_password()


def test_a_guest_who_signs_up_keeps_the_row(client):
    guest = become_guest(client)
    assert client.get(reverse("account_signup")).status_code == 200
    sign_up(client, "ann")
    guest.refresh_from_db()
    assert guest.is_guest and not guest.is_reachable
    assert client.get(reverse("settings")).wsgi_request.user == guest, "a guest until the address is proved"
    client.post(reverse("account_email_verification_sent"), {"code": code_in(last_mail())})
    assert whoami(client) == "ann"
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest, guest.email) == ("ann", False, "ann@example.org")
    assert guest.check_password(PASSWORD)
    assert User.objects.count() == 1


def test_a_guest_may_try_to_sign_up_twice(client):
    guest = become_guest(client)
    sign_up(client, "ann", "mistyped@example.org")
    client.post(reverse("account_logout"), {"next": reverse("account_login")})
    assert whoami(client) == "ann"
    sign_up(client, "ann", "right@example.org")
    client.post(reverse("account_email_verification_sent"), {"code": code_in(last_mail())})
    guest.refresh_from_db()
    assert (guest.username, guest.email, guest.is_guest) == ("ann", "right@example.org", False)
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("right@example.org", True)]


def test_a_guest_who_signs_in_to_an_old_account_is_that_person(client):
    known("ann")
    become_guest(client)
    client.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    assert whoami(client) == "ann"


def test_a_guest_whose_sign_up_meets_a_known_address_stays_a_guest(client):
    known("ann")
    guest = become_guest(client)
    sign_up(client, "other", "ann@example.org")
    guest.refresh_from_db()
    assert guest.is_guest and guest.username.startswith("guest-")
    assert client.get(reverse("settings")).wsgi_request.user == guest


def test_idle_guests_are_forgotten_and_others_are_not(client, now):
    guest = become_guest(client)
    ann = known("ann", last_seen_at=now)
    User.objects.filter(pk=guest.pk).update(last_seen_at=now)
    assert guests.remove_idle_guests(now + guests.IDLE) == 0
    assert guests.remove_idle_guests(now + 2 * guests.IDLE) == 1
    guest.refresh_from_db()
    ann.refresh_from_db()
    assert guest.closed_at and not ann.closed_at


def test_a_sign_up_that_is_not_finished_gives_its_name_back(client):
    sign_up(client, "ann")
    ben = known("ben")
    joined = User.objects.get(username="ann").date_joined
    assert guests.remove_unproved(joined + guests.UNPROVED) == 0
    assert guests.remove_unproved(joined + 2 * guests.UNPROVED) == 1
    assert not User.objects.filter(username="ann").exists()
    ben.refresh_from_db()
    assert not ben.closed_at


def test_signing_in_by_name_in_any_case_and_by_address(client):
    known("Ann")
    for login in ("ann", "ANN", "ann@example.org", "Ann@Example.org"):
        client.post(reverse("account_login"), {"login": login, "password": PASSWORD})
        assert whoami(client) == "Ann", login
        client.post(reverse("account_logout"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("http://testserver/tournaments/?from=mail#open", "/tournaments/?from=mail"),
        ("http://elsewhere.example/tournaments/", "/"),
        ("", "/"),
    ],
)
def test_who_posts_without_being_signed_in_is_led_back_to_the_page_he_came_from(client, before, after):
    known("Ann")
    asked = client.post(reverse("tournaments_wake"), headers={"referer": before})
    assert asked.status_code == 302 and asked["Location"].startswith(reverse("account_login"))
    assert client.get(asked["Location"]).status_code == 200
    answer = client.post(asked["Location"], {"login": "ann", "password": PASSWORD})
    assert answer["Location"] == after
    assert client.get(after).status_code == 200


def test_signing_in_with_a_mailed_code(client):
    known("ann")
    client.post(reverse("account_request_login_code"), {"email": "ann@example.org"})
    client.post(reverse("account_confirm_login_code"), {"code": code_in(last_mail())})
    assert whoami(client) == "ann"


def test_a_new_password_with_a_mailed_code(client):
    known("ann")
    assert "a code goes there" in client.get(reverse("account_reset_password")).content.decode()
    asked = client.post(reverse("account_reset_password"), {"email": "ann@example.org"}, follow=True)
    assert "<title>New password" in asked.content.decode()
    response = client.post(reverse("account_confirm_password_reset_code"), {"code": code_in(last_mail())})
    client.post(response.url, {"password1": "another long password", "password2": "another long password"})
    client.post(reverse("account_logout"))
    client.post(reverse("account_login"), {"login": "ann", "password": "another long password"})
    assert whoami(client) == "ann"


def shape(response: HttpResponse) -> tuple:
    """What an onlooker can tell two answers apart by, the token of the form and the address typed set aside."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", response.content.decode())
    text = re.sub(r"(ann|bob)@example.org", "address", text)
    headers = {
        name: value for name, value in response.headers.items() if name not in ("Set-Cookie", "X-Request-Id", "Expires")
    }
    return response.status_code, headers, text, sorted(response.cookies)


@pytest.mark.parametrize(
    ("entry", "fields"),
    [
        ("account_login", {"login": "{}@example.org", "password": "wrong password"}),
        ("account_login", {"login": "{}", "password": "wrong password"}),
        ("account_request_login_code", {"email": "{}@example.org"}),
        ("account_reset_password", {"email": "{}@example.org"}),
        ("account_signup", {"email": "{}@example.org", "username": "fresh", "password1": PASSWORD}),
    ],
)
def test_nobody_learns_whether_an_address_has_an_account(entry, fields):
    known("ann")
    seen = []
    for who in ("ann", "bob"):
        User.objects.filter(username="fresh").delete()
        client = Client()
        answer = client.post(reverse(entry), {name: value.format(who) for name, value in fields.items()})
        after = client.get(answer.url) if answer.status_code == 302 else answer
        seen.append((shape(answer), shape(after)))
    ann, nobody = seen
    if fields.get("login") == "{}":
        ann, nobody = (repr(each).replace("bob", "ann") for each in (ann, nobody))
    assert ann == nobody


def test_mails_of_the_entrance_wait_in_the_outbox_and_go_once(client, sink):
    known("ann")
    client.post(reverse("account_request_login_code"), {"email": "ann@example.org"})
    assert sink.mails == []
    for _ in range(2):
        sending.dispatch(timezone.now())
    (mail,) = sink.to("ann@example.org")
    assert mail["List-Unsubscribe"] is None
    assert "Your code to sign in" in mail["Subject"]
    assert Notice.objects.get().message is None, "the code is not kept"


def test_a_code_that_has_expired_is_not_sent(client, sink):
    known("ann")
    client.post(reverse("account_request_login_code"), {"email": "ann@example.org"})
    sending.dispatch(timezone.now() + timezone.timedelta(minutes=16))
    assert sink.mails == []


def test_links_in_mails_do_not_believe_the_host_header(client, settings):
    settings.ALLOWED_HOSTS = ["*"]
    known("ann")
    client.post(
        reverse("account_request_login_code"), {"email": "nobody@example.org"}, headers={"host": "evil.example"}
    )
    client.post(
        reverse("account_signup"),
        {"email": "ann@example.org", "username": "x12", "password1": PASSWORD},
        headers={"host": "evil.example"},
    )
    texts = [message["text"] + message["html"] for message in Notice.objects.values_list("message", flat=True)]
    assert len(texts) == 2
    assert all(settings.SITE_URL in text and "evil" not in text for text in texts)


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "ANN",
        "Ａnn",
        "Аnn",
        "a.nn",
        "a/nn",
        "an%n",
        "ann\u0301",
        "\u202enna",
        "ann🂡",
        "a" * 30,
        "admin",
        "guest-1234",
        "ab",
    ],
)
def test_names_that_may_not_be_chosen(client, name):
    known("ann")
    response = sign_up(client, name, "new@example.org")
    assert response.status_code == 200
    assert response.context["form"].errors["username"]
    assert User.objects.count() == 1


def test_a_name_that_somebody_had_before_stays_theirs(client, now):
    ann = known("ann")
    FormerName.objects.create(user=ann, name="Annie", given_up_at=now)
    assert sign_up(client, "ANNIE", "new@example.org").context["form"].errors["username"]


def test_the_entrance_turns_away_whoever_is_signed_in(client):
    client.force_login(known("ann"))
    assert client.get(reverse("account_signup")).status_code == 302


def test_elsewhere_a_guest_is_seen(rf):
    request = rf.get("/lobby/")
    request.user = User(username="guest-0000", is_guest=True)
    GuestsAside(lambda seen: HttpResponse())(request)
    assert request.user.is_authenticated
