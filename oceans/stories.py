"""The public story of a match as JSON, and back. Stored when a match ends, so that archives outlive their rules."""

from collections.abc import Iterable
from typing import Any

from oceans.rules.cards import Card, cards
from oceans.rules.engine import Line
from oceans.rules.game import Part, Said, Who


def written_story(story: Iterable[Line]) -> list[dict[str, Any]]:
    """The lines of a story as JSON values."""
    return [
        {"number": line.number, "deal": line.deal_no, "said": [_written_said(said) for said in line.said]}
        for line in story
    ]


def read_story(written: Iterable[dict[str, Any]]) -> tuple[Line, ...]:
    """What `written_story` wrote."""
    return tuple(Line(line["number"], line["deal"], tuple(map(_read_said, line["said"]))) for line in written)


def _written_said(said: Said) -> dict[str, Any]:
    written: dict[str, Any] = {"text": said.text}
    if said.parts:
        written["parts"] = [_written_part(part) for part in said.parts]
    if said.note:
        written["note"] = said.note
    if said.is_heading:
        written["heading"] = True
    return written


def _read_said(written: dict[str, Any]) -> Said:
    return Said(
        written["text"],
        tuple(map(_read_part, written.get("parts", ()))),
        note=written.get("note", ""),
        is_heading=written.get("heading", False),
    )


def _written_part(part: Part) -> Any:
    if isinstance(part, Who):
        return {"seat": part.seat}
    if isinstance(part, Card):
        return {"card": str(part)}
    return part


def _read_part(written: Any) -> Part:
    if isinstance(written, dict):
        return Who(written["seat"]) if "seat" in written else cards([written["card"]])[0]
    return written
