"""Games that a player has put aside: for the rest of a sitting the way to the next game passes them over. They still
wait for him, so they are listed and counted like all others. Kept in the session of this browser."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.http import HttpRequest

FOR: Final = timedelta(hours=12)
"""How long a sitting is taken to last at most."""

_KEY: Final = "put_aside"


def put(request: HttpRequest, match_id: int, now: datetime) -> None:
    """Put a game aside."""
    still = put_aside(request, now)
    kept = {number: at for number, at in _stored(request).items() if int(number) in still}
    request.session[_KEY] = {**kept, str(match_id): int(now.timestamp())}


def take_up(request: HttpRequest, match_id: int) -> None:
    """Put a game aside no longer: its player has answered, and what comes next is another question."""
    kept = _stored(request)
    if str(match_id) in kept:
        request.session[_KEY] = {number: at for number, at in kept.items() if number != str(match_id)}


def put_aside(request: HttpRequest, now: datetime) -> Collection[int]:
    """The games that are put aside now."""
    since = (now - FOR).timestamp()
    return {int(number) for number, at in _stored(request).items() if at > since}


def _stored(request: HttpRequest) -> dict[str, int]:
    return request.session.get(_KEY, {})
