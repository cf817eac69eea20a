"""Standing orders: what a player tells the site to answer while away, one of each kind there is."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.answers import SeeOther
from oceans import play
from oceans.forms import OrderForm, turn_of
from oceans.refusals import Refusal
from oceans.templatetags.cards import minis_html
from oceans.views.match import match_facts
from oceans.views.seen import Seen, own_orders, see


def forms_for(seen: Seen, chosen: str = "", posted: QueryDict | None = None) -> list[OrderForm]:
    """A form for each kind of order that makes sense at this match now, with the terms of the one in force; what was
    posted is in the form of the `chosen` kind."""
    terms = {order.kind: order.terms for order in own_orders(seen)}
    kinds = [order for order in seen.game.orders if order.kind == chosen or order.fits(seen.view)]
    return [OrderForm(order, posted if order.kind == chosen else None, terms.get(order.kind)) for order in kinds]


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, match_id: int) -> HttpResponse:
    """The orders in force, and a form for each kind there is; posted, an order is filed."""
    seen = see(request, match_id, player_only=True)
    if request.method != "POST":
        return _render(request, seen, forms_for(seen))
    chosen = request.POST.get("kind", "")
    forms = forms_for(seen, chosen, request.POST)
    form = next((one for one in forms if one.order.kind == chosen), None)
    if form is None:
        return _render(request, seen, forms, _("Choose one of the orders below."), status=400)
    if not form.is_valid():
        return _render(request, seen, forms, _("The order was not saved: look at what is marked below."), status=400)
    try:
        play.place_order(
            match_id=match_id,
            seat=seen.own_seat,
            turn=turn_of(request.POST),
            kind=chosen,
            body=form.cleaned_data,
            now=seen.now,
        )
    except Refusal as refused:
        return _render(request, see(request, match_id), forms, str(refused), status=refused.status)
    return SeeOther(reverse("match", args=[match_id]) + "#order")


@require_POST
def clear(request: HttpRequest, match_id: int) -> HttpResponse:
    """Withdraw the order of one kind."""
    seen = see(request, match_id, player_only=True)
    kind = request.POST.get("kind", "")
    try:
        play.cancel_order(match_id=match_id, seat=seen.own_seat, kind=kind, now=seen.now)
    except Refusal as refused:
        seen = see(request, match_id)
        return _render(request, seen, forms_for(seen), str(refused), status=refused.status)
    return SeeOther(reverse("match", args=[match_id]) + "#order")


def _render(
    request: HttpRequest, seen: Seen, forms: list[OrderForm], refusal: str = "", status: int = 200
) -> HttpResponse:
    own = [card for card in seen.view.seats[seen.own_seat].hole if card is not None]
    context = {
        "match": match_facts(seen),
        "own_cards": minis_html(own) if own else "",
        "turn": seen.view.turn,
        "orders": own_orders(seen),
        "forms": forms,
        "is_narrow_first": any(form.order.is_narrow_first for form in forms),
        "refusal": refusal,
    }
    return render(request, "oceans/order.html", context, status=status)
