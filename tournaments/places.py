"""Who stands on which rung, without gaps from 1, as far as is known: of a long ladder only those whom a transition
concerns need be there, and what happened to all others follows from the moves."""

from collections.abc import Mapping

from tournaments.players import Player


class Places:
    """Positions of some players among `length`, and every move made since in its order: (who, from, to), None for
    coming and going."""

    def __init__(self, known: Mapping[Player, int], length: int) -> None:
        self.length = length
        self.moves: list[tuple[Player, int | None, int | None]] = []
        self._known = dict(known)

    def __len__(self) -> int:
        return self.length

    def of(self, player: Player) -> int:
        """The position of a known player."""
        return self._known[player]

    def players(self) -> list[Player]:
        """Everybody known, from the top."""
        return sorted(self._known, key=self._known.__getitem__)

    def add(self, player: Player) -> None:
        """At the bottom."""
        self.length += 1
        self._known[player] = self.length
        self.moves.append((player, None, self.length))

    def drop(self, player: Player) -> None:
        """Off; everybody below moves up."""
        old = self._known.pop(player)
        self._shift(old + 1, self.length, -1)
        self.length -= 1
        self.moves.append((player, old, None))

    def move(self, player: Player, new: int) -> None:
        """To another position; those between make room."""
        old = self._known[player]
        if new == old:
            return
        if new < old:
            self._shift(new, old - 1, +1)
        else:
            self._shift(old + 1, new, -1)
        self._known[player] = new
        self.moves.append((player, old, new))

    def _shift(self, first: int, last: int, by: int) -> None:
        for player, position in self._known.items():
            if first <= position <= last:
                self._known[player] = position + by
