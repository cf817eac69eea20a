"""`manage.py playout`: random games with a summary in JSON, and plain sentences for what it cannot do."""

import json

import pytest
from django.core.management import CommandError, call_command


def test_it_sums_up_the_games_it_played(capsys):
    call_command("playout", "guts", "--seats", "5", "--games", "3", "--seed", "7", "--options", '{"cards": 3}')
    summary = json.loads(capsys.readouterr().out)
    assert (summary["game"], summary["seats"], summary["games"], summary["broken"]) == ("guts", 5, 3, [])
    assert summary["moves"] >= summary["deals"] >= 3


def test_the_same_seed_plays_the_same_games(capsys):
    for _ in range(2):
        call_command("playout", "oe-mini", "--games", "2", "--seed", "3")
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["whist"], "There is no game called “whist”"),
        (["guts", "--seats", "40"], "played by 2 to 10 players"),
        (["guts", "--options", "{"], "must be a JSON object"),
        (["guts", "--options", "[]"], "must be a JSON object"),
        (["guts", "--options", "[" * 100_000], "must be a JSON object"),
        (["guts", "--options", '{"cards": %s}' % ("9" * 5000)], "must be a JSON object"),
        (["guts", "--options", '{"cards": "%s"}' % ("9" * 5000)], "must be a whole number from 1 to 3"),
        (["guts", "--options", '{"look": []}'], "must be one of"),
        (["guts", "--seats", "0"], "played by 2 to 10 players"),
        (["guts", "--games", "-1"], "at least 1"),
        (["guts", "--options", '{"cards": 9}'], "must be a whole number from 1 to 3"),
    ],
)
def test_bad_arguments_are_said_in_a_sentence(arguments, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("playout", *arguments)
