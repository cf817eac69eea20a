"""What directors do to an event as a whole: change it, start it, pause it, call it off. Rulings are in rulings.py."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext as _

from accounts.models import User
from oceans import play
from oceans.refusals import BadRequest, Refusal
from tournaments import event_steps as steps
from tournaments import shapes
from tournaments.event_matches import event_key
from tournaments.event_rows import locked
from tournaments.models import Ruling, Tournament
from tournaments.rulings import record
from tournaments.running import carry_on, invite

SHAPING: Final = ("format", "game", "pace", "weekend", "leave_allowed", "rated", "shape", "starts", "access")
"""What stands once somebody has entered."""
LOWER_LIMITS: Final = ("min_rating", "min_games", "min_age_days", "no_provisional")
UPPER_LIMITS: Final = ("max_rating", "most_timeouts")


def start(*, tournament_id: int, by: User, now: datetime) -> None:
    """Start an event by hand. Raises Refusal if too few have entered."""
    with locked(tournament_id, now) as here:
        steps.require_director(here.event, by)
        if not here.event.is_open:
            raise Refusal(_("This event has begun already."))
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
        steps.cancel(here)
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

    Everything until the first player enters; then texts, a later date, looser conditions; after the start only texts,
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
        if not event.is_open and (refused := changed.keys() - {"name", "text", "are_games_open"}):
            raise Refusal(_("The event has begun: only its texts can be changed, not the %(what)s.") % _named(refused))
        if event.is_open:
            _check_open(event, changed, terms.get("shape"), by, now)
        for name, value in changed.items():
            setattr(event, name, value)
        event.name = event.name.strip()[:80] or shapes.usual_name(event.format, event.game)
        event.rated = event.rated and shapes.may_be_rated(event.access, event.made_by)
        if event.is_open:
            _change_doors(event, password)
            event.due_at = event.starts_at
            invite(event, invited)
        event.save()
        if directors is not None:
            event.directors.set(directors)
        if "are_games_open" in changed:
            play.set_private(event=event_key(event), is_private=event.is_private and not event.are_games_open)
        if changed and (event.entered or not event.is_open):
            record(here, Ruling.Kind.SETTINGS, by, _named(changed)["what"], "")


def _check_open(
    event: Tournament, changed: dict[str, Any], shape: dict[str, Any] | None, by: User, now: datetime
) -> None:
    """Raise with a sentence if an event that is open cannot be changed so; add the shape to what changes if it does."""
    named = ("format", "game", "most", "starts", "starts_at", "conditions")
    after = {name: changed.get(name, getattr(event, name)) for name in named}
    checked = shapes.checked(shapes.Wish(shape=dict(event.shape if shape is None else shape), **after), by, now)
    if shape is not None and checked != event.shape:
        changed["shape"] = checked
    if event.entered:
        if refused := changed.keys() & set(SHAPING):
            raise Refusal(_("Players have entered, so this stands: %(what)s.") % _named(refused))
        if "most" in changed and (after["most"] or event.entered) < (event.most or event.entered):
            raise Refusal(_("Players have entered: the number of players may grow, but not shrink."))
        if event.starts_at and after["starts_at"] and after["starts_at"] < event.starts_at:
            raise Refusal(_("Players have entered: the start may be put off, but not brought forward."))
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
        "most": _("number of players"),
        "access": _("who may join"),
        "conditions": _("conditions"),
        "are_games_open": _("who may watch"),
    }
    return {"what": ", ".join(sorted(words[name] for name in fields))}
