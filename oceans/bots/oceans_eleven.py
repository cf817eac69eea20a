"""The house bots of Ocean's Eleven: Pebble, Ferry and Beacon. Each is asked when its row is the weakest and it may
both deal and concede."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from oceans.bots.race import Race, Runner, lore
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

LEAST: Final = {0: 0.10, 2: 0.12, 4: 0.15, 6: 0.15}
"""The chance that the next card puts it ahead from which Ferry deals, by the number of wild cards in a pack."""
LEAST_AT_TABLE: Final = 0.35
"""The same against several rivals, for getting ahead of the best of them: the others spend cards on each other."""

PATIENCE: Final = 0.7
"""In Beacon's mind players deal from this part of what would pay if the next card decided the hand."""
LEAST_FAIR, MOST_FAIR = 0.02, 0.6
"""Within these bounds."""

FEWEST, MOST = 16, 64
"""How often Beacon imagines the rest of the hand."""
CLEAR: Final = 2.5
"""Enough is a mean so many standard errors from zero."""
EFFORT: Final = 60_000
"""Beacon stops earlier when the squares of the lengths of imagined rows sum up to this: long rows take long."""


def pebble(view: View, pick: Picker) -> Move:
    """Deals while it has hope."""
    keys = view.facts.keys
    gap = category_of(max(keys[seat] for seat in _rivals(view))[0]) - category_of(keys[_me(view)][0])
    return DEAL if gap <= HOPE else CONCEDE


def ferry(view: View, pick: Picker) -> Move:
    """Counts which cards are left, and keeps its own for hands where they are likely to help."""
    runners, rivals = _runners(view), _rivals(view)
    best = max(rivals, key=lambda seat: view.facts.keys[seat])
    least = LEAST[wilds_in_pack(view.facts.wild)] if len(rivals) == 1 else LEAST_AT_TABLE
    return DEAL if runners[_me(view)].chance(runners[best]) >= least else CONCEDE


def beacon(view: View, pick: Picker) -> Move:
    """Imagines the rest of the hand many times, and deals if the game is then worth more than after conceding."""
    me, chance = _me(view), Random(pick(65536) << 16 | pick(65536))
    race = race_of(view, chance)
    conceded = worth_conceded(race, me, chance)
    total = squares = effort = 0.0
    for count, (imagined, dealt) in enumerate(imagined_worths(race, me, chance, MOST), start=1):
        gain = dealt - conceded
        total, squares = total + gain, squares + gain * gain
        effort += imagined.effort
        is_clear = count >= FEWEST and total * total > CLEAR**2 * (squares - total * total / count)
        if is_clear or effort > EFFORT:
            break
    return DEAL if total > 0 else CONCEDE


def imagined_worths(race: Race, me: int, chance: Random, times: int) -> Iterator[tuple[Race, float]]:
    """So many ways in which the hand may end once `me` has dealt, each with what the game is worth to it then."""
    firsts = race.runners[me].pile[:]
    for count in range(1, times + 1):
        imagined = race.copy(chance.random)
        runner = imagined.runners[me]
        # Each card of the pile comes first in turn: that leaves less to luck than drawing it.
        runner.turn_up(runner.pile.index(firsts[count % len(firsts)]))
        yield imagined, _worth(imagined, me, imagined.play_out(chance.random))


def wilds_in_pack(wild: frozenset[Card]) -> int:
    """How many wild cards a whole pack has, where these are wild."""
    return sum(1 for card in wild if card.suit < 4)


def _me(view: View) -> int:
    assert view.viewer is not None
    return view.viewer


def _rivals(view: View) -> list[int]:
    return [seat for seat in view.facts.contestants if seat != view.viewer]


def _runners(view: View) -> list[Runner]:
    """All seats; of a half pack nobody knows which half it is, so any card not seen may be in a pile."""
    known = lore(view.facts.wild, view.facts.suits)
    return [Runner(known, one.row, view.unseen[one.seat], one.pack_left) for one in view.seats]


def race_of(view: View, chance: Random) -> Race:
    """The hand as it stands, with players who weigh a card as the game stands."""
    facts, runners = view.facts, _runners(view)
    for runner in runners:
        chance.shuffle(runner.pile)
    race = Race(runners, facts.contestants, facts.wins, facts.target, [0.0] * len(runners), LEAST_AT_TABLE)
    race.least = [_fair_chance(race, seat) for seat in range(len(runners))]
    return race


def _sides(race: Race) -> list[Side]:
    return [Side(won, one.left, one.wilds_left) for won, one in zip(race.wins, race.runners, strict=True)]


def _worth(race: Race, me: int, winner: int | None) -> float:
    """What the game is worth to `me` once this hand is won by `winner`."""
    sides = _sides(race)
    if winner is not None:
        sides[winner] = replace(sides[winner], wins=sides[winner].wins + 1)
    return worth(sides, me, race.target, wilds_in_pack(race.runners[me].known.wild))


def worth_conceded(race: Race, me: int, chance: Random) -> float:
    """What the game is worth to `me` after conceding this hand. Of several rivals one wins after playing on."""
    rivals = [seat for seat in race.in_hand if seat != me]
    if len(rivals) == 1:
        return _worth(race, me, rivals[0])
    total = 0.0
    for _ in range(FEWEST):
        imagined = race.copy(chance.random)
        imagined.in_hand.remove(me)
        total += _worth(imagined, me, imagined.play_out(chance.random))
    return total / FEWEST


def _fair_chance(race: Race, seat: int) -> float:
    """The chance from which a seat deals against a single rival, in Beacon's mind: what a card is worth to it as the
    game stands against what the hand is. At a larger table the rival is the one who has won most."""
    sides, target = _sides(race), race.target
    own, wilds = sides[seat], wilds_in_pack(race.runners[seat].known.wild)
    others = [other for other in race.in_hand if other != seat]
    if not own.cards or not others:
        return 0.0
    rival = max(others, key=lambda other: sides[other].wins)
    spent = replace(own, cards=own.cards - 1, wilds=own.wilds * (1 - 1 / own.cards))

    def outcome(side: Side, winner: int) -> float:
        after = [*sides]
        after[seat] = side
        after[winner] = replace(after[winner], wins=after[winner].wins + 1)
        return worth(after, seat, target, wilds)

    kept, lost, won = outcome(own, rival), outcome(spent, rival), outcome(spent, seat)
    return min(MOST_FAIR, max(LEAST_FAIR, PATIENCE * (kept - lost) / max(won - lost, 1e-6)))
