"""What directors do to events: the other half of the verbs, beside running.py.

Directors never edit results: each decision is a ruling for everybody to read, and the state of the event follows from
it. One who plays in an event may not rule on his own games; staff may always.
"""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from oceans.refusals import Refusal
from tournaments import event_steps as steps
from tournaments import shapes
from tournaments.event_rows import Locked, is_knock_out, locked
from tournaments.fixtures import FORFEIT, PLAYED
from tournaments.models import Entrant, Pairing, Ruling, Tournament
from tournaments.running import carry_on


def start(*, tournament_id: int, by: User, now: datetime) -> None:
    """Start an event by hand. Raises Refusal if too few have entered."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        if not here.event.is_open:
            raise Refusal(_("This event has begun already."))
        fewest = shapes.fewest(here.event)
        if here.event.entered < fewest:
            raise Refusal(_("It takes at least %(n)d players to start.") % {"n": fewest})
        steps.start(here)
    carry_on(tournament_id, now)


def cancel(*, tournament_id: int, by: User, now: datetime, why: str = "") -> None:
    """Call an event off. Its running games go on as ordinary ones."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        if here.event.state not in (Tournament.State.OPEN, Tournament.State.RUNNING):
            raise Refusal(_("This event is over."))
        steps.cancel(here)
        _rule(here, Ruling.Kind.CANCEL, by, "", why)


def pause(*, tournament_id: int, by: User, now: datetime, is_paused: bool, why: str = "") -> None:
    """Stop pairing for a while, or go on; clocks of running games are not touched."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        here.event.is_paused = is_paused
        here.event.save(update_fields=["is_paused"])
        _rule(here, Ruling.Kind.PAUSE if is_paused else Ruling.Kind.RESUME, by, "", why)
        if not is_paused and here.event.is_running:
            steps.go_on(here)
    carry_on(tournament_id, now)


def extend(*, tournament_id: int, number: int, by: User, now: datetime, why: str = "") -> None:
    """Give a round as much time again, once, before its limit."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        round_ = here.event.rounds.filter(number=number, closed_at=None, limit_at__gt=now).first()
        if round_ is None or round_.was_extended or round_.late_at is None or round_.limit_at is None:
            raise Refusal(_("This round cannot be extended: it is over, or was extended before."))
        span = round_.late_at - round_.opened_at
        round_.late_at, round_.limit_at, round_.was_extended = round_.late_at + span, round_.limit_at + span, True
        round_.is_late = False
        round_.save()
        _rule(here, Ruling.Kind.EXTEND, by, _("round %(n)d") % {"n": number}, why)


def exclude(*, tournament_id: int, user_id: int, by: User, now: datetime, why: str = "") -> None:
    """Put somebody out for good: as withdrawn, and never ranked."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        entrant = here.entrant(user_id)
        if entrant is None or entrant.state != Entrant.State.IN:
            raise Refusal(_("This player is not in the event."))
        steps.withdraw(here, entrant, Entrant.State.EXCLUDED)
        _rule(here, Ruling.Kind.EXCLUDE, by, entrant.user.shown_name, why)
        if here.event.is_running:
            steps.go_on(here)
    carry_on(tournament_id, now)


def reinstate(*, tournament_id: int, user_id: int, by: User, now: datetime, why: str = "") -> None:
    """Take somebody who left back in, for what is paired from now on; what was forfeited stays so."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        entrant = here.entrant(user_id)
        if entrant is None or entrant.state == Entrant.State.IN or not here.event.is_running:
            raise Refusal(_("Only who has left an event that is running can be taken back in."))
        entrant.state, entrant.left_at, entrant.is_paused, entrant.misses = Entrant.State.IN, None, False, 0
        entrant.save(update_fields=["state", "left_at", "is_paused", "misses"])
        steps.count(here.event, +1)
        _rule(here, Ruling.Kind.REINSTATE, by, entrant.user.shown_name, why)


def set_result(
    *, tournament_id: int, number: int, board: int, points: tuple[int, int], by: User, now: datetime, why: str
) -> None:
    """Rule how a pairing of two ended: doubled points of its players, 2-0, 1-1, 0-2, or 0-0 for a forfeit of both.

    A game that still runs is called off. Standings change, pairings already made do not; in a knock-out it counts only
    while nobody has been paired on from it. Raises Refusal with the reason.
    """
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        pairing = Pairing.objects.filter(
            round__tournament=here.event, round__number=number, board=board
        ).select_related("round")
        found = pairing.first()
        if found is None or len(found.players) != 2 or not here.event.is_running:
            raise Refusal(_("There is no such game between two in a running round."))
        if by.pk in found.players and not by.is_staff:
            raise Refusal(_("You play in this game yourself: ask the staff to rule on it."))
        if points not in ((2, 0), (1, 1), (0, 2), (0, 0)):
            raise Refusal(_("A game ends 1–0, ½–½, 0–1, or 0–0 where neither came."))
        if is_knock_out(here.event, found):
            if points == (1, 1):
                raise Refusal(_("Somebody must go on from this game: rule for one of the two, or for neither."))
            if here.event.rounds.filter(number__gt=number).exists():
                raise Refusal(_("The next round has begun, so this result stands."))
        before = " – ".join(map(str, found.points)) or _("open")
        steps.rule(here, found, points, PLAYED if sum(points) else FORFEIT)
        about = _("round %(round)d, board %(board)d, before: %(before)s")
        _rule(here, Ruling.Kind.SET_RESULT, by, about % {"round": number, "board": board, "before": before}, why)
        steps.go_on(here)
    carry_on(tournament_id, now)


def _rule(here: Locked, kind: str, by: User, about: str, why: str) -> None:
    Ruling.objects.create(
        tournament=here.event, kind=kind, by=by, about=about[:200], why=why.strip()[:200], made_at=here.now
    )
