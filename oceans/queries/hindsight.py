"""What is known of the luck and the choices in a game that is over."""

from dataclasses import dataclass
from typing import Final

from oceans.bots.hindsight import Account, Choice, accounts, course
from oceans.models import Hindsight, Match
from oceans.rules.games import by_slug

FAMILY: Final = "oceans-eleven"


@dataclass(frozen=True, slots=True)
class Luck:
    """The choices of a game of two, what moved each seat to its result, and the chance of the first seat before each
    choice and at the end."""

    choices: tuple[Choice, ...]
    accounts: tuple[Account, Account]
    course: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LuckSight:
    """`luck` is None until it has been worked out, for which somebody waits if `is_waiting`, unless it has failed."""

    luck: Luck | None = None
    is_waiting: bool = False
    has_failed: bool = False


def has_hindsight(match: Match) -> bool:
    """Whether luck and choices of such a match can be told apart: of the flagship by its present rules, between two,
    and finished."""
    if match.seat_count != 2 or match.status != Match.Status.FINISHED:
        return False
    try:
        game = by_slug(match.game)
    except KeyError:
        return False
    return game.family == FAMILY and game.version == match.rules_version


def luck_of(match: Match) -> LuckSight:
    """Luck and choices of a match that has them. One query."""
    row = Hindsight.objects.filter(match=match).first()
    if row is None:
        return LuckSight()
    if row.made_at is None:
        return LuckSight(is_waiting=not row.has_failed, has_failed=row.has_failed)
    choices = tuple(Choice.read(written) for written in row.choices or ())
    places = match.result["places"] if match.result else (1, 1)
    first = 0.5 if places[0] == places[1] else float(places[0] < places[1])
    is_played = match.ended_by == Match.EndedBy.PLAYED
    found = accounts(choices, (first, 1 - first), is_played=is_played)
    return LuckSight(Luck(choices, found, tuple(course(choices, first, 0))))
