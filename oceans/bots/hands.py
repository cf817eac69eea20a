"""Odds of a hand against hands nobody has seen, by drawing from the cards the viewer has not seen."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from math import prod
from random import Random
from typing import Any

from oceans.rules.asks import Picker
from oceans.rules.cards import Card
from oceans.rules.look import View

SAMPLES = 200

Value = Callable[[Sequence[Card]], Any]


def own_hand(view: View) -> list[Card]:
    """The viewer's face-down cards as far as the viewer sees them."""
    assert view.viewer is not None
    return [card for card in view.seats[view.viewer].hole if card is not None]


def chance_to_beat_one(view: View, hand: Sequence[Card], size: int, value: Value, pick: Picker) -> float:
    """How likely a hand beats one of `size` unseen cards; a tie counts half."""
    chance_of = Random(pick(65536))
    unseen, own = list(view.unseen[0]), value(hand)
    won = 0.0
    for _ in range(SAMPLES):
        other = value(chance_of.sample(unseen, size))
        won += 1.0 if own > other else 0.5 if own == other else 0.0
    return won / SAMPLES


def rivals(view: View) -> int:
    """How many other seats are still in the deal."""
    return sum(1 for one in view.seats if one.is_in and not (one.is_out or one.has_left) and one.seat != view.viewer)


def parts_won(own: Sequence[int], rivals: Sequence[Sequence[int]]) -> list[float]:
    """For each value the own hand may come to, the part of the pot it wins if each rival's hand comes to one of the
    values given for that rival, all equally likely. A tie counts half."""
    ranked = [sorted(values) for values in rivals]
    return [
        prod((bisect_left(values, value) + bisect_right(values, value)) / (2 * len(values)) for values in ranked)
        for value in own
    ]
