"""Comparisons of two rows (docs/rules/oceans-eleven.md, 3)."""

from __future__ import annotations

from typing import Any

from oceans.rules.cards import cards
from oceans.rules.rows import WILDS, check_row, compare_rows


def winner(case: dict[str, Any]) -> dict[str, str]:
    """Which row is ahead: a, b or level."""
    if case["wild"] not in WILDS:
        raise ValueError(f"{case['wild']!r} is no kind of wild cards: write {', '.join(WILDS)}.")
    if case["suits"] not in (4, 5):
        raise ValueError(f"A pack has 4 or 5 suits, not {case['suits']!r}.")
    wild, suits = WILDS[case["wild"]], case["suits"]
    row_a, row_b = cards(case["row_a"]), cards(case["row_b"])
    check_row(row_a, wild, suits)
    check_row(row_b, wild, suits)
    return {"winner": {1: "a", -1: "b", 0: "level"}[compare_rows(row_a, row_b, wild, suits)]}


KINDS = {"oceans_rows": winner}
