"""Lists of matches: what waits for a player, what runs, what has ended."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.numbers import whole
from accounts.queries import player_named
from oceans.models import Match, Seat
from oceans.queries.rows import MatchRow, rows_of, with_views

LIST_MOST = 200
ENDED_MOST = 20
PAGE = 50


def waiting_count(user: User) -> int:
    """In how many matches the user must answer. One query."""
    return Seat.objects.filter(user=user, is_due=True).count()


def waiting_rows(user: User, now: datetime | None = None, limit: int = LIST_MOST) -> list[MatchRow]:
    """The matches in which the user must answer, without views, in the order of `waiting_for`. Two queries."""
    return _rows(list(_waiting(user).select_related("match")[:limit]), now)


def waiting_for(user: User, now: datetime | None = None, limit: int = LIST_MOST) -> list[MatchRow]:
    """The matches in which the user must answer, with views, least time left first, those without a clock last.

    Two queries, and up to three more for matches this process has not seen lately.
    """
    return with_views(waiting_rows(user, now, limit))


def next_waiting(user: User, after: int | None = None, skipped: Collection[int] = ()) -> int | None:
    """The id of the match to play next: least time left first, from the one after `after` on and around; those in
    `skipped` never. None if there is none. One query."""
    waiting = list(_waiting(user).values_list("match_id", flat=True)[:LIST_MOST])
    if after in waiting:
        at = waiting.index(after)
        waiting = [*waiting[at + 1 :], *waiting[:at]]
    return next((match_id for match_id in waiting if match_id not in skipped), None)


@dataclass(frozen=True, slots=True)
class Dashboard:
    """A player's matches: those that wait for him with the least time left first, those that wait for others, or are
    stopped for repair, with the longest wait last, and those that have ended without his having looked, latest first.

    `own.seen_number` of an ended one is the entry from which to show it.
    """

    mine: list[MatchRow]
    theirs: list[MatchRow]
    ended: list[MatchRow]


def dashboard_of(user: User, now: datetime | None = None) -> Dashboard:
    """The matches of a player's own page; running ones have views.

    Two queries, and up to three more for matches this process has not seen lately.
    """
    seats = Seat.objects.filter(Q(ended_at=None) | Q(end_seen_at=None), user=user).select_related("match")
    order = (F("ended_at").desc(nulls_first=True), "-is_due", F("deadline_s").asc(nulls_last=True), "-match__moved_at")
    rows = _rows(list(seats.order_by(*order, "id")[: 2 * LIST_MOST]), now)
    ended = [row for row in rows if row.own is not None and row.own.ended_at is not None]
    running = with_views(row for row in rows if row.match.is_running)
    stopped = [row for row in rows if row.match.status == Match.Status.PARKED]
    mine = [row for row in running if row.own is not None and row.own.is_due]
    return Dashboard(
        mine=mine,
        theirs=[row for row in running if row.own is not None and not row.own.is_due] + stopped,
        ended=ended[:ENDED_MOST],
    )


def running_now(limit: int = 8, now: datetime | None = None) -> list[MatchRow]:
    """Matches being played now that everybody may watch, latest move first. Two queries."""
    matches = Match.objects.filter(status=Match.Status.RUNNING, is_private=False).order_by("-moved_at", "-id")
    return rows_of(matches[:limit], {}, now or timezone.now())


def running_of(user: User, reader_id: int | None, now: datetime | None = None, limit: int = 8) -> list[MatchRow]:
    """What a player plays now, latest move first: public matches, and those in which the reader plays. Two queries."""
    shown = Q(match__is_private=False)
    if reader_id is not None:
        shown |= Exists(Seat.objects.filter(match=OuterRef("match"), user=reader_id))
    seats = Seat.objects.filter(shown, user=user, ended_at=None, match__status=Match.Status.RUNNING)
    found = seats.select_related("match").order_by("-match__moved_at", "-match")[:limit]
    return rows_of([seat.match for seat in found], {}, now or timezone.now())


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Ended matches of a player, latest first, and where the next page begins (None at the end)."""

    rows: list[MatchRow]
    next: str | None


def history_of(
    user: User,
    *,
    game: str = "",
    opponent: str = "",
    result: str = "",
    event: str = "",
    before: str = "",
    now: datetime | None = None,
    limit: int = PAGE,
    with_private: bool = True,
) -> HistoryPage:
    """The user's ended matches by end time, for strangers without the private ones. `opponent` is a name, present or
    former; `result` is won, lost, drawn or cancelled; `event` is a part of what the match is called in its event;
    `before` is the `next` of the page before, so pages stay whole while new matches end. Two queries, and two more at
    most to find the opponent."""
    seats = Seat.objects.filter(user=user, ended_at__isnull=False, match__started_at__isnull=False)
    if not with_private:
        seats = seats.filter(match__is_private=False)
    if game:
        seats = seats.filter(match__game=game)
    if event:
        seats = seats.filter(match__label__icontains=event)
    if opponent:
        other = player_named(opponent)
        seats = seats.filter(match__seats__user=other).exclude(user=other) if other else seats.none()
    if result:
        seats = _with_result(seats, result)
    if (key := _read_key(before)) is not None:
        ended_at, match_id = key
        seats = seats.filter(Q(ended_at__lt=ended_at) | Q(ended_at=ended_at, match__lt=match_id))
    found = list(seats.select_related("match").order_by("-ended_at", "-match")[: limit + 1])
    further = None
    if len(found) > limit:
        found = found[:limit]
        further = _written_key(found[-1])
    return HistoryPage(_rows(found, now), further)


def _waiting(user: User) -> QuerySet[Seat]:
    return Seat.objects.filter(user=user, is_due=True).order_by(F("deadline_s").asc(nulls_last=True), "id")


def _rows(seats: Sequence[Seat], now: datetime | None) -> list[MatchRow]:
    viewers = {seat.match_id: seat.number for seat in seats}
    return rows_of([seat.match for seat in seats], viewers, now or timezone.now())


def _with_result(seats: QuerySet[Seat], result: str) -> QuerySet[Seat]:
    if result == "cancelled":
        return seats.filter(match__status=Match.Status.CANCELLED)
    finished = seats.filter(match__status=Match.Status.FINISHED)
    if result == "lost":
        return finished.filter(place__gt=1)
    shared = Exists(Seat.objects.filter(match=OuterRef("match"), place=1).exclude(pk=OuterRef("pk")))
    if result == "won":
        return finished.filter(~shared, place=1)
    return finished.filter(shared, place=1) if result == "drawn" else seats


def _written_key(seat: Seat) -> str:
    assert seat.ended_at is not None
    return f"{seat.ended_at.isoformat()}_{seat.match_id}"


def _read_key(text: str) -> tuple[datetime, int] | None:
    ended, _, written = text.rpartition("_")
    match_id = whole(written, 18)
    try:
        return None if match_id is None else (datetime.fromisoformat(ended).astimezone(UTC), match_id)
    except (ValueError, OverflowError):
        return None
