"""Whole events between house bots, with workers killed at random: small ones here, large ones by the same command."""

import json
import shutil
from pathlib import Path

import pytest

from tests.faults.conftest import Site


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without people."""
    folder = tmp_path_factory.mktemp("migrated")
    assert Site(folder, smtp_port=9).manage("migrate", "--verbosity", "0") == 0
    return folder


def played(folder: Path, *arguments: str) -> dict[str, object]:
    """What the command tells after it has played an event; it ends badly if a table differs from the rules."""
    with Site(folder, smtp_port=9).start("manage.py", "playout_event", *arguments) as process:
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return json.loads(said)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("mini-cup", "--players", "3"), {"event": "mini-cup", "matches": 3}),
        (("swiss", "--players", "5"), {"event": "swiss", "rounds": 2}),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_small_events_end_as_the_rules_say_though_workers_die(migrated, tmp_path, arguments, told):
    shutil.copytree(migrated, tmp_path, dirs_exist_ok=True)
    summary = played(tmp_path, *arguments, "--kills", "6")
    assert told.items() <= summary.items()


def test_it_does_not_play_where_people_are(prepared, tmp_path):
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    assert Site(tmp_path, smtp_port=9).manage("playout_event", "mini-cup") == 1
