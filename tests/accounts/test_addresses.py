"""Changing one's address: the old one hears of it and can take it back for 72 hours, by a button alone."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import addresses, closing, feeds, notices, sending
from accounts.models import AddressChange, Notice, PushAddress, User
from accounts.news import Kind

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a long password"
OLD, NEW = "north@example.org", "new@example.org"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _at_noon(time_machine, now):
    time_machine.move_to(now, tick=False)


def known(name: str) -> User:
    user = User.objects.create_user(name, email=f"{name}@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def north():
    return known("north")


def signed_in() -> Client:
    client = Client()
    client.post(reverse("account_login"), {"login": "north", "password": PASSWORD})
    return client


def change(client: Client, to: str) -> None:
    """Change the address by the pages that people use, password and mailed code included."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.post(reverse("account_email"), {"email": to, "action_add": ""})
    client.post(reverse("account_email_verification_sent"), {"code": code_sent_to(to)})


def code_sent_to(address: str) -> str:
    text = Notice.objects.filter(address=address).latest("id").message["text"]
    return re.search(r"^([A-Z0-9]{3,}(?:-[A-Z0-9]{3,})*)$", text, re.M).group(1)


def link_in(mail) -> str:
    text = mail.get_body(("plain",)).get_content()
    (link,) = re.findall(r"http://localhost:8000(/settings/account/address/undo/\?\S+)", text)
    return link


def undo_link() -> str:
    """The link in the mail about the latest change."""
    return addresses.undo_link(AddressChange.objects.latest("id")).removeprefix("http://localhost:8000")


def is_in(client: Client) -> bool:
    return client.get(reverse("settings")).status_code == 200


def state() -> tuple:
    user = User.objects.get(username="north")
    proved = sorted(EmailAddress.objects.filter(user=user).values_list("email", "verified", "primary"))
    return user.email, proved


def test_the_old_address_hears_of_the_change_and_gets_it_back(north, sink):
    thief, elsewhere = signed_in(), signed_in()
    change(thief, NEW)
    assert state() == (NEW, [(NEW, True, True)])
    sending.dispatch(timezone.now())
    (mail,) = sink.to(OLD)
    assert "was changed" in mail["Subject"]
    assert NEW not in mail.as_string()
    owner = Client()
    page = owner.get(link_in(mail)).content.decode()
    assert OLD in page and NEW not in page
    assert owner.post(link_in(mail)).status_code == 200
    assert state() == (OLD, [(OLD, True, True)])
    assert not is_in(thief) and not is_in(elsewhere)
    assert is_in(signed_in()), "the owner signs in as before"


def test_the_browser_in_which_the_owner_takes_it_back_stays_signed_in(north):
    thief, owner = signed_in(), signed_in()
    change(thief, NEW)
    owner.post(undo_link())
    assert is_in(owner) and not is_in(thief)


def test_whoever_had_the_account_reads_its_feeds_and_notifications_no_longer(north, now):
    thief = signed_in()
    thief.post(reverse("settings_feed", args=["news"]), {"do": "make"})
    address = feeds.address_of(north.feeds.get())
    PushAddress.objects.create(user=north, endpoint="https://push.example/1", key="k", secret="s", made_at=now)
    assert Client().get(address).status_code == 200
    change(thief, NEW)
    Client().post(undo_link())
    assert Client().get(address).status_code == 404
    assert not north.push_addresses.exists()


def test_a_second_factor_added_since_the_change_is_removed_and_an_older_one_stays(north, now):
    RecoveryCodes.activate(north)
    Authenticator.objects.update(created_at=now - HOUR)
    thief = signed_in()
    change(thief, NEW)
    TOTP.activate(north, "JBSWY3DPEHPK3PXP")
    Client().post(undo_link())
    assert [factor.type for factor in Authenticator.objects.all()] == [Authenticator.Type.RECOVERY_CODES]


def test_codes_that_went_to_the_address_that_was_lost_open_nothing(north):
    thief, other = Client(), Client()
    change(signed_in(), NEW)
    thief.post(reverse("account_reset_password"), {"email": NEW})
    reset_code = code_sent_to(NEW)
    other.post(reverse("account_request_login_code"), {"email": NEW})
    login_code = code_sent_to(NEW)
    Client().post(undo_link())
    thief.post(reverse("account_confirm_password_reset_code"), {"code": reset_code})
    new = "another long password"
    thief.post(reverse("account_complete_password_reset"), {"password1": new, "password2": new})
    assert User.objects.get(username="north").check_password(PASSWORD)
    other.post(reverse("account_confirm_login_code"), {"code": login_code})
    assert not is_in(thief) and not is_in(other)


def test_codes_that_go_to_the_address_that_was_restored_open_the_account(north):
    change(signed_in(), NEW)
    owner, elsewhere = Client(), Client()
    owner.post(undo_link())
    owner.post(reverse("account_reset_password"), {"email": OLD})
    owner.post(reverse("account_confirm_password_reset_code"), {"code": code_sent_to(OLD)})
    new = "another long password"
    owner.post(reverse("account_complete_password_reset"), {"password1": new, "password2": new})
    assert User.objects.get(username="north").check_password(new)
    elsewhere.post(reverse("account_request_login_code"), {"email": OLD})
    elsewhere.post(reverse("account_confirm_login_code"), {"code": code_sent_to(OLD)})
    assert is_in(elsewhere)


def test_the_new_address_hears_that_it_was_taken_back(north, sink):
    change(signed_in(), NEW)
    Client().post(undo_link())
    sending.dispatch(timezone.now())
    assert "taken back" in sink.to(NEW)[-1]["Subject"]


def test_opening_the_link_and_running_its_page_changes_nothing(north, sink):
    client = signed_in()
    change(client, NEW)
    sending.dispatch(timezone.now())
    before = state(), list(AddressChange.objects.values())
    for mail in sink.mails:
        text = "".join(mail.get_body((form,)).get_content() for form in ("plain", "html"))
        for link in set(re.findall(r"http://localhost:8000(/[^\s\"<>]*)", text)):
            for visitor in (Client(), client):
                for method in ("get", "head", "options"):
                    getattr(visitor, method)(link.replace("&amp;", "&"))
    assert (state(), list(AddressChange.objects.values())) == before


def test_a_post_from_elsewhere_without_the_token_of_the_form_is_refused(north):
    change(signed_in(), NEW)
    assert Client(enforce_csrf_checks=True).post(undo_link()).status_code == 403
    assert state()[0] == NEW


@pytest.mark.parametrize(
    ("after", "status", "address"),
    [(72 * HOUR - timedelta(seconds=1), 200, OLD), (72 * HOUR, 410, NEW), (200 * HOUR, 410, NEW)],
)
def test_a_change_can_be_taken_back_for_72_hours(north, time_machine, now, after, status, address):
    change(signed_in(), NEW)
    link = undo_link()
    time_machine.move_to(now + after, tick=False)
    assert Client().get(link).status_code == status
    assert Client().post(link).status_code == status
    assert state()[0] == address


def test_a_mail_that_waited_too_long_is_not_sent(north, sink, now):
    change(signed_in(), NEW)
    sending.dispatch(now + 73 * HOUR)
    assert sink.to(OLD) == []


def test_taking_back_twice_ends_sessions_once(north):
    change(signed_in(), NEW)
    link = undo_link()
    Client().post(link)
    again = signed_in()
    assert Client().post(link).status_code == 200
    assert is_in(again)
    assert "was taken back" in Client().get(link).content.decode()


def test_who_made_a_later_change_cannot_take_the_account_again(north):
    thief = signed_in()
    change(thief, NEW)
    first = undo_link()
    change(thief, "newer@example.org")
    second = undo_link()
    Client().post(first)
    assert Client().post(second).status_code == 410
    assert state() == (OLD, [(OLD, True, True)])


def test_a_later_change_can_be_taken_back_alone(north):
    client = signed_in()
    change(client, NEW)
    change(client, "newer@example.org")
    Client().post(undo_link())
    assert state() == (NEW, [(NEW, True, True)])


def test_an_address_that_another_account_has_proved_meanwhile_is_not_taken_away(north):
    change(signed_in(), NEW)
    User.objects.filter(pk=known("other").pk).update(email=OLD)
    EmailAddress.objects.filter(user__username="other").update(email=OLD)
    response = Client().post(undo_link())
    assert response.status_code == 409
    assert "Another account has this address now" in response.content.decode()
    assert state()[0] == NEW


def test_no_changed_link_is_believed(north):
    change(signed_in(), NEW)
    link = undo_link()
    for broken in (link[:-1], link.replace("token=", "token=x"), reverse("address_undo")):
        assert Client().post(broken).status_code == 400
    assert state()[0] == NEW


def test_a_closed_account_stays_closed(north, now):
    change(signed_in(), NEW)
    link = undo_link()
    closing.close(north.pk, now)
    assert Client().post(link).status_code == 410
    assert not AddressChange.objects.exists() and not EmailAddress.objects.exists()


def test_signing_up_tells_nobody_of_a_change(client):
    fields = {"username": "ann", "email": "ann@example.org", "password1": PASSWORD}
    client.post(reverse("account_signup"), fields)
    text = Notice.objects.latest("id").message["text"]
    code = re.search(r"^([A-Z0-9]{3,}(?:-[A-Z0-9]{3,})*)$", text, re.M).group(1)
    client.post(reverse("account_email_verification_sent"), {"code": code})
    assert EmailAddress.objects.get().verified
    assert not AddressChange.objects.exists()


def test_former_addresses_are_forgotten(north, now):
    change(signed_in(), NEW)
    assert addresses.forget(now + addresses.KEPT) == 0
    assert addresses.forget(now + addresses.KEPT + HOUR) == 1


# --- An address that refuses mail ----------------------------------------------------------------------------------


def test_every_page_says_that_mail_is_refused_and_how_to_mend_it(north, now):
    client = signed_in()
    assert "came back as undeliverable" not in client.get("/turn/").content.decode()
    User.objects.update(address_refused_at=now)
    for page in ("/turn/", "/lobby/", reverse("settings_mail")):
        shown = client.get(page).content.decode()
        assert shown.count(f"Mail to {OLD} came back as undeliverable") == 1
        assert reverse("account_email") in shown and f'action="{reverse("settings_mail_test")}"' in shown


def test_another_address_starts_afresh(north, now):
    User.objects.update(address_refused_at=now)
    change(signed_in(), NEW)
    north.refresh_from_db()
    assert north.is_reachable


def test_what_the_old_address_refuses_is_not_held_against_the_new_one(north, sink, newsroom, now):
    change(signed_in(), NEW)
    sink.refuse_at_rcpt[OLD] = "550 5.1.1 no such user"
    for hours in (0, 1):
        sending.dispatch(now + hours * HOUR)
    north.refresh_from_db()
    assert Notice.objects.get(address=OLD).state == "failed"
    assert north.is_reachable


def test_refusals_of_the_old_address_do_not_count_on(north, sink, newsroom, now, time_machine):
    for address in (OLD, NEW):
        sink.refuse_at_data[address] = "554 5.7.1 looks like spam"
    for day in range(3):
        time_machine.move_to(now + timedelta(days=day), tick=False)
        if day == 2:
            change(signed_in(), NEW)
        notices.notify(user_id=north.pk, kind=Kind.RESULT, key=str(day), context={"says": "news"}, now=timezone.now())
        time_machine.move_to(now + timedelta(days=day, hours=1), tick=False)
        sending.dispatch(timezone.now())
    north.refresh_from_db()
    assert north.is_reachable
