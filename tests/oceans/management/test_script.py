"""`manage.py script`: matches on stacked packs, as JSON lines, with a plain sentence for whatever cannot be played."""

import io
import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command

from oceans.rules.cards import PACK_52

O1 = {
    "game": "oe-twos",
    "seats": 2,
    "options": {},
    "packs": {"1": [["9s", "9d", "3c", "4c"], ["Kc", "4h", "4s", "Ah"]]},
    "moves": ["0 deal", "1 deal", "1 deal", "1 concede"],
}


def run(script, tmp_path, capsys) -> list[dict]:
    path = tmp_path / "script.json"
    path.write_text(script if isinstance(script, str) else json.dumps(script), encoding="utf-8")
    call_command("script", str(path))
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_it_prints_each_entry_and_where_the_match_stands(tmp_path, capsys):
    *entries, last = run(O1, tmp_path, capsys)
    assert entries == [
        {"n": 1, "deal": 1, "seat": 0, "move": "deal", "cause": "seat"},
        {"n": 2, "deal": 1, "seat": 1, "move": "deal", "cause": "seat"},
        {"n": 3, "deal": 1, "seat": 1, "move": "deal", "cause": "seat"},
        {"n": 4, "deal": 1, "seat": 1, "move": "concede", "cause": "seat"},
    ]
    assert last == {
        "over": False,
        "due": [0],
        "legal": {"0": ["deal", "concede"]},
        "score": [1, 0],
        "places": None,
    }


def test_forced_moves_are_printed_as_such(tmp_path, capsys):
    script = {"game": "oe-none", "packs": {"1": [["Ks"], ["Qd", "Qs", "8c", "8h"]]}, "moves": ["1 deal"]}
    *entries, last = run(script, tmp_path, capsys)
    assert [(entry["seat"], entry["move"], entry["cause"]) for entry in entries] == [
        (1, "deal", "seat"),
        (0, "concede", "forced"),
    ]
    assert last == {"over": True, "due": [], "legal": {}, "score": [0, 3], "places": [2, 1]}


def test_deals_of_a_match_of_many_are_summed_up(tmp_path, capsys):
    script = {
        "game": "guts",
        "seats": 2,
        "button": 1,
        "packs": {"1": ["9h", "As", "9c", "Kd"]},
        "moves": ["0 in", "1 in"],
    }
    lines = run(script, tmp_path, capsys)
    assert lines[2] == {"deal": 1, "deltas": [1, -3], "shown": {"0": ["9h", "9c"], "1": ["As", "Kd"]}}
    assert lines[-1]["score"] == [101, 97]


def test_what_is_null_is_as_if_it_were_not_there(tmp_path, capsys):
    script = {"game": "five-stud"}
    plain = run(script, tmp_path, capsys)
    nothing = dict.fromkeys(("seats", "options", "packs", "button", "stacks", "pot", "moves"))
    assert run(script | nothing, tmp_path, capsys) == plain


def test_resigning_ends_a_match_of_two(tmp_path, capsys):
    *_, entry, last = run({**O1, "moves": ["1 resign"]}, tmp_path, capsys)
    assert (entry["move"], entry["cause"]) == ("resign", "retire")
    assert (last["over"], last["places"]) == (True, [1, 2])


@pytest.mark.parametrize(
    ("change", "sentence", "number"),
    [
        ({"moves": ["1 deal"]}, "It is not your turn", 1),
        ({"moves": ["0 deal", "0 deal"]}, "It is not your turn", 2),
        ({"moves": ["0 flip"]}, "choose deal or concede", 1),
        ({"moves": ["0"]}, "must be a seat number and a move", 1),
        ({"moves": [7]}, "must be a seat number and a move", 1),
        ({"moves": ["9 deal"]}, "There is no seat 9", 1),
        ({"moves": "0 deal"}, "must be a list of moves", 1),
        ({"game": "whist"}, "There is no game called “whist”", 1),
        ({"seats": 5}, "is played by 2 players, not 5", 1),
        ({"seats": "two"}, "seats must be a whole number", 1),
        ({"options": {"ante": 3}}, "has no option “ante”", 1),
        ({"packs": {"1": [["9s"]]}}, "needs 2 packs", 1),
        ({"packs": {"1": [["9s", "9s"], ["Kc"]]}}, "9s is twice in a pack", 1),
        ({"packs": {"1": [["9z"], ["Kc"]]}}, "is not a card", 1),
        ({"packs": {"1": [["X1"], ["Kc"]]}}, "X1 is not in a pack", 1),
        ({"packs": {"one": [["9s"], ["Kc"]]}}, "use the number of a deal", 1),
        ({"packs": {"1.²": [["9s"], ["Kc"]]}}, "use the number of a deal", 1),
        ({"packs": {"9" * 5000: [["9s"], ["Kc"]]}}, "use the number of a deal", 1),
        ({"moves": ["9" * 5000 + " deal"]}, "must be a seat number and a move", 1),
        ({"game": "guts", "options": {"look": []}}, "must be one of", 1),
        ({"game": "guts", "options": {"cards": "9" * 5000}}, "must be a whole number", 1),
        ({"packs": [1]}, "packs must be a JSON object", 1),
        ({"packs": []}, "packs must be a JSON object", 1),
        ({"options": []}, "options must be a JSON object", 1),
        ({"packs": {"1.": [["9s"], ["Kc"]]}}, "use the number of a deal", 1),
        ({"packs": {"1.0": [["9s"], ["Kc"]]}}, "use the number of a deal", 1),
        ({"packs": {"1": [["9s"], ["Kc"]], "1.1": [["9s"], ["Kc"]]}}, "lists the cards of deal 1 twice", 1),
        ({"game": "guts", "packs": {"1": [["9s"], ["Kc"]]}}, "needs one pack, a list of cards", 1),
        (
            {"game": "oe-mini", "packs": {"1": [[str(card) for card in PACK_52[:27]], ["Kc"]]}},
            "A pack of Ocean's Eleven, mini has 26 cards: deal 1 lists 27.",
            1,
        ),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(change, sentence, number, tmp_path, capsys):
    with pytest.raises(SystemExit) as left:
        run({**O1, **change}, tmp_path, capsys)
    assert left.value.code == 1
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert sentence in last["error"]
    assert last["n"] == number


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, "9" * 5000, "7", "null", '{"game": ["oe-twos"]}'])
def test_a_malformed_file_is_said_in_a_sentence(text, tmp_path, capsys):
    with pytest.raises(SystemExit):
        run(text, tmp_path, capsys)
    assert "error" in json.loads(capsys.readouterr().out)


def test_a_missing_file_is_said_in_a_sentence(tmp_path, capsys):
    with pytest.raises(SystemExit):
        call_command("script", str(tmp_path / "nowhere.json"))
    assert "cannot be read" in capsys.readouterr().err


def test_a_file_name_that_cannot_be_is_said_in_a_sentence(capsys):
    with pytest.raises(SystemExit):
        call_command("script", "a\0b")
    assert "cannot be read" in capsys.readouterr().err


def test_a_line_that_is_no_text_is_said_in_a_sentence(capsys, monkeypatch):
    lines = io.BytesIO(b"\xff\xfe\n" + json.dumps(O1).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(lines))
    with pytest.raises(SystemExit):
        call_command("script", "-")
    first, *rest = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "not JSON" in first["error"] and len(rest) == 5


def test_many_matches_from_standard_input_carry_their_number(capsys, monkeypatch):
    lines = [json.dumps(O1), json.dumps({**O1, "moves": ["1 deal"]}), "", json.dumps({**O1, "moves": []})]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    with pytest.raises(SystemExit):
        call_command("script", "-")
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["match"] for line in printed] == [0, 0, 0, 0, 0, 1, 3]
    assert "error" in printed[5]


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path, capsys):
    path = tmp_path / "script.json"
    path.write_text(json.dumps(O1), encoding="utf-8-sig")
    call_command("script", str(path))
    assert len(capsys.readouterr().out.splitlines()) == 5


def command(**environment) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "manage.py", "script", "-"],
        cwd=settings.BASE_DIR,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("environment", [{}, {"PYTHONIOENCODING": "ascii"}])
def test_whatever_a_script_quotes_can_be_printed(environment):
    script = json.dumps({"game": "\ud800 é“"}).encode()
    with command(**environment) as process:
        said, complaints = process.communicate(script)
    assert (process.returncode, complaints) == (1, b"")
    assert "no game called “\ud800 é““" in json.loads(said)["error"].replace("”", "“")


def test_a_reader_who_has_seen_enough_ends_it_quietly():
    script = json.dumps(O1).encode() + b"\n"
    with command() as process:
        process.stdout.close()
        process.stdin.write(script)
        process.stdin.close()
        complaints = process.stderr.read()
    assert (process.returncode, complaints) == (1, b"")
