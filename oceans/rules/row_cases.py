"""Comparisons of two rows as plain data, for tools and case files (README, Tools)."""

from __future__ import annotations

from typing import Any

from .cards import Card, cards
from .rows import WILDS, RowRank, rank_row


def compared(case: Any) -> dict[str, str]:
    """Which row of `{"row_a", "row_b", "wild", "suits"}` is ahead, "a", "b" or "level", and both rows in words.

    Raises ValueError with a sentence that says what to write, whatever the case may be.
    """
    if not isinstance(case, dict):
        raise ValueError('A comparison is a JSON object with "row_a", "row_b", "wild" and "suits".')
    wild, suits = case.get("wild"), case.get("suits")
    if not isinstance(wild, str) or wild not in WILDS:
        raise ValueError(f'"wild" must be one of {", ".join(WILDS)}.')
    if type(suits) is not int or suits not in (4, 5):
        raise ValueError('"suits" must be 4 or 5.')
    a, b = (_ranked(case, name, WILDS[wild], suits) for name in ("row_a", "row_b"))
    winner = "a" if a > b else "b" if b > a else "level"
    return {"winner": winner, "name_a": a.name, "name_b": b.name}


def _ranked(case: dict[str, Any], name: str, wild: frozenset[Card], suits: int) -> RowRank:
    row = case.get(name)
    if not isinstance(row, list) or not all(isinstance(one, str) for one in row):
        raise ValueError(f'"{name}" must be a list of cards such as ["Kc", "2d"].')
    try:
        return rank_row(cards(row), wild, suits)
    except ValueError as error:
        raise ValueError(f'"{name}": {error}') from None
