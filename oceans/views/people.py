"""A player's page."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.queries import player_named
from oceans import queries
from oceans.templatetags.parts import span
from oceans.views.games import ended_line

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
    profile = queries.profile_of(person, now)
    is_me = request.user.is_authenticated and request.user.pk == person.pk
    before = request.GET.get("before", "")
    history = queries.history_of(person, before=before, now=now, limit=HISTORY, with_private=is_me)
    context = {
        "person": person,
        "figures": _figures(profile),
        "finished": [ended_line(row) for row in history.rows],
        "older": history.next,
        "is_me": is_me,
        "section": "me" if is_me else "",
    }
    return render(request, "oceans/player.html", context)


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
