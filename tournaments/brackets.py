"""Knock-outs: the order of slots, matches of several games, the bracket and its places (docs/competition.md, 9)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from tournaments.players import Player, require_distinct

FEWEST, MOST = 2, 256
EXTRA_GAMES: Final = 2


class Gap(Enum):
    """Why a slot has no player."""

    NOBODY = "nobody"
    """There will never be one: a free slot of round 1, or a match without a winner."""
    UNKNOWN = "unknown"
    """The match before is not over."""


Slot: TypeAlias = Player | Gap
MatchKey: TypeAlias = tuple[int, int]
"""Round and match, both from 1."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match. `kind`: match (decided), bye, open, waiting (for a player), empty, double_forfeit."""

    a: Slot
    b: Slot
    kind: str
    winner: Slot

    @property
    def loser(self) -> Slot:
        """Who lost; nobody after a bye or a double forfeit."""
        if self.kind in ("open", "waiting"):
            return Gap.UNKNOWN
        return (self.b if self.winner == self.a else self.a) if self.kind == "match" else Gap.NOBODY

    @property
    def is_over(self) -> bool:
        return self.winner is not Gap.UNKNOWN

    @property
    def dropped(self) -> list[Player]:
        """The players whom this match put out."""
        return [slot for slot in (self.a, self.b) if not isinstance(slot, Gap) and slot != self.winner]


@dataclass(frozen=True, slots=True)
class Bracket:
    """All rounds of a knock-out; `third` is the match of the losing semi-finalists, if there is one.

    `places` is empty while the event runs. Losers of one round share a place.
    """

    rounds: list[list[BracketMatch]]
    third: BracketMatch | None
    places: dict[Player, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """State of a match of several games. `winner` is "A" or "B"; `after` counts the games that mattered.

    `by` is points, extra (an extra game) or seed; `score` are the doubled points of A and B without extra games.
    """

    winner: str | None
    after: int
    by: str | None
    score: tuple[int, int]


def slot_order(size: int) -> list[int]:
    """Seeds in bracket order, so that 1 meets the last and 1 and 2 meet only in the final. `size` is a power of two."""
    order = [1]
    while len(order) < size:
        order = [seed for s in order for seed in (s, 2 * len(order) + 1 - s)]
    return order


def bracket_size(players: int) -> int:
    """The next power of two."""
    return 1 << (players - 1).bit_length()


def eliminate(
    seeds: Sequence[Player], outcomes: Mapping[MatchKey, Player | None], third_place: bool = False
) -> Bracket:
    """The bracket as it stands. `outcomes` hold the winner of each decided match, None if both sides forfeited.

    The third-place match is number 2 of the last round. ValueError for an outcome of a match that is not ready, or a
    winner who does not play in it.
    """
    if not FEWEST <= len(seeds) <= MOST:
        raise ValueError(f"A knock-out takes {FEWEST} to {MOST} players.")
    require_distinct(seeds, "player")
    open_outcomes = dict(outcomes)
    by_slot = slot_order(bracket_size(len(seeds)))
    slots: list[Slot] = [seeds[seed - 1] if seed <= len(seeds) else Gap.NOBODY for seed in by_slot]
    rounds: list[list[BracketMatch]] = []
    while len(slots) > 1:
        number = len(rounds) + 1
        pairs = zip(slots[::2], slots[1::2], strict=True)
        rounds.append([_match(a, b, (number, m), open_outcomes) for m, (a, b) in enumerate(pairs, start=1)])
        slots = [match.winner for match in rounds[-1]]
    third = None
    if third_place and len(rounds) > 1:
        one, other = rounds[-2]
        third = _match(one.loser, other.loser, (len(rounds), 2), open_outcomes)
    if open_outcomes:
        raise ValueError(
            "Match {}.{} cannot have a result: it is not ready or does not exist.".format(*min(open_outcomes))
        )
    return Bracket(rounds, third, _places(rounds, third))


def best_of(games: int, results: Sequence[str], better_seed: str) -> Verdict:
    """Judge a match of 1, 3 or 5 games from its results in order: "A", "B" or "draw".

    It is decided when the lead cannot be caught up. Level at the end, up to two extra games follow, the first decisive
    one wins; both drawn, the better seed advances. Games after the decision mean nothing.
    """
    if games not in (1, 3, 5):
        raise ValueError("A match has 1, 3 or 5 games.")
    if better_seed not in ("A", "B"):
        raise ValueError("The better seed is A or B.")
    if unknown := next((result for result in results if result not in ("A", "B", "draw")), None):
        raise ValueError(f"A game ends with A, B or draw, not {unknown}.")
    a = b = 0
    for number, result in enumerate(results[:games], start=1):
        a += {"A": 2, "draw": 1}.get(result, 0)
        b += {"B": 2, "draw": 1}.get(result, 0)
        if abs(a - b) > 2 * (games - number):
            return Verdict("A" if a > b else "B", number, "points", (a, b))
    extra = results[games : games + EXTRA_GAMES]
    for number, result in enumerate(extra, start=games + 1):
        if result != "draw":
            return Verdict(result, number, "extra", (a, b))
    if len(extra) == EXTRA_GAMES:
        return Verdict(better_seed, games + EXTRA_GAMES, "seed", (a, b))
    return Verdict(None, len(results), None, (a, b))


def _match(a: Slot, b: Slot, key: MatchKey, outcomes: dict[MatchKey, Player | None]) -> BracketMatch:
    """The match of two slots; takes its outcome off the list."""
    if Gap.UNKNOWN in (a, b):
        return BracketMatch(a, b, "waiting", Gap.UNKNOWN)
    if a is Gap.NOBODY and b is Gap.NOBODY:
        return BracketMatch(a, b, "empty", Gap.NOBODY)
    if Gap.NOBODY in (a, b):
        return BracketMatch(a, b, "bye", b if a is Gap.NOBODY else a)
    if key not in outcomes:
        return BracketMatch(a, b, "open", Gap.UNKNOWN)
    winner = outcomes.pop(key)
    if winner is None:
        return BracketMatch(a, b, "double_forfeit", Gap.NOBODY)
    if winner not in (a, b):
        raise ValueError(f"{winner} does not play in match {key[0]}.{key[1]}.")
    return BracketMatch(a, b, "match", winner)


def _places(rounds: Sequence[Sequence[BracketMatch]], third: BracketMatch | None) -> dict[Player, int]:
    everything = [match for matches in rounds for match in matches] + ([third] if third else [])
    if not all(match.is_over for match in everything):
        return {}
    places: dict[Player, int] = {}
    for group in _from_the_top(rounds, third):
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def _from_the_top(rounds: Sequence[Sequence[BracketMatch]], third: BracketMatch | None) -> Iterator[list[Player]]:
    """Players who share a place, best first: the winner, then the losers of each round from the last back."""
    champion = rounds[-1][0].winner
    if not isinstance(champion, Gap):
        yield [champion]
    yield rounds[-1][0].dropped
    settled: list[Player] = []
    if third and not isinstance(third.winner, Gap):
        settled = [third.winner, *third.dropped]
        yield from ([player] for player in settled)
    for matches in reversed(rounds[:-1]):
        losers = [player for match in matches for player in match.dropped if player not in settled]
        if losers:
            yield losers
