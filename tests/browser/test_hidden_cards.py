"""Four browsers play whole games with hidden cards, and everything that they or somebody who watches could read on the
way, in pages, records, mails and logs, is searched for cards that they may not see."""

import logging
import re
from collections.abc import Collection
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts import sending
from oceans.models import Match
from oceans.rules import engine
from oceans.rules.cards import PACK_52, Card
from oceans.rules.engine import MatchState
from tests.browser.test_pages import session_cookie
from tests.builders import opened, state_of
from tests.conftest import person
from tests.rules.contract.twins import seen_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_ANSWERS = 60
FIRST = ("/game/{match}/", "/game/{match}/record.json")
REST = (
    *(
        f"/game/{{match}}/{part}"
        for part in ("record.txt", "replay/", "replay/?move=0", "replay/?move=5", "fair/", "luck/")
    ),
    *("/turn/", "/lobby/", "/player/north/", "/player/east/"),
)
NAMES = {card.name: card for card in PACK_52}
LETTERS = {str(card): card for card in PACK_52}
NAMED = re.compile("|".join(NAMES))
LETTERED = re.compile(r"(?<![\w&#])(?:[2-9TJQK][cdhs]|A[cdh]|(?<=[\"'])As(?=[\"']))(?!\w)")
"""Cards as forms and records write them. The ace of spades only in quotes: unquoted it is an English word."""


def cards_in(text: str) -> set[Card]:
    """All cards that a text names, in words or letters."""
    return {NAMES[name] for name in NAMED.findall(text)} | {LETTERS[name] for name in LETTERED.findall(text)}


def concealed(state: MatchState, viewer: int | None) -> set[Card]:
    """The cards that a viewer has seen in no deal so far."""
    tables = [table for result in state.results for table in (*result.table.before, result.table)]
    seen = [seen_by(table, viewer)[0] for table in (*tables, *state.state.table.before, state.state.table)]
    return set(PACK_52) - set().union(*seen)


class Readers:
    """Those who sit at a match and one who watches, and what they can read."""

    def __init__(self, match: Match, url: str, log) -> None:
        self.match, self.url, self.log = match, url, log
        self.clients: dict[int | None, Client] = {None: Client()}
        for seat in match.seats.select_related("user"):
            self.clients[seat.number] = Client()
            self.clients[seat.number].force_login(seat.user)
        self.seen: dict[int | None, set] = {viewer: set() for viewer in self.clients}
        self.mails = 0

    def search(self, paths: Collection[str]) -> None:
        """Everybody reads these pages, the record of the decks and the mails; nobody finds a card hidden from him."""
        state = state_of(self.match)
        for viewer, client in self.clients.items():
            for path in paths:
                self.read(state, viewer, path, client.get(path.format(match=self.match.pk)).content.decode())
            opened_cards, order = self._fair(client)
            hidden = {int(card) for card in concealed(state, viewer)}
            assert order == [None] * len(order) and not opened_cards & hidden
        self._search_mails(concealed(state, None))

    def read(self, state: MatchState, viewer: int | None, where: str, text: str) -> None:
        """A reader has read this."""
        found, hidden = cards_in(text), concealed(state, viewer)
        assert not found & hidden, f"{where} tells seat {viewer} {found & hidden}"
        self.seen[viewer] |= found

    def _fair(self, client: Client) -> tuple[set[int], list]:
        record = client.get(f"/game/{self.match.pk}/fair.json").json()
        decks = [deck for hand in record["hands"] for deck in hand["decks"]]
        assert record["seed"] is None
        return {one["card"] for deck in decks for one in deck["openings"]}, [deck["order"] for deck in decks]

    def _search_mails(self, hidden: set) -> None:
        """Mails can be forwarded: they tell what everybody knows, whoever they go to."""
        sending.dispatch(timezone.now() + timedelta(hours=2))
        for one in mail.outbox[self.mails :]:
            text = "\n".join((one.subject, one.body, *(str(part.content) for part in one.alternatives)))
            assert self.match.fair_id in text or "game" in text
            assert not cards_in(text) & hidden, one.subject
        self.mails = len(mail.outbox)

    def search_log(self) -> None:
        lines = [record.getMessage() for record in self.log.records]
        assert any("/move/" in line for line in lines)
        assert not [line for line in lines if cards_in(line)]


@pytest.fixture
def begin(new_context, live_server, settings, caplog):
    """Open a match of four with a browser for each."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    caplog.set_level(logging.INFO)

    def begun(game: str, **options) -> tuple[Readers, dict[int, Page]]:
        people = [person(name) for name in ("north", "east", "south", "west")]
        match = opened(timezone.now(), *people, game=game, options={"open_archive": "off", **options})
        pages = {}
        for seat in match.seats.select_related("user"):
            context = new_context(reduced_motion="reduce")
            context.add_cookies([session_cookie(seat.user, live_server.url)])
            pages[seat.number] = context.new_page()
        return Readers(match, live_server.url, caplog), pages

    return begun


def play_to_the_end(readers: Readers, pages: dict[int, Page], answer) -> None:
    """Let every seat that is asked answer on its own page. What can be read is searched while the first answers are
    sealed, each time answers are opened, and at the end."""
    match, searched = readers.match, -1
    for _ in range(MOST_ANSWERS):
        state = state_of(match)
        waiting = engine.due(state)
        if waiting is None:
            break
        answered = {one.seat for one in state.sealed}
        if state.turn != searched or (state.turn, len(answered)) == (0, 1):
            readers.search(FIRST)
            searched = state.turn
        seat = next(seat for seat in waiting.asks if seat not in answered)
        page = pages[seat]
        page.goto(f"{readers.url}/game/{match.pk}/")
        readers.read(state, seat, "the page in the browser", page.content())
        answer(page, state, seat)
        with page.expect_response(lambda got: got.url.endswith(f"/game/{match.pk}/")) as table:
            page.locator("#act .go").click()
        table.value.finished()
        # A table that stays open would look again by itself while the test reads the database.
        page.goto("about:blank")
    readers.search(FIRST + REST)
    for seat, page in pages.items():
        page.goto(f"{readers.url}/game/{match.pk}/")
        readers.read(state_of(match), seat, "the last page", page.content())
        expect(page.locator("#news")).to_contain_text("win")
        page.goto("about:blank")
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    readers.search_log()


def test_four_browsers_finish_a_game_of_draw_with_sealed_betting(begin):
    """Stacks are short: after two bets all are all in, and the second deal is between the winner and who had folded."""
    readers, pages = begin("five-draw", betting="sealed", stack=20, bet=10, rounds=1)

    def answer(page: Page, state: MatchState, seat: int) -> None:
        if page.locator("#act [name=cards]").count():
            for card in page.locator("#act .hole label").all()[:2]:
                card.click()
            return
        folds = seat == 3 and state.deal_no == 1
        for field in page.locator("#act select").all():
            wanted = ("check", "fold") if folds else ("bet", "call")
            offered = field.locator("option").evaluate_all("all => all.map(one => one.value)")
            field.select_option(next(word for word in wanted if word in offered))

    play_to_the_end(readers, pages, answer)
    assert all(len(readers.seen[seat]) > 5 for seat in range(4)), "everybody has read his own cards"
    story = state_of(readers.match).story
    shown = {part for line in story for said in line.said for part in said.parts if isinstance(part, Card)}
    assert shown <= readers.seen[None], "who watches has read what was shown"
    assert readers.mails


def test_four_browsers_finish_a_game_of_nuclear_guts(begin):
    readers, pages = begin("guts-nuclear", pots=1, max_deals=3)

    def answer(page: Page, state: MatchState, seat: int) -> None:
        choice = "In" if seat % 2 == state.deal_no % 2 else "Out"
        page.locator("#act").get_by_text(choice, exact=True).click()

    play_to_the_end(readers, pages, answer)
    assert all(len(readers.seen[seat]) >= 2 for seat in range(4))
    assert readers.seen[None], "the wild card lies open"
