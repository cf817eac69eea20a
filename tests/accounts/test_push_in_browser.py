"""Notifications in a real browser: the button, the worker that shows a line, and what is said where that cannot be.

The service of the browser's maker is out of reach of tests, so what a browser gets from it when it subscribes is made
up; the worker gets its messages from the browser.
"""

import json

import pytest
from django.urls import reverse

from accounts.models import PushAddress
from tests.accounts.test_pages_in_browser import north, sign_in
from tests.accounts.test_push import Browser

__all__ = ["north"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SUBSCRIBED = """
PushManager.prototype.subscribe = async (options) => {
  window.asked = options;
  return { toJSON: () => (%s) };
};
"""


@pytest.fixture
def page(new_context, live_server, north):
    """The settings page of somebody whose browser may show notifications."""
    context = new_context()
    context.grant_permissions(["notifications"], origin=live_server.url)
    page = context.new_page()
    sign_in(page, live_server.url)
    return page


def subscribing(page, endpoint: str) -> None:
    fields = Browser(endpoint).fields()
    keys = {"p256dh": fields["p256dh"], "auth": fields["auth"]}
    page.add_init_script(SUBSCRIBED % json.dumps({"endpoint": endpoint, "keys": keys}))


def test_the_button_switches_notifications_on_and_off(page, live_server, north):
    subscribing(page, "https://fcm.googleapis.com/fcm/send/x")
    page.goto(live_server.url + reverse("settings_mail"))
    page.get_by_role("button", name="Switch on in this browser").click()
    page.get_by_text("They are on in one browser.").wait_for()
    assert PushAddress.objects.get().user == north
    page.get_by_role("button", name="Switch off in all browsers").click()
    page.get_by_text("They are off.").wait_for()
    assert not PushAddress.objects.exists()


def test_a_pushed_line_is_shown_while_the_page_is_elsewhere(page, live_server):
    subscribing(page, "https://fcm.googleapis.com/fcm/send/x")
    workers = page.context.new_cdp_session(page)
    registrations: list[dict] = []
    workers.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    workers.send("ServiceWorker.enable")
    page.goto(live_server.url + reverse("settings_mail"))
    page.get_by_role("button", name="Switch on in this browser").click()
    page.get_by_text("They are on in one browser.").wait_for()
    page.evaluate("async () => { const all = await navigator.serviceWorker.getRegistrations(); return all[0].active; }")
    line = {"title": "Your move against east: Guts", "link": live_server.url + "/turn/", "tag": "your-turn"}
    workers.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": live_server.url, "registrationId": registrations[0]["registrationId"], "data": json.dumps(line)},
    )
    shown = page.wait_for_function(
        """async () => {
          const [worker] = await navigator.serviceWorker.getRegistrations();
          const [shown] = await worker.getNotifications();
          return shown && { title: shown.title, link: shown.data.link };
        }"""
    )
    assert shown.json_value() == {"title": line["title"], "link": line["link"]}


def test_a_browser_that_cannot_subscribe_says_so(page, live_server):
    page.add_init_script("PushManager.prototype.subscribe = async () => { throw new DOMException('no service'); }")
    page.goto(live_server.url + reverse("settings_mail"))
    page.get_by_role("button", name="Switch on in this browser").click()
    page.get_by_text("The browser did not allow it").wait_for()
    assert not PushAddress.objects.exists()


def test_a_service_that_is_not_known_is_refused_in_words(page, live_server, complaints):
    subscribing(page, "https://push.example/x")
    page.goto(live_server.url + reverse("settings_mail"))
    page.get_by_role("button", name="Switch on in this browser").click()
    page.get_by_text("its maker's service is not known here").wait_for()
    # The browser mentions the answer 422.
    complaints.clear()


def test_without_scripts_the_page_says_what_it_takes(new_context, live_server, north):
    page = new_context(java_script_enabled=False).new_page()
    sign_in(page, live_server.url)
    page.goto(live_server.url + reverse("settings_mail"))
    assert page.get_by_text("Switching them on needs JavaScript").is_visible()
    assert not page.get_by_role("button", name="Switch on in this browser").is_visible()
