"""Standing orders: what a player tells the site to answer while away."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from oceans import play
from oceans.forms import OrderForm
from oceans.refusals import Refusal
from oceans.rules.orders import Order
from oceans.views.match import match_facts
from oceans.views.seen import Seen, own_order, see
from oceans.views.words import SeeOther


def kinds_for(seen: Seen) -> list[type[Order]]:
    """The kinds of order that make sense at this match for its reader."""
    return [order for order in seen.game.orders if order.fits(seen.view)]


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, match_id: int) -> HttpResponse:
    """The order in force, and a form for each kind there is; posted, an order is filed."""
    seen = see(request, match_id, player_only=True)
    if request.method != "POST":
        return _render(request, seen, [OrderForm(order) for order in kinds_for(seen)])
    chosen = request.POST.get("kind", "")
    forms = [OrderForm(order, request.POST if order.kind == chosen else None) for order in kinds_for(seen)]
    form = next((one for one in forms if one.order.kind == chosen), None)
    if form is None:
        return _render(request, seen, forms, _("Choose one of the orders below."), status=400)
    if not form.is_valid():
        return _render(request, seen, forms, _("The order was not saved: look at what is marked below."), status=400)
    try:
        play.place_order(match_id=match_id, seat=seen.own_seat, kind=chosen, body=form.cleaned_data, now=seen.now)
    except Refusal as refused:
        return _render(request, seen, forms, str(refused), status=refused.status)
    return SeeOther(reverse("match", args=[match_id]) + "#order")


@require_POST
def clear(request: HttpRequest, match_id: int) -> HttpResponse:
    """Withdraw the order."""
    seen = see(request, match_id, player_only=True)
    try:
        play.cancel_order(match_id=match_id, seat=seen.own_seat, now=seen.now)
    except Refusal as refused:
        return _render(
            request, seen, [OrderForm(order) for order in kinds_for(seen)], str(refused), status=refused.status
        )
    return SeeOther(reverse("match", args=[match_id]) + "#order")


def _render(
    request: HttpRequest, seen: Seen, forms: list[OrderForm], refusal: str = "", status: int = 200
) -> HttpResponse:
    context = {"match": match_facts(seen), "order": own_order(seen), "forms": forms, "refusal": refusal}
    return render(request, "oceans/order.html", context, status=status)
