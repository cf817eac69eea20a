"""Small rows that pages, mails and the API are made from, and how they are read together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from oceans import ledger
from oceans.models import Match, Seat, ServiceClock
from oceans.rules.engine import MatchState, is_unnamed
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


# All pages of matches ask this. The ORM would take longer to put it together than the database takes to answer.
SEATS: Final = """
    SELECT seat.*, person.username, person.is_bot, person.is_guest, person.closed_at,
        clock.service_s, clock.last_wall, clock.down_since, clock.hold_s, clock.paused
    FROM oceans_seat seat
    JOIN accounts_user person ON person.id = seat.user_id
    LEFT JOIN oceans_serviceclock clock ON clock.id = 1
    WHERE seat.match_id IN ({})
    ORDER BY seat.match_id, seat.number
"""


def person_of(user_id: int, username: str, is_bot: bool, is_guest: bool, closed_at: datetime | None) -> Person:
    """Who the columns of a user describe."""
    name = str(_("deleted player")) if closed_at else username
    return Person(user_id, name, bool(is_bot), bool(is_guest), closed_at is not None)


def seats_by_match(match_ids: Iterable[int], now: datetime) -> dict[int, list[SeatRow]]:
    """The seats of matches in order of their numbers. One query."""
    numbers = list(match_ids)
    found = list(Seat.objects.raw(SEATS.format(", ".join(["%s"] * len(numbers))), numbers)) if numbers else []
    service_s = _service_s(found[0], now) if found else 0
    seats: dict[int, list[SeatRow]] = {}
    for seat in found:
        left_s = None if seat.deadline_s is None else seat.deadline_s - service_s
        row = SeatRow(
            number=seat.number,
            person=person_of(seat.user_id, seat.username, seat.is_bot, seat.is_guest, seat.closed_at),
            is_due=seat.is_due,
            has_moved=seat.has_moved,
            score=seat.score,
            place=seat.place,
            bank_s=seat.bank_s,
            deadline_at=None if left_s is None else now + timedelta(seconds=left_s),
            turn_since_at=seat.turn_since_at,
            seen_number=seat.seen_number,
            ended_at=seat.ended_at,
        )
        seats.setdefault(seat.match_id, []).append(row)
    return seats


def _service_s(seat: Seat, now: datetime) -> int:
    """Service time by the columns of the clock beside a seat, which are None where it has not begun to tick."""
    if seat.last_wall is None:
        return ServiceClock(last_wall=now).at(now)
    clock = ServiceClock(
        service_s=seat.service_s,
        # SQLite knows no zones: what is no column of the seat comes as UTC without saying so.
        last_wall=seat.last_wall.replace(tzinfo=seat.last_wall.tzinfo or UTC),
        down_since=seat.down_since,
        hold_s=seat.hold_s,
        paused=seat.paused,
    )
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
        MatchRow(
            row.match,
            concealed(row.seats, row.viewer, states[row.id]),
            row.viewer,
            look(states[row.id], row.viewer),
        )
        if row.id in states
        else MatchRow(row.match, row.seats, row.viewer)
        for row in rows
    ]


def concealed(seats: Iterable[SeatRow], viewer: int | None, now: MatchState) -> tuple[SeatRow, ...]:
    """The seats without what would tell a viewer who else is asked or has answered, where the game does not say whom it
    waits for: clocks that run or stand. `now` is the match as it is now, whatever moment is shown."""
    if not is_unnamed(now):
        return tuple(seats)
    return tuple(
        seat if seat.number == viewer else replace(seat, is_due=False, deadline_at=None, bank_s=0, turn_since_at=None)
        for seat in seats
    )
