"""What each format asks and allows, who may make events, and how long one should take."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils.translation import gettext as _

from accounts.models import User
from oceans import queries
from oceans.refusals import BadRequest
from tournaments import brackets, cups, mini_cups, pairing, tables
from tournaments.event_rows import days_of_round
from tournaments.models import Ending, Tournament

Format = Tournament.Format
State = Tournament.State

PACES: Final = ("classic", "steady", "brisk", "daily", "days-1", "days-2", "days-3", "days-5", "days-7")
"""Paces with a clock, fit for people who are not here together."""
MEMBERS_OFFER: Final = (Format.ROUND_ROBIN, Format.KNOCK_OUT, Format.SWISS, Format.CUP, Format.TABLES)
LIMITS: Final = {
    Format.ROUND_ROBIN: (3, 16),
    Format.KNOCK_OUT: (2, 64),
    Format.SWISS: (pairing.FEWEST_ENTRANTS, pairing.MOST_ENTRANTS),
    Format.CUP: (cups.FEWEST, 64),
    Format.TABLES: (3, 64),
    Format.MINI_CUP: (mini_cups.SMALLEST, mini_cups.LARGEST),
    Format.LEAGUE: (4, None),
    Format.INFINITY: (1, None),
}
"""Fewest and most entrants."""
MAKER_AGE: Final = timedelta(days=30)
MAKER_FINISHED: Final = 20
MAKER_OPEN, MAKER_RUNNING = 1, 3


def why_not_create(user: User, now: datetime) -> str:
    """What keeps somebody from making an event; blank if nothing. Staff may always."""
    if user.is_staff:
        return ""
    if user.is_guest or not user.email:
        return _("Sign up first: tournaments are made by players with an account.")
    if now - user.date_joined < MAKER_AGE:
        day = (user.date_joined + MAKER_AGE).strftime("%Y-%m-%d")
        return _("You may make tournaments from %(day)s, when your account is 30 days old.") % {"day": day}
    missing = MAKER_FINISHED - Ending.objects.filter(user=user, kind="finished").count()
    if missing > 0:
        return _("Finish %(n)d more games first, then you may make tournaments.") % {"n": missing}
    own = Tournament.objects.filter(made_by=user)
    if own.filter(state=State.OPEN).count() >= MAKER_OPEN:
        return _("You have a tournament open for entries: let it start before you make another one.")
    if own.filter(state=State.RUNNING).count() >= MAKER_RUNNING:
        return _("You run three tournaments already: let one end first.")
    return ""


def checked(
    format: str,
    game: str,
    shape: dict[str, Any],
    most: int | None,
    starts: str,
    starts_at: datetime | None,
    now: datetime,
) -> dict[str, Any]:
    """The shape with what is usual for what was not chosen. Raises BadRequest with a sentence if it cannot be."""
    seats = next((one.seats for one in queries.games() if one.slug == game), None)
    if seats is None:
        raise BadRequest(_("Choose one of the games."))
    fewest, limit = LIMITS[Format(format)]
    if most is not None and (most < fewest or (limit is not None and most > limit)):
        raise BadRequest(
            _("This shape is for %(fewest)d to %(most)s players.")
            % {"fewest": fewest, "most": limit or _("any number of")}
        )
    if starts == Tournament.Starts.FULL and most is None and format not in (Format.INFINITY, Format.LEAGUE):
        raise BadRequest(_("Say how many players it takes to be full, or set a date."))
    if starts == Tournament.Starts.DATE and (starts_at is None or starts_at <= now):
        raise BadRequest(_("Set a date in the future."))
    needs_two = format != Format.TABLES and not (format == Format.MINI_CUP and most in seats)
    if needs_two and 2 not in seats:
        raise BadRequest(_("This shape needs a game for two; for this game choose tables."))
    return _DEFAULTS[Format(format)](shape, seats)


def _round_robin(shape: dict[str, Any], _seats: range) -> dict[str, Any]:
    return {"cycles": _within(shape.get("cycles", 1), 1, 2), "serial": bool(shape.get("serial"))}


def _knock_out(shape: dict[str, Any], _seats: range) -> dict[str, Any]:
    return {"games": _best_of(shape), "third_place": bool(shape.get("third_place"))}


def _best_of(shape: dict[str, Any]) -> int:
    games = int(shape.get("games") or 1)
    if games not in (1, 3, 5):
        raise BadRequest(_("A match has 1, 3 or 5 games."))
    return games


def _swiss(shape: dict[str, Any], _seats: range) -> dict[str, Any]:
    rounds = shape.get("rounds")
    return {"rounds": _within(rounds, 1, pairing.MOST_ENTRANTS // 2) if rounds else None}


def _cup(shape: dict[str, Any], _seats: range) -> dict[str, Any]:
    limit = _within(shape.get("limit", 6), cups.SMALLEST_LIMIT, cups.LARGEST_LIMIT)
    games = _best_of(shape)
    return {"limit": limit, "games": games, "final_games": max(3, games), "third_place": bool(shape.get("third_place"))}


def _tables(shape: dict[str, Any], seats: range) -> dict[str, Any]:
    possible = [count for count in seats if tables.SMALLEST <= count <= tables.LARGEST]
    if not possible:
        raise BadRequest(_("This game is not for tables of three to six."))
    target = _within(shape.get("target", min(4, possible[-1])), possible[0], possible[-1])
    return {
        "target": target,
        "smallest": max(possible[0], target - 1),
        "largest": min(possible[-1], target + 1),
        "rounds": _within(shape.get("rounds") or 3, 1, 9),
    }


def _none(_shape: dict[str, Any], _seats: range) -> dict[str, Any]:
    return {}


_DEFAULTS: Final = {
    Format.ROUND_ROBIN: _round_robin,
    Format.KNOCK_OUT: _knock_out,
    Format.SWISS: _swiss,
    Format.CUP: _cup,
    Format.TABLES: _tables,
    Format.MINI_CUP: _none,
    Format.LEAGUE: _none,
    Format.INFINITY: _none,
}


def _within(value: Any, low: int, high: int) -> int:
    if not low <= int(value) <= high:
        raise BadRequest(_("Choose a number from %(low)d to %(high)d.") % {"low": low, "high": high})
    return int(value)


def fewest(event: Tournament) -> int:
    """How many must have entered for a start."""
    if event.format == Format.TABLES:
        return int(event.shape["smallest"])
    return LIMITS[Format(event.format)][0]


def swiss_rounds(asked: int | None, entrants: int) -> int:
    """Rounds of a Swiss of so many: as asked, or as usual, but never so many that two must meet twice."""
    return min(asked or pairing.usual_rounds(entrants), pairing.most_rounds(entrants))


def usual_name(format: str, game: str) -> str:
    """A name for an event whose maker gave none."""
    return f"{queries.game_name(game)}: {Format(format).label}"[:80]


@dataclass(frozen=True, slots=True)
class Estimate:
    """How many matches an event has and how many days it should take: half the limit of each round."""

    matches: int
    days: int


def estimate(format: str, shape: dict[str, Any], players: int, pace: str) -> Estimate:
    """What to expect of an event with so many players."""
    days = days_of_round(pace) // 2
    if format in (Format.ROUND_ROBIN, Format.MINI_CUP, Format.LEAGUE):
        cycles = int(shape.get("cycles", 1))
        rounds = (players - 1 + players % 2) * cycles if shape.get("serial") else 1
        return Estimate(cycles * players * (players - 1) // 2, days * rounds)
    if format == Format.SWISS:
        rounds = swiss_rounds(shape.get("rounds"), max(players, pairing.FEWEST_ENTRANTS))
        return Estimate(players // 2 * rounds, days * rounds)
    if format == Format.TABLES:
        return Estimate(-(-players // int(shape["target"])) * int(shape["rounds"]), days * int(shape["rounds"]))
    rounds = (brackets.bracket_size(max(2, players)) - 1).bit_length()
    if format == Format.CUP:
        groups = -(-players // int(shape["limit"]))
        size = -(-players // groups)
        last = (brackets.bracket_size(max(2, 2 * groups)) - 1).bit_length() if groups > 1 else 0
        return Estimate(groups * size * (size - 1) // 2 + max(0, 2 * groups - 1), days * (1 + last))
    return Estimate((players - 1) * int(shape.get("games", 1)), days * rounds)
