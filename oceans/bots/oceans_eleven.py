"""The house bots of Ocean's Eleven: Pebble, Ferry and Beacon. Each is asked when its row is the weakest and it may
both deal and concede."""

from __future__ import annotations

from random import Random
from typing import Final

from oceans.bots.race import Policy, Race, chance
from oceans.bots.worth import Side, worth
from oceans.rules.asks import Picker
from oceans.rules.cards import Card
from oceans.rules.hand_values import category_of
from oceans.rules.look import View
from oceans.rules.moves import Move

DEAL: Final = Move("deal")
CONCEDE: Final = Move("concede")

HOPE: Final = 2
"""Pebble deals while the rival's hand is at most so many kinds better."""

THIN: Final = 0.10
"""Ferry's least chance that the next card puts it ahead: without wild cards …"""
WILD: Final = {2: 0.12, 4: 0.15}
"""… and by the number of wild cards in a whole pack, at least so many."""
TABLE: Final = 0.3
"""Ferry's least chance, at larger tables, that the next card makes another row the weakest."""

ROLLOUTS: Final = 32
LONG_ROW: Final = 14
"""Longer rows take longer to rank and to play on: beyond this length Beacon imagines less."""


def pebble(view: View, pick: Picker) -> Move:
    """Deals while it has hope."""
    keys = view.facts.keys
    gap = category_of(max(keys[seat] for seat in _rivals(view))[0]) - category_of(keys[_me(view)][0])
    return DEAL if gap <= HOPE else CONCEDE


def ferry(view: View, pick: Picker) -> Move:
    """Counts which cards are left, and keeps its own for hands where they are likely to help."""
    facts, me = view.facts, _me(view)
    keys = [facts.keys[seat] for seat in _rivals(view)]
    odds = chance(view.seats[me].row, min(keys), view.unseen[me], facts.wild, facts.suits)
    return DEAL if odds >= (least_chance(facts.wild) if len(keys) == 1 else TABLE) else CONCEDE


def beacon(view: View, pick: Picker) -> Move:
    """Imagines how the hand may go on, many times, and what the game is worth after it."""
    if len(_rivals(view)) > 1 or len(view.seats) > 2:
        return ferry(view, pick)
    me, chance_of = _me(view), Random(pick(65536) << 16 | pick(65536))
    race = _imagined(view, chance_of)
    stay = _after(race, me, 1 - me)
    total = 0.0
    cards = list(view.unseen[me])
    longest = max(len(one.row) for one in view.seats)
    count = ROLLOUTS if longest <= LONG_ROW else max(6, ROLLOUTS * LONG_ROW**2 // longest**2)
    policies: tuple[Policy, Policy] = (_as_ferry, _as_ferry)
    for number in range(count):
        if number % len(cards) == 0:
            chance_of.shuffle(cards)
        race = _imagined(view, chance_of, first=cards[number % len(cards)])
        race.turn_up(me)
        total += _after(race, me, race.play_out(policies))
    return DEAL if total / count > stay else CONCEDE


def least_chance(wild: frozenset[Card]) -> float:
    """The chance from which Ferry deals, by the wild cards of the pack."""
    count = sum(1 for card in wild if card.suit < 4)
    return max([least for wilds, least in WILD.items() if count >= wilds], default=THIN)


def _as_ferry(race: Race, seat: int) -> bool:
    return race.chance(seat, race.piles[seat]) >= least_chance(race.wild)


def _imagined(view: View, chance_of: Random, first: Card | None = None) -> Race:
    """The hand with packs in some order that fits what is seen; `first` is the viewer's next card."""
    facts = view.facts
    piles = []
    for one in view.seats:
        # Of a half pack nobody knows which half it is: any cards not seen may be in it.
        pile = chance_of.sample(view.unseen[one.seat], one.pack_left)
        if first is not None and one.seat == view.viewer:
            pile = [*[card for card in pile if card != first][: one.pack_left - 1], first]
        piles.append(pile)
    return Race(
        wild=facts.wild,
        suits=facts.suits,
        target=facts.target,
        wins=list(facts.wins),
        rows=[list(one.row) for one in view.seats],
        piles=piles,
        keys=list(facts.keys),
    )


def _after(race: Race, me: int, winner: int | None) -> float:
    """What the game is worth to `me` once this hand is won by `winner`."""
    sides = [
        Side(
            wins=race.wins[seat] + (seat == winner),
            cards=len(race.piles[seat]),
            wilds=sum(1 for card in race.piles[seat] if card in race.wild),
        )
        for seat in (0, 1)
    ]
    return worth(sides[me], sides[1 - me], race.target)


def _me(view: View) -> int:
    assert view.viewer is not None
    return view.viewer


def _rivals(view: View) -> list[int]:
    return [seat for seat in view.facts.contestants if seat != view.viewer]
