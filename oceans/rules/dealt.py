"""Which decks a match has dealt from, and which of their cards a viewer may know, for the fair record
(docs/fair-shuffle.md, 3.5)."""

from __future__ import annotations

from collections.abc import Iterator

from .cards import Card
from .chance import shuffled
from .engine import MatchState
from .fair_record import DealtDeck
from .table import Held, Table, Viewer


def dealt_decks(match: MatchState, viewer: Viewer, *, opened: bool = False) -> tuple[DealtDeck, ...]:
    """Every shuffle of the deals so far, in order, each with the positions whose cards the viewer may know.

    Only the last shuffle under a label is opened: the place of a card in an earlier one could tell where it lay face
    down before. `opened`: all cards are public.
    """
    tables = {result.deal_no: result.table for result in match.results}
    tables.setdefault(match.deal_no, match.state.table)
    decks = []
    for deal_no, table in sorted(tables.items()):
        key = match.keys.deal_key(deal_no)
        last = {shuffle.label: shuffle.generation for shuffle in table.shuffles}
        for shuffle in table.shuffles:
            shown: tuple[int, ...] = ()
            if shuffle.generation == last[shuffle.label]:
                seen = frozenset(_seen(table, int(shuffle.label.removeprefix("pack")), viewer, opened))
                order = shuffled(key, shuffle.label, shuffle.generation, shuffle.items)
                shown = tuple(position for position, card in enumerate(order) if card in seen)
            decks.append(DealtDeck(deal_no, shuffle.label, shuffle.generation, shuffle.items, shown))
    return tuple(decks)


def _seen(table: Table, pack: int, viewer: Viewer, opened: bool) -> Iterator[Card]:
    """The cards of a pack that lie on the table before the viewer's eyes."""
    for seat in table.seats:
        if table.pack_of(seat) != pack:
            continue
        yield from table.places[seat].row
        yield from _faces((*table.places[seat].hole, *table.gone_of(seat)), viewer, opened)
    if len(table.packs) == 1:
        for zone in table.zones:
            yield from _faces(zone.held, viewer, opened)


def _faces(held: tuple[Held, ...], viewer: Viewer, opened: bool) -> Iterator[Card]:
    return (one.card for one in held if opened or viewer in one.seen_by)
