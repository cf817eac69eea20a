"""The result log: which results count, and the cards that follow from it (docs/competition.md, 2).

The log with its rating days is all there is to know; any card can be rebuilt from it, in any order of its rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.players import Player, require_distinct
from tournaments.rate import DEFAULTS, DayOutcome, DayResult, Params, Rating, grown, is_provisional, rate_day

OVERALL: Final = "overall"
"""The pool that counts every counted result of all pools; shown on profiles, used for nothing else."""

UNRATED_REASONS: Final = frozenset({"aborted", "abandoned", "cancelled", "overdue", "no_show"})
REASONS: Final = UNRATED_REASONS | {"normal", "agreed_draw", "resign", "timeout", "adjudicated"}


@dataclass(frozen=True, slots=True)
class LoggedSeat:
    """One seat of a finished match. `moved`: it completed at least one decision of its own."""

    player: Player
    rank: int
    moved: bool
    bot: bool = False


@dataclass(frozen=True, slots=True)
class LoggedResult:
    """A row of the log. `day` is the rating day; the marks were set when the match ended, or by a later ruling."""

    number: int
    pool: str
    day: int
    seats: tuple[LoggedSeat, ...]
    rated: bool
    reason: str
    related: bool = False
    streak: bool = False
    void: bool = False

    def __post_init__(self) -> None:
        require_distinct([seat.player for seat in self.seats], "player")
        if self.reason not in REASONS:
            raise ValueError(f"Result {self.number} has an unknown reason: {self.reason}.")
        if self.pool == OVERALL:
            raise ValueError(f"Result {self.number} must name the pool of its game.")
        if len(self.seats) < 2:
            raise ValueError(f"Result {self.number} needs at least two seats.")


@dataclass(frozen=True, slots=True)
class Card:
    """One player in one pool after the newest counted result.

    A table counts as won when ranked first alone, drawn when the first rank is shared, else lost. `peak` is the highest
    rating after a day on which the card was not provisional, None before the first such day.
    """

    rating: Rating
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    peak: float | None = None

    def rd_on(self, day: int, params: Params = DEFAULTS) -> float:
        """The deviation grown to `day`, rounded to four decimals."""
        return round(grown(self.rating, day, params).rd, 4)

    def is_provisional(self, day: int, params: Params = DEFAULTS) -> bool:
        return is_provisional(self.games, grown(self.rating, day, params).rd)


def code_of(result: LoggedResult) -> str:
    """Why a result does not count, or `ok`. The first reason that applies wins."""
    checks = (
        ("void", result.void),
        ("casual", not result.rated),
        (result.reason, result.reason in UNRATED_REASONS),
        ("bot", any(seat.bot for seat in result.seats)),
        ("related", result.related),
        ("streak", result.streak),
        ("unplayed", sum(seat.moved for seat in result.seats) < 2),
    )
    return next((code for code, applies in checks if applies), "ok")


def counted(result: LoggedResult) -> DayResult:
    """The part of a result that is rated: the seats that moved, their ranks closed up."""
    moved = [seat for seat in result.seats if seat.moved]
    ranks = {seat.player: 1 + sum(other.rank < seat.rank for other in moved) for seat in moved}
    return DayResult(result.number, ranks)


def replay(log: Iterable[LoggedResult], own: Mapping[str, Params] | None = None) -> dict[str, dict[Player, Card]]:
    """All cards that follow from the log, by pool and player, with the pool `overall`. `own` are the constants of pools
    that have their own.

    ValueError if a result number occurs twice.
    """
    rows = list(log)
    require_distinct([row.number for row in rows], "result")
    days: dict[tuple[int, str], list[DayResult]] = defaultdict(list)
    for row in rows:
        if code_of(row) == "ok":
            for pool in (row.pool, OVERALL):
                days[row.day, pool].append(counted(row))
    cards: dict[str, dict[Player, Card]] = defaultdict(dict)
    for (day, pool), results in sorted(days.items(), key=lambda item: item[0]):
        after = after_results(cards[pool], day, results, (own or {}).get(pool, DEFAULTS))
        cards[pool].update((player, card) for player, (card, _outcome) in after.items())
    return dict(cards)


def after_results(
    before: Mapping[Player, Card], day: int, results: Sequence[DayResult], params: Params = DEFAULTS
) -> dict[Player, tuple[Card, DayOutcome]]:
    """The cards of one pool after all counted results of a day, with what each result was worth."""
    own: dict[Player, list[DayResult]] = defaultdict(list)
    for result in results:
        for player in result.ranks:
            own[player].append(result)
    outcomes = rate_day({player: before[player].rating for player in own if player in before}, day, results, params)
    return {
        player: (card_after(before.get(player), player, outcome.rating, own[player]), outcome)
        for player, outcome in outcomes.items()
    }


def card_after(before: Card | None, player: Player, rating: Rating, results: Sequence[DayResult]) -> Card:
    """A player's card after a day with these results of his, and no others; `rating` is what they lead to."""
    old = before or Card(rating)
    won = drawn = 0
    for result in results:
        if result.ranks[player] == 1:
            is_shared = sum(rank == 1 for rank in result.ranks.values()) > 1
            won, drawn = won + (not is_shared), drawn + is_shared
    games = old.games + len(results)
    peak = old.peak
    if not is_provisional(games, rating.rd):
        peak = rating.r if peak is None else max(rating.r, peak)
    lost = old.losses + len(results) - won - drawn
    return Card(rating, games, old.wins + won, old.draws + drawn, lost, peak)
