"""Tickets of mini cups: the winner of one gets one, and a cup of the next level takes it (docs/competition.md, 11).

Called by the verbs of running.py and directing.py under the lock of the event concerned.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from oceans.refusals import Refusal
from tournaments.models import Entrant, Ticket, Tournament


@dataclass(frozen=True, slots=True)
class Held:
    """An unused ticket, and the event that takes it now, if one is open."""

    ticket: Ticket
    event: Tournament | None


def unused_by(user_id: int) -> list[Held]:
    """The tickets somebody has, the oldest first. Two queries, one if there are none."""
    tickets = list(Ticket.objects.filter(user=user_id, used_in=None).select_related("won_in").order_by("won_at", "pk"))
    if not tickets:
        return []
    series = {ticket.series for ticket in tickets}
    takers = Tournament.objects.filter(series__in=series, state=Tournament.State.OPEN).order_by("edition")
    by_series = {event.series: event for event in takers}
    return [Held(ticket, by_series.get(ticket.series)) for ticket in tickets]


def why_not(event: Tournament, user_id: int) -> str:
    """What keeps somebody without a ticket out; blank if he has one or none is asked."""
    if not event.by_ticket or Ticket.objects.filter(user=user_id, series=event.series, used_in=None).exists():
        return ""
    return _("This event takes a ticket: win a mini cup of the level below.")


def use(event: Tournament, user_id: int) -> None:
    """Enter with the oldest ticket that fits, if the event asks for one. Raises Refusal if there is none."""
    if not event.by_ticket:
        return
    held = Ticket.objects.select_for_update().filter(user=user_id, series=event.series, used_in=None)
    ticket = held.order_by("won_at", "pk").first()
    if ticket is None:
        raise Refusal(why_not(event, user_id))
    ticket.used_in = event
    ticket.save(update_fields=["used_in"])


def give_back(event: Tournament, users: Iterable[int]) -> None:
    """These people do not play here after all. A ticket that a ruling has taken back meanwhile is gone."""
    used = Ticket.objects.filter(used_in=event, user__in=users)
    used.filter(is_revoked=True).delete()
    used.update(used_in=None)


def settle(event: Tournament, entrants: Iterable[Entrant], now: datetime) -> int | None:
    """Give the winner of an event his ticket; return him if it is a new one. Where the first place is shared the
    smaller start number has it. Of whoever a ruling has moved down an unused ticket is taken back, and a used one will
    not be given back to him."""
    if not event.ticket_to:
        return None
    firsts = [one for one in entrants if one.place == 1 and one.state == Entrant.State.IN]
    winner = min(firsts, key=lambda one: one.seed or 0).user_id if firsts else None
    given = Ticket.objects.filter(won_in=event)
    others = given.filter(~Q(user=winner)) if winner else given
    others.filter(used_in=None).delete()
    others.update(is_revoked=True)
    if winner is None:
        return None
    given.filter(user=winner).update(is_revoked=False)
    fields = {"series": event.ticket_to, "won_at": now}
    _ticket, is_new = Ticket.objects.get_or_create(won_in=event, user_id=winner, defaults=fields)
    return winner if is_new else None
