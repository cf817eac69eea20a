"""Who stays away: withdrawn from an event at its third miss, dormant after three in a row (docs/competition.md, 4).

A miss is a tournament match lost on time, or by not showing up, or a seat retired by the clock at a table.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tournaments.players import Player, require_distinct

MISSES_ALLOWED: Final = 2

Event: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class Sign:
    """Something a player did or missed at an hour; `event` is where the miss happened, None outside events."""

    at: float
    player: Player
    is_miss: bool
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """The account became dormant, or the player is withdrawn from an event."""

    at: float
    player: Player
    kind: str
    event: Event | None = None


@dataclass(slots=True)
class Attendance:
    """One player's counters: misses in a row without a move of his own, and misses in each event not yet left."""

    entered: list[Event]
    misses: Counter[Event]
    in_a_row: int = 0
    dormant: bool = False


def effects(entries: Mapping[Player, Sequence[Event]], signs: Iterable[Sign]) -> list[Effect]:
    """What follows from moves and misses, in order. `entries` name the events each player is in."""
    players: dict[Player, Attendance] = {}
    for player, events in entries.items():
        require_distinct(events, "event")
        players[player] = Attendance(list(events), Counter())
    found: list[Effect] = []
    for sign in signs:
        attendance = players.setdefault(sign.player, Attendance([], Counter()))
        if attendance.dormant:
            continue
        if sign.is_miss:
            found += _after_miss(attendance, sign)
        else:
            attendance.in_a_row = 0
    return found


def _after_miss(attendance: Attendance, sign: Sign) -> list[Effect]:
    attendance.in_a_row += 1
    if attendance.in_a_row > MISSES_ALLOWED:
        attendance.dormant = True
        withdrawn = [Effect(sign.at, sign.player, "withdrawn", event) for event in attendance.entered]
        return [Effect(sign.at, sign.player, "dormant"), *withdrawn]
    if sign.event is None or sign.event not in attendance.entered:
        return []
    attendance.misses[sign.event] += 1
    if attendance.misses[sign.event] <= MISSES_ALLOWED:
        return []
    attendance.entered.remove(sign.event)
    return [Effect(sign.at, sign.player, "withdrawn", sign.event)]
