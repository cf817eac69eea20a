"""What people are told about events they are in: rows of the outbox, one for each piece of news and reader."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from accounts.models import User
from accounts.news import Kind
from accounts.notices import notify_all
from tournaments.models import Entrant, Round, Tournament
from tournaments.plans import BYE_HOW, Bout

BEFORE_START: Final = ((timedelta(days=1), "1d"), (timedelta(days=3), "3d"))
UNSEEN: Final = timedelta(days=14)
"""Who has not been seen for so long does not start."""
WARNED_AFTER: Final = timedelta(days=10)


def started(event: Tournament, now: datetime) -> None:
    """It has begun."""
    _tell(event, Kind.ROUND_OPENS, "started", now, _readers(event))


def paired(event: Tournament, bouts: Iterable[Bout], now: datetime) -> None:
    """A further round has been paired: to those who play in it, or have a bye. Where games follow on one another one by
    one, the news of each turn is enough."""
    if event.shape.get("at_a_time"):
        return
    playing: dict[int, set[int]] = {}
    for bout in bouts:
        if bout.round > 1 and (bout.is_open or bout.how == BYE_HOW):
            playing.setdefault(bout.round, set()).update(bout.players)
    readers = set(_readers(event)) if playing else set()
    for number, players in playing.items():
        _tell(event, Kind.ROUND_OPENS, f"round{number}", now, readers & players)


def late(event: Tournament, round_: Round, now: datetime) -> None:
    """A round takes too long: to those who still play in it, and the director."""
    players = {player for row in round_.pairings.filter(how="open") for player in row.players}
    readers = {*_readers(event)} & players
    _tell(event, Kind.ROUND_OPENS, f"late{round_.number}", now, readers | {*_directors(event)})


def finished(event: Tournament, now: datetime) -> None:
    """The places are known."""
    _tell(event, Kind.TITLE, "finished", now, _readers(event))


def ticket(event: Tournament, user_id: int, now: datetime) -> None:
    """A ruling after the end has made somebody the winner of a ticket."""
    _tell(event, Kind.TITLE, "ticket", now, {user_id}.intersection(_readers(event)))


def put_off(event: Tournament, until: datetime, now: datetime) -> None:
    """Too few have entered by the date that was set: to entrants and directors."""
    _tell(event, Kind.EVENT_STARTS, "put-off", now, {*_readers(event), *_directors(event)}, f"put-off:{until:%Y%m%d}")


def cancelled(event: Tournament, by: User | None, now: datetime) -> None:
    """It will not take place, or not go on: to entrants and directors, but for who called it off himself. Of a draft
    that is thrown away nobody hears."""
    if event.is_announced:
        readers = {*_readers(event), *_directors(event)} - {by.pk if by else 0}
        _tell(event, Kind.EVENT_STARTS, "cancelled", now, readers)


def announce(now: datetime) -> int:
    """Say three days and one day before that an event begins; return for how many events that was due. An event that
    is put off is announced again, one that is stopped when it goes on."""
    until = now + BEFORE_START[-1][0]
    coming = Tournament.objects.filter(
        state=Tournament.State.OPEN, is_paused=False, starts_at__gt=now, starts_at__lte=until
    )
    for event in coming:
        assert event.starts_at is not None
        what = next(name for span, name in BEFORE_START if event.starts_at <= now + span)
        _tell(event, Kind.EVENT_STARTS, what, now, _readers(event), f"{what}:{event.starts_at:%Y%m%d}")
    return len(coming)


def warn_sleepers(now: datetime) -> int:
    """Tell entrants who have not been seen for ten days that the event drops them after two weeks; return how many.

    Only where that is near: an event that starts when it is full, or within the days that are left.
    """
    absent = Entrant.objects.filter(
        state=Entrant.State.IN,
        tournament__state=Tournament.State.OPEN,
        user__last_seen_at__lte=now - WARNED_AFTER,
        user__last_seen_at__gt=now - UNSEEN,
        entered_at__lte=now - WARNED_AFTER,
        user__is_bot=False,
        user__closed_at=None,
    ).exclude(user__email="")
    soon = Q(tournament__starts=Tournament.Starts.FULL) | Q(tournament__starts_at__lte=now + (UNSEEN - WARNED_AFTER))
    found = list(absent.filter(soon).select_related("tournament", "user"))
    for one in found:
        key = f"unseen:{one.user.last_seen_at:%Y%m%d}"
        _tell(one.tournament, Kind.EVENT_STARTS, "unseen", now, [one.user_id], key)
    return len(found)


def _readers(event: Tournament) -> list[int]:
    entrants = event.entrants.filter(state=Entrant.State.IN, user__is_bot=False, user__closed_at=None)
    return list(entrants.exclude(user__email="").values_list("user", flat=True))


def _directors(event: Tournament) -> list[int]:
    return [*event.directors.values_list("pk", flat=True), *filter(None, [event.made_by_id])]


def _tell(
    event: Tournament, kind: str, what: str, now: datetime, readers: Iterable[int], key: str | None = None
) -> None:
    """Owe readers a piece of news, once for each `key`, which is `what` it is if none is given."""
    context = {"tournament": event.pk, "what": what}
    notify_all(user_ids=readers, kind=kind, key=f"t{event.pk}:{key or what}", context=context, now=now)
