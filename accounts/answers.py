"""How pages of every app answer."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

View = TypeVar("View", bound=Callable[..., HttpResponse])


class SeeOther(HttpResponseRedirect):
    """The answer to a post that was done: look there now. A reload or the back button does not post again."""

    status_code = 303


def posted_by_member(view: View) -> View:
    """Let a view take posts of those who are signed in only. Others sign in first, and are then led to the page they
    posted from, as the address they posted to has nothing to show."""

    @require_POST
    @wraps(view)
    def taken(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return redirect_to_login(_page_before(request))

    return cast(View, taken)


def _page_before(request: HttpRequest) -> str:
    before = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(before, {request.get_host()}):
        return reverse("home")
    parts = urlsplit(before)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path or reverse("home")
