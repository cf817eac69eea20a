"""Small rows that pages, mails and the API are made from, and how they are read together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _

from oceans import ledger
from oceans.models import Match, Seat, ServiceClock
from oceans.rules.game import Game
from oceans.rules.games import by_slug
from oceans.rules.look import View, look


@dataclass(frozen=True, slots=True)
class Person:
    """Who somebody is, as everybody may know."""

    id: int
    name: str
    is_bot: bool = False
    is_guest: bool = False
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat, who sits there, and its clock. `deadline_at` is the moment a running clock stands for now."""

    number: int
    person: Person
    is_due: bool
    has_moved: bool
    score: int
    place: int | None
    bank_s: int
    deadline_at: datetime | None
    turn_since_at: datetime | None
    seen_number: int
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match with its seats, and what one viewer sees of it where that was asked for."""

    match: Match
    seats: tuple[SeatRow, ...]
    viewer: int | None = None
    view: View | None = None

    @property
    def id(self) -> int:
        return self.match.pk

    @property
    def game(self) -> Game:
        """The rules. Raises KeyError if they are retired."""
        return by_slug(self.match.game)

    @property
    def own(self) -> SeatRow | None:
        """The viewer's seat."""
        return None if self.viewer is None else self.seats[self.viewer]

    @property
    def others(self) -> tuple[SeatRow, ...]:
        """All seats but the viewer's."""
        return tuple(seat for seat in self.seats if seat.number != self.viewer)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.person.name for seat in self.seats)


SEAT_VALUES = (
    "match_id",
    "number",
    "is_due",
    "has_moved",
    "score",
    "place",
    "bank_s",
    "deadline_s",
    "turn_since_at",
    "seen_number",
    "ended_at",
    "user_id",
    "user__username",
    "user__is_bot",
    "user__is_guest",
    "user__closed_at",
)


def person_of(user_id: int, username: str, is_bot: bool, is_guest: bool, closed_at: datetime | None) -> Person:
    """Who the columns of a user describe."""
    name = str(_("deleted player")) if closed_at else username
    return Person(user_id, name, is_bot, is_guest, closed_at is not None)


CLOCK = {
    f"clock_{field.name}": RawSQL(f"(SELECT {field.column} FROM oceans_serviceclock)", [], output_field=field)
    for field in ServiceClock._meta.concrete_fields
    if field.name in ("service_s", "last_wall", "down_since", "hold_s", "paused")
}
"""The service clock beside every row, which costs less than a query of its own."""


def seats_by_match(match_ids: Iterable[int], now: datetime) -> dict[int, list[SeatRow]]:
    """The seats of matches in order of their numbers. One query."""
    rows = Seat.objects.filter(match__in=list(match_ids)).order_by("match", "number")
    found = list(rows.annotate(**CLOCK).values_list(*SEAT_VALUES, *CLOCK))
    service_s = _service_s(found[0][len(SEAT_VALUES) :], now) if found else 0
    seats: dict[int, list[SeatRow]] = {}
    for row in found:
        values, user = row[:11], row[11 : len(SEAT_VALUES)]
        match_id, number, is_due, has_moved, score, place, bank_s, deadline_s, since, seen, ended = values
        deadline_at = None if deadline_s is None else now + timedelta(seconds=deadline_s - service_s)
        seats.setdefault(match_id, []).append(
            SeatRow(number, person_of(*user), is_due, has_moved, score, place, bank_s, deadline_at, since, seen, ended)
        )
    return seats


def _service_s(columns: Sequence[Any], now: datetime) -> int:
    """Service time by the columns of CLOCK, which are None where the clock has not begun to tick."""
    values = {name.removeprefix("clock_"): value for name, value in zip(CLOCK, columns, strict=True)}
    clock = ServiceClock(last_wall=now) if values["last_wall"] is None else ServiceClock(**values)
    return clock.at(now)


def rows_of(matches: Iterable[Match], viewers: Mapping[int, int], now: datetime) -> list[MatchRow]:
    """Matches with their seats; `viewers` has the viewer's seat by match. One query."""
    matches = list(matches)
    seats = seats_by_match([match.pk for match in matches], now)
    return [MatchRow(match, tuple(seats.get(match.pk, ())), viewers.get(match.pk)) for match in matches]


def with_views(rows: Iterable[MatchRow]) -> list[MatchRow]:
    """The same rows with what each viewer sees. At most three queries, none if all states are at hand."""
    rows = list(rows)
    states = ledger.load_many([row.match for row in rows])
    return [
        MatchRow(row.match, row.seats, row.viewer, look(states[row.id], row.viewer) if row.id in states else None)
        for row in rows
    ]
