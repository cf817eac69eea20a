"""`manage.py rank`: compare rows of Ocean's Eleven, JSON lines in and out (README, Tools)."""

import json
import sys
from typing import Any

from oceans.management.tools import Tool
from oceans.rules.row_cases import compared


class Command(Tool):
    help = (
        'Compare two rows from each line of standard input, {"row_a": [...], "row_b": [...], "wild": '
        '"twos|jokers|jokers+twos|none", "suits": 4|5}; print the winner and both rows in words.'
    )

    def handle(self, **options: Any) -> None:
        fine = True
        for number, line in enumerate(getattr(sys.stdin, "buffer", sys.stdin), start=1):
            if not line.strip():
                continue
            try:
                answer: dict[str, Any] = dict(compared(_read(line)))
            except ValueError as error:
                answer = {"error": str(error), "line": number}
                fine = False
            self.tell(answer)
        if not fine:
            raise SystemExit(1)


def _read(line: str | bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("This line is not JSON: write one comparison on each line, as one JSON object.") from None
