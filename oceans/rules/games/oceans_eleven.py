"""Ocean's Eleven and its variants (docs/rules/oceans-eleven.md).

Every player turns cards up from an own pack into a row. Whoever has the weakest row deals another card or concedes
the hand; the last one left wins it. First to the target, six hands as a rule, wins the game. Nothing is hidden but the
order of the packs.

    next hand --all turn up--> compare --weakest alone--> [asked: deal | concede] --> compare ...
                                  |--several weakest--> they all turn up --> compare
                                  |--one contestant--> hand won --> next hand | collect | over

What has no alternative (no card left, no conceding at match point) is asked like the rest and answered by the engine
as a forced move, so that the log shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from ..asks import Ask, Pick
from ..cards import JOKERS, PACK_52, PACK_54, PACK_65, Card
from ..game import Due, Ending, Game, HandReading, Length, Progress, Reading, Said, State, Who
from ..hand_names import hand_name
from ..look import View
from ..moves import Move
from ..options import choice
from ..orders import Order
from ..rows import WILDS, RowKey, RowRank, rank_row, row_key
from ..table import Dealer, Pack, Seat, Shuffle, Table
from .oceans_eleven_orders import ROW_ORDERS

DEAL: Final = Move("deal")
CONCEDE: Final = Move("concede")
TWO_SUITS: Final = tuple(card for card in PACK_52 if card.suit in (2, 3))


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the table in section 1: the cards of a pack, which are wild, suits, target; `half` packs are the
    first 26 cards of a shuffled whole one."""

    cards: tuple[Card, ...]
    wild: str
    target: int
    suits: int = 4
    half: bool = False

    @property
    def wilds(self) -> frozenset[Card]:
        return WILDS[self.wild]


VARIANTS: Final[dict[str, Variant]] = {
    "twos": Variant(PACK_52, "twos", 6),
    "jokers": Variant(PACK_54, "jokers", 6),
    "none": Variant(PACK_52, "none", 6),
    "jokers-twos": Variant(PACK_54, "jokers+twos", 6),
    "five-suits": Variant(PACK_65, "none", 7, suits=5),
    "mini": Variant(PACK_52, "none", 3, half=True),
    "mini-joker": Variant(PACK_52 + JOKERS[:1], "jokers", 3, half=True),
}

MINI_HALVES: Final = {"random": "A random half of a whole pack", "two-suits": "Spades and hearts"}
PACK_NAMES: Final = {
    "none": "52 cards, no wilds",
    "twos": "52 cards, twos wild",
    "jokers": "54 cards, jokers wild",
    "jokers-twos": "54 cards, jokers and twos wild",
    "five-suits": "65 cards, five suits",
    "mini": "26 cards, no wilds",
    "mini-joker": "27 cards, joker wild",
}


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Nothing to choose."""


@dataclass(frozen=True, slots=True)
class MiniOptions:
    mini_half: str = choice("random", MINI_HALVES, "Which half of the pack")


@dataclass(frozen=True, slots=True)
class TableOptions:
    pack: str = choice("none", PACK_NAMES, "Pack")
    mini_half: str = choice("random", MINI_HALVES, "Which half of the pack", when={"pack": ("mini", "mini-joker")})


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceState(State):
    """A game in progress. `winners` has the winner of each hand played, None where nobody won it; `keys` what each
    row is worth; `turned` the cards of the last step."""

    wild: frozenset[Card]
    suits: int
    target: int
    half: bool
    wins: tuple[int, ...]
    winners: tuple[Seat | None, ...] = ()
    contestants: tuple[Seat, ...] = ()
    keys: tuple[RowKey, ...]
    turned: tuple[tuple[Seat, Card], ...] = ()
    asked: Seat | None = None
    quitters: frozenset[Seat] = frozenset()

    @property
    def hand_no(self) -> int:
        return len(self.winners) + 1


class OceansEleven(Game):
    """One variant. Two players, or three to six at a table."""

    family: ClassVar[str] = "oceans-eleven"
    is_one_deal: ClassVar[bool] = True
    orders: ClassVar[tuple[type[Order], ...]] = ROW_ORDERS

    def __init__(self, slug: str, name: str, variant: str, *, seats: range = range(2, 3)) -> None:
        self.slug, self.name, self.seats = slug, name, seats
        self._variant = variant
        self.options = TableOptions if slug == "oe-table" else MiniOptions if VARIANTS[variant].half else NoOptions

    def variant(self, options: Any) -> Variant:
        return VARIANTS[getattr(options, "pack", self._variant)]

    def packs(self, options: Any, seats: int, dealer: Dealer) -> tuple[tuple[Pack, ...], tuple[Shuffle, ...]]:
        """A pack for each seat, shuffled once. Half packs: section 1 and docs/fair-shuffle.md 3.1; the joker of a
        random half goes in by a second shuffle."""
        variant = self.variant(options)
        two_suits = variant.half and getattr(options, "mini_half", "random") == "two-suits"
        jokers = tuple(card for card in variant.cards if card.is_joker)
        packs: list[Pack] = []
        shuffles: list[Shuffle] = []
        for seat in range(seats):
            label = f"pack{seat}"
            if two_suits or not variant.half:
                cards = TWO_SUITS + jokers if two_suits else variant.cards
                shuffles.append(Shuffle(label, 0, cards))
                packs.append(Pack(dealer.order(shuffles[-1]), cards))
                continue
            shuffles.append(Shuffle(label, 0, PACK_52))
            half = dealer.order(shuffles[-1])[:26]
            if jokers:
                shuffles.append(Shuffle(label, 1, tuple(sorted(half + jokers))))
                half = dealer.order(shuffles[-1])
            packs.append(Pack(half, variant.cards))
        return tuple(packs), tuple(shuffles)

    def open(self, table: Table, options: Any, carry: Any) -> RaceState:
        variant = self.variant(options)
        count = len(table.places)
        state = RaceState(
            table=table,
            wild=variant.wilds,
            suits=variant.suits,
            target=variant.target,
            half=variant.half,
            wins=(0,) * count,
            keys=((),) * count,
        )
        return _next_hand(state)

    def due(self, state: State, options: Any) -> Due | None:
        assert isinstance(state, RaceState)
        if state.asked is None:
            return None
        return Due({state.asked: Pick("Your row is behind: deal a card or concede the hand.", _choices(state))})

    def play(self, state: State, moves: Mapping[Seat, Move], options: Any) -> RaceState:
        assert isinstance(state, RaceState)
        ((seat, move),) = moves.items()
        state = replace(state, said=(), turned=())
        if move == DEAL:
            state = _turn_up(state, (seat,))
            name = hand_name(state.keys[seat][0])
            return _compared(_say(state, "{} deals {}", Who(seat), state.turned[0][1], note=name))
        text = "{} concedes" if state.table.left(seat) else "{} has no card left and concedes"
        return _compared(_folded(_say(state, text, Who(seat)), seat))

    def leave(self, state: State, seat: Seat, options: Any) -> RaceState:
        """The seat's pack counts as empty from now on and its row is folded (section 7)."""
        assert isinstance(state, RaceState)
        state = replace(state, said=(), turned=(), quitters=state.quitters | {seat})
        if seat not in state.contestants:
            return state
        return _compared(_folded(state, seat))

    def ending(self, state: State, options: Any) -> Ending:
        assert isinstance(state, RaceState)
        return Ending(points=state.wins)

    def is_over(self, progress: Progress) -> bool:
        return True

    def points_so_far(self, state: State, seats: int) -> tuple[int, ...]:
        assert isinstance(state, RaceState)
        return state.wins

    def on_clock(self, view: View, ask: Ask) -> Move:
        return DEAL if ask.refuse(CONCEDE) else CONCEDE

    def length(self, options: Any, seats: int) -> Length:
        visits = 1.37 * (2 * self.variant(options).target - 1) * (1 + 0.15 * (seats - 2))
        return Length(visits, visits * seats)

    def reading(self, view: View) -> Reading:
        return _reading(view)


# The course of a hand


def _has_cards(state: RaceState, seat: Seat) -> bool:
    return state.table.left(seat) > 0 and seat not in state.quitters


def _choices(state: RaceState) -> tuple[Move, ...]:
    """Sections 4.2, 4.3 and 6.3: no card left, concede; the only other contestant at match point, deal."""
    assert state.asked is not None
    if not _has_cards(state, state.asked):
        return (CONCEDE,)
    others = [seat for seat in state.contestants if seat != state.asked]
    if len(others) == 1 and state.wins[others[0]] == state.target - 1:
        return (DEAL,)
    return (DEAL, CONCEDE)


def _turn_up(state: RaceState, seats: tuple[Seat, ...]) -> RaceState:
    """These seats turn up a card each, together."""
    table, keys, turned = state.table, list(state.keys), []
    for seat in seats:
        table = table.deal_up(seat)
        row = table.places[seat].row
        keys[seat] = row_key(row, state.wild, state.suits)
        turned.append((seat, row[-1]))
    return replace(state, table=table, keys=tuple(keys), turned=tuple(turned))


def _compared(state: RaceState) -> RaceState:
    """Sections 4.2 and 6.1–6.3: go on until one seat is asked or the game is over."""
    while True:
        if len(state.contestants) == 1:
            return _hand_over(state, state.contestants[0])
        lowest = min(state.keys[seat] for seat in state.contestants)
        weakest = tuple(seat for seat in state.contestants if state.keys[seat] == lowest)
        empty = tuple(seat for seat in weakest if not _has_cards(state, seat))
        if len(weakest) == 1:
            return replace(state, asked=weakest[0])
        if empty:
            if empty == state.contestants:
                return _hand_over(state, None)
            return replace(state, asked=empty[0])
        state = _turn_up(state, weakest)
        together = "both deal" if len(weakest) == 2 else "all deal"
        state = _say(state, f"Level, {together}: {_pairs(len(weakest))}", *_named(state.turned))


def _folded(state: RaceState, seat: Seat) -> RaceState:
    """The seat's row leaves the game and the seat this hand."""
    keys = tuple(() if other == seat else key for other, key in enumerate(state.keys))
    contestants = tuple(other for other in state.contestants if other != seat)
    return replace(state, table=state.table.muck(seat), keys=keys, contestants=contestants, asked=None)


def _hand_over(state: RaceState, winner: Seat | None) -> RaceState:
    """Section 4.4: rows leave the game, the next hand opens or the game ends."""
    number = state.hand_no
    for seat in state.contestants:
        state = _folded(state, seat)
    state = _scored(state, winner)
    if winner is None:
        state = _say(state, "Level with both packs empty: nobody wins hand {}", number)
    else:
        state = _say(state, "{} wins hand {}", Who(winner), number, note=_score(state))
    return state if max(state.wins) == state.target else _next_hand(state)


def _scored(state: RaceState, winner: Seat | None) -> RaceState:
    wins = tuple(won + (seat == winner) for seat, won in enumerate(state.wins))
    return replace(state, wins=wins, winners=(*state.winners, winner), asked=None)


def _next_hand(state: RaceState) -> RaceState:
    """Section 4.1 for all who have cards; section 5.2 if one player alone has; section 5.3 if nobody has."""
    with_cards = tuple(seat for seat in state.table.seats if _has_cards(state, seat))
    if len(with_cards) == 1:
        return _collected(state, with_cards[0])
    if not with_cards:
        return replace(state, contestants=(), asked=None)
    state = replace(state, said=(*state.said, Said("Hand {}", (state.hand_no,), is_heading=True)))
    state = _turn_up(replace(state, contestants=with_cards), with_cards)
    together = "Both turn up" if len(with_cards) == 2 else "All turn up"
    return _compared(_say(state, f"{together}: {_pairs(len(with_cards))}", *_named(state.turned)))


def _collected(state: RaceState, seat: Seat) -> RaceState:
    """Section 5.2: the only player with cards wins a hand for each card turned up."""
    while _has_cards(state, seat) and state.wins[seat] < state.target:
        number = state.hand_no
        state = _turn_up(state, (seat,))
        card = state.turned[0][1]
        state = _scored(_folded(state, seat), seat)
        state = _say(state, "{} alone has cards, turns up {} and wins hand {}", Who(seat), card, number)
    return replace(state, contestants=(), asked=None)


def _say(state: RaceState, text: str, *parts: Who | Card | int, note: str = "") -> RaceState:
    return replace(state, said=(*state.said, Said(text, parts, note)))


def _named(turned: tuple[tuple[Seat, Card], ...]) -> tuple[Who | Card, ...]:
    return tuple(part for seat, card in turned for part in (Who(seat), card))


def _pairs(count: int) -> str:
    return ", ".join(["{} {}"] * count)


def _score(state: RaceState) -> str:
    return "–".join(map(str, state.wins))


# In words


def _reading(view: View) -> Reading:
    facts = view.facts
    ranks = {
        one.seat: rank_row(one.row, facts.wild, facts.suits)
        for one in view.seats
        if one.row and one.seat in facts.contestants
    }
    standings = _standings(ranks)
    verdict, reason = _verdict(view, ranks, standings)
    hands = tuple(
        _hand(ranks[one.seat], standings[one.seat]) if one.seat in ranks else HandReading() for one in view.seats
    )
    number = len(facts.winners) + 1
    return Reading(
        verdict=verdict,
        reason=reason,
        hands=hands,
        heading="" if view.is_over else f"hand {number}",
        warnings={"concede": _consequence(view, number)} if view.ask is not None else {},
    )


def _hand(rank: RowRank, standing: str) -> HandReading:
    best = rank.best
    return HandReading(
        name=best.title,
        detail=f"with {best.odd}" if best.odd else "",
        standing=standing,
        best=best.cards,
        rest=rank.left_over + rank.voids,
        stands_for=tuple(rank.meanings.items()),
        gap=5 - len(best.cards),
    )


def _standings(ranks: Mapping[Seat, RowRank]) -> dict[Seat, str]:
    if len(ranks) < 2:
        return dict.fromkeys(ranks, "")
    keys = [rank.key for rank in ranks.values()]
    low, high = min(keys), max(keys)
    if low == high:
        return dict.fromkeys(ranks, "level")
    return {seat: "ahead" if rank.key == high else "behind" if rank.key == low else "" for seat, rank in ranks.items()}


def _verdict(view: View, ranks: Mapping[Seat, RowRank], standings: Mapping[Seat, str]) -> tuple[Said, Said | None]:
    if view.result is not None:
        return _outcome(view), None
    ahead = [seat for seat, standing in standings.items() if standing == "ahead"]
    behind = [seat for seat, standing in standings.items() if standing == "behind"]
    if not ahead or not behind:
        return Said("The rows are level"), None
    reason = Said(_why(ranks[ahead[0]], ranks[behind[0]]))
    if len(ranks) == 2:
        return Said("{} is ahead", (Who(ahead[0]),)), reason
    return Said("{} is weakest and must deal or concede", (Who(behind[0]),)), reason


def _outcome(view: View) -> Said:
    assert view.result is not None
    best = [seat for seat, place in enumerate(view.result.places) if place == 1]
    score = "–".join(map(str, view.result.score))
    if len(best) == 1:
        return Said("{} wins the game, {}", (Who(best[0]), score))
    return Said("The game is a draw, {}", (score,))


def _why(better: RowRank, weaker: RowRank) -> str:
    """Which difference decides, in one sentence."""
    if better.best.title != weaker.best.title:
        return f"{better.best.title} beats {_small(weaker.best.title)}."
    if better.best != weaker.best:
        if not weaker.best.odd:
            return f"Both have {_small(better.best.title)}, but only one has a card beside it: {better.best.odd}."
        return f"Both have {_small(better.best.title)}; {better.best.odd} beats {weaker.best.odd}."
    spare, other = better.hands[1:], weaker.hands[1:]
    level = next((n for n, pair in enumerate(zip(spare, other, strict=False)) if pair[0] != pair[1]), len(other))
    if level == len(other):
        return f"The hands are equal; left over, {spare[level].name} beats nothing."
    return f"The hands are equal; left over, {spare[level].name} beats {other[level].name}."


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]


def _consequence(view: View, number: int) -> Said:
    """What conceding now means, for the sheet that asks again."""
    facts = view.facts
    on_table = sum(len(one.row) for one in view.seats)
    others = [seat for seat in facts.contestants if seat != view.viewer]
    if len(others) != 1:
        return Said("You are out of hand {}: your cards leave the game. This cannot be taken back.", (number,))
    wins = [won + (seat == others[0]) for seat, won in enumerate(facts.wins)]
    return Said(
        "{} wins hand {}: {}. All {} cards on the table leave the game. This cannot be taken back.",
        (Who(others[0]), number, "–".join(map(str, wins)), on_table),
    )


OCEANS_ELEVEN_GAMES: Final = (
    OceansEleven("oe-twos", "Ocean's Eleven, twos wild", "twos"),
    OceansEleven("oe-jokers", "Ocean's Eleven, jokers wild", "jokers"),
    OceansEleven("oe-none", "Ocean's Eleven, no wilds", "none"),
    OceansEleven("oe-jokers-twos", "Ocean's Eleven, jokers and twos wild", "jokers-twos"),
    OceansEleven("oe-five-suits", "Ocean's Eleven, five suits", "five-suits"),
    OceansEleven("oe-mini", "Ocean's Eleven, mini", "mini"),
    OceansEleven("oe-mini-joker", "Ocean's Eleven, mini with joker", "mini-joker"),
    OceansEleven("oe-table", "Ocean's Eleven for three to six", "none", seats=range(3, 7)),
)
