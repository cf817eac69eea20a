"""Ratings: Glicko with a rating period of one UTC day (docs/competition.md, 2).

All results of a day use the ratings of the start of that day and enter as exact sums, so neither their order nor the
moment of calculation can show. A table of n seats is its pairs of seats, each with weight 2/n.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, fsum, inf, isfinite, log, pi, sqrt

from tournaments.players import Player, require_distinct

Q = log(10) / 400
PROVISIONAL_GAMES = 10
PROVISIONAL_RD = 100.0
BOARD_DAYS = 180
"""Days without a result after which a card leaves the leader board."""


@dataclass(frozen=True, slots=True)
class Params:
    """Constants of a pool, in rating points; `c` in points per square root of a day. A `floor` of None is none."""

    r0: float = 1500.0
    rd0: float = 200.0
    c: float = 4.0
    rd_min: float = 40.0
    floor: float | None = 800.0

    def __post_init__(self) -> None:
        if not 0 <= self.rd_min <= self.rd0 or self.rd0 == 0 or self.c < 0:
            raise ValueError("The starting deviation is above zero and the largest there is; nothing here is negative.")


DEFAULTS = Params()


@dataclass(frozen=True, slots=True)
class Rating:
    """Strength `r` and its deviation `rd` as they stood on `day`, a UTC date counted as an integer."""

    r: float
    rd: float
    day: int

    def __post_init__(self) -> None:
        if not (isfinite(self.r) and isfinite(self.rd) and self.rd > 0):
            raise ValueError("A rating is a finite number and its deviation is above zero.")


@dataclass(frozen=True, slots=True)
class Part:
    """What one result adds to the two sums of a seat: information I and score S. Stored per seat and result."""

    info: float
    score: float


@dataclass(frozen=True, slots=True)
class DayResult:
    """A counted result: the seats that moved, with their ranks. 1 is best; equal ranks are ties."""

    number: int
    ranks: Mapping[Player, int]

    def __post_init__(self) -> None:
        if len(self.ranks) < 2:
            raise ValueError(f"Result {self.number} needs at least two seats to be rated.")
        if min(self.ranks.values()) < 1:
            raise ValueError(f"Ranks start at 1 in result {self.number}.")


@dataclass(frozen=True, slots=True)
class DayOutcome:
    """A player's rating before and after a day, and the change by result number; the changes sum to the day's gain,
    floor apart."""

    start: Rating
    rating: Rating
    changes: dict[int, float]


def day_result(number: int, seats: Sequence[Player], ranks: Sequence[int]) -> DayResult:
    """A result from parallel lists. ValueError if they differ in length or a player sits twice."""
    if len(seats) != len(ranks):
        raise ValueError(f"Result {number} needs one rank for each seat.")
    require_distinct(seats, "player")
    return DayResult(number, dict(zip(seats, ranks, strict=True)))


def grown(rating: Rating | None, day: int, params: Params = DEFAULTS) -> Rating:
    """The rating at the start of `day`: the deviation grows with every day without a result. None is a newcomer."""
    if rating is None:
        return Rating(params.r0, params.rd0, day)
    if day < rating.day:
        raise ValueError(f"Day {day} lies before day {rating.day}, which is already rated.")
    rd = sqrt(rating.rd**2 + params.c**2 * (day - rating.day))
    return Rating(rating.r, min(params.rd0, rd), day)


def part_of(player: Player, ranks: Mapping[Player, int], starts: Mapping[Player, Rating]) -> Part:
    """One seat's part of a result; `starts` holds the start-of-day ratings of all its seats."""
    me = starts[player]
    weight = 2 / len(ranks)
    info, score = [], []
    for other, rank in ranks.items():
        if other == player:
            continue
        them = starts[other]
        g = _damping(them.rd)
        expected = _expectation(g, me.r - them.r)
        gained = 0.5 if rank == ranks[player] else float(ranks[player] < rank)
        info.append(weight * Q * Q * g * g * expected * (1 - expected))
        score.append(weight * Q * g * (gained - expected))
    return Part(fsum(info), fsum(score))


def after_day(start: Rating, parts: Sequence[Part], params: Params = DEFAULTS) -> Rating:
    """The rating after all parts of the day so far, rounded to the four decimals that are stored."""
    return _after(start, _variance(start, parts), parts, params)


def change_by(part: Part, start: Rating, parts: Sequence[Part]) -> float:
    """Points one result of the day is worth; it stays open until the day is over."""
    return round(_variance(start, parts) * part.score, 4)


def rate_day(
    ratings: Mapping[Player, Rating], day: int, results: Iterable[DayResult], params: Params = DEFAULTS
) -> dict[Player, DayOutcome]:
    """Rate one whole day. `ratings` are the cards before it; a player without one is a newcomer.

    Only players with a result are returned. ValueError if a result number occurs twice.
    """
    played = list(results)
    require_distinct([result.number for result in played], "result")
    seated = {player for result in played for player in result.ranks}
    starts = {player: grown(ratings.get(player), day, params) for player in seated}
    parts: dict[Player, dict[int, Part]] = {player: {} for player in seated}
    for result in played:
        for player in result.ranks:
            parts[player][result.number] = part_of(player, result.ranks, starts)
    return {player: _outcome(starts[player], of_player, params) for player, of_player in parts.items()}


def chance(a: Rating, b: Rating) -> float:
    """Expected score of a against b, between 0 and 1; both grown to today."""
    return _expectation(_damping(sqrt(a.rd**2 + b.rd**2)), a.r - b.r)


def expected(me: Rating, them: Rating) -> float:
    """The score expected of one pair in a day's sums, in which only the opponent's deviation damps."""
    return _expectation(_damping(them.rd), me.r - them.r)


def is_provisional(games: int, rd_now: float) -> bool:
    """Marked with a question mark: too few counted results or too wide a deviation, grown to today."""
    return games < PROVISIONAL_GAMES or rd_now > PROVISIONAL_RD


def shown_until(card: Rating, games: int, params: Params = DEFAULTS) -> int | None:
    """The last day on which a card that gets no further result stands on the leader board; None if it does not."""
    if is_provisional(games, card.rd):
        return None
    if params.c == 0:
        return card.day + BOARD_DAYS
    return card.day + min(BOARD_DAYS, floor((PROVISIONAL_RD**2 - card.rd**2) / params.c**2))


def shown(r: float, provisional: bool) -> str:
    """The rating as pages print it: a whole number, half up, with `?` while provisional."""
    return f"{floor(r + 0.5)}{'?' if provisional else ''}"


def _outcome(start: Rating, parts: Mapping[int, Part], params: Params) -> DayOutcome:
    sums = list(parts.values())
    variance = _variance(start, sums)
    changes = {number: round(variance * part.score, 4) for number, part in parts.items()}
    return DayOutcome(start, _after(start, variance, sums, params), changes)


def _after(start: Rating, variance: float, parts: Sequence[Part], params: Params) -> Rating:
    lowest = -inf if params.floor is None else params.floor
    r = max(lowest, start.r + variance * fsum([part.score for part in parts]))
    return Rating(round(r, 4), round(max(params.rd_min, sqrt(variance)), 4), start.day)


def _variance(start: Rating, parts: Sequence[Part]) -> float:
    return 1 / (1 / start.rd**2 + fsum([part.info for part in parts]))


def _damping(rd: float) -> float:
    return 1 / sqrt(1 + 3 * Q * Q * rd * rd / pi**2)


def _expectation(g: float, difference: float) -> float:
    return float(1 / (1 + 10 ** (-g * difference / 400)))
