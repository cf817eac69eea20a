"""What directors do to an event as a whole: open it, change it, start it, pause it, call it off. Rulings are in
rulings.py."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext as _

from accounts.models import User
from oceans import play
from oceans.play.talk import plain_line
from oceans.refusals import BadRequest, Refusal
from tournaments import event_steps as steps
from tournaments import shapes
from tournaments.event_matches import event_key
from tournaments.event_rows import Locked, locked
from tournaments.models import Entrant, Ruling, Tournament
from tournaments.rulings import record
from tournaments.running import carry_on, invite

SHAPING: Final = ("format", "game", "pace", "weekend", "leave_allowed", "rated", "shape", "starts", "access")
"""What stands once somebody has entered."""
LOWER_LIMITS: Final = ("min_rating", "min_games", "min_age_days", "no_provisional")
UPPER_LIMITS: Final = ("max_rating", "most_timeouts")


def open_entries(*, tournament_id: int, by: User, now: datetime) -> None:
    """Open a draft for entries, at once. Raises Refusal or BadRequest with what does not fit any more."""
    with locked(tournament_id, now) as here:
        if _is_draft(here, by):
            _check_opening(here, by, None)
            steps.open_entries(here)


def announce(*, tournament_id: int, by: User, now: datetime) -> None:
    """Let everybody see a draft that has an opening time. Raises Refusal or BadRequest with what does not fit."""
    with locked(tournament_id, now) as here:
        event = here.event
        if not _is_draft(here, by) or event.is_announced:
            return
        if event.opens_at is None:
            raise Refusal(_("Set the time when entries open first."))
        _check_opening(here, by, event.opens_at)
        event.is_announced, event.due_at = True, event.opens_at
        event.save(update_fields=["is_announced", "due_at"])


def _is_draft(here: Locked, by: User) -> bool:
    """Whether the event is still to be opened. Raises Refusal if it has begun, or for who does not direct it."""
    steps.require_director(here.event, by)
    if here.event.is_over:
        raise Refusal(_("This event is over."))
    if here.event.is_running:
        raise Refusal(_("This event has begun already."))
    return here.event.is_draft


def _check_opening(here: Locked, by: User, opens_at: datetime | None) -> None:
    """Raise with a sentence if a draft cannot be opened: its maker has others open, or its dates have passed."""
    event = here.event
    if event.made_by is not None and not by.is_staff and (reason := shapes.why_not_open(event.made_by, event.pk)):
        raise Refusal(reason)
    named = ("format", "game", "shape", "most", "starts", "starts_at", "conditions", "closes_at")
    wish = shapes.Wish(**{name: getattr(event, name) for name in named}, opens_at=opens_at)
    shapes.checked(wish, shapes.measured_by(event, by), here.now)


def start(*, tournament_id: int, by: User, now: datetime) -> None:
    """Start an event by hand. Raises Refusal if too few have entered."""
    with locked(tournament_id, now) as here:
        if _is_draft(here, by):
            raise Refusal(_("Open it for entries first."))
        if reason := shapes.why_not_start(here.event, here.event.entered):
            raise Refusal(reason)
        steps.start(here)
        if here.event.is_open:
            raise Refusal(_("Too few of those who entered are still there: wait for more players."))
    carry_on(tournament_id, now)


def cancel(*, tournament_id: int, by: User, now: datetime, why: str = "") -> None:
    """Call an event off. Its running games go on as ordinary ones."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        if here.event.is_over:
            raise Refusal(_("This event is over."))
        steps.cancel(here, by)
        record(here, Ruling.Kind.CANCEL, by, "", why)


def pause(*, tournament_id: int, by: User, now: datetime, is_paused: bool, why: str = "") -> None:
    """Stop pairing for a while, or go on; clocks of running games are not touched."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        if here.event.is_over:
            raise Refusal(_("This event is over."))
        if here.event.is_paused == is_paused:
            return
        here.event.is_paused = is_paused
        here.event.save(update_fields=["is_paused"])
        record(here, Ruling.Kind.PAUSE if is_paused else Ruling.Kind.RESUME, by, "", why)
        if not is_paused and here.event.is_running:
            steps.go_on(here)
    carry_on(tournament_id, now)


def change(
    *,
    tournament_id: int,
    by: User,
    now: datetime,
    password: str = "",
    invited: Sequence[int] = (),
    directors: Sequence[int] | None = None,
    **terms: Any,
) -> None:
    """Change what was agreed when the event was made; `terms` are those of running.create that change.

    Everything until the first player enters; then texts, later dates, looser conditions; after the start only texts,
    who directs, and whether the games of a private event may be watched. Raises Refusal or BadRequest with a sentence.
    """
    with locked(tournament_id, now) as here:
        event = here.event
        steps.require_director(event, by)
        if event.is_over:
            raise Refusal(_("This event is over."))
        if event.format == Tournament.Format.LEAGUE:
            # Its date follows from its entries.
            terms.pop("starts_at", None)
        changed = {n: value for n, value in terms.items() if n != "shape" and value != getattr(event, n)}
        if not event.is_to_come and (refused := changed.keys() - {"name", "text", "are_games_open"}):
            raise Refusal(_("The event has begun: only its texts can be changed, not the %(what)s.") % _named(refused))
        if event.is_to_come:
            _check_terms(event, changed, terms.get("shape"), by, now)
        for name, value in changed.items():
            setattr(event, name, value)
        event.name = plain_line(event.name)[:80] or shapes.usual_name(event.format, event.game)
        event.rated = event.rated and shapes.may_be_rated(event.access, event.made_by)
        if event.is_to_come:
            _change_doors(event, password)
            event.due_at = steps.next_look(event, now)
            invite(event, invited)
        event.save()
        if directors is not None:
            event.directors.set(directors)
        if "are_games_open" in changed:
            play.set_private(event=event_key(event), is_private=event.is_closed_to_strangers)
        if changed and (event.entered or not event.is_to_come):
            record(here, Ruling.Kind.SETTINGS, by, _named(changed)["what"], "")


def uninvite(*, tournament_id: int, user_id: int, by: User, now: datetime) -> None:
    """Take back the invitation of somebody who is not in the event; again changes nothing. Raises Refusal with a
    sentence."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        entrant = here.entrant(user_id)
        if entrant is not None and entrant.state == Entrant.State.IN:
            raise Refusal(_("%(name)s has entered already.") % {"name": entrant.user.shown_name})
        here.event.invitations.filter(user=user_id).delete()


def _check_terms(
    event: Tournament, changed: dict[str, Any], shape: dict[str, Any] | None, by: User, now: datetime
) -> None:
    """Raise with a sentence if an event that has not begun cannot be changed so; add the shape to what changes if it
    does."""
    named = ("format", "game", "most", "starts", "starts_at", "conditions")
    after = {name: changed.get(name, getattr(event, name)) for name in named}
    opens_at = changed.get("opens_at", event.opens_at) if event.is_draft else None
    # A closing time that has passed may stay as it is.
    is_closed = event.is_open and event.closes_at is not None and event.closes_at <= now
    closes_at = changed.get("closes_at", None if is_closed else event.closes_at)
    if event.is_draft and event.is_announced and opens_at is None:
        raise BadRequest(_("Everybody has been told when entries open: set another time, or open it now on its page."))
    after_shape = dict(event.shape if shape is None else shape)
    wish = shapes.Wish(shape=after_shape, opens_at=opens_at, closes_at=closes_at, **after)
    checked = shapes.checked(wish, shapes.measured_by(event, by), now)
    if shape is not None and checked != event.shape:
        changed["shape"] = checked
    if event.entered:
        if refused := changed.keys() & set(SHAPING):
            raise Refusal(_("Players have entered, so this stands: %(what)s.") % _named(refused))
        if "most" in changed and (after["most"] or event.entered) < (event.most or event.entered):
            raise Refusal(_("Players have entered: the number of players may grow, but not shrink."))
        if event.starts_at and after["starts_at"] and after["starts_at"] < event.starts_at:
            raise Refusal(_("Players have entered: the start may be put off, but not brought forward."))
        before = event.closes_at or event.starts_at
        end = changed.get("closes_at", event.closes_at) or after["starts_at"]
        if before and end and end < before:
            raise Refusal(_("Players have entered: entries may close later, but not earlier."))
        if _is_stricter(event.conditions, after["conditions"]):
            raise Refusal(_("Players have entered: conditions may become looser, but not stricter."))


def _is_stricter(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether new conditions keep somebody out whom the old ones let in."""
    lower = any(after.get(name) and after[name] > (before.get(name) or 0) for name in LOWER_LIMITS)
    upper = any(
        after.get(name) is not None and (before.get(name) is None or after[name] < before[name])
        for name in UPPER_LIMITS
    )
    return lower or upper


def _change_doors(event: Tournament, password: str) -> None:
    """A new password, if one is given; none where everybody or only the invited may enter."""
    if event.access != Tournament.Access.PASSWORD:
        event.password = ""
    elif password:
        event.password = make_password(password)
    elif not event.password:
        raise BadRequest(_("Choose a password, or let anyone join."))


def _named(fields: Any) -> dict[str, str]:
    """Fields in words, for a sentence."""
    words = {
        "name": _("name"),
        "text": _("text"),
        "format": _("shape"),
        "shape": _("details of the shape"),
        "game": _("game"),
        "pace": _("clock"),
        "weekend": _("weekends"),
        "leave_allowed": _("holidays"),
        "rated": _("rated or not"),
        "starts": _("when it starts"),
        "starts_at": _("date"),
        "opens_at": _("when entries open"),
        "closes_at": _("when entries close"),
        "most": _("number of players"),
        "access": _("who may join"),
        "conditions": _("conditions"),
        "are_games_open": _("who may watch"),
    }
    return {"what": ", ".join(sorted(words[name] for name in fields))}
