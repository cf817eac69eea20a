"""Ladders: the list, one ladder as its reader sees it, and what he can do there."""

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.answers import SeeOther, posted_by_member
from accounts.numbers import whole
from accounts.queries import player_named
from oceans.refusals import Refusal
from tournaments import ladders as verbs
from tournaments.models import Challenge, Ladder
from tournaments.queries import ladders as reading
from tournaments.views.answers import done, member_of, person_of


@require_safe
def ladders(request: HttpRequest) -> HttpResponse:
    """Every ladder."""
    rows, wishes = reading.all_ladders(request.user.pk), reading.wishes(request.user.pk)
    context = {"rows": rows, "wishes": wishes, "asking": verbs.ASKING, "section": "ladders"}
    return render(request, "tournaments/ladders.html", context)


@posted_by_member
def ask(request: HttpRequest) -> HttpResponse:
    """Ask for a ladder of a game that has none."""
    game = request.POST.get("game", "")[:40]
    opened: list[Ladder] = []

    def verb() -> None:
        made = verbs.ask_for(game=game, user_id=member_of(request).pk, now=timezone.now())
        opened.extend([made] if made else [])

    answer = done(request, verb, reverse("ladders"))
    if opened:
        messages.success(request, _("Enough players have asked: the ladder is open."))
        return SeeOther(_page(opened[0]))
    return answer


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """One ladder: the rungs around the reader, his challenges, and how it moves."""
    found = get_object_or_404(Ladder, slug=slug)
    reader = person_of(request)
    now, first = timezone.now(), number_of(request, "from")
    page = reading.ladder_page(found, reader, now, first=first)
    why_not_join = verbs.why_not_join(found, reader, now) if reader and page.own is None else ""
    context = {
        "page": page,
        "career": next(iter(reading.careers(reader, now, found)), None) if reader else None,
        "why_not_join": why_not_join,
        "first": first,
        "section": "ladders",
    }
    return render(request, "tournaments/ladder.html", context)


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """How a ladder came to stand as it does."""
    found = get_object_or_404(Ladder, slug=slug)
    steps = reading.steps_of(found, number_of(request, "before"))
    context = {"ladder": found, "steps": steps, "section": "ladders"}
    return render(request, "tournaments/ladder_history.html", context)


@posted_by_member
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Step on at the bottom."""
    found = get_object_or_404(Ladder, slug=slug)
    verb = partial(verbs.join, ladder_id=found.pk, user_id=member_of(request).pk, now=timezone.now())
    return done(request, verb, _page(found), _("You are on the ladder, at the bottom for now."))


@posted_by_member
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Step off."""
    found = get_object_or_404(Ladder, slug=slug)
    verb = partial(verbs.leave, ladder_id=found.pk, user_id=member_of(request).pk, now=timezone.now())
    return done(request, verb, _page(found), _("You have left the ladder. You may come back in a week."))


@posted_by_member
def challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Challenge a player above."""
    found = get_object_or_404(Ladder, slug=slug)
    target = player_named(request.POST.get("to", "")[:40])

    def verb() -> None:
        if target is None:
            raise Refusal(_("There is no player of this name."))
        verbs.challenge(ladder_id=found.pk, by=member_of(request).pk, to=target.pk, now=timezone.now())

    said = _("Challenged. The answer must come within five days.")
    return done(request, verb, _page(found), said)


@posted_by_member
def answer(request: HttpRequest, challenge_id: int, verb: str) -> HttpResponse:
    """Accept, decline, or take back a challenge."""
    one = Challenge.objects.select_related("ladder").filter(pk=challenge_id).first()
    if one is None or verb not in ("accept", "decline", "cancel"):
        raise Http404
    user_id, now = member_of(request).pk, timezone.now()
    if verb == "accept":
        try:
            return SeeOther(reverse("match", args=[verbs.accept(challenge_id=challenge_id, user_id=user_id, now=now)]))
        except Refusal as refused:
            messages.error(request, str(refused))
            return SeeOther(_page(one.ladder))
    act = verbs.decline if verb == "decline" else verbs.cancel
    return done(
        request, partial(act, challenge_id=challenge_id, user_id=user_id, now=now), _page(one.ladder), _("Done.")
    )


def number_of(request: HttpRequest, name: str) -> int | None:
    """A whole number from the address, None where there is none."""
    return whole(request.GET.get(name, ""), 8)


def _page(ladder: Ladder) -> str:
    return reverse("ladder", args=[ladder.slug])
