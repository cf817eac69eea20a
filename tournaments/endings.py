"""How a match ended, in the words of competition (docs/competition.md, 1 and 4)."""

from typing import Final

from oceans.queries import Ended

ABANDONED: Final = "abandoned"
"""Why the matches of somebody whose account fell asleep are not rated."""


def reason_of(ended: Ended) -> str:
    """The finish reason: normal, resign, timeout, no_show (the loser never moved), cancelled, or abandoned (closed
    because an account fell asleep)."""
    if ended.ended_by == "never-moved":
        return "no_show"
    if ended.status != "finished":
        return "cancelled"
    if ended.ended_by == "resigned":
        return ABANDONED if ended.unrated_because == ABANDONED else "resign"
    if ended.ended_by in ("time", "drawn-on-time"):
        two = len(ended.users) == 2
        return "no_show" if two and ended.late and not any(ended.moved[seat] for seat in ended.late) else "timeout"
    return "normal"


def winner_of(ended: Ended) -> int | None:
    """The user who won a match of two; None for a draw, or if nobody did.

    Where a match ended because a first move was never made, that is the side that was not late.
    """
    if ended.places is not None:
        first = [user for user, place in zip(ended.users, ended.places, strict=True) if place == 1]
        return first[0] if len(first) == 1 else None
    if ended.ended_by == "never-moved" and len(ended.users) == 2 and len(ended.late) == 1:
        return ended.users[1 - ended.late[0]]
    return None
