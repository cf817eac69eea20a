"""Standings and pairings of a public event for programs, as JSON and CSV (docs/competition.md, 14)."""

import csv

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.models import Tournament
from tournaments.queries import events as reading
from tournaments.queries.event_ties import Tie


@require_safe
def figures(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """`kind` is json for both, standings or pairings for one of them as CSV."""
    found = get_object_or_404(Tournament, pk=pk, access=Tournament.Access.ANYONE, is_announced=True)
    page = reading.event_page(found, None, timezone.now(), is_whole=True)
    standings = [
        {"table": table.title, "place": line.place, "player": line.user.shown_name}
        | dict(zip(table.names, line.figures, strict=True))
        for table in page.tables
        for line in table.lines
    ]
    if not standings:
        standings = [
            {"table": "", "place": str(one.place or ""), "player": one.user.shown_name}
            for one in page.entrants
            if one.seed is not None
        ]
    pairings = [_written(round_.number, tie) for round_ in page.rounds for tie in round_.ties]
    if kind == "json":
        told = {"event": found.pk, "name": found.name, "state": found.state, "seed": found.seed}
        return JsonResponse({**told, "standings": standings, "pairings": pairings})
    return _csv(standings if kind == "standings" else pairings)


def _written(number: int, tie: Tie) -> dict[str, object]:
    return {
        "round": number,
        "board": tie.board,
        "players": [side.user.shown_name for side in tie.sides if side.user],
        "scores": [side.score for side in tie.sides],
        "how": tie.how,
        "games": list(tie.match_ids),
    }


def _csv(rows: list[dict[str, str]] | list[dict[str, object]]) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    writer = csv.writer(response)
    if rows:
        writer.writerow(rows[0])
        writer.writerows([_safe(value) for value in row.values()] for row in rows)
    return response


def _safe(value: object) -> str:
    """A cell that no spreadsheet takes for a formula; a list with slashes."""
    text = " / ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"'{text}" if text[:1] in "=+-@\t" and text else text
