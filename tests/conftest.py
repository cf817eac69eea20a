"""What every test shares: settings that make tests fast, three people, a frozen now, and the browser.

A machine without PostgreSQL, Redis or Chromium skips the tests that need them and says why. OCEANS_REQUIRE, a list such
as `postgres,redis,browser`, turns those skips into failures, for machines that are meant to have them.
"""

import os
import shutil
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import override_settings

# Playwright's own event loop runs in the thread of the test, and Django would refuse to touch the database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

CHROMIUM = os.environ.get("CHROMIUM_PATH") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
REDIS_URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seeds", type=int, default=1, help="random matches of each game and table in the contract tests")


def answers(url: str) -> bool:
    """Whether something listens at the host and port of a URL."""
    place = urlsplit(url)
    try:
        socket.create_connection((place.hostname, place.port), timeout=1).close()
    except OSError:
        return False
    return True


def missing() -> dict[str, str]:
    """What this machine lacks, by the mark of the tests that need it."""
    reasons = {}
    if not CHROMIUM:
        reasons["browser"] = "no Chromium on this machine"
    if settings.DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
        reasons["postgres"] = "runs on PostgreSQL only: set DATABASE_URL=postgres://..."
    if not answers(REDIS_URL):
        reasons["redis"] = f"no Redis at {REDIS_URL}"
    return reasons


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    lacking = missing()
    required = set(filter(None, os.environ.get("OCEANS_REQUIRE", "").split(",")))
    for mark in required & lacking.keys():
        pytest.exit(f"OCEANS_REQUIRE asks for {mark}, but: {lacking[mark]}", returncode=1)
    for item in items:
        for mark, reason in lacking.items():
            if mark in item.keywords:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session", autouse=True)
def _fast_settings() -> Iterator[None]:
    with override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
        MASTER_KEYS={1: b"a master key of thirty-two bytes"},
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
    ):
        yield


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """What an earlier test had looked up must not answer for this one: numbers of users are used again."""
    cache.clear()


@pytest.fixture(scope="session")
def redis_url() -> str:
    """A Redis database that tests may write to."""
    return REDIS_URL


@pytest.fixture
def now() -> datetime:
    """The instant at which tests take place: a Wednesday, at noon."""
    return datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


def person(name: str):
    """Somebody with an account of that name."""
    return get_user_model().objects.create_user(name, email=f"{name}@example.org", password="a password for tests")


@pytest.fixture
def player(db):
    """Somebody who plays in the match under test."""
    return person("player")


@pytest.fixture
def rival(db):
    """The player's opponent."""
    return person("rival")


@pytest.fixture
def stranger(db):
    """Somebody with an account who has nothing to do with the match and must see nothing of it."""
    return person("stranger")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Chromium of this machine, without sandbox and without calls home."""
    return {
        **browser_type_launch_args,
        "executable_path": CHROMIUM,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
        ],
    }


@pytest.fixture
def complaints() -> list[str]:
    """What pages have complained about in the browser's console. A test that means to provoke a complaint clears it."""
    return []


@pytest.fixture
def new_context(new_context, complaints):
    """Browser contexts whose pages may not complain: an error in a console fails the test."""

    def note_error(message):
        if message.type == "error":
            complaints.append(f"{message.location.get('url')}: {message.text}")

    def listening(**kwargs):
        context = new_context(**kwargs)
        context.on("console", note_error)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        return context

    yield listening
    assert complaints == []
