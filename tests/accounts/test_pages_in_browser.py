"""The pages of this app in a real browser: no complaints, no barriers, no sideways scrolling; and passkeys."""

import pytest
from allauth.account.models import EmailAddress
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from accounts import addresses, feeds
from accounts.models import AddressChange, Feed, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "a long password"
FOR_EVERYBODY = ["account_login", "account_signup", "account_signup_by_passkey", "account_reset_password", "mail_off"]
FOR_PEOPLE = ["settings", "settings_mail", "settings_holiday", "settings_account", "mfa_index", "usersessions_list"]


@pytest.fixture
def north():
    user = User.objects.create_user("north", email="north@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(page, site: str) -> None:
    page.goto(site + reverse("account_login"))
    page.fill("[name=login]", "north")
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(site + reverse("turn"))


@pytest.mark.parametrize("width", [320, 1100])
def test_pages_have_no_barriers(new_context, live_server, north, width, complaints):
    page = new_context(viewport={"width": width, "height": 900}).new_page()

    def look_at(paths: list[str]) -> None:
        for path in paths:
            page.goto(live_server.url + path)
            assert Axe().run(page).response["violations"] == [], path
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), path

    addresses.changed(north, "a.rather.long.former.address@mail.example.org", timezone.now())
    undo = addresses.undo_link(AddressChange.objects.get()).removeprefix(settings.SITE_URL)
    look_at([undo, *map(reverse, FOR_EVERYBODY)])
    # The incomplete link to stop mail is answered with 400, which the browser mentions.
    complaints.clear()
    sign_in(page, live_server.url)
    for kind in Feed.Kind:
        feeds.open_feed(north, kind, timezone.now())
    User.objects.update(address_refused_at=timezone.now())
    look_at([*map(reverse, FOR_PEOPLE)])


def test_a_passkey_is_added_and_opens_the_door(new_context, live_server, north):
    site = live_server.url
    context = new_context()
    page = context.new_page()
    keys = context.new_cdp_session(page)
    keys.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    keys.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    sign_in(page, site)
    page.goto(site + reverse("mfa_add_webauthn"))
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.fill("[name=name]", "my key")
    page.check("[name=passwordless]")
    page.locator("main form button").first.click()
    page.wait_for_url("**/recovery-codes/**")
    page.goto(site + reverse("settings_account"))
    page.get_by_role("button", name="Sign out").click()
    page.goto(site + reverse("account_login"))
    page.click("#passkey_login")
    page.wait_for_url(site + reverse("turn"))


def test_signing_up_by_keyboard_with_a_mistake_on_the_way(new_context, live_server):
    page = new_context().new_page()
    page.goto(live_server.url + reverse("account_signup"))
    page.locator("[name=email]").focus()
    page.keyboard.type("ann@example.org")
    page.keyboard.press("Tab")
    page.keyboard.type("an")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    assert not User.objects.exists()
    field = page.locator("[name=username]")
    field.fill("ann")
    page.fill("[name=password1]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**" + reverse("account_email_verification_sent"))
    assert User.objects.get().username == "ann"
