"""What people are told about events they are in: rows of the outbox, one for each piece of news and reader."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from accounts.news import Kind
from accounts.notices import notify
from tournaments.models import Entrant, Round, Tournament

BEFORE_START: Final = ((timedelta(days=1), "1d"), (timedelta(days=3), "3d"))


def started(event: Tournament, now: datetime) -> None:
    """It has begun."""
    _tell(event, Kind.ROUND_OPENS, "started", now, _readers(event))


def late(event: Tournament, round_: Round, now: datetime) -> None:
    """A round takes too long: to those who still play in it, and the director."""
    players = {player for row in round_.pairings.filter(how="open") for player in row.players}
    readers = set(_readers(event)) & players
    if event.made_by_id:
        readers.add(event.made_by_id)
    _tell(event, Kind.ROUND_OPENS, f"late{round_.number}", now, readers)


def finished(event: Tournament, now: datetime) -> None:
    """The places are known."""
    _tell(event, Kind.TITLE, "finished", now, _readers(event))


def cancelled(event: Tournament, now: datetime) -> None:
    """It will not take place, or not go on."""
    _tell(event, Kind.EVENT_STARTS, "cancelled", now, _readers(event))


def announce(now: datetime) -> int:
    """Say three days and one day before that an event begins; return for how many events that was due."""
    coming = Tournament.objects.filter(
        state=Tournament.State.OPEN, starts_at__gt=now, starts_at__lte=now + BEFORE_START[-1][0]
    )
    for event in coming:
        assert event.starts_at is not None
        what = next(name for span, name in BEFORE_START if event.starts_at <= now + span)
        _tell(event, Kind.EVENT_STARTS, what, now, _readers(event))
    return len(coming)


def _readers(event: Tournament) -> list[int]:
    entrants = event.entrants.filter(state=Entrant.State.IN, user__is_bot=False, user__closed_at=None)
    return list(entrants.exclude(user__email="").values_list("user", flat=True))


def _tell(event: Tournament, kind: str, what: str, now: datetime, readers: Iterable[int]) -> None:
    for user_id in readers:
        context = {"tournament": event.pk, "what": what}
        notify(user_id=user_id, kind=kind, key=f"t{event.pk}:{what}", context=context, now=now)
