"""Two worlds that differ only in cards a person has not seen look the same to that person, everywhere.

Each world is the same stored match over other packs. Every address of the site is fetched in both, as every kind of
person; status, headers, bytes and the number of queries must be equal, but for the tokens that any page load renews.
"""

import logging
import re

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from oceans import ledger
from oceans.models import Match
from oceans.rules import engine
from oceans.rules.playing import picker
from oceans.rules.table import Packs
from tests.builders import answer, due_seat, legal, opened, state_of
from tests.oceans.test_routes import ROUTES
from tests.rules.contract.twins import on_decks, twin_decks

TOKENS = re.compile(rb'(csrfmiddlewaretoken" value="|csrf-token" content="|X-CSRFToken": ")[A-Za-z0-9]+')
TABLES = {
    "oe-twos": (2, ["deal", "deal", "concede", "deal"]),
    "guts": (3, ["in", "out", "out", "in"]),
    "indian": (3, ["in", "in", "out", "in"]),
    "duel-it": (3, ["bid 4", "show"]),
    "five-draw": (3, ["bet 2", "call", "call"]),
    "jacks": (3, []),
    "seven-stud": (3, ["bet 2", "call", "raise 4", "fold", "call"]),
}
OWN_SECRETS = ("/accounts/2fa/", "/metrics", "/healthz", "/mailbox")
"""Pages that make secrets of their own or count requests, and know nothing of games (tests/test_architecture.py)."""
ROLES = ("seat 0", "last seat", "stranger", "staff", "nobody")


class World:
    """The stored match as if its packs were these."""

    def __init__(self, monkeypatch, state: engine.MatchState) -> None:
        self._state = state
        self._decks: tuple[Packs, ...] | None = None
        plain = engine.start

        def start(setup, keys, *, decks=None):
            mine = self._decks is not None and keys == state.keys
            return plain(setup, keys, decks={state.deal_no: self._decks} if mine else decks)

        monkeypatch.setattr(engine, "start", start)

    def become(self, decks: tuple[Packs, ...] | None) -> None:
        self._decks = decks
        ledger.forget()


def played(game: str, people, now) -> Match:
    seats, moves = TABLES[game]
    match = opened(now, *people[:seats], game=game)
    for move in moves:
        seat = due_seat(match).number
        answer(match, move if move in legal(match, seat) else legal(match, seat)[0], now)
    return match


def other_decks(state: engine.MatchState, viewer: int | None, seed: str) -> tuple[Packs, ...]:
    """Decks of the present deal in which what `viewer` has not seen lies otherwise, and by which the log is as legal.
    Where what is asked depends on hidden cards, most are none."""
    pick = picker(seed)
    tries = (twin_decks(state, viewer, state.deal_no, pick) for _try in range(2_000))
    return next(decks for decks in tries if on_decks(state, state.deal_no, decks) is not None)


def seen(client: Client, path: str, caplog, **headers) -> tuple:
    """All that a person can tell apart of one page load."""
    caplog.clear()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        response = client.get(path, **headers)
    kept = {name: value for name, value in response.headers.items() if name not in ("Set-Cookie", "X-Request-Id")}
    body = TOKENS.sub(rb"\1", response.getvalue())
    logged = [re.sub(r"'(request|milliseconds)': [^,}]+", "", record.getMessage()) for record in caplog.records]
    return response.status_code, kept, body, len(body), len(queries), logged


@pytest.fixture
def people(player, rival, stranger, django_user_model):
    third = django_user_model.objects.create_user("third", "third@example.org", "pw")
    staff = django_user_model.objects.create_user("boss", "boss@example.org", "pw", is_staff=True, is_superuser=True)
    return {"players": [player, rival, third], "stranger": stranger, "staff": staff}


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("game", TABLES)
def test_unseen_cards_change_nothing_that_anybody_can_fetch(game, role, people, now, monkeypatch, caplog, client):
    caplog.set_level(logging.DEBUG)
    with time_machine.travel(now, tick=False):
        match = played(game, people["players"], now)
        state = state_of(match)
        seats = {seat.number: seat.user for seat in match.seats.select_related("user")}
        viewer = {"seat 0": 0, "last seat": len(seats) - 1}.get(role)
        user = seats.get(viewer) or people.get(role)
        if user is not None:
            client.force_login(user)
        decks = other_decks(state, viewer, f"{game} {role}")
        world = World(monkeypatch, state)
        paths = sorted({path.replace("/game/1/", f"/game/{match.pk}/") for path, _ in ROUTES})
        paths += [f"/game/{match.pk}/replay/?move=1", f"/admin/oceans/match/{match.pk}/change/", "/admin/oceans/match/"]
        paths = [path for path in paths if not path.startswith(OWN_SECRETS)]
        for path in paths:
            client.get(path)
        for path in paths:
            for headers in ({}, {"HTTP_HX_REQUEST": "true"}) if "/game/" in path else ({},):
                worlds = []
                for decks_of in (None, decks):
                    world.become(decks_of)
                    worlds.append(seen(client, path, caplog, **headers))
                assert worlds[0] == worlds[1], path


@pytest.mark.django_db
def test_the_worlds_do_differ_for_whoever_may_see_the_cards(people, now, monkeypatch, client, caplog):
    """The test above would pass on a site that showed nothing; here a seat sees its own other cards."""
    match = played("guts", people["players"], now)
    state = state_of(match)
    decks = other_decks(state, None, "differ")
    world = World(monkeypatch, state)
    client.force_login(match.seats.get(number=0).user)
    pages = []
    for decks_of in (None, decks):
        world.become(decks_of)
        pages.append(seen(client, f"/game/{match.pk}/", caplog)[2])
    assert pages[0] != pages[1]


@pytest.mark.django_db
def test_no_seed_or_key_is_stored_or_shown(people, now, client, capsys):
    """A copy of the database alone deals no card: seeds and deal keys are nowhere in it, nor on any page."""
    match = played("oe-twos", people["players"], now)
    secrets = ledger.secrets_of(match)
    hidden = [secrets.seed.hex(), secrets.match_key.hex(), ledger.keys_of(match).deal_key(1).hex()]
    call_command("dumpdata", verbosity=0)
    dump = capsys.readouterr().out
    client.force_login(match.seats.get(number=0).user)
    pages = [client.get(f"/game/{match.pk}/{part}").content.decode() for part in ("", "fair.json", "record.json")]
    for text in (dump, *pages):
        assert not [secret for secret in hidden if secret in text]
