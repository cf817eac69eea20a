"""What each format asks and allows, who may make events, and how long one should take."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from oceans import queries
from oceans.refusals import BadRequest
from tournaments import brackets, cups, leagues, mini_cups, pairing, tables
from tournaments.models import Ending, Tournament

Format = Tournament.Format
State = Tournament.State

PACES: Final = ("classic", "steady", "brisk", "daily", "days-1", "days-2", "days-3", "days-5", "days-7")
"""Paces with a clock, fit for people who are not here together."""
TABLE_ROUNDS: Final = (2, 8)
MEMBERS_OFFER: Final = (Format.ROUND_ROBIN, Format.KNOCK_OUT, Format.SWISS, Format.CUP, Format.TABLES)
LIMITS: Final = {
    Format.ROUND_ROBIN: (3, 16),
    Format.KNOCK_OUT: (brackets.FEWEST, brackets.MOST),
    Format.SWISS: (pairing.FEWEST_ENTRANTS, None),
    Format.CUP: (cups.FEWEST, None),
    Format.TABLES: (tables.SMALLEST, None),
    Format.MINI_CUP: (mini_cups.SMALLEST, mini_cups.LARGEST),
    Format.LEAGUE: (leagues.FEWEST, None),
    Format.INFINITY: (1, None),
}
"""Fewest and most entrants."""
MEMBERS_MOST: Final = 64
MEMBERS_MOST_SWISS: Final = pairing.MOST_ENTRANTS
"""The most entrants in events of members; the site's own and those of staff have the limits of the format only."""
FARTHEST: Final = timedelta(days=731)
MAKER_AGE: Final = timedelta(days=30)
MAKER_FINISHED: Final = 20
MAKER_OPEN, MAKER_RUNNING, MAKER_DRAFTS = 1, 3, 3


def most_of(format: str, by: User | None) -> int | None:
    """The most entrants somebody may allow in an event of a format; None is no limit."""
    limit = LIMITS[Format(format)][1]
    if by is None or by.is_staff or format not in MEMBERS_OFFER:
        return limit
    most = MEMBERS_MOST_SWISS if format == Format.SWISS else MEMBERS_MOST
    return most if limit is None else min(most, limit)


def measured_by(event: Tournament, by: User) -> User | None:
    """Whose limits hold for an event that somebody changes: those of its maker, or of staff."""
    return by if by.is_staff else event.made_by


def why_not_create(user: User, now: datetime, *, is_draft: bool = False) -> str:
    """What keeps somebody from making an event, or a draft of one; blank if nothing. Staff may always."""
    if user.is_staff:
        return ""
    if user.is_guest or not user.email:
        return _("Sign up first: tournaments are made by players with an account.")
    if now - user.date_joined < MAKER_AGE:
        day = (user.date_joined + MAKER_AGE).strftime("%Y-%m-%d")
        return _("You may make tournaments from %(day)s, when your account is 30 days old.") % {"day": day}
    missing = MAKER_FINISHED - Ending.objects.filter(user=user, kind="finished").count()
    if missing > 0:
        words = ngettext(
            "Finish one more game first, then you may make tournaments.",
            "Finish %(n)d more games first, then you may make tournaments.",
            missing,
        )
        return words % {"n": missing}
    if not is_draft:
        return why_not_open(user)
    if Tournament.objects.filter(made_by=user, state=State.DRAFT, is_announced=False).count() >= MAKER_DRAFTS:
        return _("You have three drafts: open one for entries, or throw one away first.")
    return ""


def why_not_open(user: User, apart_from: int = 0) -> str:
    """What keeps somebody from opening one of his events for entries, or announcing that it opens; blank if nothing.
    What is announced counts as open. Staff may always."""
    if user.is_staff:
        return ""
    own = Tournament.objects.filter(made_by=user).exclude(pk=apart_from)
    if own.filter(Q(state=State.OPEN) | Q(state=State.DRAFT, is_announced=True)).count() >= MAKER_OPEN:
        return _("You have a tournament open for entries, or about to open: let it start before you open another one.")
    if own.filter(state=State.RUNNING).count() >= MAKER_RUNNING:
        return _("You run three tournaments already: let one end first.")
    return ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks of an event, as far as it must fit together."""

    format: str
    game: str
    shape: dict[str, Any]
    most: int | None
    starts: str
    starts_at: datetime | None
    conditions: dict[str, Any]
    opens_at: datetime | None = None
    closes_at: datetime | None = None


def checked(wish: Wish, by: User | None, now: datetime) -> dict[str, Any]:
    """The shape with what is usual for what was not chosen. Raises BadRequest with a sentence if it cannot be."""
    seats = next((one.seats for one in queries.games() if one.slug == wish.game), None)
    if seats is None:
        raise BadRequest(_("Choose one of the games."))
    most, limit = wish.most, most_of(wish.format, by)
    fewest = LIMITS[Format(wish.format)][0]
    if most is None and limit is not None and wish.starts != Tournament.Starts.FULL and by is not None:
        raise BadRequest(_("Say how many players may enter at most: up to %(n)d.") % {"n": limit})
    if most is not None and (most < fewest or (limit is not None and most > limit)):
        raise BadRequest(
            _("This shape is for %(fewest)d to %(most)s players.")
            % {"fewest": fewest, "most": limit or _("any number of")}
        )
    if wish.starts == Tournament.Starts.FULL and most is None and wish.format not in (Format.INFINITY, Format.LEAGUE):
        raise BadRequest(_("Say how many players it takes to be full, or set a date."))
    _check_dates(wish, now)
    low, high = wish.conditions.get("min_rating"), wish.conditions.get("max_rating")
    if low is not None and high is not None and low > high:
        raise BadRequest(_("Nobody has a rating from %(low)d and up to %(high)d.") % {"low": low, "high": high})
    needs_two = wish.format != Format.TABLES and not (wish.format == Format.MINI_CUP and most in seats)
    if needs_two and 2 not in seats:
        raise BadRequest(_("This shape needs a game for two; for this game choose tables."))
    return _DEFAULTS[Format(wish.format)](wish.shape, seats)


def _check_dates(wish: Wish, now: datetime) -> None:
    """Raise BadRequest unless entries open before they close, and close before the start, and all that in the time that
    can be overlooked: a date beyond is a slip of the pen."""
    if any(date is not None and date > now + FARTHEST for date in (wish.opens_at, wish.closes_at, wish.starts_at)):
        raise BadRequest(_("A date lies more than two years ahead: look at its year."))
    is_dated = wish.starts == Tournament.Starts.DATE and wish.format != Format.LEAGUE
    if is_dated and (wish.starts_at is None or wish.starts_at <= now):
        raise BadRequest(_("Set a date in the future."))
    if wish.closes_at is not None and wish.format not in MEMBERS_OFFER:
        raise BadRequest(_("Entries of this shape close when it starts: leave the time out."))
    if wish.opens_at is not None and wish.opens_at <= now:
        raise BadRequest(_("Entries open in the future, or at once: leave the time out for that."))
    if wish.closes_at is not None and wish.closes_at <= now:
        raise BadRequest(_("Entries close in the future, or at the start: leave the time out for that."))
    if wish.closes_at is not None and wish.starts_at is not None and wish.closes_at > wish.starts_at:
        raise BadRequest(_("Entries close before the start: set an earlier time."))
    end = wish.closes_at or wish.starts_at
    if wish.opens_at is not None and end is not None and wish.opens_at >= end:
        raise BadRequest(_("Entries open before they close: set an earlier time."))


def _round_robin(shape: dict[str, Any], _seats: range) -> dict[str, Any]:
    found: dict[str, Any] = {
        "cycles": _within(shape.get("cycles", 1), 1, 2),
        "serial": bool(shape.get("serial")),
    }
    if shape.get("at_a_time"):
        if found["serial"]:
            raise BadRequest(_("Choose one round at a time, or so many games at a time, not both."))
        found["at_a_time"] = _within(shape["at_a_time"], 1, 15)
    if shape.get("numbers") == "lots":
        found["numbers"] = "lots"
    return found


def _knock_out(shape: dict[str, Any], _seats: range) -> dict[str, Any]:
    return {
        "games": _best_of(shape),
        "third_place": bool(shape.get("third_place")),
        "in_turn": bool(shape.get("in_turn")),
    }


def _best_of(shape: dict[str, Any]) -> int:
    games = int(shape.get("games") or 1)
    if games not in (1, 3, 5):
        raise BadRequest(_("A match has 1, 3 or 5 games."))
    return games


def _swiss(shape: dict[str, Any], _seats: range) -> dict[str, Any]:
    rounds = shape.get("rounds")
    return {"rounds": _within(rounds, 1, pairing.MOST_ENTRANTS // 2) if rounds else None}


def _cup(shape: dict[str, Any], seats: range) -> dict[str, Any]:
    limit = _within(shape.get("limit", 6), cups.SMALLEST_LIMIT, cups.LARGEST_LIMIT)
    knock_out = _knock_out(shape, seats)
    return {**knock_out, "limit": limit, "final_games": max(3, knock_out["games"])}


def _tables(shape: dict[str, Any], seats: range) -> dict[str, Any]:
    possible = [count for count in seats if tables.SMALLEST <= count <= tables.LARGEST]
    if not possible:
        raise BadRequest(_("This game is not for tables of three to six."))
    scale: list[int] = list(shape.get("scale") or [])
    target = _within(len(scale) or shape.get("target") or min(4, possible[-1]), possible[0], possible[-1])
    found: dict[str, Any] = {
        "target": target,
        "smallest": target if scale else _within(shape.get("smallest") or possible[0], possible[0], target),
        "largest": target if scale else _within(shape.get("largest") or possible[-1], target, possible[-1]),
        "rounds": _within(shape.get("rounds") or 4, *TABLE_ROUNDS),
        "final_table": bool(shape.get("final_table")),
    }
    if scale:
        if scale != sorted(scale, reverse=True) or scale[-1] < 0:
            raise BadRequest(_("Points by place go down from the first to the last, such as 6-3-1-0."))
        found["scale"] = scale
    return found


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


def why_not_start(event: Tournament, entrants: int) -> str:
    """What keeps an event from starting with so many; blank if nothing."""
    fewest = LIMITS[Format(event.format)][0]
    if entrants < fewest:
        return _("It takes at least %(n)d players to start.") % {"n": fewest}
    if event.format == Format.MINI_CUP and entrants != event.most:
        return _("A mini cup starts when it is full.")
    if event.format == Format.TABLES and tables.table_sizes(entrants, tables.Sizing.of(event.shape)) is None:
        sizes = {"low": event.shape["smallest"], "high": event.shape["largest"]}
        return _("So many players cannot be divided into tables of %(low)d to %(high)d.") % sizes
    return ""


def settled(event: Tournament, entrants: int) -> dict[str, Any]:
    """The shape at the start, when it is known how many play: the rounds of a Swiss."""
    if event.format != Format.SWISS:
        return dict(event.shape)
    in_section = entrants // -(-entrants // pairing.MOST_ENTRANTS)
    return {**event.shape, "rounds": swiss_rounds(event.shape.get("rounds"), in_section)}


def swiss_rounds(asked: int | None, entrants: int) -> int:
    """Rounds of a Swiss of so many: as asked, or as usual, but never so many that two must meet twice."""
    return min(asked or pairing.usual_rounds(entrants), pairing.most_rounds(entrants))


def may_be_rated(access: str, by: User | None) -> bool:
    """Whether the games of an event may be rated: private ones only if staff say so."""
    return access == Tournament.Access.ANYONE or (by is not None and by.is_staff)


def usual_name(format: str, game: str) -> str:
    """A name for an event whose maker gave none."""
    return f"{queries.game_name(game)}: {Format(format).label}"[:80]
