"""Playing in Chromium as people do: by keyboard alone, and two of them against each other."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from oceans import play
from oceans.models import Match, Seat
from tests.browser.test_pages import session_cookie
from tests.builders import bot, opened, play_out

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_MOVES = 400


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of that name has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate("(document.activeElement.innerText || '').trim()")
        if focused == name:
            return
    raise AssertionError(f"“{name}” cannot be reached with the Tab key")


def wait_for_turn(page: Page, number: str) -> str:
    """Wait until the table has moved on from this turn; the turn it shows then, empty when the game is over."""
    page.wait_for_function(
        "before => (document.querySelector('#act [name=turn]')?.value ?? '') !== before",
        arg=number,
    )
    field = page.locator("#act [name=turn]")
    return field.input_value() if field.count() else ""


def test_a_guest_plays_a_bot_to_the_end_by_keyboard_alone(new_context, live_server):
    bot()
    page = new_context(reduced_motion="reduce").new_page()
    page.goto(live_server.url)
    tab_to(page, "Play a bot now")
    page.keyboard.press("Enter")
    page.wait_for_url("**/game/*/")
    turn = wait_for_turn(page, "none yet")
    for _ in range(MOST_MOVES):
        if not turn:
            break
        tab_to(page, "Deal a card")
        page.keyboard.press("Enter")
        turn = wait_for_turn(page, turn)
    expect(page.locator("#news")).to_contain_text(re.compile("You won|You lost|Drawn"))
    assert Match.objects.get().status == Match.Status.FINISHED


def test_conceding_needs_the_sheet_and_escape_leaves_it(new_context, live_server, player):
    match = opened(timezone.now(), player, bot())
    page = signed_in_page(new_context, live_server, player)
    page.goto(f"{live_server.url}/game/{match.pk}/")
    for _ in range(MOST_MOVES):
        if page.get_by_role("button", name="Concede…").count():
            break
        page.get_by_role("button", name="Deal a card").click()
        wait_for_turn(page, page.locator("#act [name=turn]").input_value())
    log = Match.objects.get(pk=match.pk).log_length
    page.get_by_role("button", name="Concede…").click()
    expect(page.get_by_role("button", name="Keep playing")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#sure-concede")).to_be_hidden()
    assert Match.objects.get(pk=match.pk).log_length == log
    page.get_by_role("button", name="Concede…").click()
    page.get_by_role("button", name=re.compile("Concede hand")).click()
    expect(page.locator("#log")).to_contain_text("player concedes")


def signed_in_page(new_context, live_server, user, **options) -> Page:
    context = new_context(reduced_motion="reduce", **options)
    context.add_cookies([session_cookie(user, live_server.url)])
    return context.new_page()


def test_two_people_play_a_whole_game(new_context, live_server, player, rival):
    """One at a desk, one on a phone; the offer, every move, the end and the proof of the decks."""
    desk = signed_in_page(new_context, live_server, player)
    phone = signed_in_page(new_context, live_server, rival, viewport={"width": 360, "height": 740})
    desk.goto(f"{live_server.url}/lobby/?game=oe-mini#new")
    desk.get_by_role("button", name="Open the game").click()
    expect(desk.locator("#mine")).to_be_visible()
    phone.goto(f"{live_server.url}/lobby/")
    phone.get_by_role("button", name=re.compile("^Join")).click()
    phone.wait_for_url("**/game/*/")
    match = Match.objects.get()
    pages = {player.pk: desk, rival.pk: phone}
    for page in pages.values():
        page.goto(f"{live_server.url}/game/{match.pk}/")
    mover = None
    for _ in range(MOST_MOVES):
        match.refresh_from_db()
        if not match.is_running:
            break
        due = Seat.objects.get(match=match, is_due=True).user_id
        page = pages[due]
        if due != mover:
            page.goto(f"{live_server.url}/turn/")
            page.get_by_role("link", name=re.compile("Play the next one")).press("Enter")
        mover = due
        page.get_by_role("button", name="Deal a card").press("Enter")
        wait_for_turn(page, str(match.turn))
    for page in pages.values():
        page.goto(f"{live_server.url}/game/{match.pk}/")
        expect(page.locator("#news")).to_contain_text(re.compile("You won|You lost|Drawn"))
    desk.goto(f"{live_server.url}/game/{match.pk}/fair/")
    desk.get_by_role("button", name="Check the decks").click()
    expect(desk.locator("output")).to_contain_text("verify")


def test_a_waiting_table_shows_the_move_of_the_other_without_a_reload(new_context, live_server, player, rival):
    match = opened(timezone.now(), player, rival)
    due = Seat.objects.get(match=match, is_due=True).user
    waiting = rival if due == player else player
    watching = signed_in_page(new_context, live_server, waiting)
    watching.goto(f"{live_server.url}/game/{match.pk}/")
    expect(watching.get_by_text("Waiting for")).to_be_visible()
    moving = signed_in_page(new_context, live_server, due)
    moving.goto(f"{live_server.url}/game/{match.pk}/")
    before = moving.locator("#log li").count()
    moving.get_by_role("button", name="Deal a card").click()
    expect(moving.locator("#log li")).not_to_have_count(before)
    watching.evaluate("document.querySelector('[data-poll]').dispatchEvent(new Event('look'))")
    expect(watching.locator("#log li")).to_have_count(moving.locator("#log li").count())


def test_luck_appears_once_it_is_worked_out_and_leaves_the_keyboard_where_it_was(
    new_context, live_server, player, rival
):
    now = timezone.now()
    match = opened(now, player, rival, game="oe-mini")
    play_out(match, now)
    page = signed_in_page(new_context, live_server, player)
    page.goto(f"{live_server.url}/game/{match.pk}/luck/")
    page.get_by_role("button", name="Work it out").press("Enter")
    again = page.get_by_role("link", name="Look again")
    again.focus()
    look = "document.querySelector('[data-poll]').dispatchEvent(new Event('look'))"
    with page.expect_response("**/luck/"):
        page.evaluate(look)
    expect(again).to_be_focused()
    while not play.work_out(now):
        pass
    page.evaluate(look)
    expect(page.get_by_role("heading", name="What decided it")).to_be_visible()
    expect(again).to_have_count(0)


BOUND = "() => '[hx-get], [hx-post]'.split(', ').every(s => document.querySelector('#new ' + s)['htmx-internal-data'])"
"""Whether scripts have taken up a form that has just been replaced; nobody chooses as quickly as a test does."""


def test_the_form_for_a_new_game_follows_what_is_chosen(new_context, live_server, player):
    """Options come and go, what was typed stays, and so does the focus."""
    page = signed_in_page(new_context, live_server, player)
    page.goto(f"{live_server.url}/lobby/?game=guts#new")
    form = page.locator("#new")
    form.get_by_label("Player name").fill("rival")
    form.get_by_text("Options of this game").click()
    expect(form.get_by_label("Fee if nobody is in")).to_have_count(0)
    form.get_by_label("If nobody is in", exact=True).focus()
    form.get_by_label("If nobody is in", exact=True).select_option("fee")
    expect(form.get_by_label("Fee if nobody is in")).to_be_visible()
    expect(form.get_by_label("If nobody is in", exact=True)).to_be_focused()
    page.wait_for_function(BOUND)
    form.locator("select[name=game]").select_option("seven-stud")
    expect(form.locator("input[name=game]")).to_have_value("seven-stud")
    expect(form.get_by_label("Chips at the start")).to_be_attached()
    expect(form.get_by_label("Player name")).to_have_value("rival")
    before = form.locator("#takes").inner_text()
    page.wait_for_function(BOUND)
    form.get_by_label("Players", exact=True).select_option("7")
    expect(form.locator("#takes")).not_to_have_text(before)
    expect(form.locator("#takes")).to_contain_text(re.compile(r"About \d+ visits each, \d+ \w+ at this pace"))


def test_everything_works_without_scripts(new_context, live_server):
    bot()
    page = new_context(java_script_enabled=False).new_page()
    page.goto(live_server.url)
    page.get_by_role("button", name="Play a bot now").click()
    page.wait_for_url("**/game/*/")
    before = page.locator("#log li").count()
    page.get_by_role("button", name="Deal a card").click()
    page.wait_for_url("**/game/*/")
    assert page.locator("#log li").count() > before
