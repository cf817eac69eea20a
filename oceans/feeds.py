"""What private feeds hold of play: games that wait, results and deadlines. Made from rows that everybody at the table
may see; no state of a game is ever read for them, so no card can be in them.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import feeds
from accounts.feeds import Item, Sheet
from accounts.models import Feed, User
from oceans import queries
from oceans.mail_games import against, moment, outcome, standing, why_cancelled
from oceans.models import Match
from oceans.queries import MatchRow
from oceans.site import absolute

WAITING: Final = 50
ENDED: Final = 20
"""So many games are in a feed at most."""


def register() -> None:
    """Say what feeds hold of play; once, from AppConfig.ready."""
    feeds.register(Feed.Kind.NEWS, news)
    feeds.register(Feed.Kind.DATES, deadlines)


def news(reader: User, now: datetime) -> Sheet:
    """Games that began to wait for the reader, and games that ended. Not those in whose visit he is already."""
    waiting = [row for row in queries.waiting_rows(reader, now, WAITING) if row.own and row.own.turn_since_at]
    ended = queries.history_of(reader, now=now, limit=ENDED).rows
    return Sheet(_stamp([*waiting, *ended]), partial(_write_news, waiting, ended))


def deadlines(reader: User, now: datetime) -> Sheet:
    """When the clocks of the reader run out."""
    rows = [row for row in queries.waiting_rows(reader, now, WAITING) if row.own and row.own.deadline_at]
    return Sheet(_stamp(rows), partial(_write_deadlines, rows))


def _stamp(rows: Sequence[MatchRow]) -> str:
    """Whatever of these rows shows in a feed."""
    return repr(
        [
            (row.id, row.match.status, _until(row), row.own and row.own.turn_since_at, row.names, _score(row))
            for row in rows
        ]
    )


def _score(row: MatchRow) -> list[tuple[int, int | None]]:
    return [(seat.score, seat.place) for seat in row.seats]


def _until(row: MatchRow) -> datetime | None:
    """The deadline to the minute, rounded down: seconds would move with every look at the clock."""
    at = row.own.deadline_at if row.own else None
    return at.replace(second=0, microsecond=0) if at else None


def _write_news(waiting: Sequence[MatchRow], ended: Sequence[MatchRow]) -> Iterator[Item]:
    for row in waiting:
        assert row.own is not None and row.own.turn_since_at is not None
        until = _until(row)
        yield Item(
            key=f"turn-{row.id}-{int(row.own.turn_since_at.timestamp())}",
            title=_("Your move %(against)s: %(game)s") % {"against": against(row), "game": row.game.name},
            at=row.own.turn_since_at,
            since=row.own.turn_since_at,
            link=_link(row),
            lines=tuple(
                filter(None, (standing(row), _("Time until %(moment)s.") % {"moment": moment(until)} if until else ""))
            ),
        )
    for row in ended:
        assert row.own is not None and row.own.ended_at is not None
        title, line = _ending(row)
        yield Item(
            key=f"end-{row.id}",
            title=f"{title}: {row.game.name}",
            at=row.own.ended_at,
            since=row.own.ended_at,
            link=_link(row),
            lines=(line,) if line else (),
        )


def _write_deadlines(rows: Sequence[MatchRow]) -> Iterator[Item]:
    for row in rows:
        until = _until(row)
        assert row.own is not None and until is not None
        yield Item(
            key=f"deadline-{row.id}",
            title=_("Time runs out %(against)s: %(game)s") % {"against": against(row), "game": row.game.name},
            at=until,
            since=row.own.turn_since_at or row.match.moved_at or row.match.created_at,
            link=_link(row),
            lines=(_("Your clock runs out then, or later if it stands in between."), standing(row)),
        )


def _ending(row: MatchRow) -> tuple[str, str]:
    """How a match ended, for a title and a line."""
    if row.match.status == Match.Status.CANCELLED:
        title = _("Cancelled %(against)s") % {"against": against(row)}
        return title, _("It was cancelled: %(how)s.") % {"how": why_cancelled(row.match)}
    if row.match.ended_by == Match.EndedBy.PLAYED:
        return outcome(row), ""
    return outcome(row), _("Ended by: %(how)s.") % {"how": row.match.get_ended_by_display()}


def _link(row: MatchRow) -> str:
    return absolute(reverse("match", args=[row.id]))
