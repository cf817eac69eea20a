"""`manage.py rank`: two rows a line in, the winner and both names out, a sentence for whatever is no comparison."""

import io
import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command

KINGS = {"row_a": ["Kc", "Kd", "2h", "Qs", "Jc"], "row_b": ["8c", "8d", "5h", "5s", "Qc", "Td"]}
KINGS |= {"wild": "twos", "suits": 4}


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs the command on lines of input; gives what it printed and whether it called the input fine."""

    def given(*lines) -> tuple[list[dict], bool]:
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        try:
            call_command("rank")
            fine = True
        except SystemExit as stopped:
            fine = stopped.code == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()], fine

    return given


def test_it_names_the_winner_and_both_rows(run):
    assert run(KINGS) == (
        [
            {
                "winner": "a",
                "name_a": "three kings, queen and jack",
                "name_b": "two pair, eights and fives, queen, left over: ten",
            }
        ],
        True,
    )


def test_every_line_has_its_answer(run):
    turned = KINGS | {"row_a": KINGS["row_b"], "row_b": KINGS["row_a"]}
    level = {"row_a": ["As"], "row_b": ["X1"], "wild": "jokers+twos", "suits": 4}
    roses = {
        "row_a": ["4c", "4d", "4h", "4s", "4r"],
        "row_b": ["Ar", "Kr", "Qr", "Jr", "Tr"],
        "wild": "none",
        "suits": 5,
    }
    answers, fine = run(KINGS, turned, "", level, roses)
    assert [answer["winner"] for answer in answers] == ["a", "b", "level", "a"]
    assert answers[3]["name_a"] == "five fours"
    assert fine


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "This line is not JSON: write one comparison on each line, as one JSON object."),
        ("[" * 100_000, "This line is not JSON: write one comparison on each line, as one JSON object."),
        ("[]", 'A comparison is a JSON object with "row_a", "row_b", "wild" and "suits".'),
        (KINGS | {"wild": "threes"}, '"wild" must be one of none, jokers, twos, jokers+twos.'),
        (KINGS | {"wild": ["twos"]}, '"wild" must be one of none, jokers, twos, jokers+twos.'),
        (KINGS | {"suits": 6}, '"suits" must be 4 or 5.'),
        (KINGS | {"suits": 4.0}, '"suits" must be 4 or 5.'),
        (KINGS | {"row_a": "Kc Kd"}, '"row_a" must be a list of cards such as ["Kc", "2d"].'),
        (KINGS | {"row_b": ["Kc", 7]}, '"row_b" must be a list of cards such as ["Kc", "2d"].'),
        ({"row_a": ["Kc"], "wild": "none", "suits": 4}, '"row_b" must be a list of cards such as ["Kc", "2d"].'),
        (
            KINGS | {"row_b": ["1c"]},
            "\"row_b\": '1c' is not a card: write a rank 2-9 T J Q K A and a suit c d h s r, or X1, X2.",
        ),
        (
            KINGS | {"row_a": ["Kc", "Kc"]},
            '"row_a": Kc occurs twice in the row: every card is in a pack only once.',
        ),
        (KINGS | {"row_a": ["X1"]}, '"row_a": X1 cannot be in the row: jokers are not wild.'),
        (KINGS | {"row_a": ["4r"]}, '"row_a": 4r cannot be in the row: the pack has 4 suits.'),
    ],
)
def test_what_is_no_comparison_gets_a_sentence_and_the_rest_is_still_answered(run, line, sentence):
    answers, fine = run(KINGS, line, KINGS)
    assert answers[1] == {"error": sentence, "line": 2}
    assert answers[0] == answers[2]
    assert answers[2]["winner"] == "a"
    assert not fine


def test_from_the_shell_bytes_that_are_no_text_are_one_more_bad_line():
    text = b"\xff\xfe{\n" + json.dumps(KINGS).encode() + b"\n"
    done = subprocess.run(
        [sys.executable, settings.BASE_DIR / "manage.py", "rank"], input=text, capture_output=True, check=False
    )
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["line"] == 1
    assert second["winner"] == "a"
    assert done.returncode == 1
    assert done.stderr == b""
