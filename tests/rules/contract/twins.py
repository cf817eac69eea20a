"""Twins of a match: the same log over packs in which everything a viewer has not seen is permuted."""

from collections.abc import Sequence

from oceans.rules.cards import Card
from oceans.rules.engine import MatchState, ReplayError, replay, submit
from oceans.rules.moves import IllegalMove
from oceans.rules.table import KeyedDealer, Packs, Table, Viewer


def twin(match: MatchState, viewer: Viewer, deal_no: int, pick) -> MatchState | None:
    """The match with the cards of one deal that `viewer` has not seen permuted. None if that is no twin: the log is not
    legal there (asks may depend on concealed cards), or a deal ends otherwise (by some rules the best of all hands
    pays, which tells that the others are worse)."""
    return on_packs(match, deal_no, twin_packs(match, viewer, deal_no, pick))


def twin_packs(match: MatchState, viewer: Viewer, deal_no: int, pick) -> Packs:
    """The packs of one deal with all that `viewer` has not seen permuted, of half packs also with the other half."""
    setup = match.setup
    dealer = KeyedDealer(match.keys.deal_key(deal_no))
    packs, _ = setup.game.packs(setup.options, setup.seats, dealer)
    table = match.state.table if deal_no == match.deal_no else match.results[deal_no - 1].table
    seen = seen_by(table, viewer)
    return tuple(_permuted(pack.order, seen[number], pack.contents, pick) for number, pack in enumerate(packs))


def on_packs(match: MatchState, deal_no: int, packs: Packs) -> MatchState | None:
    """The same log over these packs; None if it is not legal there or a deal ends otherwise."""
    try:
        other = replay(match.setup, match.keys, match.log, decks={deal_no: (packs,)})
        for answer in match.sealed:
            other = submit(other, answer.seat, answer.move, answer.cause)
        return other if _outcomes(other) == _outcomes(match) else None
    except (ReplayError, IllegalMove):
        return None


def _outcomes(match: MatchState) -> list[tuple[object, ...]]:
    return [(result.deltas, result.ending.points, result.ending.shown) for result in match.results]


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
