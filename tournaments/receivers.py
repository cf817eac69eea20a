"""What a finished match means for competition. Each part is done once, by rows with unique keys, and may be asked for
again: play repeats the news until nobody fails (reliability: effects)."""

from django.utils import timezone

from oceans import queries
from tournaments import ratings


def record(*, match_id: int, **_signal: object) -> None:
    """Take in the end of a match."""
    now = timezone.now()
    ended = queries.ended(match_id)
    ratings.record_result(ended, now)
