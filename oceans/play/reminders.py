"""The final reminder of a turn, and what its fate means for the clock: nobody is timed out without notice, and nobody
waits for ever for a mail to go out (docs/correspondence.md, 6). And the daily list for those who want one.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Subquery

from accounts import news, notices, pacing
from accounts.models import Notice, TurnMail, User
from oceans import clock, ledger
from oceans.models import Match, Seat
from oceans.play import clocks
from oceans.play.transition import Position, locked
from oceans.refusals import NotRunning

BATCH: Final = 500
LISTS_APART: Final = timedelta(hours=12)
"""How long after a daily list, which may have come late, the next one comes at the earliest."""


def remind(now: datetime, service_s: int) -> int:
    """Owe every final reminder that is due, once for each turn; return how many clocks that was."""
    due = Seat.objects.filter(remind_s__lte=service_s).order_by("remind_s")
    matches = dict.fromkeys(due.values_list("match_id", flat=True)[:BATCH])
    return sum(_remind(match_id, now) for match_id in matches)


def note_fate(notice: Notice) -> None:
    """A final reminder has ended, whether it went out or not: from now on the seat has notice. Called in the
    transaction that marks it."""
    if notice.ended_at is None:
        return
    try:
        with locked(notice.context["match"], notice.ended_at) as here:
            seat = here.seats[notice.context["seat"]]
            if here.match.is_running and seat.deadline_s == notice.context["deadline_s"]:
                _note(here, seat)
                _store(here, seat)
    except NotRunning:
        return


def owe_digests(now: datetime) -> int:
    """Owe the daily list to everybody who wants one and for whom games wait; return how many lists were owed."""
    listed = Notice.objects.filter(user=OuterRef("pk"), kind=news.Kind.DIGEST, tried_at__isnull=False)
    owed = Notice.objects.filter(
        user=OuterRef("user"), kind=news.Kind.DIGEST, state__in=(Notice.State.PENDING, Notice.State.CLAIMED)
    )
    waiting = Seat.objects.filter(is_due=True, user__turn_mail=TurnMail.DAILY, user__is_guest=False)
    readers = User.objects.filter(pk__in=waiting.exclude(Exists(owed)).values("user"))
    readers = readers.annotate(listed_at=Subquery(listed.order_by("-tried_at").values("tried_at")[:1]))
    for reader in readers:
        earliest = max(now, reader.listed_at + LISTS_APART) if reader.listed_at else now
        due_at = pacing.next_digest(earliest, reader.zone, reader.digest_hour)
        notices.notify(
            user_id=reader.pk,
            kind=news.Kind.DIGEST,
            key=f"{due_at.astimezone(reader.zone):%Y-%m-%d}",
            context={},
            now=now,
            due_at=due_at,
        )
    return len(readers)


def _remind(match_id: int, now: datetime) -> int:
    try:
        with locked(match_id, now, skip_locked=True) as here:
            late = [seat for seat in here.seats if seat.remind_s is not None and seat.remind_s <= here.service_s]
            for seat in late:
                clocks.put(seat, clock.reminded(clocks.clock_of(seat)))
                if here.match.is_running:
                    _owe(here, seat)
                _store(here, seat)
            return len(late)
    except NotRunning:
        return 0


def _owe(here: Position, seat: Seat) -> None:
    if seat.is_bot or not seat.email:
        # Whom no mail can reach sees the clock on the page alone, and that is the notice.
        _note(here, seat)
        return
    notices.notify(
        user_id=seat.user_id,
        kind=news.Kind.RUNNING_OUT,
        key=f"m{here.match.pk}:turn{here.match.turn}:{seat.deadline_s}",
        context={
            "match": here.match.pk,
            "seat": seat.number,
            "turn": here.match.turn,
            "deadline_s": seat.deadline_s,
        },
        now=here.now,
    )


def _note(here: Position, seat: Seat) -> None:
    clocks.put(seat, clock.noticed(clocks.clock_of(seat), here.now_s))


def _store(here: Position, seat: Seat) -> None:
    ledger.write_seat(seat)
    if here.match.status == Match.Status.RUNNING:
        clocks.note_earliest(here)
        here.match.save(update_fields=["due_s"])
