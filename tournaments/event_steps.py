"""What happens inside an event, under its lock: people leave, it starts, goes on, is late and ends.

Called by the verbs of running.py and directing.py only; its matches are in event_matches.py, its end in event_ends.py.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count
from django.utils.translation import gettext as _

from accounts.models import User
from oceans.queries import Ended
from oceans.refusals import Refusal
from tournaments import editions, endless, entering, event_ends, event_matches, event_news, plans, shapes, tickets
from tournaments.dropouts import MISSES_ALLOWED
from tournaments.endings import reason_of
from tournaments.event_rows import Locked, add_bouts, value_of
from tournaments.models import Entrant, Pairing, Tournament

PUT_OFF: Final = timedelta(days=7)
LARGE: Final = 64
"""So many to be paired in a Swiss that it is left to the tick: nobody waits for it at a page."""
RATED_FROM: Final = 4
"""Entrants of a member's event below which it is not rated."""


def count(event: Tournament, by: int) -> None:
    """How many are in has changed by so many."""
    event.entered += by
    event.save(update_fields=["entered"])


def directs(event: Tournament, user: User) -> bool:
    """Whether somebody directs the event: who made it, whom he named, and staff. One query at most."""
    if user.is_staff or user.pk == event.made_by_id:
        return True
    return event.directors.filter(pk=user.pk).exists()


def require_director(event: Tournament, by: User) -> None:
    """Raise Refusal unless somebody directs the event."""
    if not directs(event, by):
        raise Refusal(_("Only the director of this event can do that."))


def withdraw(here: Locked, entrant: Entrant, state: str) -> None:
    """Take somebody out; what is open goes to the opponents."""
    was_in = entrant.state == Entrant.State.IN
    entrant.state, entrant.left_at = state, here.now
    entrant.save(update_fields=["state", "left_at"])
    if was_in:
        count(here.event, -1)
        if here.event.is_open:
            tickets.give_back(here.event, [entrant.user_id])
    open_ones = Pairing.objects.filter(round__tournament=here.event, how="open")
    if here.event.format == Tournament.Format.LEAGUE:
        open_ones = open_ones.filter(level=entrant.level, group=entrant.group)
    for pairing in [one for one in open_ones if entrant.user_id in one.players]:
        event_matches.forfeit(here, pairing, entrant.user_id)


def place_late(event: Tournament, entrant: Entrant) -> None:
    """A late entrant of a Swiss: the last start number, in the smallest section."""
    seeded = event.entrants.exclude(seed=None)
    entrant.late_in, entrant.seed = 2, seeded.count() + 1
    smallest = seeded.values("group").annotate(size=Count("pk")).order_by("size", "group").first()
    entrant.group = smallest["group"] if smallest else 1


def drop_sleepers(here: Locked) -> None:
    """Take out of an event that is open who has not been seen for two weeks or has closed his account."""
    for one in here.event.entrants.filter(state=Entrant.State.IN).select_related("user"):
        seen_at = max(one.user.last_seen_at or one.entered_at, one.entered_at)
        if one.user.closed_at or (seen_at <= here.now - event_news.UNSEEN and not one.user.is_bot):
            withdraw(here, one, Entrant.State.WITHDRAWN)


def next_look(event: Tournament, now: datetime) -> datetime | None:
    """When the tick must look at an event that has not begun: its entries open or close, or it starts."""
    if event.is_draft:
        return event.opens_at if event.is_announced else None
    closes_at = event.closes_at if event.closes_at is not None and event.closes_at > now else None
    return min(filter(None, (closes_at, event.starts_at)), default=None)


def open_entries(here: Locked) -> None:
    """A draft takes entries from now on."""
    event = here.event
    event.state, event.is_announced = Tournament.State.OPEN, True
    event.opens_at = min(event.opens_at or here.now, here.now)
    event.due_at = next_look(event, here.now)
    event.save(update_fields=["state", "is_announced", "opens_at", "due_at"])


def open_on_time(here: Locked) -> None:
    """Open entries whose announced time has come."""
    event = here.event
    if event.is_draft and event.is_announced and event.opens_at is not None and event.opens_at <= here.now:
        open_entries(here)


def start(here: Locked) -> None:
    """Close entries, draw the seed, give start numbers and groups, and pair. Too few who are fit: nothing but that
    those who are not have left."""
    event = here.event
    fit = _still_fit(here)
    if shapes.why_not_start(event, len(fit)):
        return
    event.state, event.started_at, event.due_at = Tournament.State.RUNNING, here.now, None
    event.seed = secrets.token_hex(16)
    if event.made_by is not None and not event.made_by.is_staff and len(fit) < RATED_FROM:
        event.rated = False
    event.shape = shapes.settled(event, len(fit))
    event.save(update_fields=["state", "started_at", "due_at", "seed", "rated", "shape"])
    ratings = entering.seeding_ratings(event.game, [one.user_id for one in fit], here.now)
    places = editions.layout(event, ratings)
    by_user = {one.user_id: one for one in fit}
    for seed, (user_id, level, group) in enumerate(places, start=1):
        one = by_user[user_id]
        one.seed, one.level, one.group, one.rating = seed, level, group, ratings[user_id]
    Entrant.objects.bulk_update(fit, ["seed", "level", "group", "rating"])
    event_news.started(event, here.now)
    editions.open_next_at_start(event, here.now)
    go_on(here)


def _still_fit(here: Locked) -> list[Entrant]:
    """The entrants at the start. Who sleeps, is gone, or does not meet the conditions any more is dropped; in a league
    who is barred for a while waits for the next edition."""
    drop_sleepers(here)
    entrants = list(here.event.entrants.filter(state=Entrant.State.IN).select_related("user"))
    against = entering.codes_at_start(here.event, [one.user for one in entrants], here.now)
    fit = []
    for one in entrants:
        codes = against[one.user_id]
        if not codes:
            fit.append(one)
        elif codes == ["banned"] and here.event.format == Tournament.Format.LEAGUE:
            withdraw(here, one, Entrant.State.WAITING)
        else:
            withdraw(here, one, Entrant.State.WITHDRAWN)
    return fit


def cancel(here: Locked, by: User | None = None) -> None:
    """Call the event off and say so; a director does, or nobody where too few have entered."""
    event = here.event
    event.state, event.finished_at, event.due_at = Tournament.State.CANCELLED, here.now, None
    event.save(update_fields=["state", "finished_at", "due_at"])
    tickets.give_back(event, event.entrants.filter(state=Entrant.State.IN).values_list("user", flat=True))
    event_news.cancelled(event, by, here.now)
    editions.open_next_at_end(event, here.now)


def go_on(here: Locked, *, by_tick: bool = False) -> None:
    """Pair what can be paired now unless that is paused, close rounds that are done, and finish. A large Swiss is left
    to the tick."""
    event = here.event
    if event.is_endless and not event.is_paused:
        endless.pair(here)
    elif not event.is_paused:
        _pair(here, by_tick)
    event.rounds.filter(closed_at=None, undecided=0).update(closed_at=here.now)


def _pair(here: Locked, by_tick: bool) -> None:
    """Pair what can be paired now, or finish, or leave that to the tick."""
    event = here.event
    if _may_pair(event) and event.format == Tournament.Format.SWISS and event.entered > LARGE and not by_tick:
        event.due_at = here.now
        event.save(update_fields=["due_at"])
        return
    while _may_pair(event):
        value = value_of(event)
        plan = plans.next_step(value)
        if plan.is_over:
            event_ends.finish(here)
            return
        _keep_bracket(event, value, plan)
        added = add_bouts(here, plan.bouts)
        if not added:
            break
        event_news.paired(event, added, here.now)
    if event.due_at is not None and by_tick:
        event.due_at = None
        event.save(update_fields=["due_at"])


def _may_pair(event: Tournament) -> bool:
    """Whether there can be something to pair: once all is decided; at any time in a bracket, and where players have
    only so many games at a time. That is asked of a counter, not of the pairings."""
    if not event.undecided or event.format == Tournament.Format.KNOCK_OUT or event.shape.get("at_a_time"):
        return True
    return event.format == Tournament.Format.CUP and plans.SEEDS in event.shape


def _keep_bracket(event: Tournament, value: plans.Event, plan: plans.Plan) -> None:
    """Who goes on from the groups of a cup is settled with the first match of its bracket."""
    if event.format == Tournament.Format.CUP and any(not bout.group for bout in plan.bouts):
        event.shape = {**event.shape, plans.SEEDS: plans.cup_seeds(value)}
        event.save(update_fields=["shape"])


def note_misses(here: Locked, ended: Ended) -> None:
    """Count a loss on time, or a seat that the clock has retired at a table, however the others ended; the third in an
    event is the last, and who never moved is not paired until he says so."""
    if reason_of(ended) == "cancelled":
        return
    for seat in ended.late:
        entrant = here.entrant(ended.users[seat])
        if entrant is None or entrant.state != Entrant.State.IN:
            continue
        entrant.misses += 1
        entrant.is_paused = entrant.is_paused or not ended.moved[seat]
        entrant.save(update_fields=["misses", "is_paused"])
        if entrant.misses > MISSES_ALLOWED:
            withdraw(here, entrant, Entrant.State.WITHDRAWN)


def see_to(here: Locked) -> None:
    """What time brings to an event: entries that open and close, its start, late rounds, closed ones, the next
    pairing."""
    event, now = here.event, here.now
    open_on_time(here)
    if event.is_open and not event.is_paused:
        _keep_dates(here)
    if not event.is_running:
        return
    for round_ in event.rounds.filter(closed_at=None, limit_at__lte=now):
        for pairing in round_.pairings.filter(how="open"):
            event_matches.close(here, pairing)
    for round_ in event.rounds.filter(closed_at=None, late_at__lte=now, is_late=False):
        round_.is_late = True
        round_.save(update_fields=["is_late"])
        event_news.late(event, round_, now)
    go_on(here, by_tick=True)


def _keep_dates(here: Locked) -> None:
    """Close entries, and start on the date set; what starts when it is full starts with who is there when entries
    close. With too few entrants they stay open for another week, once, in a league always."""
    event, now = here.event, here.now
    is_closed = event.closes_at is not None and event.closes_at <= now
    begins = event.starts_at is not None and event.starts_at <= now
    if begins or (is_closed and event.starts == Tournament.Starts.FULL):
        start(here)
        if event.is_open:
            _wait_longer(here)
    elif is_closed and shapes.why_not_start(event, event.entered):
        _wait_longer(here)
    elif is_closed:
        event.due_at = next_look(event, now)
        event.save(update_fields=["due_at"])


def _wait_longer(here: Locked) -> None:
    """Too few have entered: entries stay open for another week, or the event is called off if they did before."""
    event = here.event
    if event.format == Tournament.Format.LEAGUE:
        editions.set_date(event, here.now)
        return
    if event.was_put_off:
        cancel(here)
        return
    event.was_put_off = True
    if event.starts_at is not None:
        event.starts_at = max(event.starts_at, here.now) + PUT_OFF
    if event.closes_at is not None:
        event.closes_at = here.now + PUT_OFF
    event.due_at = next_look(event, here.now)
    event.save(update_fields=["was_put_off", "starts_at", "closes_at", "due_at"])
    event_news.put_off(event, event.due_at or here.now + PUT_OFF, here.now)
