"""Standard output as every tool for authors of rules needs it (README, Tools). Standard library only."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def lines_for_programs() -> Iterator[None]:
    """UTF-8 wherever the lines go; quietly exit status 1 when their reader has seen enough."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Half characters, which JSON may quote but no text holds, stay escaped.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Closing standard output again at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
