"""A match step by step, its record as a file, and the page that checks its decks."""

import json
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.numbers import whole
from oceans import access, play, queries
from oceans.rules.look import View
from oceans.templatetags.cards import Names, said_html, said_text
from oceans.views.match import felt_for, match_facts
from oceans.views.seen import Seen, see
from oceans.views.table import log_html, table_rows, verdict_text


@dataclass(frozen=True, slots=True)
class Part:
    """A hand or a deal of the match: its first and last log entries, what it is called and how it ended."""

    title: SafeString
    first: int
    last: int
    ending: SafeString
    is_here: bool


@dataclass(frozen=True, slots=True)
class Steps:
    """Where the buttons of a replay lead."""

    previous: int
    next: int
    previous_part: int
    next_part: int


def parts_of(view: View, names: Names, at: int) -> list[Part]:
    """The hands or deals of a match, by the headings of its story."""
    marks = [(line.number, said) for line in view.story for said in line.said]
    heads = [place for place, (_number, said) in enumerate(marks) if said.is_heading]
    parts = []
    for place, following in zip(heads, [*heads[1:], len(marks)], strict=True):
        first = marks[place][0]
        told = [mark for mark in marks[place + 1 : following] if not mark[1].is_heading]
        last = told[-1][0] if told else first
        ending = said_html(told[-1][1], names) if told else SafeString()
        is_here = first <= at < (marks[following][0] if following < len(marks) else last + 1)
        parts.append(Part(said_html(marks[place][1], names), first, last, ending, is_here))
    return parts


def steps_from(at: int, numbers: list[int], parts: list[Part]) -> Steps:
    """The neighbours of an entry among those that said something."""
    first, last = numbers[0], numbers[-1]
    return Steps(
        previous=max((number for number in numbers if number < at), default=first),
        next=min((number for number in numbers if number > at), default=last),
        previous_part=max((part.first for part in parts if part.first < at), default=first),
        next_part=min((part.first for part in parts if part.first > at), default=last),
    )


def _asked(request: HttpRequest, parts: list[Part], last: int) -> int:
    """The entry asked for: by number, by hand, or the last one."""
    hand, move = whole(request.GET.get("hand", ""), 5), whole(request.GET.get("move", ""), 7)
    if hand is not None and parts:
        return parts[min(max(hand, 1), len(parts)) - 1].first
    return last if move is None else min(move, last)


@require_safe
def replay(request: HttpRequest, match_id: int) -> HttpResponse:
    """The match as it stood after one entry of its log; all cards are open if the match is over and its archive is."""
    seen = see(request, match_id)
    if seen.match.is_over and seen.has_news and request.user.pk is not None:
        play.mark_seen(match_id=match_id, user_id=request.user.pk, now=seen.now)
    names = {seat: player.name for seat, player in enumerate(seen.players)}
    numbers = sorted({line.number for line in seen.view.story}) or [0]
    at = _asked(request, parts_of(seen.view, names, 0), numbers[-1])
    parts = parts_of(seen.view, names, at)
    then = queries.replay_of(seen.match, seen.seat, at, seen.now).view
    assert then is not None
    players = [replace(player, clock="") for player in seen.players]
    context = {
        "match": match_facts(seen),
        "table": table_rows(seen.game, then, players),
        "felt": felt_for(seen),
        "log": log_html(seen.view, players, request.path, at=at, most=None),
        "parts": parts,
        "steps": steps_from(at, numbers, parts),
        "at": at,
        "last": numbers[-1],
        "is_over": seen.match.is_over,
        "outcome": verdict_text(seen.game, seen.view, names) if seen.view.is_over else "",
        "afterwards": queries.notes_of(seen.match, None).afterwards,
        "page_title": _("Replay of game %(id)d, %(game)s") % {"id": match_id, "game": seen.game.name},
    }
    return render(request, "oceans/replay.html", context)


@require_safe
def record_as_text(request: HttpRequest, match_id: int) -> HttpResponse:
    """The story of a match as a file to read."""
    text = record_text(see(request, match_id))
    return _file(text, "text/plain; charset=utf-8", f"game-{match_id}.txt")


@require_safe
def record_as_json(request: HttpRequest, match_id: int) -> HttpResponse:
    """What was agreed, who played and every move, as a file for programs."""
    match = access.match_for(request.user, match_id)
    return _file(json.dumps(queries.record_of(match, match.viewer)), "application/json", f"game-{match_id}.json")


@require_safe
def fair_record(request: HttpRequest, match_id: int) -> HttpResponse:
    """The record that checks the decks: during play with openings of the cards the reader has seen, in full after."""
    match = access.match_for(request.user, match_id)
    body = json.dumps(queries.fair_record(match, match.viewer))
    return _file(body, "application/json", f"game-{match_id}-decks.json")


def _file(body: str, kind: str, name: str) -> HttpResponse:
    return HttpResponse(body, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def record_text(seen: Seen) -> str:
    """The story of a match as plain text, a sentence a line."""
    names = {seat: player.name for seat, player in enumerate(seen.players)}
    facts = match_facts(seen)
    lines = [f"{facts.game}, {', '.join(names.values())}", facts.terms, f"{_('Deck lock')}: {facts.full_lock}", ""]
    for line in seen.view.story:
        for said in line.said:
            text = said_text(said, names)
            lines += ["", text] if said.is_heading else [f"{line.number:>4}  {text}"]
    if seen.view.is_over:
        lines += ["", verdict_text(seen.game, seen.view, names)]
    return "\n".join(lines) + "\n"


@require_safe
def fair_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """How to check the decks of this match, with the check itself once it is over."""
    seen = see(request, match_id)
    context = {
        "match": match_facts(seen),
        "is_over": seen.match.is_over,
        "page_url": reverse("match", args=[match_id]),
    }
    return render(request, "oceans/fair_match.html", context)
