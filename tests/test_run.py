"""`python3 run.py` as its user meets it: sentences for what is wrong, a site that keeps running, a clean end.

The programs of the site itself are stood in for by small ones where the test is about how run.py keeps them.
"""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import run

ROOT = Path(run.__file__).parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(claim, seconds=60.0):
    """Wait until the claim holds; returns what it returned, or fails."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = claim()
        if found:
            return found
        time.sleep(0.1)
    pytest.fail("it did not happen in time")


def children_of(pid: int) -> list[int]:
    """The direct children of a process."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in listed.stdout.split()]


def is_running(pid: int) -> bool:
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return bool(listed.stdout.strip()) and not listed.stdout.startswith("Z")


@pytest.mark.parametrize("version", [(3, 8, 2), (3, 10, 0), (2, 7, 18)])
def test_an_old_python_gets_a_sentence(version):
    assert run.too_old(version) == (
        f"This site needs Python 3.11 or newer; this is Python {version[0]}.{version[1]}. Run it with a newer python3."
    )


def test_a_new_python_will_do():
    assert run.too_old((3, 11, 0)) is None
    assert run.too_old((4, 0, 0)) is None


def test_a_taken_port_is_said_before_anything_else_happens(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        env = {**os.environ, "PORT": str(port), "VAR_DIR": str(tmp_path / "var")}
        ended = subprocess.run([sys.executable, "run.py"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Port {port} is already in use (is the site already running?).")
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize("text", ["", "web", "0", "65536", "-1", "٣"])
def test_a_port_that_is_none_is_refused(text):
    with pytest.raises(run.Refused, match="PORT must be a number from 1 to 65535"):
        run.free_port(text)


def test_an_unknown_command_says_what_there_is(capsys):
    assert run.main(["serve"]) == 1
    assert "python3 run.py test" in capsys.readouterr().err


def test_pins_follow_included_files_and_leave_markers_to_pip(tmp_path):
    (tmp_path / "one.txt").write_text("a[x,y]==1.0  # why\n")
    (tmp_path / "two.txt").write_text('-r one.txt\nb==2\nc==3 ; platform_machine != "x"\n')
    assert run.pins(tmp_path / "two.txt") == {"a": "1.0", "b": "2"}


def test_an_interpreter_with_other_versions_is_not_used(tmp_path):
    (tmp_path / "one.txt").write_text("Django==1.0\n")
    assert run.has_packages(ROOT / "requirements.txt")
    assert not run.has_packages(tmp_path / "one.txt")
    (tmp_path / "one.txt").write_text("no-such-package-here==1.0\n")
    assert not run.has_packages(tmp_path / "one.txt")


def test_every_direct_requirement_is_among_the_constraints():
    constrained = {
        name.lower().replace("_", "-"): version for name, version in run.pins(ROOT / "constraints.txt").items()
    }
    for name, version in run.pins(ROOT / "requirements-test.txt").items():
        assert constrained[name.lower()] == version


def test_keys_are_made_once_and_readable_by_nobody_else(tmp_path):
    run.make_keys(tmp_path / "var")
    secret, master = (tmp_path / "var" / name for name in ("secret_key", "master_key"))
    first = secret.read_text(), master.read_text()
    run.make_keys(tmp_path / "var")
    assert (secret.read_text(), master.read_text()) == first
    assert {stat.S_IMODE(path.stat().st_mode) for path in (secret, master)} == {0o600}
    assert len(bytes.fromhex(master.read_text().split()[1])) == 32


def test_redis_brings_a_worker_and_a_beat_instead_of_the_loop():
    assert [name for name, _ in run.schedulers("python", {})] == ["scheduler"]
    assert [name for name, _ in run.schedulers("python", {"REDIS_URL": "redis://localhost"})] == ["worker", "beat"]


@pytest.fixture
def child():
    """A program that run.py keeps; the test says which one."""
    made = []

    def make(code):
        made.append(run.Child("program", [sys.executable, "-c", code], dict(os.environ)))
        return made[-1]

    yield make
    for each in made:
        each.ask_to_stop()
        each.stop(time.monotonic())


def test_a_killed_program_is_started_again(child, capsys):
    kept = child("import time; time.sleep(60)")
    kept.watch()
    first = kept.process.pid
    os.kill(first, signal.SIGKILL)
    until(lambda: kept.watch() or (kept.process and kept.process.pid != first))
    assert "The program ended (exit status -9); starting it again" in capsys.readouterr().out


def test_a_program_that_keeps_ending_at_once_is_given_up(child, monkeypatch):
    kept = child("raise SystemExit(3)")
    kept.quick_ends = run.QUICK_ENDS_ALLOWED
    kept.watch()
    kept.process.wait()
    with pytest.raises(run.Refused, match=r"The program keeps ending \(exit status 3\)"):
        kept.watch()


def test_a_program_that_does_not_listen_is_killed_with_what_it_started(child, tmp_path):
    note = tmp_path / "grandchild"
    kept = child(
        "import pathlib, signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        f"pathlib.Path({str(note)!r}).write_text(str(p.pid)); time.sleep(60)"
    )
    kept.watch()
    grandchild = int(until(lambda: note.exists() and note.read_text()))
    kept.ask_to_stop()
    kept.stop(time.monotonic() + 0.3)
    assert not is_running(kept.process.pid)
    until(lambda: not is_running(grandchild), 5)


@pytest.fixture
def site(tmp_path):
    """The whole site, started by the command of the README in directories of its own."""
    assert run.has_packages(ROOT / "requirements.txt"), "this interpreter lacks the pinned packages"
    port = free_port()
    places = {"VAR_DIR": tmp_path / "var", "STATIC_ROOT": tmp_path / "static", "PORT": port}
    env = {**os.environ, **{name: str(value) for name, value in places.items()}}
    for name in ("DATABASE_URL", "REDIS_URL", "SITE_URL"):
        env.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "run.py"], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    process.port = port
    yield process
    for pid in [*children_of(process.pid), process.pid]:
        if is_running(pid):
            os.kill(pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


def test_the_site_starts_and_ctrl_c_leaves_nothing_behind(site):
    said = ""
    for line in site.stdout:
        said += line
        if line.startswith("Ready:"):
            break
    assert f"Ready: http://localhost:{site.port}/" in said
    with urllib.request.urlopen(f"http://127.0.0.1:{site.port}/healthz/live") as answer:
        assert answer.status == 200
    programs = children_of(site.pid)
    programs += [pid for program in programs for pid in children_of(program)]
    assert len(programs) >= 4
    site.send_signal(signal.SIGINT)
    rest, _ = site.communicate(timeout=20)
    assert (site.returncode, rest.splitlines()[-1]) == (0, "Stopped.")
    assert [pid for pid in programs if is_running(pid)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell children when their parent dies")
@pytest.mark.parametrize("wait_s", [0, 0.8], ids=["programs just started", "workers of the web server just started"])
def test_no_program_outlives_a_killed_run(site, wait_s):
    until(lambda: len(children_of(site.pid)) >= 2, seconds=300)
    time.sleep(wait_s)
    programs = children_of(site.pid)
    site.kill()
    until(lambda: not any(map(is_running, programs)), 20)
