"""The only doors from a page to a match: 404 for what one may not know of, 403 for what one may not do."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import IntegerField, OuterRef, Subquery, Value
from django.http import Http404
from django.utils.translation import gettext as _

from oceans.models import Match, Order, Seat


def match_for(user: Any, match_id: int) -> Match:
    """A match that has begun, with `viewer` set to the user's seat number there, or None for one who watches, and with
    `own_order` and `own_order_body` to what is stored of that seat's standing order.

    Offers that still wait, and those that came to nothing, are not to be found here. One query.
    """
    matches = Match.objects.filter(pk=match_id, started_at__isnull=False)
    if getattr(user, "is_authenticated", False):
        own = Seat.objects.filter(match=OuterRef("pk"), user=user.pk).values("number")[:1]
        order = Order.objects.filter(match=OuterRef("pk"), seat=OuterRef("viewer"))
        matches = matches.annotate(
            viewer=Subquery(own),
            own_order=Subquery(order.values("kind")[:1]),
            own_order_body=Subquery(order.values("body")[:1]),
        )
    else:
        matches = matches.annotate(viewer=Value(None, output_field=IntegerField()))
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
