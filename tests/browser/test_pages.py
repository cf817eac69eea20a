"""Every page of play in Chromium: no barriers, no sideways scrolling, nothing to complain about in the console."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from django.utils import timezone

from oceans import play
from tests.builders import answer, answer_until_turn_passes, bot, due_seat, opened, play_out

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (320, 360, 768, 1440)
TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return "";
    const all = [...document.querySelectorAll("main *, header *, footer *")];
    const wide = all.filter(one => one.getBoundingClientRect().right > width);
    return wide.map(one => one.outerHTML.slice(0, 80)).join(" | ");
}"""
"""What sticks out at the right, if anything does."""
OPENED = "document.querySelectorAll('main details').forEach(one => one.open = true)"
"""Everything that can be unfolded is."""


def session_cookie(user, url: str) -> dict[str, str]:
    """The cookie of somebody who has signed in."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": url}


@pytest.fixture
def addresses(player, rival, stranger):
    """One address of every page of play, with something to show on it."""
    now = timezone.now()
    bot()
    duel = opened(now, player, rival)
    if due_seat(duel).user != player:
        answer_until_turn_passes(duel, now)
    seat = duel.seats.get(user=player).number
    for kind, body in (("ask-first", {"left": 52}), ("concede-at", {}), ("hand", {"cards": 2})):
        duel.refresh_from_db()
        play.place_order(match_id=duel.pk, seat=seat, turn=duel.turn, kind=kind, body=body, now=now)
    over = opened(now, player, rival)
    play_out(over, now)
    guts = opened(now, player, rival, stranger, game="guts")
    table = opened(now, player, rival, stranger, game="oe-table")
    suits = opened(now, player, rival, game="oe-five-suits")
    bids = opened(now, player, rival, game="duel-it")
    if due_seat(bids).user != player:
        answer(bids, "bid 2", now)
    stud = opened(now, player, rival, stranger, game="seven-stud")
    draw = opened(now, player, rival, stranger, game="five-draw", options={"betting": "sealed"})
    games = [f"/game/{match.pk}/" for match in (duel, over, guts, table, suits, bids, stud, draw)]
    asked = opened(now, player, rival, game="oe-mini")
    play_out(asked, now)
    play.ask_for_hindsight(match=over, user_id=player.pk, now=now)
    while not play.work_out(now):
        pass
    play.ask_for_hindsight(match=asked, user_id=player.pk, now=now)
    luck = [f"/game/{match.pk}/luck/" for match in (over, asked, duel)]
    replay, fair = f"/game/{over.pk}/replay/?move=9", f"/game/{over.pk}/fair/"
    sheets = [f"/game/{duel.pk}/{page}/" for page in ("concede", "resign", "order")]
    lists = ["/", "/?sample=deal", "/turn/", "/lobby/", "/lobby/?game=guts", "/player/player/"]
    words = ["/games/", "/games/oe-twos/", "/games/spit/", "/games/seven-stud/", "/fair/", "/help/", "/nowhere/"]
    return [*games, replay, fair, *luck, *sheets, *lists, *words]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_have_no_barriers(new_context, live_server, player, addresses, scheme, complaints):
    context = new_context(viewport={"width": 360, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    context.add_cookies([session_cookie(player, live_server.url)])
    page = context.new_page()
    for address in addresses:
        page.goto(live_server.url + address)
        page.evaluate(OPENED)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{address}\n{found.generate_report()}"
    complaints[:] = [one for one in complaints if "/nowhere/" not in one]


def test_pages_never_scroll_sideways(new_context, live_server, player, addresses, complaints):
    context = new_context(viewport={"width": 320, "height": 800})
    context.add_cookies([session_cookie(player, live_server.url)])
    page = context.new_page()
    for address in addresses:
        page.goto(live_server.url + address)
        page.evaluate(OPENED)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate(TOO_WIDE)
            assert not wide, f"{address} at {width} px: {wide}"
    complaints[:] = [one for one in complaints if "/nowhere/" not in one]


def test_the_look_is_kept(new_context, live_server):
    page = new_context().new_page()
    page.goto(live_server.url + "/games/oe-twos/")
    with page.expect_response("**/settings/look/"):
        page.get_by_label("4-colour suits").check()
    page.reload()
    assert page.get_attribute("html", "data-suits") == "4"
