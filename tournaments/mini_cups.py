"""The mini cup: one open instance that starts the moment it is full (docs/competition.md, 11)."""

from typing import Final

from tournaments.players import Player

SMALLEST, LARGEST = 3, 8
SLEEP_HOURS: Final = 336


class MiniCup:
    """The waiting list of one configuration. Times are hours.

    Whoever has not been seen for two weeks is taken out at the next event, before that event is applied.
    """

    def __init__(self, capacity: int) -> None:
        if not SMALLEST <= capacity <= LARGEST:
            raise ValueError(f"A mini cup is for {SMALLEST} to {LARGEST} players.")
        self.capacity = capacity
        self._seen_at: dict[Player, float] = {}  # in the order of joining

    @property
    def waiting(self) -> list[Player]:
        return list(self._seen_at)

    def join(self, player: Player, now: float) -> str | list[Player] | None:
        """Enter. Returns the players of the cup that starts by it, or the code of the refusal."""
        self._drop_sleepers(now)
        if player in self._seen_at:
            return "already_in"
        self._seen_at[player] = now
        if len(self._seen_at) < self.capacity:
            return None
        started = self.waiting
        self._seen_at.clear()
        return started

    def leave(self, player: Player, now: float) -> str | None:
        """Step back, free until the start."""
        self._drop_sleepers(now)
        if player not in self._seen_at:
            return "not_in"
        del self._seen_at[player]
        return None

    def saw(self, player: Player, now: float) -> None:
        """The player visited the site."""
        self._drop_sleepers(now)
        if player in self._seen_at:
            self._seen_at[player] = now

    def _drop_sleepers(self, now: float) -> None:
        for player, seen_at in list(self._seen_at.items()):
            if now - seen_at >= SLEEP_HOURS:
                del self._seen_at[player]
