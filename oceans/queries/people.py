"""A player's page: what he has played, and facts about how reliably."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Final

from django.db.models import Count, F, Q
from django.utils import timezone

from accounts.models import User
from oceans.models import Match, Seat, TimeOut, Totals

REPLIES_OF: Final = 50
"""Over how many of the latest matches replies are counted."""
TIME_OUTS_SINCE: Final = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Profile:
    """Figures of one player. Reliability as facts: `reply` is the median time of a visit, `finished_percent` how many
    of the matches that ended did not end on his clock; both None without matches."""

    user_id: int
    running: int
    finished: int
    won: int
    drawn: int
    lost: int
    reply: timedelta | None
    finished_percent: int | None
    time_outs: int
    """In the last 90 days."""


def profile_of(user: User, now: datetime | None = None) -> Profile:
    """The figures of a player. Four queries, that cost the same however much he has played."""
    now = now or timezone.now()
    totals = Totals.objects.filter(user=user).first() or Totals(user=user)
    seats = Seat.objects.filter(user=user)
    replied = seats.filter(ended_at__isnull=False, reply_s__isnull=False).order_by("-ended_at", "-match")
    replies = [reply_s or 0 for reply_s in replied.values_list("reply_s", flat=True)[:REPLIES_OF]]
    late = user.time_outs.filter(judged_at__gt=now - TIME_OUTS_SINCE, outcome__in=TimeOut.OWN_FAULT)
    return Profile(
        user_id=user.pk,
        running=seats.filter(ended_at=None, match__status=Match.Status.RUNNING).count(),
        finished=totals.finished,
        won=totals.won,
        drawn=totals.drawn,
        lost=totals.lost,
        reply=timedelta(seconds=median(replies)) if replies else None,
        finished_percent=round(100 * (totals.ended - totals.late) / totals.ended) if totals.ended else None,
        time_outs=late.count(),
    )


@dataclass(frozen=True, slots=True)
class Between:
    """How two players have fared against each other in their games that are over, from the side of the first: whose
    place was better, at tables of any size."""

    won: int
    drawn: int
    lost: int


def between(user: User, other: User) -> Between:
    """The score of a player against another. One query."""
    seats = Seat.objects.filter(user=user, match__status=Match.Status.FINISHED, match__seats__user=other)
    theirs = F("match__seats__place")
    return Between(
        **seats.aggregate(
            won=Count("pk", filter=Q(place__lt=theirs)),
            drawn=Count("pk", filter=Q(place=theirs)),
            lost=Count("pk", filter=Q(place__gt=theirs)),
        )
    )
