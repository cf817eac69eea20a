"""Matches for tests of rules: stacked packs and moves as they are written in the examples."""

from oceans.rules.cards import cards
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup, retire, settle, start, submit
from oceans.rules.games import by_slug
from oceans.rules.moves import Move
from oceans.rules.options import read_options


def dealt(hands: str, seats: int) -> tuple:
    """A shared pack that gives each seat, from the dealer's left with the last seat dealing, the hand written:
    `dealt("9h 9c  As Kd", 2)`; hands are parted by two spaces, further cards may follow as one more part."""
    parts = [cards(part) for part in hands.split("  ") if part.strip()]
    rounds = [card for together in zip(*parts[:seats], strict=True) for card in together]
    return (tuple(rounds) + tuple(card for part in parts[seats:] for card in part),)


def rows(*packs: str) -> tuple:
    """A pack for each seat from the top."""
    return tuple(cards(pack) for pack in packs)


def started(game: str, seats: int = 2, decks: dict | None = None, **rest) -> MatchState:
    """A match on stacked packs by deal number, those of redeals in order as "1.2", "1.3"; `options`, `button`, `stacks`
    and `pot` may be given."""
    played = by_slug(game)
    options = read_options(played, rest.pop("options", {}), seats)
    laid: dict[int, tuple] = {}
    for key, packs in (decks or {}).items():
        deal_no = int(str(key).partition(".")[0])
        laid[deal_no] = (*laid.get(deal_no, ()), packs)
    match = start(Setup(played, options, seats, **rest), DealKeys.of_seed("tests"), decks=laid)
    return settle(match)[0]


def play(match: MatchState, *moves: str) -> MatchState:
    """Answer as written, `0 in`, `1 deal`, `2 resign`; forced moves are played in between."""
    for text in moves:
        seat, move = text.split(maxsplit=1)
        match = retire(match, int(seat)) if move == "resign" else submit(match, int(seat), Move.parse(move))
        match = settle(match)[0]
    return match


def stacks(match: MatchState) -> tuple[int, ...]:
    return tuple(place.stack for place in match.state.table.places)
