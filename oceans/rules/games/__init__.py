"""Every game there is. The order here is the order in the lobby."""

from __future__ import annotations

from typing import Final

from ..game import Game
from .draw import DRAW_GAMES
from .duel_it import DUEL_IT
from .guts import GUTS_GAMES
from .oceans_eleven import OCEANS_ELEVEN_GAMES
from .stud import STUD_GAMES

GAMES: Final[tuple[Game, ...]] = (*OCEANS_ELEVEN_GAMES, DUEL_IT, *GUTS_GAMES, *DRAW_GAMES, *STUD_GAMES)

_BY_SLUG: Final = {game.slug: game for game in GAMES}


def by_slug(slug: str) -> Game:
    """The game of that name. Raises KeyError with a sentence if there is none."""
    found = _BY_SLUG.get(slug)
    if found is None:
        raise KeyError(f"There is no game called “{slug[:40]}”: choose one of {', '.join(_BY_SLUG)}.")
    return found
