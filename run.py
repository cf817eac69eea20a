#!/usr/bin/env python3
"""The two commands of the project, for a machine that has nothing but Python:

    python3 run.py                      set up and run the whole site on this machine
    python3 run.py test [pytest args]   set up and run the tests

Only the standard library is used here, and nothing newer than Python 3.8 knows, so that an old Python gets a sentence
instead of a syntax error. Packages go into .venv unless this interpreter already has exactly the pinned ones. Data and
keys live in var/.
"""

import contextlib
import ctypes
import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"

OLDEST_PYTHON = (3, 11)
QUICK_END = 30
"""Seconds: a child that lived shorter than this ended quickly."""
QUICK_ENDS_ALLOWED = 3
STOP_WITHIN = 10
"""Seconds a child has to end by itself."""


class Refused(Exception):
    """Why the command cannot go on, as one sentence for the person who typed it."""


def main(arguments):
    try:
        complaint = too_old(sys.version_info)
        if complaint:
            raise Refused(complaint)
        if arguments and arguments[0] == "test":
            return run_tests(arguments[1:])
        if arguments:
            raise Refused("Use: python3 run.py, or: python3 run.py test [pytest arguments]")
        return run_site()
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.")
        return 130


def too_old(version):
    """The complaint about a Python version, or None if it will do."""
    if tuple(version[:2]) >= OLDEST_PYTHON:
        return None
    return "This site needs Python {}.{} or newer; this is Python {}.{}. Run it with a newer python3.".format(
        *OLDEST_PYTHON, *version[:2]
    )


# --- An interpreter with the right packages ------------------------------------------------------------------------


def pins(requirements):
    """The `name==version` lines of a requirements file and of the files it includes, as a dict.

    Lines with a marker hold only on some machines; pip decides about those.
    """
    found = {}
    for line in requirements.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("-r "):
            found.update(pins(requirements.parent / line[3:].strip()))
        elif line and ";" not in line:
            name, version = line.split("==")
            found[re.sub(r"\[.*\]", "", name).strip()] = version.strip()
    return found


def has_packages(requirements):
    """Whether this interpreter has exactly the pinned packages."""
    for name, version in pins(requirements).items():
        try:
            if importlib.metadata.version(name) != version:
                return False
        except importlib.metadata.PackageNotFoundError:
            return False
    return True


def interpreter(requirements):
    """The path of an interpreter that has the packages of a requirements file: this one, or the one in .venv."""
    if has_packages(requirements):
        return sys.executable
    python = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
    stamp = VENV / ("installed-" + requirements.stem)
    wanted = fingerprint(requirements)
    if python.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return str(python)
    print("Installing packages into .venv (once; about a minute) ...", flush=True)
    install(requirements, python)
    stamp.write_text(wanted, encoding="ascii")
    return str(python)


def fingerprint(requirements):
    """A hash that changes when the pins or this Python change."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("requirements.txt", requirements.name, "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def install(requirements, python):
    """Make .venv anew unless this Python made it, and install a requirements file into it."""
    what = ["-q", "-r", str(requirements), "-c", str(ROOT / "constraints.txt")]
    made_by = VENV / "made-by"
    is_ours = python.exists() and made_by.exists() and made_by.read_text(encoding="utf-8") == sys.version
    uv = shutil.which("uv")
    if uv:
        make = [uv, "venv", "-q", "--python", sys.executable, str(VENV)]
        pip = [uv, "pip", "install", "--python", str(python)]
    elif importlib.util.find_spec("ensurepip"):
        make = [sys.executable, "-m", "venv", str(VENV)]
        pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check"]
    elif importlib.util.find_spec("pip"):
        make = [sys.executable, "-m", "venv", "--without-pip", str(VENV)]
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--disable-pip-version-check"]
    else:
        raise Refused("This Python has neither venv nor pip. On Debian or Ubuntu: sudo apt-get install python3-venv")
    if not is_ours:
        shutil.rmtree(str(VENV), ignore_errors=True)
        call(make, "Could not make the virtual environment .venv; the lines above say why.")
        made_by.write_text(sys.version, encoding="utf-8")
    call(pip + what, "Could not install the packages; the lines above say why. Is there a network?")


def call(command, complaint, env=None):
    """Run a command to its end; raise Refused with the complaint if it fails."""
    if subprocess.run(command, cwd=str(ROOT), env=env, stdin=subprocess.DEVNULL).returncode:
        raise Refused(complaint)


# --- python3 run.py test -------------------------------------------------------------------------------------------


def run_tests(arguments):
    """Install what the tests need and run them; returns the exit status of pytest."""
    python = interpreter(ROOT / "requirements-test.txt")
    return subprocess.run([python, "-m", "pytest", *arguments], cwd=str(ROOT)).returncode


# --- python3 run.py ------------------------------------------------------------------------------------------------


def run_site():
    """Set up and run the site until a signal ends it."""
    host, port = os.environ.get("HOST", "127.0.0.1"), free_port(os.environ.get("PORT", "8000"))
    python = interpreter(ROOT / "requirements.txt")
    env = environment(port)
    make_keys(Path(env["VAR_DIR"]))
    for command, complaint in (
        (["migrate"], "Could not set up the database; the lines above say why."),
        (["collectstatic", "--noinput"], "Could not collect the static files; the lines above say why."),
        (["demo"], "Could not set up games to watch; the lines above say why."),
        (["seed_events"], "Could not set up ladders and tournaments; the lines above say why."),
    ):
        call([python, "manage.py", *command, "--verbosity", "0"], complaint, env)
    counts = fresh_directory(Path(env["VAR_DIR"]) / "metrics")
    children = [Child("web server", web_server(python, host, port), {**env, "PROMETHEUS_MULTIPROC_DIR": str(counts)})]
    children += [Child(name, command, env) for name, command in schedulers(python, env)]
    return Supervisor(children, port, env["SITE_URL"]).run()


def free_port(text):
    """The port as a number; raises Refused if it is no port or another program listens there."""
    port = int(text) if text.isascii() and text.isdigit() else 0
    if not 0 < port < 65536:
        raise Refused(f"PORT must be a number from 1 to 65535, not {text!r}.")
    with socket.socket() as probe:
        if not WINDOWS:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise Refused(
                f"Port {port} is already in use (is the site already running?). "
                f"Stop the other program, or: PORT={port % 65535 + 1} python3 run.py"
            ) from None
    return port


def environment(port):
    """The environment of the children: what the person set, and defaults for one machine."""
    env = dict(os.environ)
    env.setdefault("SITE_URL", f"http://localhost:{port}")
    env.setdefault("VAR_DIR", str(ROOT / "var"))
    env.setdefault("PYTHONUNBUFFERED", "1")
    env.setdefault("DJANGO_SETTINGS_MODULE", "oceans.settings")
    return env


def make_keys(var):
    """Make the two keys once, readable by nobody else: whoever has them can sign sessions and know every deck."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_once(var / "secret_key", secrets.token_urlsafe(50))
    write_once(var / "master_key", "1 " + secrets.token_hex(32))


def fresh_directory(path):
    """An empty directory, in which the web processes add up what they count."""
    shutil.rmtree(str(path), ignore_errors=True)
    path.mkdir()
    return path


def write_once(path, text):
    try:
        descriptor = os.open(str(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text + "\n")


def web_server(python, host, port):
    serve = ["-m", "granian", "--interface", "wsgi", "--workers", "2", "--blocking-threads", "1", "--no-ws"]
    # A worker that is told to stop while it starts does not hear it, and the server would wait for it for ever.
    serve += ["--workers-kill-timeout", "8"]
    return [python, *serve, "--host", host, "--port", str(port), "--log-level", "warning", "oceans.wsgi:application"]


def schedulers(python, env):
    """What finds due work: the loop of this machine, or Celery where there is a Redis."""
    if not env.get("REDIS_URL"):
        return [("scheduler", [python, "manage.py", "tick", "--loop"])]
    celery = [python, "-m", "celery", "-A", "oceans"]
    return [
        ("worker", [*celery, "worker", "-c", "2", "--without-gossip", "--without-mingle", "--loglevel", "warning"]),
        ("beat", [*celery, "beat", "-S", "celery.beat:Scheduler", "--pidfile=", "--loglevel", "warning"]),
    ]


class Child:
    """One program of the site, in a process group of its own so that Ctrl-C reaches only run.py."""

    def __init__(self, name, command, env):
        self.name = name
        self.command = command
        self.env = env
        self.quick_ends = 0
        self.start_at = 0.0
        self.started_at = 0.0
        self.process = None

    def start(self):
        # Its standard input is a pipe that only run.py holds: end of file tells it that run.py is gone.
        group = {"creationflags": 0x200} if WINDOWS else {"start_new_session": True}
        if sys.platform == "linux":
            group["preexec_fn"] = functools.partial(end_with_parent, os.getpid())
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(self.command, cwd=str(ROOT), env=self.env, stdin=subprocess.PIPE, **group)

    def watch(self):
        """Start the program when it is time, and again when it ended; raises Refused if it keeps ending at once."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.start_at:
                self.start()
            return
        status = self.process.poll()
        if status is None:
            return
        self.process.stdin.close()
        self.signal(signal.SIGTERM if WINDOWS else signal.SIGKILL)
        self.process = None
        self.quick_ends = self.quick_ends + 1 if now - self.started_at < QUICK_END else 0
        if self.quick_ends > QUICK_ENDS_ALLOWED:
            raise Refused(f"The {self.name} keeps ending (exit status {status}); the lines above say why.")
        pause = 2**self.quick_ends / 2
        self.start_at = now + pause
        print(f"The {self.name} ended (exit status {status}); starting it again in {pause:g} s.", flush=True)

    def ask_to_stop(self):
        if self.process is not None:
            self.process.stdin.close()
            self.signal(signal.SIGTERM)

    def stop(self, deadline):
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, deadline - time.monotonic()))
        self.signal(signal.SIGTERM if WINDOWS else signal.SIGKILL)
        self.process.wait()

    def signal(self, number):
        """Send a signal to the program and to whatever it started."""
        try:
            if WINDOWS:
                self.process.terminate()
            else:
                os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass


def end_with_parent(parent):
    """In a new child on Linux: be told to stop when run.py dies, however it dies; end if it is dead already."""
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


class Supervisor:
    """Keeps the children running until a signal, says once when the site answers, and leaves nothing behind."""

    def __init__(self, children, port, site_url):
        self.children = children
        self.port = port
        self.site_url = site_url
        self.told_to_stop = threading.Event()
        self.is_ready = False

    def run(self):
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: self.told_to_stop.set())
        try:
            while not self.told_to_stop.wait(0.2):
                for child in self.children:
                    child.watch()
                self.say_when_ready()
        finally:
            self.stop()
        print("Stopped.", flush=True)
        return 0

    def say_when_ready(self):
        if self.is_ready:
            return
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz/ready", timeout=1).close()
        except (urllib.error.URLError, OSError):
            return
        self.is_ready = True
        print(f"Ready: {self.site_url}/  (Ctrl-C stops it)", flush=True)

    def stop(self):
        deadline = time.monotonic() + STOP_WITHIN
        for child in self.children:
            child.ask_to_stop()
        for child in self.children:
            child.stop(deadline)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
