"""What every test shares: settings that make tests fast, three people, a frozen now, and the browser."""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.test import override_settings

# Playwright's own event loop runs in the thread of the test, and Django would refuse to touch the database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

CHROMIUM = os.environ.get("CHROMIUM_PATH") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


@pytest.fixture(scope="session", autouse=True)
def _fast_settings() -> Iterator[None]:
    with override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
    ):
        yield


@pytest.fixture
def now() -> datetime:
    """The instant at which tests take place: a Wednesday, at noon."""
    return datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


def person(name: str):
    from django.contrib.auth import get_user_model

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
