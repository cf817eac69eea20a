"""How pages of competition answer a verb that was done or refused."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from accounts.answers import SeeOther
from accounts.models import User
from oceans.refusals import Refusal
from tournaments.event_steps import directs
from tournaments.models import Tournament


def person_of(request: HttpRequest) -> User | None:
    """Who asks, if it is somebody signed in."""
    return request.user if isinstance(request.user, User) else None


def member_of(request: HttpRequest) -> User:
    """Who asks, behind a decorator that lets only those in who are signed in."""
    assert isinstance(request.user, User)
    return request.user


def event_for(reader: User | None, pk: int) -> Tournament:
    """An event that the reader may know of: a draft is there for its directors only. Raises Http404."""
    found = get_object_or_404(Tournament.objects.select_related("made_by"), pk=pk)
    if not found.is_announced and (reader is None or not directs(found, reader)):
        raise Http404
    return found


def done(request: HttpRequest, verb: Callable[[], object], to: str, said: str = "") -> HttpResponse:
    """Do something and lead on to a page, which says what was done or the sentence of the refusal."""
    try:
        verb()
    except Refusal as refused:
        messages.error(request, str(refused))
    else:
        if said:
            messages.success(request, said)
    return SeeOther(to)
