"""Records of fair decks: what they tell before the reveal, and that three independent checks judge them alike.

docs/fair-shuffle.md, section 6, point 6. `FAIR_RECORDS` sets the number of random matches: 60, or say 10000.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from oceans.rules.fair_record import DealtDeck, Record, make_record, verify_record
from tests.conftest import CHROMIUM
from tests.rules.fair_checks import STATIC, in_chromium, in_node, script
from tests.rules.fair_records import bound, random_record, secrets, shape_damages, whole_record, with_change

MATCHES = int(os.environ.get("FAIR_RECORDS", "60"))


@pytest.fixture
def in_javascript(request, tmp_path) -> Callable[[Sequence[Any]], list[dict[str, Any]]]:
    """What the browser's check finds in records: run by node, or by Chromium on a machine without it."""
    if shutil.which("node"):
        return lambda records: in_node(records, tmp_path)
    if not CHROMIUM:
        pytest.skip("neither node nor Chromium on this machine")
    page = request.getfixturevalue("page")
    return lambda records: in_chromium(records, page)


# What a record tells, and when


def test_nothing_is_told_before_its_time():
    kept = secrets(random.Random(1))
    cards = tuple(range(52))
    decks = [DealtDeck(1, "pack0", 0, cards, (0, 1)), DealtDeck(1, "pack0", 1, (4, 8, 15), (2,))]

    joining = json.dumps(make_record(kept, started=False))
    assert not any(participant.entropy.hex() in joining for participant in kept.participants)

    running = make_record(kept, decks)
    assert kept.seed.hex() not in json.dumps(running)
    assert kept.match_key.hex() not in json.dumps(running)
    pack, reshuffle = running["hands"][0]["decks"]
    assert (pack["order"], pack["cards"], [shown["pos"] for shown in pack["openings"]]) == (None, list(cards), [0, 1])
    assert (reshuffle["order"], reshuffle["cards"]) == (None, None)

    over = make_record(kept, decks, revealed=True)
    assert over["seed"] == kept.seed.hex()
    assert sorted(over["hands"][0]["decks"][0]["order"]) == list(cards)
    assert over["hands"][0]["decks"][1]["cards"] == [4, 8, 15]
    assert over["log"][: len(running["log"])] == running["log"]


def test_the_secrets_show_in_no_repr():
    kept = secrets(random.Random(1))
    shown = repr((kept, DealtDeck(1, "pack0", 0, (17, 23))))
    assert "own=" in shown
    assert not any(secret in shown for secret in ("seed", "entropy", "17", "23"))


@pytest.mark.parametrize(
    "stage",
    [
        {"started": False},
        {"started": False, "revealed": True, "cancelled": "withdrawn"},
        {},
        {"seated": False},
        {"revealed": True},
    ],
    ids=str,
)
def test_every_stage_of_a_match_checks(stage, in_javascript):
    decks = [DealtDeck(1, "pack0", 0, (1, 2, 3), (1,))] if stage.get("started", True) else []
    record = make_record(secrets(random.Random(2)), decks, **stage)
    assert verify_record(record) == []
    assert list(script().check(record)) == []
    assert in_javascript([record])[0]["findings"] == []


# The three checks agree


@pytest.mark.parametrize("first", range(0, MATCHES, 200))
def test_the_checks_agree_on_random_matches_and_on_one_change_in_each(first, in_javascript):
    good = [random_record(seed) for seed in range(first, min(first + 200, MATCHES))]
    chooser = random.Random(first)
    bad = [with_change(record, chooser.choice(bound(record))) for record in good]
    check = script().check

    assert [verify_record(record) for record in good] == [[]] * len(good)
    assert [list(check(record)) for record in good] == [[]] * len(good)
    found = [verify_record(record) for record in bad]
    assert all(found)
    assert all(list(check(record)) for record in bad)
    assert [outcome["findings"] for outcome in in_javascript(good + bad)] == [[]] * len(good) + found


@pytest.mark.parametrize("revealed", [False, True])
def test_the_checks_refuse_a_change_at_every_place(revealed, in_javascript):
    record = whole_record(revealed=revealed)
    bad = [with_change(record, path) for path in bound(record)]
    found = [verify_record(one) for one in bad]
    check = script().check
    assert all(found)
    assert all(list(check(one)) for one in bad)
    assert [outcome["findings"] for outcome in in_javascript(bad)] == found


def test_the_checks_name_the_place_of_a_damage_alike(in_javascript):
    damaged = shape_damages()
    found = [verify_record(record) for record in damaged]
    assert all(findings[0].startswith("The record is damaged at ") for findings in found)
    assert [outcome["findings"] for outcome in in_javascript(damaged)] == found


def swapped(path: Sequence[Any], a: int, b: int) -> Record:
    """The whole record with two items of one of its lists exchanged, and a log that tells it so."""

    def swap(items: list[Any]) -> list[Any]:
        items[a], items[b] = items[b], items[a]
        return items

    return with_change(whole_record(), path, swap)


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (swapped(["seats"], 0, 1), "The entropy of participant 1 does not match its commitment."),
        (swapped(["hands"], 0, 1), "The deals are not in order."),
        (swapped(["hands", 0, "decks"], 0, 2), "Deal 1, pack0, shuffle 2: it is not the next shuffle of that pack."),
        (
            swapped(["hands", 0, "decks", 0, "order"], 0, 1),
            "Deal 1, pack0, shuffle 1: the order is not the one that the keys give.",
        ),
        (
            swapped(["hands", 0, "decks", 0, "cards"], 0, 1),
            "Deal 1, pack0, shuffle 1: its cards are not listed in ascending order, each once.",
        ),
        (swapped(["seating"], 0, 1), "The seating is not the one that was drawn."),
        (
            with_change(whole_record(), ["seats", 1, "entropy"], lambda _: None),
            "The game has started, but the entropy of participant 2 is missing.",
        ),
        (
            with_change(whole_record(), ["transcript"], lambda _: None),
            "Cards were dealt before the transcript was fixed.",
        ),
        (
            with_change(whole_record(), ["hands", 1, "decks", 0, "order"], lambda _: None),
            "Deal 2, pack0, shuffle 1: the seed is revealed, but the cards or their order are missing.",
        ),
        (
            with_change(whole_record(revealed=False), ["hands", 1, "decks", 0, "order"], lambda _: [7]),
            "Deal 2, pack0, shuffle 1: it shows an order that cannot be checked before the seed is revealed.",
        ),
        (
            with_change(whole_record(), ["log"], lambda log: log[:-1]),
            f"Line 12 of the log is missing, but the record asks for reveal:{whole_record()['seed']}.",
        ),
        (
            with_change(whole_record(), ["log"], lambda log: [*log, "deck:again"]),
            "Line 13 of the log is deck:again, but the record asks for nothing more.",
        ),
    ],
)
def test_what_a_check_says(record, sentence, in_javascript):
    findings = verify_record(record)
    assert sentence in findings
    assert list(script().check(record))
    assert in_javascript([record])[0]["findings"] == findings


def test_a_server_cannot_make_a_second_deck_under_the_same_name():
    """Two shuffles of one name would let it choose; the log shows both, and so does the check."""
    kept = secrets(random.Random(3))
    twice = [DealtDeck(1, "pack0", 0, (1, 2, 3)), DealtDeck(1, "pack0", 0, (1, 2, 3))]
    record = make_record(kept, twice, revealed=True)
    assert verify_record(record) == ["Deal 1, pack0, shuffle 1: it is not the next shuffle of that pack."]


# What players read


def test_the_browser_sums_up_in_words(in_javascript):
    running, over = whole_record(revealed=False), whole_record()
    lone = make_record(secrets(random.Random(5)), [DealtDeck(1, "pack0", 0, (1, 2), (0,))], revealed=True)
    outcomes = in_javascript([running, over, lone, with_change(over, ["hands", 0, "decks", 1, "order", 0])])
    assert [outcome["words"] for outcome in outcomes] == [
        "So far all is as promised: 6 cards shown, each in its place. The rest can be checked when the game is over.",
        "All 4 decks verify.",
        "The one deck verifies.",
        "Deal 1, pack1, shuffle 1: the order is not the one that the keys give.",
    ]


def test_the_script_to_download_says_so_in_words(tmp_path):
    def run(content: str) -> tuple[int, str, str]:
        path = tmp_path / "record.json"
        path.write_text(content)
        command = [sys.executable, "-I", STATIC / "check_deck.py", path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr.replace(str(path), "FILE")

    assert run(json.dumps(whole_record())) == (0, "All 4 decks verify.\n", "")
    bad = with_change(whole_record(), ["hands", 0, "decks", 1, "order", 0])
    sentence = "Deal 1, pack1, shuffle 1: its order or root is not the one that the keys give.\n"
    assert run(json.dumps(bad)) == (1, "", sentence)
    assert run("{}") == (1, "", "FILE is not a whole record: download it again.\n")
    assert run("no JSON") == (1, "", "FILE is not a whole record: download it again.\n")
