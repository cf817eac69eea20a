"""Draws of lots that anybody can repeat from the event's published seed (docs/competition.md, 1)."""

import re
from collections.abc import Sequence
from hashlib import sha256

from tournaments.players import Player, require_distinct

_SEED = re.compile(r"[0-9a-f]{32}")


def lot(seed: str, purpose: str, player: Player) -> str:
    """The ticket of one player, 64 hex digits: SHA-256 of `seed:purpose:id`."""
    return sha256(f"{seed}:{purpose}:{player}".encode()).hexdigest()


def draw(seed: str, purpose: str, players: Sequence[Player]) -> list[Player]:
    """Players in drawn order, smallest ticket first.

    `seed` is the event's 128 bits as 32 lowercase hex digits, drawn when registration closes. `purpose` names what is
    drawn (`numbers`, `seats:ROUND:TABLE`, `first:ROUND:MATCH`), so that one draw tells nothing about another.
    """
    if not _SEED.fullmatch(seed):
        raise ValueError("The seed of an event is 32 lowercase hexadecimal digits.")
    if not purpose:
        raise ValueError("A draw of lots needs a purpose.")
    require_distinct(players, "player")
    return sorted(players, key=lambda player: lot(seed, purpose, player))
