"""What requests are here, for the type checker: every one knows of htmx, and some come from somebody signed in."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class PageRequest(HttpRequest):
    """A request that has passed the middleware."""

    htmx: HtmxDetails


class PlayerRequest(PageRequest):
    """A request by somebody who is signed in, guests among them."""

    user: User
