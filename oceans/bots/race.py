"""A hand of Ocean's Eleven for two, bare and quick: what bots imagine when they weigh a decision.

Rows, piles and keys are plain lists by seat. A pile is somebody's undealt cards in an imagined order; only its contents
may matter to a policy. The rules are those of docs/rules/oceans-eleven.md, 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oceans.rules.cards import Card
from oceans.rules.rows import RowKey, row_key

Policy = Callable[["Race", int], bool]
"""Whether the seat deals another card rather than concede."""


@dataclass(slots=True)
class Race:
    """One hand going on. `wins` are those before it."""

    wild: frozenset[Card]
    suits: int
    target: int
    wins: list[int]
    rows: list[list[Card]]
    piles: list[list[Card]]
    keys: list[RowKey]

    def turn_up(self, seat: int) -> None:
        """Move the next card of a seat's pile to its row."""
        self.rows[seat].append(self.piles[seat].pop())
        self.keys[seat] = row_key(self.rows[seat], self.wild, self.suits)

    def play_out(self, policies: Sequence[Policy]) -> int | None:
        """Play the hand to its end; the seat that wins it, None if nobody does."""
        while True:
            mine, theirs = self.keys
            if mine == theirs:
                empty = [seat for seat in (0, 1) if not self.piles[seat]]
                if empty:
                    return None if len(empty) == 2 else 1 - empty[0]
                self.turn_up(0)
                self.turn_up(1)
                continue
            weak = 0 if mine < theirs else 1
            if not self.piles[weak]:
                return 1 - weak
            if self.wins[1 - weak] < self.target - 1 and not policies[weak](self, weak):
                return 1 - weak
            self.turn_up(weak)

    def chance(self, seat: int, cards: Sequence[Card]) -> float:
        """How likely the next card, any of `cards`, puts the weaker seat ahead; drawing level counts half."""
        return chance(self.rows[seat], self.keys[1 - seat], cards, self.wild, self.suits)


def chance(row: Sequence[Card], rival: RowKey, cards: Sequence[Card], wild: frozenset[Card], suits: int) -> float:
    """How likely a row outranks a rival's after one more card, any of `cards`; drawing level counts half.

    Where the row is far from a flush only the rank of the new card matters, so one card stands for all of its rank.
    """
    wilds = sum(1 for card in row if card in wild)
    held = [0] * 5
    for card in row:
        if card not in wild:
            held[card.suit] += 1
    by_rank: dict[int, tuple[Card, int]] = {}
    apart: list[tuple[Card, int]] = []
    for card in cards:
        if card in wild:
            kind = 0
        elif held[card.suit] + wilds >= 4:
            apart.append((card, 1))
            continue
        else:
            kind = card.rank
        known = by_rank.get(kind)
        by_rank[kind] = (card, 1) if known is None else (known[0], known[1] + 1)
    good = 0.0
    for card, count in (*by_rank.values(), *apart):
        key = row_key([*row, card], wild, suits)
        if key > rival:
            good += count
        elif key == rival:
            good += count / 2
    return good / len(cards) if cards else 0.0
