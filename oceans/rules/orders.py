"""Standing orders: what a seat has told the server to answer for it (docs/rules/common.md, 13).

A game offers orders as classes. Their terms are declared like options (options.py), so that one form serves all; what
an order remembers between answers are further fields without a kind. An order sees only its owner's view: it can
neither use nor betray a card its owner may not see.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .asks import Ask
from .moves import Move
from .options import BadOptions, Kind

if TYPE_CHECKING:
    from .look import View


@dataclass(frozen=True)
class Order(ABC):
    """A standing instruction of one seat. `stopped` says why it no longer answers; its owner may read that."""

    kind: ClassVar[str]
    name: ClassVar[str]

    stopped: str = ""

    @classmethod
    def terms(cls) -> dict[str, tuple[Kind, Any]]:
        """What its owner may choose, by name: what each may be, and its default."""
        return {one.name: (one.metadata["kind"], one.default) for one in fields(cls) if "kind" in one.metadata}

    @classmethod
    def fits(cls, view: View) -> bool:
        """Whether this order makes sense with the options of the match."""
        return True

    @classmethod
    def file(cls, given: Mapping[str, Any], view: View) -> Self:
        """The order with these terms, from now on. Raises BadOptions with a sentence if they make no sense."""
        if not cls.fits(view):
            raise BadOptions("This order does not fit the options of this game.")
        known = cls.terms()
        for name in given:
            if name not in known:
                raise BadOptions(f"This order has no choice “{str(name)[:40]}”.")
        chosen: dict[str, Any] = {
            name: kind.read(name, given[name]) for name, (kind, _) in known.items() if name in given
        }
        return cls(**chosen).begun(view)

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
        if not self.applies(view):
            return None, None
        return (None, self) if self.stopped else self.answer(view, ask)

    def applies(self, view: View) -> bool:
        """Whether its scope still lasts."""
        return True

    @abstractmethod
    def answer(self, view: View, ask: Ask) -> tuple[Move | None, Self | None]:
        """As `respond`, once the scope is known to last."""

    @abstractmethod
    def words(self, view: View) -> str:
        """The order in one sentence, for its owner."""

    def stop(self, why: str) -> tuple[None, Self]:
        """Answer nothing now, nor later, and say why."""
        return None, replace(self, stopped=why)
