"""Standing orders: what a seat has told the server to answer for it (docs/rules/common.md, 13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from .asks import Ask
from .moves import Move

if TYPE_CHECKING:
    from .look import View


class Order(Protocol):
    """A standing instruction of one seat: immutable, written as plain JSON values, able to say itself in words."""

    kind: ClassVar[str]

    def respond(self, view: View, ask: Ask) -> tuple[Move, Order | None] | None:
        """The move to make now and what is left of the order; None if the order no longer applies and lapses.
        Sees only its owner's view, so it can neither use nor betray a card its owner may not see."""
        ...

    def words(self, view: View) -> str:
        """The order in one sentence, for its owner."""
        ...

    def written(self) -> Mapping[str, Any]:
        """The order as JSON values; `read` of the same class turns them back."""
        ...
