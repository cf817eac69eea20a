"""Standing orders: what a seat has told the server to answer for it (docs/rules/common.md, 13).

A game offers orders as classes. Their terms are declared like options (options.py), so that one form serves all; what
an order remembers between answers are further fields without a kind. An order sees only its owner's view: it can
neither use nor betray a card its owner may not see.

A seat may have one order of each kind. They are tried in a fixed order: that in which the game lists its kinds, but
of orders about betting those for a shorter time first. The first that has an answer gives it; one that has stopped to
ask its owner lets none after it answer the same kind of question.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .asks import Ask
from .moves import Move
from .options import BadOptions, Kind
from .table import Seat

if TYPE_CHECKING:
    from .look import View


@dataclass(frozen=True)
class Order(ABC):
    """A standing instruction of one seat. `stopped` says why it no longer answers; its owner may read that.
    `filed_turn` is the turn at which it was filed, -1 if that was not noted."""

    kind: ClassVar[str]
    name: ClassVar[str]
    about: ClassVar[str] = "moves"
    """What it answers. Only orders about the same can disagree."""
    is_narrow_first: ClassVar[bool] = False
    """Whether among such orders the one for a shorter time is tried first."""

    stopped: str = ""
    filed_turn: int = -1

    @classmethod
    def terms(cls) -> dict[str, tuple[Kind, Any]]:
        """What its owner may choose, by name: what each may be, and its default."""
        return {one.name: (one.metadata["kind"], one.default) for one in fields(cls) if "kind" in one.metadata}

    @classmethod
    def fits(cls, view: View) -> bool:
        """Whether this order makes sense with the options of the match and at this moment of it."""
        return True

    @classmethod
    def file(cls, given: Mapping[str, Any], view: View) -> Self:
        """The order with these terms, from now on. Raises BadOptions with a sentence if they make no sense."""
        return cls.of(given).filed(view)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The order with these terms, before it is filed. Raises BadOptions with a sentence if one makes no sense."""
        known = cls.terms()
        for name in given:
            if name not in known:
                raise BadOptions(f"This order has no choice “{str(name)[:40]}”.")
        chosen: dict[str, Any] = {
            name: kind.read(name, given[name]) for name, (kind, _) in known.items() if name in given
        }
        return cls(**chosen)

    def chosen(self) -> dict[str, Any]:
        """The terms its owner chose, by name."""
        return {name: getattr(self, name) for name in self.terms()}

    def filed(self, view: View) -> Self:
        """The order as it starts now. Raises BadOptions as `begun` does, or if it does not fit the match."""
        if not self.fits(view):
            raise BadOptions("This order does not fit this game as it stands.")
        return replace(self.begun(view), filed_turn=view.turn)

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Self:
        """The order that `written` came from."""
        return cls(**written)

    def written(self) -> Mapping[str, Any]:
        """The order as JSON values."""
        return asdict(self)

    def begun(self, view: View) -> Self:
        """The order as it starts. Raises BadOptions if its terms do not fit each other or the moment."""
        return self

    def respond(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        """The move to make now, if any, and what is left of the order; None when its scope has ended."""
        now = self.lasting(view)
        if now is None or now.stopped or not now.is_about(view, ask):
            return None, now
        move, left = now.answer(view, ask)
        if move is not None and ask.refuse(move) is not None:
            return now.stop(f"“{move}” was not possible")
        return move, left

    def lasting(self, view: View) -> Self | None:
        """The order as it stands now; None when its scope has ended."""
        return self.at(view) if self.applies(view) else None

    def applies(self, view: View) -> bool:
        """Whether its scope still lasts."""
        return True

    def at(self, view: View) -> Self:
        """The order at a moment at which its scope lasts; for those that begin anew with a part of the game."""
        return self

    def width(self) -> int:
        """How wide its scope is, where that matters: the narrower are tried first."""
        return 0

    def is_about(self, view: View, ask: Ask) -> bool:
        """Whether this ask is of the kind that the order answers."""
        return True

    @abstractmethod
    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        """As `respond`, once the scope is known to last and the ask to be of its kind."""

    @abstractmethod
    def words(self, view: View) -> str:
        """The order in one sentence, for its owner."""

    def stop(self, why: str) -> tuple[None, Self]:
        """Answer nothing now, nor later, and say why."""
        return None, replace(self, stopped=why)


Orders = Mapping[Seat, Sequence[Order]]
"""The standing orders of a match by seat, in any order."""


def in_turn(kinds: Sequence[type[Order]], orders: Iterable[Order]) -> tuple[Order, ...]:
    """Orders of one seat in the order in which they are tried; `kinds` are the game's."""
    return tuple(sorted(orders, key=lambda order: (order.width(), kinds.index(type(order)))))


def read_orders(kinds: Sequence[type[Order]], stored: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[Order, ...]:
    """The orders of one seat from their kinds and what they have written, as they are tried. A kind that the game does
    not have is left out."""
    known = {order.kind: order for order in kinds}
    return in_turn(kinds, (known[kind].read(body) for kind, body in stored if kind in known))


def rivals(orders: Sequence[Order], order: Order) -> tuple[Order, ...]:
    """Those of the orders, in the order in which they are tried, to which `order` gives way if they say otherwise."""
    return tuple(one for one in orders[: orders.index(order)] if one.about == order.about)


def respond(orders: Sequence[Order], view: View, ask: Ask) -> tuple[Move | None, tuple[Order, ...]]:
    """The move that the orders of one seat make now, if any, and what is left of them; in the order in which they are
    tried."""
    kept: list[Order] = []
    for number, order in enumerate(orders, 1):
        move, left = order.respond(view, ask)
        if left is not None:
            kept.append(left)
        if move is not None or (left is not None and left.stopped and left.is_about(view, ask)):
            return move, (*kept, *orders[number:])
    return None, tuple(kept)
