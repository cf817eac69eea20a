"""How pages of competition answer a verb that was done or refused."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.models import User
from oceans.refusals import Refusal


class SeeOther(HttpResponseRedirect):
    """The answer to a post that was done: look there now. A reload does not post again."""

    status_code = 303


def person_of(request: HttpRequest) -> User | None:
    """Who asks, if it is somebody signed in."""
    return request.user if isinstance(request.user, User) else None


def member_of(request: HttpRequest) -> User:
    """Who asks, behind a decorator that lets only those in who are signed in."""
    assert isinstance(request.user, User)
    return request.user


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
