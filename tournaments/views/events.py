"""Events: the list, a new one, one as its reader sees it, what he can do there, and its figures for programs."""

import csv
from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.queries import player_named
from oceans.refusals import Refusal
from tournaments import attendance, directing, entering, running, shapes
from tournaments.forms import HINTS, EventForm
from tournaments.models import Attendance, Tournament
from tournaments.queries import events as reading
from tournaments.views.answers import SeeOther, done, member_of, person_of

State = Tournament.State


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """Events to join, to follow and to look back on."""
    reader = person_of(request)
    context = {
        "open_ones": reading.listed(request.user.pk, State.OPEN),
        "running": reading.listed(request.user.pk, State.RUNNING),
        "finished": reading.listed(request.user.pk, State.FINISHED, 20),
        "is_asleep": reader is not None and Attendance.objects.filter(user=reader, dormant_at__isnull=False).exists(),
        "why_not_create": shapes.why_not_create(reader, timezone.now()) if reader else "",
        "section": "tournaments",
    }
    return render(request, "tournaments/events.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form for a new event; posted, it is open for entries."""
    user, now = member_of(request), timezone.now()
    form = EventForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                pk = running.create(by=user, now=now, **form.terms())
            except Refusal as refused:
                form.add_error(None, str(refused))
                status = refused.status
            else:
                return SeeOther(_page(pk))
    context = {
        "form": form,
        "hints": {one.value: hint for one, hint in HINTS.items()},
        "why_not": shapes.why_not_create(user, now),
        "section": "tournaments",
    }
    return render(request, "tournaments/event_new.html", context, status=status)


@require_safe
def event(request: HttpRequest, pk: int) -> HttpResponse:
    """One event."""
    found = get_object_or_404(Tournament.objects.select_related("made_by"), pk=pk)
    reader, now = person_of(request), timezone.now()
    page = reading.event_page(found, reader, now)
    may_enter = found.is_open or entering.is_late_entry(found) or (found.is_endless and found.is_running)
    is_in = page.own is not None and page.own.state == "in"
    players = max(found.entered, found.most or 0)
    context = {
        "page": page,
        "is_in": is_in,
        "may_enter": may_enter and not is_in,
        "reasons": entering.why_not(found, reader, now)
        if reader and may_enter and not is_in and not found.password
        else [],
        "directs": reader is not None and (reader.is_staff or reader.pk == found.made_by_id),
        "estimate": shapes.estimate(found.format, found.shape, players, found.pace) if players > 1 else None,
        "rulings": list(found.rulings.select_related("by").order_by("-made_at", "-pk")[:50]),
        "section": "tournaments",
    }
    return render(request, "tournaments/event.html", context)


@login_required
@require_POST
def act(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """What a player or the director does to an event."""
    found = get_object_or_404(Tournament, pk=pk)
    action = ACTIONS.get(verb)
    if action is None:
        raise Http404
    do, said = action
    return done(request, lambda: do(request, found.pk, member_of(request), timezone.now()), _page(pk), str(said))


def _enter(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    wanted = request.POST.get("wanted", "1")
    running.enter(
        tournament_id=pk,
        user_id=user.pk,
        now=now,
        password=request.POST.get("password", "")[:100],
        wanted=int(wanted) if wanted in ("1", "2", "3", "4", "5", "6") else 1,
    )


def _withdraw(_request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    running.withdraw(tournament_id=pk, user_id=user.pk, now=now)


def _come_back(_request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    running.come_back(tournament_id=pk, user_id=user.pk, now=now)


def _start(_request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.start(tournament_id=pk, by=user, now=now)


def _cancel(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.cancel(tournament_id=pk, by=user, now=now, why=_why(request))


def _pause(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.pause(tournament_id=pk, by=user, now=now, is_paused=True, why=_why(request))


def _resume(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.pause(tournament_id=pk, by=user, now=now, is_paused=False, why=_why(request))


def _extend(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.extend(tournament_id=pk, number=_number(request, "round"), by=user, now=now, why=_why(request))


def _exclude(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    target = _named(request)
    directing.exclude(tournament_id=pk, user_id=target.pk, by=user, now=now, why=_why(request))


def _reinstate(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    target = _named(request)
    directing.reinstate(tournament_id=pk, user_id=target.pk, by=user, now=now, why=_why(request))


def _set_result(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    points = {"1-0": (2, 0), "draw": (1, 1), "0-1": (0, 2), "0-0": (0, 0)}.get(request.POST.get("result", ""))
    if points is None:
        raise Refusal(_("Choose how the game ended."))
    directing.set_result(
        tournament_id=pk,
        number=_number(request, "round"),
        board=_number(request, "board"),
        points=points,
        by=user,
        now=now,
        why=_why(request),
    )


def _named(request: HttpRequest) -> User:
    target = player_named(request.POST.get("name", "")[:40])
    if target is None:
        raise Refusal(_("There is no player of this name."))
    return target


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def _why(request: HttpRequest) -> str:
    return request.POST.get("why", "")


ACTIONS: dict[str, tuple[Callable[[HttpRequest, int, User, datetime], None], Promise]] = {
    "enter": (_enter, gettext_lazy("You are in.")),
    "withdraw": (_withdraw, gettext_lazy("You have left the tournament.")),
    "come-back": (_come_back, gettext_lazy("You will be paired again.")),
    "start": (_start, gettext_lazy("It has begun.")),
    "cancel": (_cancel, gettext_lazy("Called off.")),
    "pause": (_pause, gettext_lazy("No further round is paired for now.")),
    "resume": (_resume, gettext_lazy("It goes on.")),
    "extend": (_extend, gettext_lazy("The round has as much time again.")),
    "exclude": (_exclude, gettext_lazy("Put out.")),
    "reinstate": (_reinstate, gettext_lazy("Taken back in.")),
    "set-result": (_set_result, gettext_lazy("The result is set.")),
}


@login_required
@require_POST
def wake(request: HttpRequest) -> HttpResponse:
    """The owner of an account that sleeps is back."""
    attendance.wake(member_of(request).pk)
    messages.success(request, _("Welcome back. You may enter again."))
    return SeeOther(reverse("tournaments"))


@require_safe
def figures(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Standings and pairings of a public event as JSON or CSV."""
    found = get_object_or_404(Tournament, pk=pk, access=Tournament.Access.ANYONE)
    page = reading.event_page(found, None, timezone.now())
    standings = [
        {"table": table.title, "place": line.place, "player": line.user.shown_name}
        | dict(zip(table.columns, line.figures, strict=True))
        for table in page.tables
        for line in table.lines
    ]
    ties = [(round_.number, tie) for round_ in page.rounds for tie in round_.ties]
    if kind == "json":
        told = {"event": found.pk, "name": found.name, "state": found.state, "seed": found.seed}
        return JsonResponse(
            {**told, "standings": standings, "pairings": [_written_tie(number, tie) for number, tie in ties]}
        )
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    writer = csv.writer(response)
    if kind == "standings":
        writer.writerow(standings[0].keys() if standings else ["table", "place", "player"])
        writer.writerows([_safe(value) for value in row.values()] for row in standings)
    else:
        writer.writerow(["round", "players", "scores", "how"])
        for number, tie in ties:
            names = " / ".join(side.user.shown_name for side in tie.sides if side.user)
            writer.writerow([number, _safe(names), " / ".join(side.score for side in tie.sides), tie.how])
    return response


def _written_tie(number: int, tie: reading.Tie) -> dict[str, object]:
    return {
        "round": number,
        "players": [side.user.shown_name for side in tie.sides if side.user],
        "scores": [side.score for side in tie.sides],
        "how": tie.how,
        "games": list(tie.match_ids),
    }


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@" and text else text


def _page(pk: int) -> str:
    return reverse("tournament", args=[pk])
