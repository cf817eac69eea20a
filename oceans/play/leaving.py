"""What ends a match from outside: somebody closes an account (docs/correspondence.md, 7), or an event goes on without
it."""

from datetime import datetime

from oceans.models import Match, Seat
from oceans.play.moves import resign
from oceans.play.transition import cancel, locked


def withdraw_user(user_id: int, now: datetime, unrated_because: str = "") -> None:
    """End a person's running matches: as resigned, or cancelled where nobody has moved. Opponents are told.

    Call it in the transaction that closes the account; or, with the reason why they do not count for ratings, when it
    has fallen asleep.
    """
    playing = Seat.objects.filter(user=user_id, ended_at=None, match__status=Match.Status.RUNNING)
    for match_id, number in list(playing.values_list("match_id", "number").order_by("match_id")):
        resign(match_id=match_id, seat=number, now=now, unrated_because=unrated_because)


def call_off(*, match_id: int, now: datetime, is_agreed: bool = False) -> bool:
    """Cancel a running match for good, as those who play it have agreed or the site wants it; False if it is over
    already. They are told."""
    with locked(match_id, now) as here:
        if not here.match.is_running:
            return False
        cancel(here, Match.EndedBy.BY_AGREEMENT if is_agreed else Match.EndedBy.BY_STAFF)
        return True
