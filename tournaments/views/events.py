"""Events: the list, a new one, one as its reader sees it, and its settings."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.answers import SeeOther
from accounts.models import User
from accounts.numbers import whole
from oceans.refusals import Refusal
from tournaments import directing, entering, event_steps, running, shapes, talking, tickets
from tournaments.event_rows import Group
from tournaments.forms import HINTS, EventForm
from tournaments.models import Attendance, Entrant, Tournament
from tournaments.queries import events as reading
from tournaments.queries.event_groups import group_of
from tournaments.views.answers import event_for, member_of, person_of

State = Tournament.State


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """Events to join, to follow and to look back on, and one's own drafts."""
    reader = person_of(request)
    drafts = reading.drafts(request.user.pk)
    context = {
        "tickets": tickets.unused_by(reader.pk) if reader is not None else [],
        "drafts": [row for row in drafts if not row.event.is_announced],
        "coming": [row for row in drafts if row.event.is_announced],
        "open_ones": reading.listed(request.user.pk, State.OPEN),
        "running": reading.listed(request.user.pk, State.RUNNING),
        "finished": reading.listed(request.user.pk, State.FINISHED, 20),
        "is_asleep": reader is not None and Attendance.objects.filter(user=reader, dormant_at__isnull=False).exists(),
        "section": "tournaments",
    }
    return render(request, "tournaments/events.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form for a new event; posted, it is open for entries, or opens when it says; with `draft` it is kept for its
    directors. `preview` only says what it comes to."""
    user, now = member_of(request), timezone.now()
    form = EventForm(request.POST if request.method == "POST" else None, by=user)
    status = 200
    if request.method == "POST" and not (form.is_valid() and "preview" in request.POST):
        status = 400
        if form.is_valid():
            try:
                pk = running.create(by=user, now=now, is_draft="draft" in request.POST, **form.terms())
            except Refusal as refused:
                form.add_error(None, str(refused))
                status = refused.status
            else:
                return SeeOther(_page(pk))
    why_not = shapes.why_not_create(user, now)
    may_draft = not shapes.why_not_create(user, now, is_draft=True)
    return _form(request, form, status, why_not=why_not, may_draft=may_draft)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """What can still be changed of an event, for its directors."""
    user, now = member_of(request), timezone.now()
    found = event_for(user, pk)
    if not event_steps.directs(found, user):
        raise PermissionDenied(_("Only the director of this event can do that."))
    form = EventForm(request.POST if request.method == "POST" else None, event=found, by=user)
    status = 200
    if request.method == "POST" and not (form.is_valid() and "preview" in request.POST):
        status = 400
        if form.is_valid():
            try:
                directing.change(tournament_id=pk, by=user, now=now, **form.terms())
            except Refusal as refused:
                form.add_error(None, str(refused))
                status = refused.status
            else:
                messages.success(request, _("Kept."))
                # Who has taken himself off a draft sees it no more.
                is_seen = found.is_announced or event_steps.directs(found, user)
                return SeeOther(_page(pk) if is_seen else reverse("tournaments"))
    return _form(request, form, status, event=found, invited=reading.invited_to(found))


def _form(request: HttpRequest, form: EventForm, status: int, **context: Any) -> HttpResponse:
    if "preview" in request.POST and "HX-Request" in request.headers:
        return HttpResponse(escape(form.in_words()))
    hints = {one.value: hint for one, hint in HINTS.items()}
    context |= {"form": form, "hints": hints, "in_words": form.in_words(), "section": "tournaments"}
    return render(request, "tournaments/event_new.html", context, status=status)


@require_safe
def event(request: HttpRequest, pk: int) -> HttpResponse:
    """One event."""
    reader, now = person_of(request), timezone.now()
    found = event_for(reader, pk)
    directs = reader is not None and event_steps.directs(found, reader)
    sought = request.GET.get("player", "").strip()
    asked = group_of(found, sought) if sought else _group_asked(request)
    page = reading.event_page(found, reader, now, directs=directs, group=asked)
    may_enter = not page.is_in and entering.takes_entries(found, now)
    context = {
        "page": page,
        "sought": sought,
        "not_found": sought and asked is None,
        "may_enter": may_enter,
        "why_closed": entering.why_closed(found, now),
        "reasons": _reasons(found, reader, page.own) if reader and may_enter else [],
        "directs": directs,
        "why_not_talk": talking.why_not(page.own, directs),
        "rulings": list(found.rulings.select_related("by").order_by("-made_at", "-pk")[:50]),
        "directors": list(found.directors.all()),
        "section": "tournaments",
    }
    return render(request, "tournaments/event.html", context)


def _group_asked(request: HttpRequest) -> Group | None:
    """The group that an address names, such as 3.5."""
    level, _dot, group = request.GET.get("group", "").partition(".")
    numbers = whole(level, 3), whole(group, 6)
    return None if numbers[0] is None or numbers[1] is None else (numbers[0], numbers[1])


def _reasons(found: Tournament, reader: User, own: Entrant | None) -> list[str]:
    """Why the reader may not enter; whether he knows the password shows when he tries."""
    if refused := entering.why_not_again(found, own):
        return [refused]
    return entering.why_not(found, reader, timezone.now())


def _page(pk: int) -> str:
    return reverse("tournament", args=[pk])
