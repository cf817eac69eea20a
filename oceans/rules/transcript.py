"""One random match told step by step, with what every seat sees: for reading, and for the tests that pin it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .engine import MatchState, due
from .game import Game, Part, Said, Who
from .look import Face, View, look
from .playing import picker, playout


def transcript(game: Game, options: Any, seats: int, seed: int) -> str:
    """The match of that seed as text: each step's sentences, who is asked what, and what each seat and a spectator
    see of the table."""
    teller = _Teller()
    match = playout(game, options, seats, seed, picker(seed), teller.hear)
    head = f"{game.name}, version {game.version}, {seats} seats, seed {seed}"
    result = match.over
    assert result is not None
    return "\n".join([head, *teller.lines, f"places {result.places}, score {result.score}", ""])


def sentence(said: Said) -> str:
    """A sentence with seats by number: "seat 0 deals Kh (pair of kings)"."""
    text = said.text.format(*(_part(part) for part in said.parts))
    return f"{text} ({said.note})" if said.note else text


def _part(part: Part) -> str:
    return f"seat {part.seat}" if isinstance(part, Who) else str(part)


class _Teller:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._told = 0

    def hear(self, match: MatchState) -> None:
        for line in match.story[self._told :]:
            self.lines += [f"{'== ' if said.is_heading else '   '}{sentence(said)}" for said in line.said]
        news, self._told = self._told < len(match.story), len(match.story)
        waiting = due(match)
        if waiting is None or not news:
            return
        asked = "; ".join(f"seat {seat}: {', '.join(ask.words())}" for seat, ask in sorted(waiting.asks.items()))
        self.lines += [f"   asked{' (sealed)' if waiting.sealed else ''} {asked}", *self._tables(match)]

    def _tables(self, match: MatchState) -> Iterator[str]:
        public = _table(look(match, None))
        yield f"      all see: {public}"
        for seat in range(match.setup.seats):
            own = _table(look(match, seat))
            if own != public:
                yield f"      seat {seat} sees: {own}"


def _table(view: View) -> str:
    seats = (
        " ".join(filter(None, [f"[{_faces(one.hole)}]" if one.hole else "", _faces(one.row), f"({one.score})"]))
        for one in view.seats
    )
    zones = (f"{zone.name} [{_faces(zone.cards)}]" for zone in view.zones)
    pot = [f"pot {view.pot}"] if view.pot else []
    return " | ".join([*seats, *zones, *pot])


def _faces(faces: tuple[Face, ...]) -> str:
    return " ".join("?" if card is None else str(card) for card in faces)
