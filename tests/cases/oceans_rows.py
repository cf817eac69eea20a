"""Comparisons of two rows (docs/rules/oceans-eleven.md, 3)."""

from __future__ import annotations

from typing import Any

from oceans.rules.row_cases import compared


def winner(case: dict[str, Any]) -> dict[str, str]:
    """Which row is ahead: a, b or level."""
    return {"winner": compared(case)["winner"]}


KINDS = {"oceans_rows": winner}
