"""The only doors from a page to a match: 404 for what one may not know of, 403 for what one may not do."""

import json
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _

from oceans import queries
from oceans.models import Match

# Every page of a match asks this. Put together by the ORM, it would take more time than anything else the page reads.
# There is a row for each standing order of the viewer's own, and one row where there is none.
DOOR: Final = """
    SELECT oceans_match.*, own.number AS viewer, filed.kind AS order_kind, filed.body AS order_body,
        note.text AS own_note, note.afterwards AS own_afterwards,
        (SELECT count(*) FROM oceans_seat due WHERE due.user_id = %s AND due.is_due) AS waiting
    FROM oceans_match
    LEFT JOIN oceans_seat own ON own.match_id = oceans_match.id AND own.user_id = %s
    LEFT JOIN oceans_order filed ON filed.match_id = oceans_match.id AND filed.seat = own.number
    LEFT JOIN oceans_note note ON note.match_id = oceans_match.id AND note.user_id = %s
    WHERE oceans_match.id = %s AND oceans_match.started_at IS NOT NULL
"""


def match_for(user: Any, match_id: int) -> Match:
    """A match that has begun, with what is the user's own there: `viewer` is the seat's number, or None for one who
    watches; `own_orders` are the kinds and bodies of standing orders as they are stored, `own_note` and
    `own_afterwards` what is stored of a note; `waiting` counts the matches in which the user must answer.

    Offers that still wait, and those that came to nothing, are not to be found here, nor are private matches for those
    whom their event does not let in. One query.
    """
    user_id = user.pk if getattr(user, "is_authenticated", False) else None
    rows = list(Match.objects.raw(DOOR, [user_id, user_id, user_id, match_id]))
    found = rows[0] if rows else None
    if found is None or (found.is_private and found.viewer is None and not _may_watch(user, found)):
        raise Http404(_("There is no game of this number."))
    found.own_orders = tuple((row.order_kind, _json(row.order_body)) for row in rows if row.order_kind)
    return found


def _json(stored: Any) -> Any:
    """Not every database hands JSON out as values."""
    return json.loads(stored) if isinstance(stored, str) else stored


def _may_watch(user: Any, match: Match) -> bool:
    if not getattr(user, "is_authenticated", False):
        return False
    return bool(user.is_staff) or queries.may_watch(match.event, user.pk)


def seat_for(user: Any, match_id: int) -> tuple[Match, int]:
    """A match as `match_for` gives it, and the user's seat there. Raises Http404, or PermissionDenied for those who
    only watch. One query."""
    match = match_for(user, match_id)
    if match.viewer is None:
        raise PermissionDenied(_("Only those who play this game can do that."))
    return match, match.viewer
