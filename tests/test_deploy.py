"""The example environment makes a production site without warnings; production refuses keys that everybody knows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oceans import settings

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "deploy" / "example.env"


@pytest.fixture
def production(tmp_path):
    """The example environment, with its files in a directory of the test."""
    lines = (line.strip() for line in EXAMPLE.read_text().splitlines())
    env = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    (tmp_path / "secret_key").write_text("a-long-secret-of-many-different-letters-0123456789-ABCDEFGHIJ")
    (tmp_path / "master_key").write_text(f"1 {os.urandom(32).hex()}\n")
    return {
        "PATH": os.environ["PATH"],
        **env,
        "SECRET_KEY_FILE": str(tmp_path / "secret_key"),
        "MASTER_KEY_FILE": str(tmp_path / "master_key"),
        "VAR_DIR": str(tmp_path),
        "STATIC_ROOT": str(tmp_path / "static"),
    }


def manage(env, *arguments):
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60
    )


def test_the_example_environment_has_nothing_to_warn_of(production):
    checked = manage(production, "check", "--deploy", "--fail-level", "WARNING")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"SECRET_KEY_FILE": "/nowhere"}, "Set SECRET_KEY"),
        ({"SECRET_KEY": settings.KNOWN_SECRET_KEY}, "Set SECRET_KEY"),
        ({"MASTER_KEY_FILE": "/nowhere"}, "Set MASTER_KEY_FILE"),
    ],
)
def test_production_refuses_keys_that_are_missing_or_known(production, change, complaint):
    refused = manage(production | change, "check")
    assert refused.returncode != 0
    assert complaint in refused.stderr


def test_production_refuses_the_known_master_key(production):
    Path(production["MASTER_KEY_FILE"]).write_text(f"0 {settings.KNOWN_MASTER_KEY.hex()}\n")
    assert "Set MASTER_KEY_FILE" in manage(production, "check").stderr


def test_production_cookies_travel_only_over_https_and_to_this_host(production):
    code = (
        "from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_NAME, s.SESSION_COOKIE_SECURE, s.SESSION_COOKIE_HTTPONLY, s.SESSION_COOKIE_SAMESITE,"
        "s.CSRF_COOKIE_NAME, s.CSRF_COOKIE_SECURE, s.DEBUG)"
    )
    printed = manage(production, "shell", "-v0", "-c", code).stdout.strip()
    assert printed == "__Host-session True True Lax __Host-csrf True False"


@pytest.mark.parametrize("unit", sorted((ROOT / "deploy" / "systemd").glob("*.service")), ids=lambda path: path.stem)
def test_every_unit_reads_the_environment_and_belongs_to_the_target(unit):
    text = unit.read_text()
    assert "EnvironmentFile=/etc/oceans/oceans.env" in text
    assert unit.name in (unit.parent / "oceans.target").read_text()


@pytest.mark.parametrize(("address", "status"), [("bounces+1.1.aaaa@cards.example.org", 77), ("", 77)])
def test_the_pipe_of_a_mail_server_reaches_the_site_with_its_environment(tmp_path, production, address, status):
    """The wrapper reads the file that the programs of the site read, spaces and angle brackets included."""
    environment = production | {"DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    (tmp_path / "oceans.env").write_text(
        "# settings\n" + "".join(f"{name}={value}\n" for name, value in environment.items())
    )
    piped = subprocess.run(
        [ROOT / "deploy" / "oceans-bounce", address],
        env={"PATH": os.environ["PATH"], "OCEANS_ENV": str(tmp_path / "oceans.env"), "OCEANS_PYTHON": sys.executable},
        input="Subject: Undelivered Mail\n\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (piped.returncode, piped.stderr.split(":")[0]) == (status, "CommandError"), piped.stderr


def test_a_report_that_meets_no_database_is_brought_again(tmp_path, production):
    environment = production | {"DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}
    piped = subprocess.run(
        [sys.executable, "manage.py", "bounce", f"bounces+1.1.{'a' * 20}@cards.example.org"],
        cwd=ROOT,
        env=environment,
        input="",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert piped.returncode == 75, piped.stderr
