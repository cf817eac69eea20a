"""A second opinion: eval7 on every split of rows without wilds."""

from itertools import combinations
from random import Random

import pytest

from oceans.rules.cards import PACK_52
from oceans.rules.rows import compare_rows

eval7 = pytest.importorskip("eval7")

CARDS = {card: eval7.Card(str(card)) for card in PACK_52}


def worth(hand):
    """eval7 counts a two beside a lone card or group as no card, so the number of cards is told as well."""
    return eval7.evaluate([CARDS[card] for card in hand]), len(hand)


def best_split(row):
    """The values of the hands of the best split of up to ten cards."""
    if len(row) < 6:
        return [worth(row)]
    return max([worth(hand), worth([card for card in row if card not in hand])] for hand in combinations(row, 5))


def test_eval7_agrees_on_rows_of_up_to_ten_cards():
    random = Random("eval7")
    for _ in range(5_000):
        size = random.randint(1, 10)
        a = random.sample(PACK_52, size)
        b = random.sample(PACK_52, max(1, min(10, size + random.randint(-1, 1))))
        theirs_a, theirs_b = best_split(a), best_split(b)
        assert compare_rows(a, b) == (theirs_a > theirs_b) - (theirs_a < theirs_b), (a, b)
