"""The command `python -m tests.cases`; the package says what it does."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from oceans.management.output import lines_for_programs
from tests.cases.runner import Case, Unusable, read


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def show(cases: Iterable[Case | Unusable]) -> bool:
    """Print what is computed for each case; whether all could be."""
    fine = True
    for case in cases:
        try:
            if isinstance(case, Unusable):
                raise case
            print(_text({"kind": case.kind, "name": case.name, "output": case.compute()}))
        except Unusable as problem:
            print(problem, file=sys.stderr)
            fine = False
    return fine


def compare(cases: Iterable[Case | Unusable]) -> bool:
    """Print each case that differs and how many agree; whether all do."""
    agreed = tried = 0
    for case in cases:
        tried += 1
        try:
            if isinstance(case, Unusable):
                raise case
            output = case.compute()
            if case.agrees(output):
                agreed += 1
            else:
                print(f"{case.where} differs\n  expected {_text(case.expected)}\n  got      {_text(output)}")
        except Unusable as problem:
            print(problem, file=sys.stderr)
    print(f"{agreed} of {tried} cases agree")
    return agreed == tried


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if all is well, 1 if any case differs or is malformed."""
    parser = argparse.ArgumentParser(prog="python -m tests.cases", description="Try case files on the pure functions.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="case files of any kind")
    parser.add_argument(
        "--print", action="store_true", help="print what is computed, as JSON lines, and compare nothing"
    )
    options = parser.parse_args(arguments)
    cases = (case for path in options.files for case in read(path))
    return 0 if (show if options.print else compare)(cases) else 1


if __name__ == "__main__":
    with lines_for_programs():
        sys.exit(main())
