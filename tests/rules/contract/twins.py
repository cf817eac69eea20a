"""Twins of a match: the same log over packs in which everything a viewer has not seen is permuted."""

from collections.abc import Sequence
from dataclasses import replace

from oceans.rules.cards import Card
from oceans.rules.engine import MatchState, ReplayError, due, forced, replay_entry, start, submit
from oceans.rules.moves import IllegalMove, Move
from oceans.rules.table import KeyedDealer, Packs, Table, Viewer


def twin(match: MatchState, viewer: Viewer, deal_no: int, pick, since: MatchState | None = None) -> MatchState | None:
    """The match with the cards of one deal that `viewer` has not seen permuted. None if that is no twin: the log is not
    legal there (asks may depend on concealed cards), or a deal ends otherwise (by some rules the best of all hands
    pays, which tells that the others are worse)."""
    return on_decks(match, deal_no, twin_decks(match, viewer, deal_no, pick), since)


def twin_packs(match: MatchState, viewer: Viewer, deal_no: int, pick) -> Packs:
    """The packs of one deal with all that `viewer` has not seen permuted, of half packs also with the other half."""
    return twin_decks(match, viewer, deal_no, pick)[0]


def twin_decks(match: MatchState, viewer: Viewer, deal_no: int, pick) -> tuple[Packs, ...]:
    """The shuffles of the deal, its packs and then those of each redeal, one of them permuted so: enough to find what a
    view betrays, while those before it still lead to the same redeals."""
    table = table_of(match, deal_no)
    tables = (*table.before, table)
    decks = list(decks_of(match, deal_no))
    at = pick(len(decks)) if len(decks) > 1 else 0
    seen, packs = seen_by(tables[at], viewer), tables[at].packs
    decks[at] = tuple(
        _permuted(order, seen[number], packs[number].contents, pick) for number, order in enumerate(decks[at])
    )
    return tuple(decks)


def decks_of(match: MatchState, deal_no: int) -> tuple[Packs, ...]:
    """The packs of a deal as they were shuffled, then those of each redeal."""
    setup, table = match.setup, table_of(match, deal_no)
    dealer = KeyedDealer(match.keys.deal_key(deal_no))
    packs, _ = setup.game.packs(setup.options, setup.seats, dealer)
    again = [(dealer.order(shuffle),) for shuffle in table.shuffles[1 : 1 + len(table.before)]]
    return (tuple(pack.order for pack in packs), *again)


def table_of(match: MatchState, deal_no: int) -> Table:
    return match.state.table if deal_no == match.deal_no else match.results[deal_no - 1].table


def on_decks(
    match: MatchState, deal_no: int, decks: tuple[Packs, ...], since: MatchState | None = None
) -> MatchState | None:
    """The same log over these packs, in which a move that names cards names those that lie in their place; None if it
    is not legal there, or if what everybody can tell from it comes out otherwise: how a deal ends, how often it was
    dealt anew, or that all have answered. `since`: the same match before that deal began, to save replaying it."""
    changes = [
        dict(zip(old[0], new[0], strict=True)) if len(new) == 1 else {}
        for old, new in zip(decks_of(match, deal_no), decks, strict=False)
    ]

    def named(other: MatchState, move: Move) -> Move:
        if not move.cards or other.deal_no != deal_no:
            return move
        change = changes[len(other.state.table.before)]
        return replace(move, cards=tuple(sorted(change.get(card, card) for card in move.cards)))

    try:
        if since is None:
            other = start(match.setup, match.keys, decks={deal_no: decks})
        else:
            other = replace(since, decks=((deal_no, decks),), sealed=())
        for number, entry in enumerate(match.log[len(other.log) :], len(other.log) + 1):
            told = replace(entry, move=named(other, entry.move)) if entry.move else entry
            other = replay_entry(other, number, told)
        for answer in match.sealed:
            other = submit(other, answer.seat, named(other, answer.move), answer.cause)
    except (ReplayError, IllegalMove, IndexError):
        return None
    waiting = due(other)
    if waiting is not None and waiting.unnamed and forced(other):
        return None
    return other if _outcomes(other) == _outcomes(match) else None


def _outcomes(match: MatchState) -> list[tuple[object, ...]]:
    ended = [(one.deltas, one.ending.points, one.ending.shown, len(one.table.before)) for one in match.results]
    return [*ended, (match.deal_no, match.turn, len(match.state.table.before))]


def seen_by(table: Table, viewer: Viewer) -> list[set[Card]]:
    """For each pack, the cards of it this viewer has seen on the table."""
    seen: list[set[Card]] = [set() for _ in table.packs]
    for seat, place in enumerate(table.places):
        cards = seen[table.pack_of(seat)]
        cards.update(place.row)
        cards.update(held.card for held in (*place.hole, *table.gone_of(seat)) if viewer in held.seen_by)
    for zone in table.zones:
        seen[0].update(held.card for held in zone.held if viewer in held.seen_by)
    return seen


def _permuted(order: Sequence[Card], seen: set[Card], contents: Sequence[Card], pick) -> tuple[Card, ...]:
    unseen = [card for card in contents if card not in seen]
    for at in range(len(unseen) - 1, 0, -1):
        other = pick(at + 1)
        unseen[at], unseen[other] = unseen[other], unseen[at]
    return tuple(card if card in seen else unseen.pop() for card in order)
