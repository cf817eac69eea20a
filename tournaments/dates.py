"""What private calendars hold of events: when those that a player is in begin, and when their rounds opened."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import feeds
from accounts.feeds import Item, Sheet
from accounts.models import Feed, User
from oceans.site import absolute
from tournaments.models import Entrant, Round, Tournament


def register() -> None:
    """Say what feeds hold of events; once, from AppConfig.ready."""
    feeds.register(Feed.Kind.DATES, starts)


def starts(reader: User, _now: datetime) -> Sheet:
    """Starts of events that are open or running, and of the rounds of those that run. Two queries."""
    entered = Entrant.objects.filter(user=reader, state=Entrant.State.IN).values("tournament")
    coming = list(
        Tournament.objects.filter(pk__in=entered, state=Tournament.State.OPEN, starts_at__isnull=False, is_paused=False)
    )
    rounds = list(
        Round.objects.filter(tournament__in=entered, tournament__state=Tournament.State.RUNNING)
        .exclude(tournament__format=Tournament.Format.INFINITY)
        .select_related("tournament")
    )
    stamp = [(one.pk, one.name, one.starts_at) for one in coming]
    stamp += [(one.pk, one.tournament.name, one.opened_at) for one in rounds]
    return Sheet(repr(stamp), partial(_write, coming, rounds))


def _write(coming: Sequence[Tournament], rounds: Sequence[Round]) -> Iterator[Item]:
    for event in coming:
        assert event.starts_at is not None
        yield Item(
            key=f"event-{event.pk}",
            title=_("%(event)s begins") % {"event": event.name},
            at=event.starts_at,
            since=event.made_at,
            link=_link(event),
        )
    for one in rounds:
        names = {"event": one.tournament.name, "number": one.number}
        yield Item(
            key=f"event-{one.tournament_id}-round-{one.number}",
            title=_("Round %(number)d of %(event)s begins") % names,
            at=one.opened_at,
            since=one.opened_at,
            link=_link(one.tournament),
        )


def _link(event: Tournament) -> str:
    return absolute(reverse("tournament", args=[event.pk]))
