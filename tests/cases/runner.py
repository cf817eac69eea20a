"""Reads case files, computes and compares them. Whatever is wrong becomes one sentence, never a traceback."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

Compute = Callable[[dict[str, Any]], Any]

_TOLERANCE = 0.0001
_WITHIN_TOLERANCE = frozenset({"rating_day", "rating_log"})
"""Ratings and deviations are compared within the tolerance, everything else exactly (docs/competition.md, 2)."""
_ROWS = "oceans_rows"
_NOTHING = object()


class Unusable(Exception):
    """A file or case that cannot be tried, in one sentence that names it."""


@dataclass(frozen=True)
class Case:
    """One case as it was read. `expected` is absent in files that only ask for an answer."""

    where: str
    kind: str
    name: str
    input: dict[str, Any]
    expected: Any = _NOTHING

    def compute(self) -> Any:
        """The answer of our code, in the types of JSON. Raises Unusable if the input cannot be computed."""
        try:
            return json.loads(json.dumps(kinds()[self.kind](self.input)))
        except KeyError as missing:
            raise Unusable(f"{self.where}: the input lacks or does not know {missing}.") from missing
        except Exception as error:
            reason = str(error)
            if not (isinstance(error, ValueError) and reason.endswith(".")):  # not a sentence of ours
                reason = "a value in the input is of the wrong kind; the files in tests/cases show the format."
            raise Unusable(f"{self.where}: {reason}") from error

    def agrees(self, output: Any) -> bool:
        """Whether an answer is the expected one. Raises Unusable if the case has none."""
        if self.expected is _NOTHING:
            raise Unusable(f'{self.where}: nothing is "expected"; use --print to see what is computed.')
        return same(self.expected, output, _TOLERANCE if self.kind in _WITHIN_TOLERANCE else 0)


@cache
def kinds() -> dict[str, Compute]:
    """Every kind of case and the function that computes it."""
    package = import_module(__package__)
    modules = [found.name for found in pkgutil.iter_modules(package.__path__) if found.name != "__main__"]
    found: dict[str, Compute] = {}
    for name in modules:
        found |= getattr(import_module(f"{__package__}.{name}"), "KINDS", {})
    return found


def same(expected: Any, got: Any, tolerance: float = 0) -> bool:
    """Equal as JSON; numbers with a fraction may differ by the tolerance."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(same(expected[key], got[key], tolerance) for key in expected)
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(same(a, b, tolerance) for a, b in zip(expected, got, strict=True))
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, float) or (isinstance(got, float) and isinstance(expected, int)):
        return isinstance(got, int | float) and abs(expected - got) <= tolerance
    return bool(expected == got)


def read(path: Path) -> Iterator[Case | Unusable]:
    """The cases of one file, in order; an Unusable in place of each that is malformed, or of the whole file."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        yield Unusable(f"{path}: cannot be read ({error.strerror}).")
        return
    except UnicodeDecodeError:
        yield Unusable(f"{path}: is not text in UTF-8.")
        return
    found = list(_by_line(path, text) if _is_by_line(path, text) else _by_kind(path, text))
    yield from found or [Unusable(f"{path}: holds no cases.")]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOTHING


def _is_by_line(path: Path, text: str) -> bool:
    if path.suffix == ".jsonl":
        return True
    first = _parsed(text.split("\n", 1)[0])
    return isinstance(first, dict) and "row_a" in first


def _by_line(path: Path, text: str) -> Iterator[Case | Unusable]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        row = _parsed(line)
        if not isinstance(row, dict):
            yield Unusable(f"{path}, line {number}: is not a JSON object.")
            continue
        expected = {"winner": row["winner"]} if "winner" in row else _NOTHING
        yield Case(f"{path}, line {number}", _ROWS, f"line {number}", row, expected)


def _by_kind(path: Path, text: str) -> Iterator[Case | Unusable]:
    document = _parsed(text)
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        yield Unusable(f'{path}: is not a JSON object with "kind" and a list of "cases".')
        return
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in kinds():
        yield Unusable(f"{path}: the kind {json.dumps(kind)} is not known; known are {', '.join(sorted(kinds()))}.")
        return
    for number, case in enumerate(document["cases"], 1):
        if not isinstance(case, dict) or not isinstance(case.get("name"), str):
            yield Unusable(f'{path}, case {number}: is not a JSON object with a "name".')
        elif not isinstance(case.get("input"), dict):
            yield Unusable(f'{path}, case {case["name"]!r}: its "input" is not a JSON object.')
        else:
            where = f"{path}, case {case['name']!r}"
            yield Case(where, kind, case["name"], case["input"], case.get("expected", _NOTHING))
