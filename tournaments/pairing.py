"""Pairing of a Swiss round: the cheapest perfect matching, its bye and its first seats (docs/competition.md, 7).

The costs are compared in this order: earlier meetings; squared differences of points; squared distances from the ideal
place in the score group; and last the list of pairs by rank, so that one pairing only is the best.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, log2

import networkx

from tournaments.players import Entrant, Player, by_seed

MOST_ENTRANTS = 200
FEWEST_ENTRANTS = 4


@dataclass(frozen=True, slots=True)
class Contender:
    """A player before the pairing of a round.

    `met` are all earlier opponents, forfeits included, once for each meeting; `free_wins` counts byes and forfeit wins;
    `seats` has +1 for each played game from the first seat and -1 from the second, in order.
    """

    player: Player
    seed: int
    points: int
    met: tuple[Player, ...] = ()
    free_wins: int = 0
    seats: tuple[int, ...] = ()
    active: bool = True

    def __post_init__(self) -> None:
        if self.player in self.met:
            raise ValueError(f"{self.player} cannot have met himself.")
        if any(seat not in (1, -1) for seat in self.seats):
            raise ValueError("A seat is +1 for the first and -1 for the second.")
        if self.points < 0 or self.free_wins < 0:
            raise ValueError("Points and free wins cannot be negative.")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a pairing costs, compared in this order."""

    meetings: int
    gap: int
    fold: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """Pairs in board order, first seat first; the player with a bye, if any; the cost."""

    pairs: list[tuple[Player, Player]]
    bye: Player | None
    cost: Cost


def most_rounds(entrants: int) -> int:
    """The most rounds for which a pairing without a second meeting always exists."""
    return entrants // 2


def usual_rounds(entrants: int) -> int:
    """Rounds of a Swiss unless the organiser chooses fewer or more."""
    if entrants < FEWEST_ENTRANTS:
        raise ValueError(f"A Swiss needs at least {FEWEST_ENTRANTS} entrants.")
    return min(9, most_rounds(entrants), max(3, ceil(log2(entrants)) + 1))


def pair_round(contenders: Iterable[Contender], round_number: int) -> Pairing:
    """Pair all active contenders. With fewer than two there is no pair, and the event is over."""
    ranked = _ranked(contenders)
    bye = _choose_bye(ranked) if len(ranked) % 2 else None
    ranked = [contender for contender in ranked if contender is not bye]
    edges = _edge_costs(ranked)
    boards = _cheapest(edges, len(ranked))
    pairs = [_seated(ranked[i], ranked[j], round_number + board) for board, (i, j) in enumerate(boards, start=1)]
    return Pairing(pairs, bye.player if bye else None, _total(edges[board] for board in boards))


def _ranked(contenders: Iterable[Contender]) -> list[Contender]:
    everybody = list(contenders)
    by_seed(Entrant(contender.player, contender.seed) for contender in everybody)
    return sorted((c for c in everybody if c.active), key=lambda c: (-c.points, c.seed))


def _choose_bye(ranked: Sequence[Contender]) -> Contender:
    """The lowest without a free win whose absence leaves a pairing without rematch, else the lowest with the fewest."""
    for contender in reversed(ranked):
        if contender.free_wins == 0 and _pairs_afresh([other for other in ranked if other is not contender]):
            return contender
    fewest = min(contender.free_wins for contender in ranked)
    return next(contender for contender in reversed(ranked) if contender.free_wins == fewest)


def _pairs_afresh(ranked: Sequence[Contender]) -> bool:
    """Whether everybody can be paired with somebody he has not met."""
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_edges_from((i, j) for i, j in combinations(range(len(ranked)), 2) if not _met(ranked[i], ranked[j]))
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(ranked)


def _edge_costs(ranked: Sequence[Contender]) -> dict[tuple[int, int], Cost]:
    groups: dict[int, list[int]] = {}
    for index, contender in enumerate(ranked):
        groups.setdefault(contender.points, []).append(index)
    return {(i, j): _edge_cost(ranked, groups, i, j) for i, j in combinations(range(len(ranked)), 2)}


def _edge_cost(ranked: Sequence[Contender], groups: dict[int, list[int]], i: int, j: int) -> Cost:
    upper, lower = ranked[i], ranked[j]
    above, below = groups[upper.points], groups[lower.points]
    inside, across = j - i - len(above) // 2, (above[-1] - i) ** 2 + (j - below[0]) ** 2
    fold = inside**2 if above is below else across
    return Cost(_met(upper, lower), (upper.points - lower.points) ** 2, fold)


def _met(a: Contender, b: Contender) -> int:
    return a.met.count(b.player)


def _total(costs: Iterable[Cost]) -> Cost:
    spent = list(costs)
    return Cost(sum(c.meetings for c in spent), sum(c.gap for c in spent), sum(c.fold for c in spent))


def _cheapest(edges: dict[tuple[int, int], Cost], count: int) -> list[tuple[int, int]]:
    """The best perfect matching as sorted pairs of ranks, found with one whole number as the weight of each edge.

    Each criterion is multiplied beyond the sum of all that come after it; the last term reads the opponents' ranks
    from the top down as digits of a number.
    """
    everything = _total(edges.values())
    base = count + 1
    graph: networkx.Graph[int] = networkx.Graph()
    for (i, j), cost in edges.items():
        spread = (cost.meetings * (everything.gap + 1) + cost.gap) * (everything.fold + 1) + cost.fold
        graph.add_edge(i, j, weight=-(spread * base**base + j * base ** (count - 1 - i)))
    return sorted((min(edge), max(edge)) for edge in networkx.max_weight_matching(graph, maxcardinality=True))


def _seated(better: Contender, other: Contender, parity: int) -> tuple[Player, Player]:
    """First seat to whom it is due: fewer first seats so far, then a last game from the second seat, then by turns."""
    claims = [(sum(c.seats), c.seats[-1] if c.seats else 0) for c in (better, other)]
    first_is_better = claims[0] < claims[1] if claims[0] != claims[1] else parity % 2 == 1
    return (better.player, other.player) if first_is_better else (other.player, better.player)
