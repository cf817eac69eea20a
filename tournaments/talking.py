"""Talk on the pages of events: entrants and directors speak, directors may strike a line."""

from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from oceans.play.talk import add_line
from oceans.refusals import NotRunning, Refusal
from tournaments.event_steps import directs, require_director
from tournaments.models import Entrant, Talk, Tournament

LENGTH: Final = 500
OPEN_AFTER: Final = timedelta(days=14)
"""How long people may talk at an event that is over."""


def why_not(own: Entrant | None, is_director: bool) -> str:
    """Why somebody may not speak at an event, given his entry, in words; blank if he may."""
    if is_director:
        return ""
    if own is None:
        return _("Only those who play here, and directors, can say something.")
    if own.state == Entrant.State.EXCLUDED:
        return _("You were put out of this event: you can read its talk, but say nothing.")
    return ""


def say(*, tournament_id: int, by: User, text: str, now: datetime) -> None:
    """Say a line at an event. Raises BadRequest or another Refusal with a sentence."""
    event = Tournament.objects.get(pk=tournament_id)
    if event.finished_at is not None and event.finished_at < now - OPEN_AFTER:
        raise NotRunning(_("The talk at this tournament is closed."))
    if refused := why_not(event.entrants.filter(user=by).first(), directs(event, by)):
        raise Refusal(refused)
    add_line(Talk, {"tournament": event}, user_id=by.pk, text=text, most=LENGTH, now=now)


def strike(*, tournament_id: int, line_id: int, by: User) -> None:
    """Take a line of talk away. Raises Refusal unless its speaker or a director asks."""
    event = Tournament.objects.get(pk=tournament_id)
    line = Talk.objects.filter(pk=line_id, tournament=event).first()
    if line is None:
        return
    if line.user_id != by.pk:
        require_director(event, by)
    line.delete()
