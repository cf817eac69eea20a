"""The rules of a ladder as small functions of facts: who may challenge, who stands where (docs/competition.md, 3).

Positions are 1 at the top to L without gaps. All times are hours on one clock, all spans are hours.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

DAY: Final = 24
ANSWER_HOURS: Final = 120
PAIR_COOLDOWN: Final = 168
REJOIN_WAIT: Final = 168
FREE_DECLINE_EVERY: Final = 30 * DAY
STRIKES_FOR: Final = 90 * DAY
STRIKES_OUT: Final = 3
MOST_OUT = MOST_IN = 2
SHORTEST_REACH: Final = 4
IDLE_DROPS: Final = tuple(range(30 * DAY, 90 * DAY, 14 * DAY))
IDLE_OUT: Final = 90 * DAY

STRIKING: Final = frozenset({"timeout", "no_show"})
WITHOUT_EFFECT: Final = frozenset({"aborted", "cancelled"})
ENDINGS: Final = frozenset({"normal", "resign", "agreed_draw", "adjudicated"}) | STRIKING | WITHOUT_EFFECT


@dataclass(frozen=True, slots=True)
class Claim:
    """All facts about a wish to challenge. Positions are None for players who are not members.

    `pair_ended_at`: when the last challenge between the two ended, in either direction. The two counts leave out
    challenges whose other side is on leave.
    """

    position: int | None
    target: int | None
    own_leave: bool = False
    target_leave: bool = False
    pair_open: bool = False
    pair_ended_at: float | None = None
    own_open: int = 0
    against_target: int = 0


def refusal(claim: Claim, now: float) -> str | None:
    """The first reason why a challenge is not possible, or None."""
    if claim.position is None:
        return "not_member"
    if claim.target is None:
        return "target_not_member"
    checks = (
        ("self", claim.position == claim.target),
        ("own_vacation", claim.own_leave),
        ("target_vacation", claim.target_leave),
        ("not_above", claim.target > claim.position),
        ("out_of_range", claim.position - claim.target > reach(claim.position)),
        ("pair_open", claim.pair_open),
        ("pair_cooldown", claim.pair_ended_at is not None and now - claim.pair_ended_at < PAIR_COOLDOWN),
        ("out_limit", claim.own_open >= MOST_OUT),
        ("in_limit", claim.against_target >= MOST_IN),
    )
    return next((code for code, applies in checks if applies), None)


def reach(position: int) -> int:
    """How many rungs up a player may challenge."""
    return max(SHORTEST_REACH, position // 5)


def climb(winner: int, loser: int) -> int:
    """Position of the winner afterwards: directly above the loser, unless he stands above already."""
    return min(winner, loser)


def idle_drop(members: int) -> int:
    """Rungs an idle player drops at each step."""
    return max(1, members // 20)


def is_free_decline(last_free_at: float | None, now: float) -> bool:
    """Whether declining costs nothing: the first in 30 days."""
    return last_free_at is None or now - last_free_at >= FREE_DECLINE_EVERY


def standing_strikes(strikes: Iterable[float], now: float) -> list[float]:
    """The strikes that still count; the third one removes the player."""
    return [at for at in strikes if now - at < STRIKES_FOR]


def may_rejoin(left_at: float | None, now: float) -> bool:
    """Whether a former member may come back, at the bottom."""
    return left_at is None or now - left_at >= REJOIN_WAIT


def is_king(top_since: float, now: float, members: int, crowned_at: float | None) -> bool:
    """Badge for 30 days in a row on the first rung of a ladder of five or more, once in 180 days."""
    lately = crowned_at is not None and now - crowned_at < 180 * DAY
    return members >= 5 and now - top_since >= 30 * DAY and not lately
