"""Talk on the pages of events: entrants and directors speak, directors may strike a line."""

from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from oceans.play.talk import CHAT_MOST, CHAT_SPAN, plain_line
from oceans.refusals import BadRequest, NotRunning, Refusal, TooMany
from tournaments.event_steps import directs, require_director
from tournaments.models import Talk, Tournament

LENGTH: Final = 500
OPEN_AFTER: Final = timedelta(days=14)
"""How long people may talk at an event that is over."""


def say(*, tournament_id: int, by: User, text: str, now: datetime) -> None:
    """Say a line at an event. Raises BadRequest or another Refusal with a sentence."""
    event = Tournament.objects.get(pk=tournament_id)
    if event.finished_at is not None and event.finished_at < now - OPEN_AFTER:
        raise NotRunning(_("The talk at this tournament is closed."))
    if not (event.entrants.filter(user=by).exists() or directs(event, by)):
        raise Refusal(_("Only those who play here, and directors, can say something."))
    line = plain_line(text)
    if not line:
        raise BadRequest(_("Write something first."))
    if len(line) > LENGTH:
        raise BadRequest(_("Say it in at most %(most)d letters.") % {"most": LENGTH})
    if Talk.objects.filter(user=by, said_at__gt=now - CHAT_SPAN).count() >= CHAT_MOST:
        raise TooMany(_("That was a lot at once: wait a minute before you say more."))
    Talk.objects.create(tournament=event, user=by, text=line, said_at=now)


def strike(*, tournament_id: int, line_id: int, by: User) -> None:
    """Take a line of talk away. Raises Refusal unless its speaker or a director asks."""
    event = Tournament.objects.get(pk=tournament_id)
    line = Talk.objects.filter(pk=line_id, tournament=event).first()
    if line is None:
        return
    if line.user_id != by.pk:
        require_director(event, by)
    line.delete()
