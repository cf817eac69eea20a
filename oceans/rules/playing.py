"""Playing matches without a site: stacked scripts, random playouts, and the invariants every match must keep.

`run_script` serves `manage.py script`; `playout` and `check` serve `manage.py playout` and the contract tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from .asks import Picker
from .cards import Card, cards
from .chance import DealKeys, Stream
from .engine import Decks, Entry, MatchState, Setup, due, retire, settle, start, submit
from .game import Game
from .games import by_slug
from .moves import IllegalMove, Move
from .options import BadOptions, read_options
from .table import Packs, Table

STEP_LIMIT = 20_000
"""More answers than any match takes; beyond it a game does not end."""

_DEAL_KEY: Final = re.compile(r"([1-9][0-9]{0,8})(?:\.([1-9][0-9]{0,3}))?")
"""The number of a deal, and of a shuffle in it."""


class BadScript(Exception):
    """A script that cannot be played. Its text is one sentence; `number` is the log entry it stopped at."""

    def __init__(self, sentence: str, number: int = 1) -> None:
        super().__init__(sentence)
        self.number = number


class BrokenRules(AssertionError):
    """A match that breaks an invariant: the game has a fault."""


# Scripts


def run_script(script: Any) -> Iterator[dict[str, Any]]:
    """Play a script and yield what `manage.py script` prints: a line per log entry, a line at the end of each deal of
    games played over many deals, and a last line on where the match stands. Raises BadScript."""
    setup, decks = _read_setup(script)
    try:
        match, _ = settle(start(setup, DealKeys.of_seed("script"), decks=decks))
    except (BadOptions, IndexError) as refused:
        raise BadScript(str(refused) if isinstance(refused, BadOptions) else _short_pack(1)) from refused
    told = _Told()
    yield from told.news(match)
    for text in script.get("moves") or []:
        match = _scripted(match, text, len(match.log) + 1)
        yield from told.news(match)
    yield _standing(match)


class _Told:
    """What has been printed of a match."""

    def __init__(self) -> None:
        self.entries = self.deals = 0

    def news(self, match: MatchState) -> Iterator[dict[str, Any]]:
        for number, entry in enumerate(match.log[self.entries :], self.entries + 1):
            while self.deals < len(match.results) and match.results[self.deals].deal_no < entry.deal_no:
                yield from self._deal(match)
            yield _entry_line(number, entry)
        self.entries = len(match.log)
        while self.deals < len(match.results):
            yield from self._deal(match)

    def _deal(self, match: MatchState) -> Iterator[dict[str, Any]]:
        result = match.results[self.deals]
        self.deals += 1
        if match.game.is_one_deal:
            return
        what = ("deltas", list(result.deltas)) if match.game.has_chips else ("points", list(result.ending.points))
        places = {seat: result.table.places[seat] for seat in sorted(result.ending.shown)}
        shown = {
            str(seat): [str(card) for card in (*(held.card for held in place.hole), *place.row)]
            for seat, place in places.items()
        }
        yield {"deal": result.deal_no, what[0]: what[1], "shown": shown}


def _entry_line(number: int, entry: Entry) -> dict[str, Any]:
    return {"n": number, "deal": entry.deal_no, "seat": entry.seat, "move": entry.text, "cause": entry.cause}


def _standing(match: MatchState) -> dict[str, Any]:
    waiting = due(match)
    asks = {} if waiting is None else waiting.asks
    answered = {answer.seat for answer in match.sealed}
    result = match.over
    return {
        "over": result is not None,
        "due": [seat for seat in sorted(asks) if seat not in answered],
        "legal": {str(seat): list(asks[seat].words()) for seat in sorted(asks)},
        "score": list(result.score if result else match.game.score(match.progress())),
        "places": list(result.places) if result else None,
    }


def _scripted(match: MatchState, text: Any, number: int) -> MatchState:
    words = text.split(maxsplit=1) if isinstance(text, str) else []
    if len(words) != 2 or not _is_number(words[0]):
        shown = _short(repr(text))
        raise BadScript(f"Move {shown} must be a seat number and a move, as in “0 deal”.", number)
    seat = int(words[0])
    if seat >= match.setup.seats:
        raise BadScript(f"There is no seat {seat}: seats are 0 to {match.setup.seats - 1}.", number)
    try:
        if words[1] == "resign":
            return settle(retire(match, seat))[0]
        return settle(submit(match, seat, Move.parse(words[1])))[0]
    except IllegalMove as refused:
        raise BadScript(str(refused), number) from refused
    except IndexError as refused:
        raise BadScript(_short_pack(match.deal_no), number) from refused


def _short_pack(deal_no: int) -> str:
    return f"A pack of deal {deal_no} has run out: list more of its cards."


def _read_setup(script: Any) -> tuple[Setup, Decks]:
    if not isinstance(script, Mapping):
        raise BadScript("A script must be a JSON object with game, seats, packs and moves.")
    try:
        game = by_slug(str(script.get("game", "")))
        seats = _number(script, "seats", game.seats[0])
        options = read_options(game, _mapping(script, "options"), seats)
    except KeyError as unknown:
        raise BadScript(str(unknown.args[0])) from unknown
    except BadOptions as refused:
        raise BadScript(str(refused)) from refused
    if not isinstance(script.get("moves"), list | None):
        raise BadScript("moves must be a list of moves such as “0 deal”.")
    button = _number(script, "button", seats - 1)
    if button >= seats:
        raise BadScript(f"The button must be at a seat from 0 to {seats - 1}, not {button}.")
    stacks = script.get("stacks")
    if stacks is not None and not (
        isinstance(stacks, list) and len(stacks) == seats and all(_is_count(one) for one in stacks)
    ):
        raise BadScript(f"stacks must be a list of {seats} whole numbers.")
    setup = Setup(game, options, seats, button, tuple(stacks) if stacks else None, _number(script, "pot", 0))
    return setup, _read_decks(_mapping(script, "packs"), setup)


def _mapping(script: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = script.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadScript(f"{name} must be a JSON object.")
    return value


def _short(text: str) -> str:
    """As much of somebody's text as fits in a sentence."""
    return text if len(text) <= 40 else f"{text[:39]}…"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1_000_000


def _number(script: Mapping[str, Any], name: str, default: int) -> int:
    value = script.get(name)
    if value is None:
        return default
    if not _is_count(value):
        raise BadScript(f"{name} must be a whole number.")
    return int(value)


def _read_decks(packs: Mapping[str, Any], setup: Setup) -> Decks:
    """Packs by deal number; `"1.2"` is the second shuffle of deal 1."""
    laid: dict[int, dict[int, Packs]] = {}
    for key, value in packs.items():
        found = _DEAL_KEY.fullmatch(str(key))
        if found is None:
            raise BadScript(f"packs has the key {_short(repr(key))}: use the number of a deal, as in “1” or “1.2”.")
        deal_no, shuffle = int(found[1]), int(found[2] or 1)
        shuffles = laid.setdefault(deal_no, {})
        if shuffle in shuffles:
            raise BadScript(
                f"packs lists the cards of deal {deal_no} twice: “{deal_no}” and “{deal_no}.1” are the same."
            )
        shuffles[shuffle] = _read_packs(value, setup, deal_no)
    for deal_no, shuffles in laid.items():
        if sorted(shuffles) != list(range(1, len(shuffles) + 1)):
            raise BadScript(
                f"The packs of deal {deal_no} must be called “{deal_no}”, “{deal_no}.2”, “{deal_no}.3” without a gap."
            )
    return {deal_no: tuple(shuffles[number] for number in sorted(shuffles)) for deal_no, shuffles in laid.items()}


def _read_packs(value: Any, setup: Setup, deal_no: int) -> Packs:
    real, _ = setup.game.packs(setup.options, setup.seats, _AsTheyLie())
    if not isinstance(value, list):
        raise BadScript(f"The packs of deal {deal_no} must be a list of cards, or one list per seat.")
    lists = value if len(real) > 1 or (value and isinstance(value[0], list)) else [value]
    if len(lists) != len(real) or not all(isinstance(one, list) for one in lists):
        needed = "one pack, a list of cards" if len(real) == 1 else f"{len(real)} packs, one list of cards each"
        raise BadScript(f"Deal {deal_no} needs {needed}.")
    read = []
    for one, pack in zip(lists, real, strict=True):
        try:
            order = cards([str(text) for text in one])
        except ValueError as strange:
            raise BadScript(str(strange)) from strange
        twice = [card for card in order if order.count(card) > 1]
        if twice:
            raise BadScript(f"{twice[0]} is twice in a pack of deal {deal_no}.")
        outside = [card for card in order if card not in pack.contents]
        if outside:
            raise BadScript(f"{outside[0]} is not in a pack of {setup.game.name}.")
        if len(order) > len(pack.order):
            raise BadScript(
                f"A pack of {setup.game.name} has {len(pack.order)} cards: deal {deal_no} lists {len(order)}."
            )
        read.append(order)
    return tuple(read)


class _AsTheyLie:
    """A dealer that shuffles nothing, to ask a game what its packs hold."""

    def order(self, shuffle: Any) -> tuple[Card, ...]:
        return tuple(shuffle.items)


# Playouts


def picker(seed: int | str) -> Picker:
    """A source of random moves that follows from a seed."""
    return Stream(DealKeys.of_seed(f"moves {seed}").deal_key(1), "moves").below


def playout(
    game: Game, options: Any, seats: int, seed: int, pick: Picker, seen: Callable[[MatchState], None] = lambda _: None
) -> MatchState:
    """A random legal match to its end; the cards follow from `seed`, the moves from `pick`. Calls `seen` at each
    step. Raises BrokenRules if an invariant fails or the match does not end."""
    match, _ = settle(start(Setup(game, options, seats), DealKeys.of_seed(seed)))
    for _ in range(STEP_LIMIT):
        check(match)
        seen(match)
        waiting = due(match)
        if waiting is None:
            return match
        answered = {answer.seat for answer in match.sealed}
        open_seats = [seat for seat in waiting.asks if seat not in answered]
        if not open_seats:
            raise BrokenRules("everybody has answered, and still nothing happens")
        seat = open_seats[pick(len(open_seats))]
        ask = waiting.asks[seat]
        move = ask.some(pick)
        if (reason := ask.refuse(move)) is not None:
            raise BrokenRules(f"the ask refuses its own move “{move}”: {reason}")
        match, _ = settle(submit(match, seat, move))
    raise BrokenRules(f"the match is not over after {STEP_LIMIT} answers")


def check(match: MatchState) -> None:
    """Raise BrokenRules unless cards and chips are conserved and somebody is due until the match is over."""
    opened = match.setup.game.packs(match.options, match.setup.seats, match.state.table.dealer)[0]
    held = cards_by_pack(match.state.table)
    for number, pack in enumerate(opened):
        if sorted(pack.order) != held[number]:
            raise BrokenRules(f"the cards of pack {number} are not all there, or not once each")
    stacks = match.setup.stacks or (getattr(match.options, "stack", 0),) * match.setup.seats
    if match.state.table.total() != sum(stacks) + match.setup.pot:
        raise BrokenRules(f"there are {match.state.table.total()} chips, not {sum(stacks) + match.setup.pot}")
    waiting = due(match)
    if (waiting is None) != (match.over is not None):
        raise BrokenRules("a match is over exactly when nobody is due")
    if waiting is not None and not waiting.asks:
        raise BrokenRules("nobody is asked though the match goes on")


def cards_by_pack(table: Table) -> list[list[Card]]:
    """All cards on the table, sorted, by the pack they came from."""
    found: list[list[Card]] = [list(pack.order) for pack in table.packs]
    for seat, place in enumerate(table.places):
        pack = found[table.pack_of(seat)]
        pack.extend(place.row)
        pack.extend(held.card for held in (*place.hole, *table.gone_of(seat)))
    for zone in table.zones:
        found[0].extend(held.card for held in zone.held)
    return [sorted(pack) for pack in found]
