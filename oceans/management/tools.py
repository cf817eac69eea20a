"""What the tools for authors of rules share (README, Tools): JSON lines on standard output."""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand


class Tool(BaseCommand):
    """A command that prints JSON lines in UTF-8 wherever they go, and stops quietly when its reader has seen enough."""

    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        # Half characters, which JSON may quote but no text holds, stay escaped.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
        try:
            try:
                super().run_from_argv(argv)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            # Closing standard output again at exit must not complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)

    def tell(self, line: Mapping[str, Any]) -> None:
        """Print one line."""
        self.stdout.write(json.dumps(line, ensure_ascii=False))
