"""A player's page."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts import blocking
from accounts.answers import SeeOther, posted_by_member
from accounts.models import User
from accounts.queries import player_named
from oceans import queries
from oceans.forms import HistoryForm
from oceans.templatetags.parts import span
from oceans.views.games import ended_line, watch_line
from oceans.views.requests import PlayerRequest

HISTORY = 25


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """Somebody's games and how reliably they play. Former names lead to the present one."""
    person = player_named(name)
    if person is None:
        raise Http404(_("There is no player of this name."))
    if person.username != name:
        return redirect("player", person.username, permanent=False)
    now = timezone.now()
    is_me = request.user.is_authenticated and request.user.pk == person.pk
    may_block = request.user.is_authenticated and not is_me and not person.is_bot
    profile = queries.profile_of(person, now)
    form = HistoryForm(request.GET)
    sought, before = form.sought(), request.GET.get("before", "")
    history = queries.history_of(person, before=before, now=now, limit=HISTORY, with_private=is_me, **sought)
    context = {
        "person": person,
        "figures": _figures(profile),
        "finished": [ended_line(row) for row in history.rows],
        "running": [watch_line(row) for row in queries.running_of(person, request.user.pk, now)],
        "score": None if is_me or not request.user.is_authenticated else _score(request.user, person),
        "history_form": form,
        "is_searched": bool(sought),
        "older": urlencode({**sought, "before": history.next}) if history.next else "",
        "is_me": is_me,
        "may_block": may_block,
        "is_blocked": may_block and blocking.has_blocked(request.user.pk, person.pk),
        "blocked": blocking.blocked_by(person.pk) if is_me else [],
        "section": "me" if is_me else "",
    }
    return render(request, "oceans/player.html", context)


@posted_by_member
def block(request: PlayerRequest, name: str) -> HttpResponse:
    """Block somebody, or take a block back."""
    person = player_named(name)
    if person is None or person.is_bot:
        raise Http404(_("There is no player of this name."))
    if request.POST.get("verb") == "unblock":
        blocking.unblock(request.user.pk, person.pk)
        messages.success(request, _("You may meet %(name)s again.") % {"name": person.username})
    else:
        blocking.block(request.user.pk, person.pk, timezone.now())
        messages.success(
            request, _("You will not see offers, invitations and talk of %(name)s.") % {"name": person.username}
        )
    return SeeOther(reverse("player", args=[person.username]))


def _score(reader: User, person: User) -> tuple[str, str] | None:
    """How the reader has fared against somebody, in figures and in words; None if they have not played to an end."""
    past = queries.between(reader, person)
    if not past.won + past.drawn + past.lost:
        return None
    if past.won == past.lost:
        words = _("You are level.")
    elif past.won > past.lost:
        words = _("You lead.")
    else:
        words = _("%(name)s leads.") % {"name": person.shown_name}
    if past.drawn:
        drawn = ngettext("%(n)d game was drawn.", "%(n)d games were drawn.", past.drawn) % {"n": past.drawn}
        words = f"{words} {drawn}"
    return f"{past.won}–{past.lost}", words


def _figures(profile: queries.Profile) -> list[tuple[str, str]]:
    figures = [
        (_("won, lost, drawn"), f"{profile.won}–{profile.lost}–{profile.drawn}"),
        (_("running games"), str(profile.running)),
    ]
    if profile.reply is not None:
        figures.append((_("usual reply time"), span(profile.reply)))
    if profile.finished_percent is not None:
        figures.append((_("games played to an end"), f"{profile.finished_percent} %"))
    figures.append((_("time-outs in 90 days"), str(profile.time_outs)))
    return figures
