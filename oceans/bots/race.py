"""A hand of Ocean's Eleven as bots imagine it: bare and quick (docs/rules/oceans-eleven.md, 3, 4 and 6).

Where no flush is possible suits do not matter, and what a row is worth is remembered by its *tally*: how many cards it
has of each kind, four bits a kind. Kinds are the ranks from the two, 0, to the ace, 12, and the wild cards, 13.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import mul
from typing import Final

from oceans.rules.cards import CARDS, Card
from oceans.rules.rows import RowKey, compare_rows, row_key

WILD_KIND: Final = 13
MOST_REMEMBERED: Final = 20_000
MOST_CARDS: Final = 67
SAMPLE: Final = 3
"""How many cards stand for a whole pile where a flush is near and every card would have to be ranked by itself."""

Gains = list[int]
"""By kind, what one more card makes of a row against a rival's: 2 ahead, 1 level, 0 still behind."""


class Lore:
    """What is known about the cards of a variant, and what has been found out about its rows."""

    def __init__(self, wild: frozenset[Card], suits: int) -> None:
        self.wild, self.suits = wild, suits
        self.kinds = [WILD_KIND if card in wild else card.rank - 2 for card in CARDS]
        self._cards = [card for card in CARDS if card in wild or card < 13 * suits]
        self._keys: dict[int, RowKey] = {}
        self._gains: dict[tuple[int, RowKey], Gains] = {}

    def loose_key(self, tally: int, row: Sequence[Card]) -> RowKey:
        """What a row is worth in which no flush is possible."""
        key = self._keys.get(tally)
        if key is None:
            if len(self._keys) > MOST_REMEMBERED:
                self._keys.clear()
            key = self._keys[tally] = row_key(row, self.wild, self.suits)
        return key

    def loose_gains(self, tally: int, row: Sequence[Card], rival: RowKey) -> Gains:
        """The gains of a row in which no flush is possible even with one more card."""
        gains = self._gains.get((tally, rival))
        if gains is None:
            if len(self._gains) > MOST_REMEMBERED:
                self._gains.clear()
            gains = [0] * 14
            for kind, card in {self.kinds[card]: card for card in self._cards if card not in row}.items():
                key = self.loose_key(tally + (1 << 4 * kind), [*row, card])
                gains[kind] = 2 if key > rival else int(key == rival)
            self._gains[tally, rival] = gains
        return gains


@lru_cache(maxsize=8)
def lore(wild: frozenset[Card], suits: int) -> Lore:
    """The lore of a variant, kept from one decision to the next."""
    return Lore(wild, suits)


class Runner:
    """One seat in a hand: its row, and the cards that may be in its pile, `left` of which really are."""

    __slots__ = ("_key", "counts", "held", "known", "left", "pile", "row", "tally", "wilds")

    def __init__(self, known: Lore, row: Iterable[Card], pile: Iterable[Card], left: int) -> None:
        self.known = known
        self.pile, self.left = list(pile), left
        self.counts = [0] * 14
        for card in self.pile:
            self.counts[known.kinds[card]] += 1
        self.row: list[Card] = []
        self.tally, self.wilds, self.held = 0, 0, [0] * 5
        self._key: RowKey | None = ()
        for card in row:
            self._add(card)

    def copy(self, cut: float) -> Runner:
        """Another like this, with the pile cut: its cards begin elsewhere."""
        other = Runner.__new__(Runner)
        other.known, other._key, other.left = self.known, self._key, self.left
        at = int(cut * len(self.pile))
        other.pile, other.counts = self.pile[at:] + self.pile[:at], self.counts[:]
        other.row, other.tally, other.wilds, other.held = self.row[:], self.tally, self.wilds, self.held[:]
        return other

    @property
    def key(self) -> RowKey:
        """What the row is worth."""
        if self._key is None:
            self._key = row_key(self.row, self.known.wild, self.known.suits)
        return self._key

    @property
    def wilds_left(self) -> float:
        """How many wild cards the pile has; on average, if that is not known."""
        return self.counts[WILD_KIND] * self.left / len(self.pile) if self.left else 0.0

    def turn_up(self, at: int) -> None:
        """Move the card at this place of the pile to the row."""
        pile = self.pile
        card = pile[at]
        pile[at] = pile[-1]
        pile.pop()
        self.left -= 1
        self.counts[self.known.kinds[card]] -= 1
        self._add(card)

    def compare(self, rival: Runner) -> int:
        """1 if this row is ahead, -1 if it is behind, 0 if they are level."""
        mine, theirs = self._key, rival._key
        if mine is None or theirs is None:
            return compare_rows(self.row, rival.row, self.known.wild, self.known.suits)
        return (mine > theirs) - (mine < theirs)

    def chance(self, rival: Runner, sample: int = MOST_CARDS) -> float:
        """How likely the next card puts this row ahead; drawing level counts half. Where every card must be ranked by
        itself, only so many are."""
        known = self.known
        if max(self.held) + self.wilds < 4:
            gains = known.loose_gains(self.tally, self.row, rival.key)
            good: int = sum(map(mul, gains, self.counts))
            return good / (2 * len(self.pile))
        cards = self.pile[:sample]
        good = sum([1 + compare_rows([*self.row, card], rival.row, known.wild, known.suits) for card in cards])
        return good / (2 * len(cards))

    def _add(self, card: Card) -> None:
        kind = self.known.kinds[card]
        self.row.append(card)
        self.tally += 1 << 4 * kind
        if kind == WILD_KIND:
            self.wilds += 1
        else:
            self.held[card // 13] += 1
        is_loose = max(self.held) + self.wilds < 5
        self._key = self.known.loose_key(self.tally, self.row) if is_loose else None


class Race:
    """One hand going on. `in_hand` are the seats still in it, `wins` the hands won before, `least` the chance from
    which each seat deals against a single rival, `least_of_many` against several."""

    __slots__ = ("in_hand", "least", "least_of_many", "runners", "target", "wins")

    def __init__(
        self,
        runners: list[Runner],
        in_hand: Iterable[int],
        wins: Sequence[int],
        target: int,
        least: Sequence[float],
        least_of_many: float,
    ) -> None:
        self.runners, self.in_hand, self.wins, self.target = runners, list(in_hand), wins, target
        self.least, self.least_of_many = least, least_of_many

    def copy(self, random: Callable[[], float]) -> Race:
        """Another like this, all piles cut at random."""
        runners = [runner.copy(random()) for runner in self.runners]
        return Race(runners, self.in_hand, self.wins, self.target, self.least, self.least_of_many)

    @property
    def effort(self) -> int:
        """About how long it took to imagine this: long rows take long."""
        return sum([len(one.row) ** 2 for one in self.runners])

    def play_out(self, random: Callable[[], float]) -> int | None:
        """Play the hand to its end; the seat that wins it, None if nobody does."""
        runners, in_hand = self.runners, self.in_hand
        while len(in_hand) > 1:
            weakest = self._weakest()
            empty = [seat for seat in weakest if not runners[seat].left]
            if empty:
                for seat in empty:
                    in_hand.remove(seat)
            elif len(weakest) == 1 and not self._deals(weakest[0]):
                in_hand.remove(weakest[0])
            else:
                for seat in weakest:
                    runner = runners[seat]
                    runner.turn_up(int(random() * len(runner.pile)))
        return in_hand[0] if in_hand else None

    def _weakest(self) -> list[int]:
        runners = self.runners
        weakest: list[int] = []
        for seat in self.in_hand:
            order = runners[seat].compare(runners[weakest[0]]) if weakest else -1
            if order < 0:
                weakest = [seat]
            elif order == 0:
                weakest.append(seat)
        return weakest

    def _deals(self, seat: int) -> bool:
        rivals = [other for other in self.in_hand if other != seat]
        runner = self.runners[seat]
        if len(rivals) > 1:
            best = max([self.runners[other] for other in rivals], key=lambda one: one.key)
            return runner.chance(best, SAMPLE) >= self.least_of_many
        if self.wins[rivals[0]] == self.target - 1:
            return True
        return runner.chance(self.runners[rivals[0]], SAMPLE) >= self.least[seat]
