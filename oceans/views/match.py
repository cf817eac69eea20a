"""The page of one match, and what its players post."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import select_template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.answers import SeeOther
from accounts.models import AfterMove
from accounts.numbers import whole
from oceans import access, offers, play, queries
from oceans.forms import MoveForm, answer_label, label_of, turn_of
from oceans.refusals import Refusal
from oceans.rules.asks import Fields
from oceans.rules.look import View
from oceans.rules.moves import IllegalMove, Move
from oceans.rules.plans import PLAN
from oceans.templatetags.cards import minis_html
from oceans.views import aside, news
from oceans.views.requests import PageRequest, PlayerRequest
from oceans.views.seen import Seen, own_orders, see
from oceans.views.table import log_html, table_rows
from oceans.views.words import clock_text, options_text, terms_text

Kept = Mapping[str, Any]
"""What stands in forms of a match page: `move`, `amount`, `cards` and `fields` of an answer, and words for talk."""

POLL_STOPS = 286
"""The status that tells htmx to ask no more."""


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A match in print, without what lies on its table."""

    id: int
    url: str
    slug: str
    game: str
    label: str
    terms: str
    pace: str
    lock: str
    full_lock: str
    is_running: bool
    is_over: bool
    facts: tuple[tuple[str, str], ...]
    is_rated: bool
    """Whether there is something to say about ratings."""
    has_luck: bool
    """Whether luck and choices can be told apart."""


def match_facts(seen: Seen) -> MatchFacts:
    match = seen.match
    facts = []
    if chosen := options_text(seen.game, match.options):
        facts.append((_("options"), chosen))
    return MatchFacts(
        id=match.pk,
        url=reverse("match", args=[match.pk]),
        slug=match.game,
        game=seen.game.name,
        label=match.label,
        terms=terms_text(match),
        pace=clock_text(match),
        lock=f"{match.commitment[:16]}…",
        full_lock=match.commitment,
        is_running=match.is_running,
        is_over=match.is_over,
        facts=tuple(facts),
        is_rated=match.rated or bool(match.unrated_because),
        has_luck=queries.has_hindsight(match),
    )


def felt_for(seen: Seen) -> Any:
    """The template of the table: the game's own, its family's, or the general one."""
    names = (seen.game.slug, seen.game.family, "table")
    return select_template([f"oceans/games/{name}.html" for name in names])


def stamp_of(seen: Seen) -> str:
    """What changes whenever the table a viewer sees changes; a page that polls sends it back."""
    waits = ".".join(map(str, seen.view.waits_for))
    return f"{seen.view.turn}-{waits}-{seen.match.status}"


def table_context(request: PageRequest, seen: Seen, *notes: news.Note, kept: Kept | None = None) -> dict[str, Any]:
    """What the table and its surroundings need; `notes` come before the usual ones."""
    table = table_rows(seen.game, seen.view, seen.players)
    names = [player.name for player in seen.players]
    view = seen.view
    ask = view.ask if seen.match.is_running else None
    warnings = {verb: str(words) for verb, words in table.warnings.items()}
    waiting = seen.match.waiting
    kept = kept or _kept(view)
    usual = news.notes(seen.match, seen.view, names, table.outcome, waiting, request.user)
    return {
        "match": match_facts(seen),
        "table": table,
        "felt": felt_for(seen),
        "form": MoveForm.of(ask, warnings, table.heading, table.labels, kept.get("fields")) if ask else None,
        "sealed_label": _sealed_label(view.answer) if view.answer else "",
        "move_url": reverse("move", args=[seen.match.pk]),
        "log": log_html(seen.view, seen.players, reverse("replay", args=[seen.match.pk])),
        "news": [*notes, *usual],
        "kept": kept,
        "orders": own_orders(seen),
        "has_orders": seen.seat is not None and seen.match.is_running and bool(seen.game.orders),
        "polls": seen.match.is_running,
        "stamp": stamp_of(seen),
        "is_player": seen.seat is not None,
        "may_give_time": [row for row in table.rows if row.player.may_get_time],
        "waiting": waiting,
        "page_title": _title(seen, names),
    }


def _sealed_label(answer: Move) -> str:
    """A sealed answer in words, with its cards."""
    if answer.verb == PLAN:
        return _("the plan you see above")
    if answer.cards:
        return format_html("{} {}", label_of(Move(answer.verb)), minis_html(answer.cards))
    return answer_label(answer)


def _kept(view: View) -> Kept:
    """What to show as chosen where an answer is sealed and may be changed."""
    answer = view.answer
    if answer is None:
        return {}
    if isinstance(view.ask, Fields):
        return {"fields": view.ask.values(answer)}
    if answer.amount is None:
        return {"move": str(answer), "cards": tuple(map(str, answer.cards))}
    return {"move": answer.verb, "amount": str(answer.amount)}


def _title(seen: Seen, names: list[str]) -> str:
    others = [name for seat, name in enumerate(names) if seat != seen.seat]
    against = ", ".join(others[:3])
    if seen.seat is None:
        return f"{against}, {seen.game.name}"
    if seen.match.is_running and seen.view.seats[seen.seat].is_due:
        return _("Your move against %(names)s, %(game)s") % {"names": against, "game": seen.game.name}
    return _("%(game)s against %(names)s") % {"names": against, "game": seen.game.name}


def answer_page(
    request: PageRequest, seen: Seen, *notes: news.Note, status: int = 200, kept: Kept | None = None
) -> HttpResponse:
    """The page, or only the table for a request that replaces the table."""
    context = table_context(request, seen, *notes, kept=kept)
    if request.htmx and request.htmx.target == "table":
        return render(request, "oceans/_live.html", {**context, "is_part": True}, status=status)
    context["chat"] = queries.chat_of(seen.match, seen.seat, request.user.pk)
    context["notes"] = queries.notes_of(seen.match, request.user.pk)
    return render(request, "oceans/match.html", context, status=status)


@require_safe
def page(request: PageRequest, match_id: int) -> HttpResponse:
    """The match as the reader may see it. A page that polls is told when nothing is new (204) or all is over (286)."""
    seen = see(request, match_id)
    polled = request.GET.get("stamp") if request.htmx else None
    if polled is not None and polled == stamp_of(seen):
        return HttpResponse(status=204)
    if seen.has_news and request.user.pk is not None:
        play.mark_seen(match_id=match_id, user_id=request.user.pk, now=seen.now)
    return answer_page(request, seen, status=POLL_STOPS if polled is not None and seen.match.is_over else 200)


@require_POST
def move(request: PlayerRequest, match_id: int) -> HttpResponseBase:
    """Answer for one's seat. What cannot be done is said above the table as it is now."""
    match, seat = access.seat_for(request.user, match_id)
    turn = turn_of(request.POST)
    kept = {name: request.POST.get(name, "")[:40] for name in ("move", "amount")}
    kept |= {"cards": request.POST.getlist("cards")[:52], "fields": {k: v[:40] for k, v in request.POST.items()}}
    try:
        chosen = _read_move(queries.sight_of(match), turn, request)
        play.make_move(match_id=match_id, seat=seat, turn=turn, move=chosen, now=timezone.now())
    except IllegalMove as refused:
        status = 200 if request.htmx else 400
        return answer_page(request, see(request, match_id), news.refused(str(refused)), status=status, kept=kept)
    except Refusal as refused:
        return answer_page(request, see(request, match_id), news.refused(str(refused)), kept=kept)
    aside.take_up(request, match_id)
    return _after_move(request, match_id)


def _read_move(view: View, turn: int, request: PageRequest) -> Move:
    """The move as posted. That of an old page is read as it stands: whether it was made already is for play to say."""
    if view.ask is not None and turn == view.turn:
        return MoveForm.of(view.ask, {}).read(request.POST)
    words = [request.POST.get("move", ""), request.POST.get("amount", ""), *request.POST.getlist("cards")]
    return Move.parse(" ".join(words))


def _after_move(request: PlayerRequest, match_id: int) -> HttpResponseBase:
    """Back to the table; on to the next game or the list for those who want that and have nothing more to decide."""
    here = reverse("match", args=[match_id])
    wish = request.user.after_move
    if wish == AfterMove.STAY:
        return SeeOther(here)
    seen = see(request, match_id)
    if seen.match.is_over or seen.view.seats[seen.own_seat].is_due:
        return SeeOther(here)
    there = reverse("turn") if wish == AfterMove.LIST else f"{reverse('turn_next')}?after={match_id}"
    if request.htmx:
        return HttpResponse(headers={"HX-Redirect": there})
    return SeeOther(there)


@require_safe
def sure(request: PageRequest, match_id: int, verb: str) -> HttpResponse:
    """A page of its own that asks again before a move that cannot be taken back."""
    seen = see(request, match_id, player_only=True)
    table = table_rows(seen.game, seen.view, seen.players)
    form = MoveForm.of(seen.view.ask, table.warnings, table.heading) if seen.view.ask else None
    button = next((one for one in form.careful if one.verb == verb), None) if form else None
    if button is None:
        return SeeOther(reverse("match", args=[match_id]))
    context = {
        "match": match_facts(seen),
        "question": f"{button.sure}?",
        "warning": button.warning,
        "action": reverse("move", args=[match_id]),
        "turn": seen.view.turn,
        "value": button.value,
        "label": button.sure,
    }
    return render(request, "oceans/sure.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: PageRequest, match_id: int) -> HttpResponse:
    """Ask whether to give the whole game up, and do it when posted."""
    seen = see(request, match_id, player_only=True)
    if request.method == "POST":
        try:
            play.resign(match_id=match_id, seat=seen.own_seat, now=seen.now)
        except (Refusal, IllegalMove) as refused:
            return answer_page(request, see(request, match_id), news.refused(str(refused)))
        return SeeOther(reverse("match", args=[match_id]))
    if not seen.match.is_running:
        return SeeOther(reverse("match", args=[match_id]))
    if len(seen.players) == 2:
        other = seen.players[1 - seen.own_seat].name
        warning = _("%(name)s wins the game at once. This cannot be taken back.") % {"name": other}
    else:
        warning = _("You leave this game for good, and the others play on. This cannot be taken back.")
    context = {
        "match": match_facts(seen),
        "question": _("Resign the game?"),
        "warning": warning,
        "action": reverse("resign", args=[match_id]),
        "turn": seen.view.turn,
        "value": "resign",
        "label": _("Resign the game"),
    }
    return render(request, "oceans/sure.html", context)


def _do(
    request: PageRequest,
    match_id: int,
    verb: Any,
    anchor: str = "",
    kept: Kept | None = None,
    **arguments: Any,
) -> HttpResponse:
    """Call a verb of play for a post; if it refuses, show the match again with its sentence and what is `kept`."""
    try:
        verb(match_id=match_id, now=timezone.now(), **arguments)
    except Refusal as refused:
        return answer_page(
            request, see(request, match_id), news.refused(str(refused)), status=refused.status, kept=kept
        )
    return SeeOther(reverse("match", args=[match_id]) + anchor)


@require_POST
def give_time(request: PageRequest, match_id: int) -> HttpResponse:
    """Give an opponent a day."""
    seen = see(request, match_id, player_only=True)
    to = whole(request.POST.get("seat", ""), 2)
    return _do(request, match_id, play.give_time, seat=seen.own_seat, to=-1 if to is None else to)


@require_POST
def chat(request: PageRequest, match_id: int) -> HttpResponse:
    """Say something at the match."""
    if not request.user.is_authenticated:
        return HttpResponseRedirect(f"{reverse('account_login')}?next={reverse('match', args=[match_id])}")
    access.match_for(request.user, match_id)
    text = request.POST.get("text", "")
    return _do(request, match_id, play.say, "#chat", {"chat": text}, user_id=request.user.pk, text=text)


@require_POST
def note(request: PlayerRequest, match_id: int) -> HttpResponse:
    """Keep the private note, and the words for everybody afterwards."""
    see(request, match_id, player_only=True)
    text, afterwards = request.POST.get("text", ""), request.POST.get("afterwards")
    return _do(
        request,
        match_id,
        play.write_note,
        "#note",
        {"note": text, "afterwards": afterwards or ""},
        user_id=request.user.pk,
        text=text,
        afterwards=afterwards,
    )


@require_POST
def rematch(request: PlayerRequest, match_id: int) -> HttpResponse:
    """Play again with the seats turned: invites the others, or accepts if one of them has asked."""
    seen = see(request, match_id, player_only=True)
    try:
        again = offers.rematch(match_id=match_id, user=request.user, now=seen.now)
    except Refusal as refused:
        return answer_page(request, seen, news.refused(str(refused)), status=refused.status)
    return SeeOther(reverse("match", args=[again]))
