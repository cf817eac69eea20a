"""Secrets never reach the log."""

import io
import json
import logging

import pytest
import structlog

from oceans import logs


@pytest.mark.parametrize(
    "text",
    [
        "mail to anna.b@example.org was refused",
        "Authorization: Bearer abc.def",
        "Cookie: __Host-session=k3jh2kj3h4; other=1",
        "GET /games/?token=99aa88bb",
        "row is Qh 10s 7d",
        "signed 1pXyZ2:abcDEF123456789_abcdef-0987",
        "key 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ],
)
def test_texts_lose_their_secrets(text):
    cleaned = logs.cleaned(text)
    assert logs.REMOVED in cleaned
    for secret in ("example.org", "abc.def", "k3jh2", "99aa88bb", "Qh", "7d", "abcDEF", "9f86d0"):
        assert secret not in cleaned


@pytest.mark.parametrize("text", ["As seen from 2 places, match 17 ended 6-4", "/healthz/ready", "took 12.5 ms"])
def test_plain_texts_stay(text):
    assert logs.cleaned(text) == text


def test_fields_named_like_secrets_are_emptied_at_any_depth():
    event = {"event": "x", "headers": {"Cookie": "a"}, "seat": 1, "hole_cards": ["Ah"], "server_seed": b"s"}
    assert logs.scrub(None, "", event) == {
        "event": "x",
        "headers": {"Cookie": logs.REMOVED},
        "seat": 1,
        "hole_cards": logs.REMOVED,
        "server_seed": logs.REMOVED,
    }


@pytest.fixture
def lines():
    """What a logger named `under_test` writes in production, read back."""
    formatter = dict(logs.configuration(as_json=True, level="INFO")["formatters"]["lines"])
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(formatter.pop("()")(**formatter))
    logger = logging.getLogger("under_test")
    logger.propagate = False
    logger.setLevel("INFO")
    logger.addHandler(handler)
    yield lambda: [json.loads(line) for line in handler.stream.getvalue().splitlines()]
    logger.removeHandler(handler)


def test_a_line_of_any_logger_is_json_without_secrets(lines):
    logging.getLogger("under_test").error("Forbidden: %s", "/undo/?token=12345")
    structlog.get_logger("under_test").info("sent", match=7, address="a@example.org")
    first, second = lines()
    assert first["event"] == f"Forbidden: /undo/?{logs.REMOVED}"
    assert (second["match"], second["address"], second["level"]) == (7, logs.REMOVED, "info")


def test_a_traceback_shows_where_but_no_secrets(lines):
    try:
        raise ValueError("row Qh Kh of anna@example.org")
    except ValueError:
        logging.getLogger("under_test").exception("Internal Server Error")
    (line,) = lines()
    assert "test_logs.py" in line["exception"]
    assert "Qh Kh" not in line["exception"] and "anna" not in line["exception"]
