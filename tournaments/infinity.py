"""The endless event: always open, always a new opponent of similar strength (docs/competition.md, 12)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

from tournaments.players import Player, id_key, require_distinct

ROUND_DAYS: Final = 14
LATELY_DAYS: Final = 4 * ROUND_DAYS
FEWEST_MATCHES, MOST_MATCHES = 1, 6
FIRST_SCORE: Final = 1.0
SHOWN_TIMES: Final = 1000


@dataclass(frozen=True, slots=True)
class Seeker:
    """A player in the event: how many matches he wants to have running and has, and since which day he waits."""

    player: Player
    rating: float
    wanted: int
    running: int
    waiting_since: int

    def __post_init__(self) -> None:
        if not FEWEST_MATCHES <= self.wanted <= MOST_MATCHES:
            raise ValueError(f"One may wish for {FEWEST_MATCHES} to {MOST_MATCHES} matches at a time.")
        if self.running < 0:
            raise ValueError("Running matches cannot be negative in number.")


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """One result's effect on a score, as pages explain it: new = (old × (weight − 1) + result) / weight."""

    old: float
    result: int
    players: int
    weight: float
    new: float


def score_weight(players: int) -> float:
    """K = 2·log2 N for an event of N players; with it a full score takes the longer the larger the field."""
    if players < 2:
        raise ValueError("A score needs an event of at least two players.")
    return 2 * log2(players)


def next_score(old: float, result: int, players: int) -> ScoreStep:
    """The score after one result (win 2, draw 1, loss 0) in an event of so many players; kept to six decimals."""
    if result not in (0, 1, 2):
        raise ValueError("A result is worth 0, 1 or 2.")
    if not 0 <= old <= 2:
        raise ValueError("A score lies between 0 and 2.")
    weight = score_weight(players)
    return ScoreStep(old, result, players, weight, round((old * (weight - 1) + result) / weight, 6))


def score_history(results: Iterable[tuple[int, int]], first: float = FIRST_SCORE) -> list[ScoreStep]:
    """All steps of a player from (result, players in the event at that time) in order."""
    steps: list[ScoreStep] = []
    for result, players in results:
        steps.append(next_score(steps[-1].new if steps else first, result, players))
    return steps


def shown(score: float) -> int:
    """The score as pages print it."""
    return round(score * SHOWN_TIMES)


def pair_seekers(seekers: Collection[Seeker], lately: Collection[frozenset[Player]]) -> list[tuple[Player, Player]]:
    """New matches until nobody who wants more can be served.

    `lately` are the pairs with a running match, or one begun in the last eight weeks. In each pass whoever waits
    longest gets the free player nearest in rating, and nobody gets two; the next pass serves those who want still more.
    """
    require_distinct([seeker.player for seeker in seekers], "player")
    line = sorted(seekers, key=lambda seeker: (seeker.rating, id_key(seeker.player)))
    places = {seeker.player: seeker.wanted - seeker.running for seeker in seekers}
    barred = set(lately)
    pairs: list[tuple[Player, Player]] = []
    while made := _one_pass(line, places, barred):
        pairs += made
    return pairs


def _one_pass(
    line: Sequence[Seeker], places: dict[Player, int], barred: set[frozenset[Player]]
) -> list[tuple[Player, Player]]:
    """Pair each waiting player at most once; takes the places and bars the pairs."""
    free = [seeker for seeker in line if places[seeker.player] > 0]
    made: list[tuple[Player, Player]] = []
    for seeker in sorted(free, key=lambda seeker: (seeker.waiting_since, id_key(seeker.player))):
        if seeker not in free:
            continue
        partners = [
            other for other in free if other is not seeker and frozenset((seeker.player, other.player)) not in barred
        ]
        if not partners:
            continue
        partner = min(
            partners,
            key=lambda other: (abs(other.rating - seeker.rating), other.waiting_since, id_key(other.player)),
        )
        for paired in (seeker, partner):
            free.remove(paired)
            places[paired.player] -= 1
        barred.add(frozenset((seeker.player, partner.player)))
        made.append((seeker.player, partner.player))
    return made
