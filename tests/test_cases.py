"""The copies of the case files agree, and the command that tries others says plainly what is wrong with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import runner
from tests.cases.__main__ import main

FOLDER = Path(runner.__file__).parent
FILES = sorted(path for path in FOLDER.rglob("*.json*"))
FS1 = FOLDER / "fs1.json"
ROW = {"row_a": ["Kh", "Kd"], "row_b": ["Ah", "2d"], "wild": "none", "suits": 4, "winner": "a"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_cases_agree(path, capsys):
    agreed = main([str(path)])
    said = capsys.readouterr()
    assert agreed == 0, said.out + said.err


@pytest.fixture
def file(tmp_path):
    """Writes a case file; a list becomes lines."""

    def write(content, name="cases.json"):
        text = "\n".join(map(json.dumps, content)) if isinstance(content, list) else json.dumps(content)
        path = tmp_path / name
        path.write_text(text if not isinstance(content, str) else content)
        return str(path)

    return write


def test_the_command_counts_and_shows_what_differs(file, tmp_path):
    path = file([ROW, ROW | {"winner": "b"}], "rows.jsonl")
    done = subprocess.run([sys.executable, "-m", "tests.cases", path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"{path}, line 2 differs",
        '  expected {"winner": "b"}',
        '  got      {"winner": "a"}',
        "1 of 2 cases agree",
    ]


def test_print_shows_what_is_computed(file, capsys):
    document = json.loads(FS1.read_text())
    expected = [case.pop("expected") for case in document["cases"]]
    assert main(["--print", file(document), file([ROW], "rows.jsonl")]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["output"] for line in printed] == [*expected, {"winner": "a"}]
    assert [line["kind"] for line in printed] == ["fs1", "fs1", "fs1", "oceans_rows"]
    assert [line["name"] for line in printed] == ["vector 1", "vector 2", "vector 3", "line 1"]


def test_rows_are_known_by_their_content_too(file, capsys):
    assert main([file([ROW, ROW], "rows.txt")]) == 0
    assert capsys.readouterr().out == "2 of 2 cases agree\n"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "line 1: is not a JSON object."),
        ("[]", "line 1: is not a JSON object."),
        (json.dumps({"row_a": []}), 'line 1: "wild" must be one of none'),
        (json.dumps(ROW | {"row_a": ["Kx"]}), "line 1: \"row_a\": 'Kx' is not a card"),
        (json.dumps(ROW | {"row_a": ["Kh", "Kh"]}), 'line 1: "row_a": Kh occurs twice'),
        (json.dumps(ROW | {"row_a": ["Kr"]}), 'line 1: "row_a": Kr cannot be in the row'),
        (json.dumps(ROW | {"wild": "threes"}), 'line 1: "wild" must be one of none'),
        (json.dumps(ROW | {"suits": 6}), 'line 1: "suits" must be 4 or 5.'),
        (json.dumps(ROW | {"row_a": 5}), 'line 1: "row_a" must be a list of cards'),
        (json.dumps({k: v for k, v in ROW.items() if k != "winner"}), 'line 1: nothing is "expected"; use --print'),
    ],
)
def test_a_malformed_line_is_named_and_the_others_still_run(line, sentence, file, capsys):
    assert main([file(f"{line}\n\n{json.dumps(ROW)}\n", "rows.jsonl")]) == 1
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.out == "1 of 2 cases agree\n"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", 'is not a JSON object with "kind" and a list of "cases".'),
        ("[" * 100_000, 'is not a JSON object with "kind" and a list of "cases".'),
        ({"kind": "fs1"}, 'is not a JSON object with "kind" and a list of "cases".'),
        ({"kind": "fs9", "cases": []}, 'the kind "fs9" is not known; known are'),
        ({"kind": ["fs1"], "cases": []}, 'the kind ["fs1"] is not known'),
        ({"kind": "fs1", "cases": []}, "holds no cases."),
        ({"kind": "fs1", "cases": [7]}, 'case 1: is not a JSON object with a "name".'),
        ({"kind": "fs1", "cases": [{"name": "x", "input": []}]}, "case 'x': its \"input\" is not a JSON object."),
        (
            {"kind": "fs1", "cases": [{"name": "x", "input": {}}]},
            "case 'x': the input lacks or does not know 'match_id'.",
        ),
    ],
)
def test_a_malformed_file_is_named_and_the_others_still_run(content, sentence, file, capsys):
    assert main([file(content), str(FS1)]) == 1
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.out == "3 of 4 cases agree\n"


@pytest.mark.parametrize(
    ("kind", "input_"),
    [
        ("rating_predict", {"pairs": [{"a": [1500], "b": [1500, 60]}]}),
        ("lots", {"seed": "0" * 32, "purpose": "numbers", "ids": ["\ud800"]}),
        ("league_layout", {"sizes": None}),
        ("league_layout", {"sizes": 7}),
        ("overdue", {"games": [{"a": 1, "b": 2}]}),
    ],
)
def test_values_of_the_wrong_kind_are_said_in_words_not_in_those_of_python(kind, input_, file, capsys):
    assert main(["--print", file({"kind": kind, "cases": [{"name": "x", "input": input_}]})]) == 1
    assert "case 'x': a value in the input is of the wrong kind; the files in" in capsys.readouterr().err


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path, capsys):
    (tmp_path / "cases.json").write_text(FS1.read_text(), encoding="utf-8-sig")
    assert main([str(tmp_path / "cases.json")]) == 0


def test_files_that_cannot_be_read(tmp_path, capsys):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert main([str(tmp_path / "none.json"), str(tmp_path), str(tmp_path / "bytes")]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{tmp_path / 'none.json'}: cannot be read (No such file or directory).",
        f"{tmp_path}: cannot be read (Is a directory).",
        f"{tmp_path / 'bytes'}: is not text in UTF-8.",
    ]


def test_an_fs1_case_with_wrong_hexadecimal(file, capsys):
    document = json.loads(FS1.read_text())
    document["cases"] = document["cases"][:1]
    document["cases"][0]["input"]["server_seed"] = "zz"
    assert main([file(document)]) == 1
    assert "case 'vector 1': The server seed 'zz' is not hexadecimal." in capsys.readouterr().err


def test_comparison_is_exact_but_for_ratings():
    assert runner.same({"a": [1, None, "x"]}, {"a": [1, None, "x"]})
    assert not runner.same([1, 2], [2, 1])
    assert not runner.same([1], [1, 2])
    assert not runner.same({"a": 1}, {"a": 1, "b": 2})
    assert not runner.same(True, 1)
    assert not runner.same(0.5, 0.50001)
    assert runner.same({"r": 1578.6291}, {"r": 1578.62919}, tolerance=0.0001)
    assert not runner.same({"r": 1578.6291}, {"r": 1578.6293}, tolerance=0.0001)
    assert not runner.same(12, 12.00001)
    assert not runner.same(0.5, "0.5", tolerance=0.0001)
    assert not runner.same([3], 3)
