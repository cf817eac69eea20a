"""What others may know of the games: their names and how many play them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from oceans.models import Match, MoveLog, Seat
from oceans.rules.games import GAMES


@dataclass(frozen=True, slots=True)
class GameName:
    """A game as lists and forms need it. `seats` are the numbers of players it can have."""

    slug: str
    name: str
    seats: range


def games() -> list[GameName]:
    """Every game, in order of the lobby. No query."""
    return [GameName(game.slug, game.name, game.seats) for game in GAMES]


def game_name(slug: str) -> str:
    """What a game is called; the slug itself for one whose rules are retired. No query."""
    return next((game.name for game in GAMES if game.slug == slug), slug)


def last_move_at(user_id: int, until: datetime) -> datetime | None:
    """When the user last moved in any match up to an instant, by hand or by order; None if never. One query."""
    moves = MoveLog.objects.filter(match__seats__user=user_id, seat=F("match__seats__number"), made_at__lte=until)
    return moves.filter(cause__in=["seat", "order"]).order_by("-made_at").values_list("made_at", flat=True).first()


def has_finished(user_id: int, game: str) -> bool:
    """Whether the user has finished a match of a game. One query."""
    return Seat.objects.filter(user=user_id, match__game=game, match__status=Match.Status.FINISHED).exists()


def hours_thought(match_id: int) -> dict[int, float]:
    """How long each user of a running match has taken in all, in hours, leave included. Three queries."""
    match = Match.objects.get(pk=match_id)
    hours: dict[int, float] = {}
    for seat in match.seats.all():
        moves = MoveLog.objects.filter(match=match, seat=seat.number, waited_s__isnull=False)
        hours[seat.user_id] = sum(moves.values_list("waited_s", flat=True)) / 3600
    return hours
