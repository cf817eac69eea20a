"""The table of one deal: every card and chip on it, and who may see which card.

Values are immutable; each method returns a new table on which the same cards and chips lie. Cards come off the packs
in order, so nothing here draws a random number: the order was fixed when the deal began (docs/rules/common.md, 3).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from .cards import Card
from .chance import shuffled

Seat = int
Viewer = Seat | None
"""A seat, or None for a spectator."""

Packs = tuple[tuple[Card, ...], ...]
"""The cards of one deal from the top: one shared pack, or one pack per seat."""

EVERYONE: Final[frozenset[Viewer]] = frozenset([None, *range(12)])
NOBODY: Final[frozenset[Viewer]] = frozenset()


@dataclass(frozen=True, slots=True)
class Held:
    """A card lying face down and the viewers who may see it. The only notion of secrecy in the system."""

    card: Card
    seen_by: frozenset[Viewer]

    def __repr__(self) -> str:
        return "Held(?)"


@dataclass(frozen=True, slots=True)
class Shuffle:
    """One shuffle made in a deal: its label, how many with that label came before, and what was shuffled."""

    label: str
    generation: int
    items: tuple[Card, ...]


class Dealer(Protocol):
    """Where the orders of a deal come from."""

    def order(self, shuffle: Shuffle) -> tuple[Card, ...]: ...


@dataclass(frozen=True, slots=True)
class KeyedDealer:
    """Orders fixed by the key of the deal (docs/fair-shuffle.md, 3.3)."""

    deal_key: bytes = field(repr=False)

    def order(self, shuffle: Shuffle) -> tuple[Card, ...]:
        return shuffled(self.deal_key, shuffle.label, shuffle.generation, shuffle.items)


@dataclass(frozen=True, slots=True)
class StackedDealer:
    """Orders laid by hand, for worked examples: the packs of the deal, then those of each redeal in it."""

    packs: Packs = field(repr=False)
    redeals: tuple[Packs, ...] = field(default=(), repr=False)

    def order(self, shuffle: Shuffle) -> tuple[Card, ...]:
        generations = (self.packs, *self.redeals)
        if shuffle.generation >= len(generations):
            return tuple(sorted(shuffle.items))
        return generations[shuffle.generation][int(shuffle.label.removeprefix("pack"))]


@dataclass(frozen=True, slots=True)
class Pack:
    """Undealt cards in order, and what is public of them: which cards they were drawn from."""

    order: tuple[Card, ...] = field(repr=False)
    contents: tuple[Card, ...]

    def __len__(self) -> int:
        return len(self.order)


@dataclass(frozen=True, slots=True)
class Place:
    """One seat's part of the table. `stack` and `paid` are chips: left, and put in during this deal; `bet` is the
    part of `paid` that belongs to the present betting round."""

    hole: tuple[Held, ...] = ()
    row: tuple[Card, ...] = ()
    stack: int = 0
    paid: int = 0
    bet: int = 0
    is_in: bool = True


@dataclass(frozen=True, slots=True)
class Zone:
    """Cards that belong to no seat: a phantom, the spit, a widow."""

    name: str
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All cards and chips of one deal. `pot` holds chips that are no seat's stake: carried over, or paid as a price."""

    places: tuple[Place, ...]
    packs: tuple[Pack, ...]
    button: Seat
    dealt_in: frozenset[Seat]
    pot: int = 0
    zones: tuple[Zone, ...] = ()
    gone: tuple[tuple[Held, ...], ...] = ()
    shuffles: tuple[Shuffle, ...] = field(default=(), repr=False)
    dealer: Dealer = field(default=StackedDealer(()), repr=False, compare=False)
    before: tuple[Table, ...] = field(default=(), repr=False)
    """The same table with the packs dealt earlier in this deal, where there were redeals."""

    @property
    def seats(self) -> range:
        return range(len(self.places))

    def pack_of(self, seat: Seat) -> int:
        """The number of the pack a seat is dealt from: its own, or the one shared pack."""
        return seat if len(self.packs) > 1 else 0

    def left(self, seat: Seat) -> int:
        """How many cards are left in the pack a seat is dealt from."""
        return len(self.packs[self.pack_of(seat)].order)

    def clockwise_from(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats dealt in, in order from the left of `seat`, itself last."""
        count = len(self.places)
        around = ((seat + step) % count for step in range(1, count + 1))
        return tuple(other for other in around if other in self.dealt_in)

    def total(self) -> int:
        """All chips on the table, stacks included."""
        return self.pot + sum(place.stack + place.paid for place in self.places)

    # Cards

    def deal_up(self, seat: Seat, count: int = 1) -> Table:
        """Turn cards of the seat's pack up into its row. Raises IndexError if the pack runs out."""
        table, dealt = self._draw(self.pack_of(seat), count)
        return table._set(seat, row=self.places[seat].row + dealt)

    def deal_down(self, seat: Seat, count: int = 1, seen_by: frozenset[Viewer] | None = None) -> Table:
        """Deal cards face down to a seat, seen by the seat itself unless `seen_by` says otherwise."""
        table, dealt = self._draw(self.pack_of(seat), count)
        seen = frozenset([seat]) if seen_by is None else seen_by
        return table._set(seat, hole=self.places[seat].hole + tuple(Held(card, seen) for card in dealt))

    def deal_zone(self, name: str, count: int = 1, seen_by: frozenset[Viewer] = NOBODY) -> Table:
        """Deal cards of the shared pack to a named zone."""
        table, dealt = self._draw(0, count)
        held = tuple(Held(card, seen_by) for card in dealt)
        zones = {zone.name: zone.held for zone in self.zones}
        zones[name] = zones.get(name, ()) + held
        return replace(table, zones=tuple(Zone(*item) for item in zones.items()))

    def zone(self, name: str) -> tuple[Held, ...]:
        return next((zone.held for zone in self.zones if zone.name == name), ())

    def show(self, seat: Seat, cards: Collection[Card] | None = None) -> Table:
        """Turn a seat's hole up for everyone, or only some cards of it."""
        hole = self.places[seat].hole
        shown = {held.card for held in hole} if cards is None else cards
        return self._set(seat, hole=tuple(Held(held.card, EVERYONE) if held.card in shown else held for held in hole))

    def show_zone(self, name: str) -> Table:
        """Turn a zone up for everyone."""
        return replace(
            self,
            zones=tuple(
                Zone(zone.name, tuple(Held(held.card, EVERYONE) for held in zone.held)) if zone.name == name else zone
                for zone in self.zones
            ),
        )

    def peek(self, seat: Seat, of: Seat) -> Table:
        """Let one seat see another's hole."""
        hole = tuple(Held(held.card, held.seen_by | {seat}) for held in self.places[of].hole)
        return self._set(of, hole=hole)

    def pass_cards(self, passed: Sequence[tuple[Seat, Seat, tuple[Card, ...]]]) -> Table:
        """Move hole cards between seats, all at once: (giver, receiver, cards). Both have then seen them."""
        holes = [place.hole for place in self.places]
        given = []
        for giver, receiver, cards in passed:
            given.append((receiver, tuple(_seen_too(held, receiver) for held in holes[giver] if held.card in cards)))
            holes[giver] = tuple(held for held in holes[giver] if held.card not in cards)
        for receiver, held_cards in given:
            holes[receiver] += held_cards
        return replace(
            self, places=tuple(replace(place, hole=hole) for place, hole in zip(self.places, holes, strict=True))
        )

    def discard(self, seat: Seat, cards: Collection[Card]) -> Table:
        """Put hole cards of a seat out of play face down; who had seen them still has."""
        hole = self.places[seat].hole
        table = self._set(seat, hole=tuple(held for held in hole if held.card not in cards))
        return table._put_away(seat, tuple(held for held in hole if held.card in cards))

    def muck(self, seat: Seat) -> Table:
        """Put all cards of a seat out of play: the hole face down, the row as cards everyone has seen."""
        place = self.places[seat]
        away = place.hole + tuple(Held(card, EVERYONE) for card in place.row)
        return self._set(seat, hole=(), row=())._put_away(seat, away)

    def gone_of(self, seat: Seat) -> tuple[Held, ...]:
        """The cards a seat has put out of play in this deal."""
        return self.gone[seat] if self.gone else ()

    # Chips

    def pay(self, seat: Seat, amount: int) -> Table:
        """Move chips from a stack to the seat's stake in this deal, at most the stack."""
        place = self.places[seat]
        amount = min(amount, place.stack)
        return self._set(seat, stack=place.stack - amount, paid=place.paid + amount, bet=place.bet + amount)

    def ante(self, seat: Seat, amount: int) -> Table:
        """Move chips from a stack to the seat's stake without their being a bet, at most the stack."""
        table = self.pay(seat, amount)
        return table._set(seat, bet=self.places[seat].bet)

    def take_back(self, seat: Seat, amount: int) -> Table:
        """Move chips of the present betting round from a seat's stake back to its stack."""
        place = self.places[seat]
        return self._set(seat, stack=place.stack + amount, paid=place.paid - amount, bet=place.bet - amount)

    def uncalled(self) -> tuple[Seat, int]:
        """Who has bet most in this round, and how much of it nobody has matched; folded seats count as matching."""
        (most, seat), (second, _) = sorted(((place.bet, seat) for seat, place in enumerate(self.places)), reverse=True)[
            :2
        ]
        return seat, most - second

    def close_round(self) -> Table:
        """End a betting round: what was bet in it stays as stakes of the deal."""
        return self.each_place(lambda place: replace(place, bet=0))

    def pay_pot(self, seat: Seat, amount: int) -> Table:
        """Move chips from a stack straight to the pot, at most the stack."""
        amount = min(amount, self.places[seat].stack)
        return replace(self._set(seat, stack=self.places[seat].stack - amount), pot=self.pot + amount)

    def gather(self) -> Table:
        """Put every stake of the deal into the pot."""
        pot = self.pot + sum(place.paid for place in self.places)
        return replace(self, pot=pot, places=tuple(replace(place, paid=0, bet=0) for place in self.places))

    def award(self, amount: int, winners: Collection[Seat]) -> Table:
        """Split part of the pot; odd chips go one each from the dealer's left (docs/rules/common.md, 10)."""
        share, odd = divmod(amount, len(winners))
        table = replace(self, pot=self.pot - amount)
        for number, seat in enumerate(seat for seat in self._around() if seat in winners):
            table = table._set(seat, stack=table.places[seat].stack + share + (number < odd))
        return table

    # The parts

    def leave(self, seat: Seat) -> Table:
        """Take a seat out of the deal, its cards staying as they lie."""
        return self._set(seat, is_in=False)

    def reshuffle(self, pack: int = 0) -> Table:
        """Make a new pack of the cards out of play, ordered by a shuffle of its own."""
        cards = tuple(sorted(held.card for away in self.gone for held in away))
        label = f"pack{pack}"
        shuffle = Shuffle(label, sum(1 for done in self.shuffles if done.label == label), cards)
        renewed = Pack(self.packs[pack].order + self.dealer.order(shuffle), self.packs[pack].contents)
        return replace(
            self,
            packs=tuple(renewed if number == pack else old for number, old in enumerate(self.packs)),
            gone=(),
            shuffles=(*self.shuffles, shuffle),
        )

    def redeal(self) -> Table:
        """Begin the deal anew with a fresh shuffle of the whole shared pack; chips and who is in stay. The table as it
        was is kept in `before`."""
        (pack,) = self.packs
        shuffle = Shuffle("pack0", len(self.shuffles), pack.contents)
        bare = self.each_place(lambda place: replace(place, hole=(), row=()))
        return replace(
            bare,
            packs=(Pack(self.dealer.order(shuffle), pack.contents),),
            zones=(),
            gone=(),
            shuffles=(*self.shuffles, shuffle),
            before=(*self.before, replace(self, before=())),
        )

    def each_place(self, change: Callable[[Place], Place]) -> Table:
        return replace(self, places=tuple(map(change, self.places)))

    def _around(self) -> tuple[Seat, ...]:
        count = len(self.places)
        return tuple((self.button + step) % count for step in range(1, count + 1))

    def _draw(self, pack: int, count: int) -> tuple[Table, tuple[Card, ...]]:
        old = self.packs[pack]
        if len(old.order) < count:
            raise IndexError("the pack has run out")
        renewed = Pack(old.order[count:], old.contents)
        packs = (*self.packs[:pack], renewed, *self.packs[pack + 1 :])
        return replace(self, packs=packs), old.order[:count]

    def _set(self, seat: Seat, **changes: object) -> Table:
        place = replace(self.places[seat], **changes)  # type: ignore[arg-type]
        return replace(self, places=(*self.places[:seat], place, *self.places[seat + 1 :]))

    def _put_away(self, seat: Seat, held: tuple[Held, ...]) -> Table:
        gone = self.gone or tuple(() for _ in self.places)
        return replace(self, gone=(*gone[:seat], gone[seat] + held, *gone[seat + 1 :]))


def _seen_too(held: Held, seat: Seat) -> Held:
    return Held(held.card, held.seen_by | {seat})
