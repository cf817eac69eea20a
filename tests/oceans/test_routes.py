"""Promises that hold for every address of the site, whoever adds it."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver

EXEMPT = {"mail_off"}
"""Names of the routes that mail programs post to by themselves: one-click unsubscribing, which needs no cookie."""

STAND_INS = {
    "int": "1",
    "match": "1",
    "str": "somebody",
    "slug": "oe-twos",
    "path": "x",
    "uuid": "0" * 8 + "-0000-0000-0000-" + "0" * 12,
}


def routes(patterns=None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every route outside the admin pages as a path with stand-ins for its parameters, and its name."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + re.sub(r"\(\?P<\w+>[^)]*\)", "x", str(pattern.pattern)).replace("^", "").replace("$", "")
        if route.startswith("admin/"):
            continue
        if isinstance(pattern, URLPattern):
            path = re.sub(r"<(?:(\w+):)?\w+>", lambda found: STAND_INS[found[1] or "str"], route)
            yield "/" + path.replace("\\", ""), pattern.name or ""
        else:
            yield from routes(pattern.url_patterns, route)


ROUTES = sorted(set(routes()))


def test_the_routes_are_found():
    paths = [path for path, _ in ROUTES]
    assert {"/", "/lobby/", "/game/1/", "/games/oe-twos/", "/accounts/login/", "/healthz/live"} <= set(paths)


@pytest.mark.django_db
@pytest.mark.parametrize("signed_in", [False, True], ids=["anonymous", "signed in"])
def test_no_page_is_kept_by_a_cache_or_known_by_a_tag(client, player, signed_in):
    if signed_in:
        client.force_login(player)
    for path, _ in ROUTES:
        response = client.get(path)
        assert response.status_code < 500 or path.startswith("/healthz/"), path
        assert response["Cache-Control"] == "private, no-store", path
        assert "Cookie" in response["Vary"], path
        assert not response.has_header("ETag") and not response.has_header("Last-Modified"), path
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"], path


@pytest.mark.django_db
def test_a_number_longer_than_any_is_answered(client, player):
    client.force_login(player)
    for path, _ in ROUTES:
        if "/1/" in path:
            long = path.replace("/1/", f"/{'9' * 30}/")
            assert max(client.get(long).status_code, client.post(long).status_code) < 500, long


@pytest.mark.django_db
def test_no_page_can_be_posted_to_without_the_token_of_a_form(player):
    client = Client(enforce_csrf_checks=True)
    client.force_login(player)
    open_doors = [
        path for path, name in ROUTES if name not in EXEMPT and client.post(path).status_code not in (403, 404, 405)
    ]
    assert open_doors == []


@pytest.mark.django_db
@pytest.mark.parametrize("suffix", ["x.css", ".js", "%2e%2e/", "x/../x.css"])
def test_nothing_may_be_hung_on_to_a_path(client, player, suffix):
    """A cache that believes in file names could otherwise be led to keep a page."""
    client.force_login(player)
    for path in ("/", "/lobby/", "/turn/", "/accounts/email/"):
        assert client.get(path.rstrip("/") + "/" + suffix).status_code == 404
