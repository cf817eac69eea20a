"""The lobby: open games, offers of one's own, private links, and games against house bots."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.answers import SeeOther
from accounts.guests import guest_for
from accounts.models import User
from oceans import offers, queries
from oceans.bots import HOUSE
from oceans.clock import PACES
from oceans.forms import OfferForm
from oceans.play.opening import read_entropy
from oceans.refusals import Refusal
from oceans.rules.game import Game
from oceans.rules.games import by_slug
from oceans.views.games import OfferLine, offer_line, offer_lines, watch_line
from oceans.views.requests import PageRequest
from oceans.views.rules import families, game_options
from oceans.views.words import length_text, pace_choices

FIRST_GAME = "oe-twos"


def bot_rows() -> list[dict[str, str]]:
    """The house bots and their manner."""
    manners = (
        _("Deals while it has hope. Good first opponent."),
        _("Counts cards, saves them for later hands."),
        _("Weighs every card left in both decks. Strong."),
    )
    return [{"slug": name, "name": name, "manner": manner} for name, manner in zip(HOUSE, manners, strict=True)]


def game_named(slug: str) -> Game:
    """The game of that slug, or the usual one."""
    try:
        return by_slug(slug or FIRST_GAME)
    except KeyError:
        return by_slug(FIRST_GAME)


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Open games and the forms that start one."""
    form = OfferForm(game_named(request.GET.get("game", "")), pace_choices())
    if request.GET.get("to"):
        form.initial = {"opponent": "named", "name": request.GET["to"][:40]}
    return render_lobby(request, form)


def form_context(form: OfferForm) -> dict[str, Any]:
    """What the form for a new game needs."""
    length = form.length()
    return {
        "form": form,
        "game_options": game_options(form.game.slug),
        "takes": length_text(length, PACES[form.chosen_pace]) if length else "",
    }


def render_lobby(request: HttpRequest, form: OfferForm, refusal: str = "", status: int = 200) -> HttpResponse:
    """The lobby with a form as it was filled in, and a sentence about what was refused."""
    shown = {"family": request.GET.get("g", ""), "rated": request.GET.get("rated", "")}
    public, own = queries.lobby_of(request.user)
    rows = offer_lines(public, request)
    context: dict[str, Any] = {
        "offers": [row for row in rows if _fits(row, shown)],
        "own_offers": offer_lines(own.joined, request),
        "shown": shown,
        "families": families(),
        "bots": bot_rows(),
        "bot_options": game_options(FIRST_GAME),
        "playing": [watch_line(row) for row in queries.running_now(limit=8)],
        "refusal": refusal,
        "section": "lobby",
        **form_context(form),
    }
    return render(request, "oceans/lobby.html", context, status=status)


def _fits(row: OfferLine, shown: dict[str, str]) -> bool:
    if shown["family"] and row.family != shown["family"]:
        return False
    return shown["rated"] not in ("yes", "no") or row.is_rated == (shown["rated"] == "yes")


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PageRequest) -> HttpResponse:
    """The form for a new game with the options of the game chosen; posted, the offer is made. Posted with `look` it
    comes back with the options that go with those chosen, and nothing is made."""
    sent = request.POST if request.method == "POST" else request.GET
    is_look = "look" in sent
    if request.method != "POST" or is_look:
        form = OfferForm(game_named(sent.get("game", "")), pace_choices(), looked=sent if is_look else None)
        if not request.htmx:
            return render_lobby(request, form)
        return render(request, "oceans/_offer_form.html", form_context(form))
    form = OfferForm(game_named(request.POST.get("game", "")), pace_choices(), request.POST)
    if not form.is_valid():
        return render_lobby(request, form, _("Nothing was opened yet: look at what is marked below."), status=400)
    try:
        posted = _post(request, form)
    except Refusal as refused:
        form.add_error("name" if form.cleaned_data["opponent"] == "named" else None, str(refused))
        return render_lobby(request, form, str(refused), status=refused.status)
    return SeeOther(reverse("lobby") + f"#offer-{posted[0]}")


def _post(request: HttpRequest, form: OfferForm) -> list[int]:
    chosen = form.cleaned_data
    with guest_for(request) as user:
        return offers.post(
            user=user,
            game=form.game.slug,
            now=timezone.now(),
            options=form.options(),
            seats=chosen.get("seats"),
            pace=form.agreed_pace(),
            weekend=chosen["weekend"],
            leave_allowed=chosen["leave_allowed"],
            rated=chosen["rated"] and not user.is_guest,
            patience=chosen.get("patience", 2),
            only_strangers=chosen["only_strangers"],
            min_rating=chosen["min_rating"],
            max_rating=chosen["max_rating"],
            invite=chosen["name"] if chosen["opponent"] == "named" else "",
            private=chosen["opponent"] == "link",
            entropy=read_entropy(chosen["entropy"]),
        )


@require_POST
def accept(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take a seat at an open game, or accept an invitation."""
    try:
        entropy = read_entropy(request.POST.get("entropy", ""))
        with guest_for(request) as user:
            has_begun = offers.accept(match_id=match_id, user=user, now=timezone.now(), entropy=entropy)
    except Refusal as refused:
        return _refused(request, refused)
    return SeeOther(reverse("match", args=[match_id]) if has_begun else reverse("lobby"))


@require_POST
def decline(request: HttpRequest, match_id: int) -> HttpResponse:
    """Say no to an invitation."""
    try:
        offers.decline(match_id=match_id, user=_known(request), now=timezone.now())
    except Refusal as refused:
        return _refused(request, refused)
    return SeeOther(reverse("turn"))


@require_POST
def withdraw(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take an own offer back."""
    try:
        offers.withdraw(match_id=match_id, user=_known(request), now=timezone.now())
    except Refusal as refused:
        return _refused(request, refused)
    return SeeOther(reverse("lobby"))


def _known(request: HttpRequest) -> User:
    """Whoever is signed in. Nobody else has offers, so for a click that is refused no guest is made."""
    if not request.user.is_authenticated:
        raise Refusal(_("This offer is not of this browser: sign in first."))
    return request.user


def _refused(request: HttpRequest, refused: Refusal) -> HttpResponse:
    form = OfferForm(game_named(""), pace_choices())
    return render_lobby(request, form, str(refused), status=refused.status)


@require_POST
def bot(request: HttpRequest) -> HttpResponse:
    """Begin a game against a house bot; who has no account plays as a guest of this browser."""
    try:
        with guest_for(request) as user:
            match_id = offers.start_bot_match(
                user=user,
                bot=request.POST.get("bot") or HOUSE[0],
                game=request.POST.get("game") or FIRST_GAME,
                now=timezone.now(),
                entropy=read_entropy(request.POST.get("entropy", "")),
            )
    except Refusal as refused:
        return _refused(request, refused)
    return SeeOther(reverse("match", args=[match_id]))


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind a private link: what is offered, and a button that takes a seat."""
    offer = queries.offer_with(token, request.user)
    if offer is None:
        begun = queries.match_behind(token, request.user)
        if begun is None:
            raise Http404
        return SeeOther(reverse("match", args=[begun]))
    if request.method == "POST":
        try:
            with guest_for(request) as user:
                has_begun = offers.accept(
                    match_id=offer.match_id,
                    user=user,
                    now=timezone.now(),
                    token=token,
                    entropy=read_entropy(request.POST.get("entropy", "")),
                )
        except Refusal as refused:
            return _refused(request, refused)
        return SeeOther(reverse("match", args=[offer.match_id]) if has_begun else reverse("turn"))
    return render(request, "oceans/join.html", {"offer": offer_line(offer, request.user)})
