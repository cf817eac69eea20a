"""The only doors from a page to a match: 404 for what one may not know of, 403 for what one may not do."""

from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db.models import CharField, IntegerField, JSONField
from django.db.models.expressions import RawSQL
from django.http import Http404
from django.utils.translation import gettext as _

from oceans.models import Match

# Every page of a match asks these. Put together by the ORM, they would take more time than anything else it reads.
OWN_SEAT: Final = "(SELECT number FROM oceans_seat WHERE match_id = oceans_match.id AND user_id = %s)"
OWN_ORDER: Final = (
    "(SELECT filed.{} FROM oceans_order filed JOIN oceans_seat own ON own.match_id = filed.match_id"
    " AND own.number = filed.seat WHERE own.match_id = oceans_match.id AND own.user_id = %s)"
)


def match_for(user: Any, match_id: int) -> Match:
    """A match that has begun, with `viewer` set to the user's seat number there, or None for one who watches, and with
    `own_order` and `own_order_body` to what is stored of that seat's standing order.

    Offers that still wait, and those that came to nothing, are not to be found here. One query.
    """
    matches = Match.objects.filter(pk=match_id, started_at__isnull=False)
    user_id = user.pk if getattr(user, "is_authenticated", False) else None
    matches = matches.annotate(  # type: ignore[no-redef]
        viewer=RawSQL(OWN_SEAT, [user_id], output_field=IntegerField()),
        own_order=RawSQL(OWN_ORDER.format("kind"), [user_id], output_field=CharField()),
        own_order_body=RawSQL(OWN_ORDER.format("body"), [user_id], output_field=JSONField()),
    )
    found = matches.first()
    if found is None:
        raise Http404(_("There is no game of this number."))
    return found


def seat_for(user: Any, match_id: int) -> int:
    """The user's seat at a match. Raises Http404, or PermissionDenied for those who only watch. One query."""
    viewer = match_for(user, match_id).viewer
    if viewer is None:
        raise PermissionDenied(_("Only those who play this game can do that."))
    return viewer
