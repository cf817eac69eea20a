"""The house bots at draw poker: they imagine how hands come out, throw the cards that bring most, and bet by the part
of the pot they then win.

A rival is thought to throw as a careful player does. How many cards a rival has thrown tells what it was dealt, but not
for sure: some hands are imagined of a player who throws anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import fsum, prod
from random import Random
from typing import Final

from oceans.bots import betting
from oceans.bots.betting import Odds
from oceans.bots.hands import own_hand, parts_won
from oceans.rules.asks import Ask, Cards, Picker, span_of
from oceans.rules.cards import ACE, PACK_52, Card
from oceans.rules.hand_values import FIVE, PAIR, STRAIGHT, THREE
from oceans.rules.look import SeatView, View
from oceans.rules.moves import Move
from oceans.rules.rows import row_key

GAMES: Final = frozenset({"five-draw", "jacks", "spit"})

PASS: Final = Move("pass")
OPENERS: Final = PAIR | 11 << 16
"""The least value that opens at Jacks or Better."""
MOST_REDEALS: Final = 20
"""After so many redeals any hand wins there."""

DRAW_STEP: Final = 2
"""The step of a deal in which cards are thrown (`facts.step`)."""

SAMPLES: Final = 120
LOOKS: Final = ((50, 4), (250, 1))
"""How it finds the best throw: how many draws are imagined for each, and how many of the best are looked at again."""
DEALT: Final = 400
"""How many hands are imagined that a rival may have been dealt."""
CARELESS: Final = 4
"""One in so many hands is imagined of a player who throws anything."""


def choose(view: View, ask: Ask, pick: Picker) -> Move:
    """Throw what is best thrown, open where that is allowed, and bet by the odds."""
    draw = Draw(view, Random(pick(65536)))
    if isinstance(ask, Cards):
        return Move(ask.verb, cards=draw.best_throw(ask)[0])
    odds = draw.odds()
    if ask.refuse(PASS) is None:
        span = span_of(ask, "open")
        return Move("open", betting.sized(span, odds) if span else None)
    return betting.answer(view, ask, odds)


class Draw:
    """A deal of draw poker as its viewer may imagine it."""

    def __init__(self, view: View, chance: Random) -> None:
        self.view, self.chance, self.unseen = view, chance, view.unseen[0]
        self.own = own_hand(view)
        self.spit = [card for zone in view.zones for card in zone.cards if card is not None]
        self.wild = frozenset(card for card in PACK_52 for spit in self.spit if card.rank == spit.rank)
        self.is_drawn = view.facts.step > DRAW_STEP
        seats = [one for one in view.seats if one.is_in and one.seat != view.viewer]
        dealt = [tuple(chance.sample(self.unseen, len(self.own))) for _ in range(DEALT)]
        self.dealt = [(cards, self.kept(cards)) for cards in dealt]
        self.imagined: dict[tuple[int, bool], list[int]] = {}
        self.rivals = [self._rival(one) for one in seats]

    def odds(self) -> Odds:
        """What the viewer expects at the showdown."""
        if self.is_drawn:
            return Odds(self.parts([self.worth(self.own)]), len(self.rivals), 0)
        return Odds(self.best_throw()[1], len(self.rivals), 1)

    def best_throw(self, ask: Cards | None = None) -> tuple[tuple[Card, ...], list[float]]:
        """The cards that are best thrown, and the parts of the pot that may be won after that. Of equals the fewest are
        thrown. A second look at those that seem best decides."""
        most = ask.most if ask else self.most_thrown
        throws = [throw for count in range(most + 1) for throw in combinations(sorted(self.own), count)]
        if ask:
            throws = [throw for throw in throws if ask.refuse(Move(ask.verb, cards=throw)) is None]
        for sample, left in LOOKS:
            drawn = [self.chance.sample(self.unseen, most) for _ in range(sample)]
            parts = {throw: self._parts_after(throw, drawn) for throw in throws}
            throws = sorted(throws, key=lambda throw: -_brought(parts[throw]))[:left]
        return throws[0], parts[throws[0]]

    def _parts_after(self, thrown: tuple[Card, ...], drawn: Sequence[Sequence[Card]]) -> list[float]:
        """The parts of the pot that may be won after a throw; if it is one card, for every card that may come."""
        kept = [card for card in self.own if card not in thrown]
        draws = [one[: len(thrown)] for one in drawn] if len(thrown) > 1 else [[card] for card in self.unseen]
        return self.parts([self.worth([*kept, *draw]) for draw in (draws if thrown else [[]])])

    def parts(self, values: Sequence[int]) -> list[float]:
        """The part of the pot each of these values wins. Where only three of a kind wins, a hand that is less has its
        part in the next pack, if no rival has that much."""
        won = parts_won(values, self.rivals)
        if not self.needs_three:
            return won
        nobody = prod(sum(one < THREE for one in rival) / len(rival) for rival in self.rivals)
        again = nobody / (len(self.rivals) + 1)
        return [part if value >= THREE else again for value, part in zip(values, won, strict=True)]

    @property
    def needs_three(self) -> bool:
        """Whether this pack is dealt anew unless somebody shows three of a kind (Jacks or Better)."""
        if self.view.game != "jacks":
            return False
        limit = self.view.options.redeal_limit
        return bool(self.view.facts.redeals < (MOST_REDEALS if limit is None else limit))

    @property
    def most_thrown(self) -> int:
        """How many cards a seat may throw, whatever it keeps."""
        by_seats = 3 if self.spit else {7: 2, 8: 1}.get(len(self.view.seats), 3)
        return getattr(self.view.options, "max_throw", None) or by_seats

    def worth(self, cards: Iterable[Card]) -> int:
        """What a hand is worth, the greater the better."""
        held = [*cards, *self.spit]
        if self.wild:
            ranks = {card.rank for card in held if card not in self.wild}
            if len(ranks) < 2:
                return FIVE | max(ranks, default=ACE) << 16
        return row_key(held, self.wild)[0]

    def kept(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """What a careful player keeps: all from a straight on, else wild cards and pairs, else four to a flush or to a
        straight, else high cards."""
        if self.worth(cards) >= STRAIGHT:
            return tuple(cards)
        ranks = Counter(card.rank for card in cards)
        kept = [card for card in cards if card in self.wild or ranks[card.rank] > 1] or list(self._one_short(cards))
        others = sorted((card for card in cards if card not in kept), key=lambda card: -card.rank)
        return (*kept, *others[: max(0, len(cards) - self.most_thrown - len(kept))])

    def _one_short(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Cards of different ranks, none of them wild, that lack one card to a flush or to a straight open at both
        ends; none if there are not enough."""
        enough = 4 - len(self.spit)
        for suited in combinations(cards, enough):
            ranks = sorted(card.rank for card in suited)
            if len({card.suit for card in suited}) == 1 or (ranks[-1] - ranks[0] == enough - 1 and ranks[-1] < ACE):
                return suited
        return ()

    def _rival(self, one: SeatView) -> list[int]:
        """What a rival's hand may come to; of rivals about whom as much is known, the same."""
        shown = [card for card in one.hole if card is not None]
        if shown:
            missing = len(self.own) - len(shown)
            return [self.worth([*shown, *self.chance.sample(self.unseen, missing)]) for _ in range(SAMPLES)]
        known = (len(one.gone), one.seat == self._opener())
        if known not in self.imagined:
            self.imagined[known] = [self.worth(hand) for hand in self._hands(*known)]
        return self.imagined[known]

    def _hands(self, thrown: int, is_opener: bool) -> Iterator[tuple[Card, ...]]:
        likely, careless = self.dealt, CARELESS
        if self.is_drawn:
            likely = [(cards, kept) for cards, kept in likely if len(cards) - len(kept) == thrown]
        elif is_opener:
            likely = [(cards, kept) for cards, kept in likely if self.worth(cards) >= OPENERS]
            careless = SAMPLES
        for number in range(SAMPLES):
            if number % careless and likely:
                cards, kept = self.chance.choice(likely)
                fresh = self.chance.sample(self.unseen, 2 * len(cards))
                yield (*kept, *[card for card in fresh if card not in cards][: len(cards) - len(kept)])
            else:
                yield self.chance.choice(self.dealt)[0]

    def _opener(self) -> int | None:
        """Who made the last bet of the first round at Jacks or Better, and so must have what opens. Those who have yet
        to answer it wait clockwise from there."""
        betting, seats = self.view.facts.betting, self.view.seats
        if self.view.game != "jacks" or betting is None:
            return None
        around = ((betting.waiting[-1] + step) % len(seats) for step in range(1, len(seats) + 1))
        return next((seat for seat in around if seats[seat].is_in and seats[seat].bet == betting.to_match), None)


def _brought(parts: Sequence[float]) -> float:
    """What hands bring that win these parts of the pot: more than that where they are good, for good hands win bets and
    poor ones are folded."""
    return fsum([part * part for part in parts]) / len(parts)
