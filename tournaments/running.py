"""Every write of events, one function per verb.

    create, enter, withdraw, come_back, call_off what players do
    lead_on                                      what staff do by a command
    record_result                                what a finished match of an event does
    carry_on, sweep                              dates, deadlines, matches that are due

Each locks the event first. What must be paired is asked of plans.py, which answers the same again, and stored under
unique keys; matches are opened apart from that, few at a time, each under the lock. So a start killed half way is
completed by the tick, and two workers make each pairing once. What directors do is in directing.py.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.numbers import whole
from oceans import play
from oceans.play.talk import plain_line
from oceans.queries import Ended
from oceans.refusals import BadRequest, Refusal, TooMany
from tournaments import editions, endless, entering, event_matches, infinity, shapes, tickets
from tournaments import event_steps as steps
from tournaments.event_matches import BATCH, EVENT
from tournaments.event_rows import locked
from tournaments.models import Entrant, EventMatch, Invitation, PasswordTry, Round, Ruling, Ticket, Tournament

log = structlog.get_logger("tournaments.running")

TRIES: Final = 10
TRIES_SPAN: Final = timedelta(hours=1)
"""So many passwords may be tried in so long, by one account at all events together."""
SAME_POST: Final = timedelta(minutes=1)
"""The same event made again within so long is one post that came twice."""
TRY_AGAIN: Final = timedelta(hours=1)
"""How soon an event that failed is tried again."""


def create(
    *,
    by: User | None,
    name: str,
    format: str,
    game: str,
    pace: str,
    now: datetime,
    shape: dict[str, Any] | None = None,
    text: str = "",
    most: int | None = None,
    starts: str = Tournament.Starts.FULL,
    starts_at: datetime | None = None,
    opens_at: datetime | None = None,
    closes_at: datetime | None = None,
    is_draft: bool = False,
    access: str = Tournament.Access.ANYONE,
    password: str = "",
    invited: Sequence[int] = (),
    directors: Sequence[int] = (),
    are_games_open: bool = False,
    conditions: dict[str, Any] | None = None,
    rated: bool = True,
    weekend: bool = False,
    leave_allowed: str = "all",
    series: str = "",
    edition: int = 1,
    ticket_to: str = "",
    by_ticket: bool = False,
) -> int:
    """Open an event for entries, or announce when it opens, or keep it as a draft; return its id. Sent twice it is made
    once. Raises Refusal or BadRequest with a sentence."""
    wish = shapes.Wish(format, game, dict(shape or {}), most, starts, starts_at, conditions or {}, opens_at, closes_at)
    terms = {
        "name": plain_line(name)[:80] or shapes.usual_name(format, game),
        "format": format,
        "game": game,
        "pace": pace,
        "most": most,
        "starts": starts,
        "starts_at": starts_at,
        "opens_at": opens_at,
        "closes_at": closes_at,
    }
    with transaction.atomic():
        if by is not None:
            User.objects.select_for_update(no_key=True).get(pk=by.pk)
            since = now - SAME_POST
            twins = Tournament.objects.filter(**terms, made_by=by, made_at__gt=since, finished_at=None)
            if (twin := twins.filter(is_announced=not is_draft).first()) is not None:
                return twin.pk
            if reason := shapes.why_not_create(by, now, is_draft=is_draft):
                raise Refusal(reason)
        checked = shapes.checked(wish, by, now)
        if access == Tournament.Access.PASSWORD and not password:
            raise BadRequest(_("Choose a password, or let anyone join."))
        event = Tournament(
            **terms,
            text=text.strip(),
            shape=checked,
            weekend=weekend,
            leave_allowed=leave_allowed,
            rated=rated and shapes.may_be_rated(access, by),
            state=Tournament.State.DRAFT if is_draft or opens_at else Tournament.State.OPEN,
            is_announced=not is_draft,
            access=access,
            password=make_password(password) if access == Tournament.Access.PASSWORD else "",
            are_games_open=are_games_open,
            conditions=conditions or {},
            made_by=by,
            made_at=now,
            series=series,
            edition=edition,
            ticket_to=ticket_to,
            by_ticket=by_ticket,
        )
        event.due_at = steps.next_look(event, now)
        event.save()
        invite(event, invited)
        event.directors.set(directors)
        if event.is_endless:
            endless.begin(event, now)
    return event.pk


def invite(event: Tournament, users: Sequence[int]) -> None:
    """Let these people enter an event for invited players."""
    Invitation.objects.bulk_create(
        [Invitation(tournament=event, user_id=user_id) for user_id in set(users)], ignore_conflicts=True
    )


def lead_on(*, series: str, ticket_to: str, now: datetime) -> None:
    """From the edition that is open on, the winner of a mini cup gets a ticket for another series; blank for none."""
    for pk in Tournament.objects.filter(series=series, state=Tournament.State.OPEN).values_list("pk", flat=True):
        with locked(pk, now) as here:
            if here.event.is_open:
                here.event.ticket_to = ticket_to
                here.event.save(update_fields=["ticket_to"])


def enter(*, tournament_id: int, user_id: int, now: datetime, password: str = "", wanted: int = 1) -> None:
    """Enter; the entry that fills an event which starts when full starts it. Raises Refusal with all reasons."""
    fits = _password_fits(tournament_id, user_id, password, now)
    user = User.objects.get(pk=user_id)
    with locked(tournament_id, now) as here:
        event = here.event
        known = here.entrant(user_id)
        if refused := entering.why_not_again(event, known):
            raise Refusal(refused)
        steps.open_on_time(here)
        if closed := entering.why_closed(event, now):
            raise Refusal(closed)
        is_late = entering.is_late_entry(event)
        if not entering.takes_entries(event, now):
            raise Refusal(_("This event has begun: look for one that is open for entries."))
        starts_full = event.is_open and event.starts == Tournament.Starts.FULL
        if starts_full:
            steps.drop_sleepers(here)
        if reasons := entering.why_not(event, user, now, fits):
            raise Refusal(" ".join(reasons))
        tickets.use(event, user_id)
        entrant = known or Entrant(tournament=event, user_id=user_id)
        entrant.state, entrant.entered_at, entrant.left_at = Entrant.State.IN, now, None
        if event.is_endless:
            entrant.wanted = _at_a_time(wanted)
        if is_late:
            steps.place_late(event, entrant)
        if event.is_endless:
            endless.take_in(event, entrant, now)
        entrant.save()
        steps.count(event, +1)
        editions.set_date(event, now)
        if starts_full and event.entered == event.most:
            steps.start(here)
        elif event.is_endless:
            steps.go_on(here)
    carry_on(tournament_id, now)


def _password_fits(tournament_id: int, user_id: int, password: str, now: datetime) -> bool:
    """Whether the password is that of the event, if it has one. A wrong one is noted, whatever follows; after too many
    none is looked at for a while. Raises TooMany."""
    event = Tournament.objects.get(pk=tournament_id)
    if not event.password:
        return True
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user_id)
        PasswordTry.objects.filter(user=user_id, at__lte=now - TRIES_SPAN).delete()
        if PasswordTry.objects.filter(user=user_id).count() >= TRIES:
            raise TooMany(_("Too many passwords did not fit: ask the director for it, and try again in an hour."))
        fits = check_password(password, event.password)
        if password and not fits:
            PasswordTry.objects.create(user_id=user_id, at=now)
    return fits


def withdraw(*, tournament_id: int, user_id: int, now: datetime, state: str = Entrant.State.WITHDRAWN) -> None:
    """Leave an event: free before its start, afterwards what is open is forfeited. Raises Refusal if not in it."""
    with locked(tournament_id, now) as here:
        entrant = here.entrant(user_id)
        if entrant is None or entrant.state != Entrant.State.IN:
            raise Refusal(_("You are not in this event."))
        if here.event.state not in (Tournament.State.OPEN, Tournament.State.RUNNING):
            raise Refusal(_("This event is over."))
        steps.withdraw(here, entrant, state)
        editions.set_date(here.event, now)
        if here.event.is_running:
            steps.go_on(here)
    carry_on(tournament_id, now)


def come_back(*, tournament_id: int, user_id: int, now: datetime) -> None:
    """Be paired again after not having shown up. Raises Refusal if that is not so."""
    with locked(tournament_id, now) as here:
        entrant = here.entrant(user_id)
        if entrant is None or entrant.state != Entrant.State.IN or not entrant.is_paused:
            raise Refusal(_("You are in this event as usual; there is nothing to do."))
        entrant.is_paused = False
        entrant.save(update_fields=["is_paused"])
        if here.event.is_running:
            steps.go_on(here)
    carry_on(tournament_id, now)


def wish(*, tournament_id: int, user_id: int, wanted: int, now: datetime) -> None:
    """Say how many games of an endless event one would have at a time; what is missing is paired at once, and what runs
    goes on. Raises Refusal if that is no number for it, or not said by somebody who plays there."""
    with locked(tournament_id, now) as here:
        entrant = here.entrant(user_id)
        if not here.event.is_endless:
            raise Refusal(_("Only an endless event asks how many games you would have at a time."))
        if entrant is None or entrant.state != Entrant.State.IN:
            raise Refusal(_("You are not in this event."))
        entrant.wanted = _at_a_time(wanted)
        entrant.save(update_fields=["wanted"])
        if here.event.is_running:
            steps.go_on(here)
    carry_on(tournament_id, now)


def _at_a_time(wanted: int) -> int:
    if not infinity.FEWEST_MATCHES <= wanted <= infinity.MOST_MATCHES:
        low, high = infinity.FEWEST_MATCHES, infinity.MOST_MATCHES
        raise BadRequest(_("Choose %(low)d to %(high)d games at a time.") % {"low": low, "high": high})
    return wanted


def record_result(ended: Ended, now: datetime) -> bool:
    """Take in a finished match of an event, once; False if it is none or that has been done."""
    if not ended.event.startswith(EVENT):
        return False
    tournament_id = (
        EventMatch.objects.filter(match=ended.id).values_list("pairing__round__tournament", flat=True).first()
    )
    if tournament_id is None:
        return False
    with locked(tournament_id, now) as here:
        match = EventMatch.objects.select_related("pairing").get(match=ended.id)
        if match.ended_at is not None:
            return False
        event_matches.note_match(match, ended, now)
        if match.pairing.is_open:
            event_matches.decide(here, match.pairing, match)
        if is_counted(ended):
            steps.note_misses(here, ended)
        if here.event.is_running:
            steps.go_on(here)
    carry_on(tournament_id, now)
    return True


def call_off(*, tournament_id: int, match_id: int, user_id: int, now: datetime) -> bool:
    """Say that one would call off a game that is left over after others have decided its pairing; once all who play it
    have, that is done. Return whether it was. Raises Refusal with a sentence."""
    with locked(tournament_id, now) as here:
        matches = EventMatch.objects.filter(pairing__round__tournament=here.event, match=match_id)
        match = matches.select_related("pairing").first()
        if match is None or user_id not in match.pairing.players:
            raise Refusal(_("This is no game of yours in this event."))
        if match.ended_at is not None:
            raise Refusal(_("This game is over."))
        if match.pairing.is_open:
            raise Refusal(_("This game still counts: it can be resigned, but not called off."))
        if user_id not in match.given_up_by:
            match.given_up_by = [*match.given_up_by, user_id]
            match.save(update_fields=["given_up_by"])
        is_agreed = {*match.given_up_by} == {*match.pairing.players}
        return is_agreed and play.call_off(match_id=match_id, now=now, is_agreed=True)


def is_counted(ended: Ended) -> bool:
    """Whether a match was one of an event, and not left over where others had decided before. One query."""
    decided_before = {"pairing__decided_at__lt": ended.finished_at}
    return ended.event.startswith(EVENT) and not EventMatch.objects.filter(match=ended.id, **decided_before).exists()


def carry_on(tournament_id: int, now: datetime) -> int:
    """Open the matches that pairings of an event wait for; return how many. Safe to stop anywhere and to do twice."""
    opened = 0
    while True:
        with locked(tournament_id, now) as here:
            if not here.event.is_running or here.event.is_paused:
                return opened
            done = event_matches.open_some(here)
        opened += done
        if done < BATCH:
            return opened


def sweep(now: datetime) -> int:
    """Start, close, pair and open whatever is due; return in how many events something was."""
    due = set(Tournament.objects.filter(due_at__lte=now).values_list("pk", flat=True))
    running = Tournament.State.RUNNING
    late = Round.objects.filter(tournament__state=running, closed_at=None)
    due |= set(late.filter(late_at__lte=now, is_late=False).values_list("tournament", flat=True))
    due |= set(late.filter(limit_at__lte=now).values_list("tournament", flat=True))
    due |= set(event_matches.lacking_matches().values_list("round__tournament", flat=True))
    failing = Tournament.objects.filter(pk__in=due, failed_at__gt=now - TRY_AGAIN)
    due -= set(failing.values_list("pk", flat=True))
    for tournament_id in sorted(due):
        _see_to(tournament_id, now)
    return len(due)


def _see_to(tournament_id: int, now: datetime) -> None:
    """Do what is due in one event. If that fails the event stays as it is, the error is logged once, and the others are
    seen to; it is tried again in an hour."""
    try:
        with locked(tournament_id, now) as here:
            steps.see_to(here)
        carry_on(tournament_id, now)
    except Exception:
        if Tournament.objects.filter(pk=tournament_id, failed_at=None).exists():
            log.exception("event_failed", tournament=tournament_id)
        Tournament.objects.filter(pk=tournament_id).update(failed_at=now)
    else:
        Tournament.objects.filter(pk=tournament_id, failed_at__isnull=False).update(failed_at=None)


def withdraw_from_all(user_id: int, now: datetime) -> None:
    """Leave every event: the account has become dormant."""
    for entrant in entering.open_events_of(user_id):
        withdraw(tournament_id=entrant.tournament_id, user_id=user_id, now=now)


def close_account(user_id: int, now: datetime) -> None:
    """Leave every event for good; those that the person directed go to the staff, drafts that nobody else has seen go
    with the account. Rulings about the person name nobody any more."""
    withdraw_from_all(user_id, now)
    _forget_name(user_id)
    Ticket.objects.filter(user=user_id, used_in=None).delete()
    Tournament.objects.filter(made_by=user_id, is_announced=False, directors=None).delete()
    Tournament.objects.filter(made_by=user_id).update(made_by=None)
    for event in Tournament.objects.filter(directors=user_id):
        event.directors.remove(user_id)


def _forget_name(user_id: int) -> None:
    """Take the names of somebody, present and former, out of the rulings on players."""
    kinds = Ruling.Kind
    on_players = (kinds.WITHDRAW, kinds.EXCLUDE, kinds.REINSTATE, kinds.REPLACE)
    user = User.objects.get(pk=user_id)
    names = [user.username, *user.former_names.values_list("name", flat=True)]
    named = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, names))})(?![\w.-])", re.IGNORECASE)
    blank = str(_("deleted player"))
    changed = []
    for ruling in Ruling.objects.filter(tournament__entrants__user=user_id, kind__in=on_players):
        about = named.sub(blank, ruling.about)[:200]
        if about != ruling.about:
            ruling.about = about
            changed.append(ruling)
    Ruling.objects.bulk_update(changed, ["about"])


def may_watch(event_key: str, user_id: int) -> bool:
    """Whether a private event lets somebody watch its games: who is or was in it, and who directs it."""
    number = whole(event_key.removeprefix(EVENT), 18)
    if number is None or not event_key.startswith(EVENT):
        return False
    event = Tournament.objects.filter(pk=number)
    return (
        event.filter(entrants__user=user_id).exists()
        or event.filter(made_by=user_id).exists()
        or event.filter(directors=user_id).exists()
    )
