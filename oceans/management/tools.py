"""What the tools for authors of rules share (README, Tools): JSON lines on standard output."""

import json
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand

from oceans.management.output import lines_for_programs


class Tool(BaseCommand):
    """A command that prints JSON lines in UTF-8 wherever they go, and stops quietly when its reader has seen enough."""

    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        with lines_for_programs():
            super().run_from_argv(argv)

    def tell(self, line: Mapping[str, Any]) -> None:
        """Print one line."""
        self.stdout.write(json.dumps(line, ensure_ascii=False))
