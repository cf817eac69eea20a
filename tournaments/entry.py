"""Who may enter an event: its conditions, and the bar after time-outs (docs/competition.md, 4)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from tournaments.players import Player
from tournaments.rate import is_provisional

TIMEOUT_BAR_HOURS: Final = 14 * 24
NO_SHOW_BAR_HOURS: Final = 24
LONGEST_NO_SHOW_BAR: Final = 30 * 24


@dataclass(frozen=True, slots=True)
class Applicant:
    """A player at the door. `peak` is the highest rating of 180 days; both counts are of the last 90 days."""

    name: Player
    rating: float
    peak: float
    rd: float
    games: int
    age_days: float
    timeouts: int
    finished: int
    has_mail: bool
    is_barred: bool = False
    is_dormant: bool = False


@dataclass(frozen=True, slots=True)
class Conditions:
    """What an event asks; None asks nothing. `most_timeouts` is the highest share of losses on time, in percent."""

    min_rating: float | None = None
    max_rating: float | None = None
    no_provisional: bool = False
    min_games: int | None = None
    min_age_days: float | None = None
    most_timeouts: float | None = None
    allowed: Collection[Player] | None = None
    most_players: int | None = None


def refusals(applicant: Applicant, conditions: Conditions, entered: int, password_fits: bool = True) -> list[str]:
    """All reasons against an entry, in a fixed order; empty if the player may enter.

    `entered` counts those who have; `password_fits` is true where none is asked. Nobody slips below an upper limit by
    losing on purpose: it is held against the peak.
    """
    checks = (
        ("banned", applicant.is_barred),
        ("dormant", applicant.is_dormant),
        ("email", not applicant.has_mail),
        ("min_rating", _below(applicant.rating, conditions.min_rating)),
        ("max_rating", _above(max(applicant.rating, applicant.peak), conditions.max_rating)),
        ("provisional", conditions.no_provisional and is_provisional(applicant.games, applicant.rd)),
        ("min_games", _below(applicant.games, conditions.min_games)),
        ("min_age", _below(applicant.age_days, conditions.min_age_days)),
        ("timeouts", _too_many_timeouts(applicant, conditions.most_timeouts)),
        ("allow_list", conditions.allowed is not None and applicant.name not in conditions.allowed),
        ("password", not password_fits),
        ("full", conditions.most_players is not None and entered >= conditions.most_players),
    )
    return [code for code, applies in checks if applies]


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match for one player: `kind` is timeout (of an event match), no_show (of one) or finished."""

    at: float
    kind: str


@dataclass(frozen=True, slots=True)
class Bar:
    """What keeps a player out of new events: an hour to wait for, and matches to finish normally. Both must be done."""

    until: float
    to_finish: int


def entry_bar(endings: Iterable[Ending], now: float) -> Bar | None:
    """The bar that stands at hour `now` after a player's endings in order of time, or None.

    A time-out bars for 14 days and until more matches were finished than timed out since the first uncleared one.
    A no-show bars for 24 hours, doubled each time; one finished match clears it.
    """
    timeouts = finished = no_shows = 0
    timeout_until = no_show_until = now
    for ending in endings:
        if timeouts and finished > timeouts and ending.at >= timeout_until:
            timeouts = finished = 0
        if ending.kind == "timeout":
            timeouts += 1
            timeout_until = ending.at + TIMEOUT_BAR_HOURS
        elif ending.kind == "no_show":
            no_show_until = ending.at + min(LONGEST_NO_SHOW_BAR, NO_SHOW_BAR_HOURS * 2**no_shows)
            no_shows += 1
        elif ending.kind == "finished":
            finished += timeouts > 0
            no_shows, no_show_until = 0, now
        else:
            raise ValueError(f"A match ends by timeout, no_show or finished, not {ending.kind}.")
    to_finish = max(0, timeouts + 1 - finished) if timeouts else 0
    until = max(now, timeout_until, no_show_until)
    return Bar(until, to_finish) if until > now or to_finish else None


def _below(value: float, limit: float | None) -> bool:
    return limit is not None and value < limit


def _above(value: float, limit: float | None) -> bool:
    return limit is not None and value > limit


def _too_many_timeouts(applicant: Applicant, limit: float | None) -> bool:
    return limit is not None and 100 * applicant.timeouts > limit * applicant.finished
