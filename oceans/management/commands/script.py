"""`manage.py script FILE`: play a match with stacked packs and print what happens, as JSON lines (README, Tools)."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oceans.management.tools import Tool
from oceans.rules.playing import BadScript, run_script


class Command(Tool):
    help = "Play a match with stacked packs from a JSON file; with - play one match from each line of standard input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a JSON file with one script, or - for JSON lines on standard input")

    def handle(self, *, file: str, **options: Any) -> None:
        if file == "-":
            lines = enumerate(getattr(sys.stdin, "buffer", sys.stdin))
            played = [self._play(_read(line), {"match": number}) for number, line in lines if line.strip()]
        else:
            try:
                text = Path(file).read_bytes()
            except (OSError, ValueError):
                self.stderr.write(f"{file} cannot be read: name a file with one script in JSON.")
                raise SystemExit(1) from None
            played = [self._play(_read(text), {})]
        if not all(played):
            raise SystemExit(1)

    def _play(self, script: Any, mark: dict[str, int]) -> bool:
        """Print the lines of one script; False if it could not be played to its end."""
        try:
            for line in self._lines(script):
                self.tell({**mark, **line})
        except BadScript as refused:
            self.tell({**mark, "error": str(refused), "n": refused.number})
            return False
        return True

    def _lines(self, script: Any) -> Iterator[dict[str, Any]]:
        if isinstance(script, BadScript):
            raise script
        return run_script(script)


def _read(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        return BadScript(f"This is not JSON{place}: a script is one JSON object.")
