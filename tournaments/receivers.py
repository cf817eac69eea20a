"""What a finished match means for competition. Each part is done once, by rows with unique keys, and may be asked for
again: play repeats the news until nobody fails."""

from django.utils import timezone

from oceans import queries
from tournaments import attendance, ladders, ratings, running


def record(*, match_id: int, **_signal: object) -> None:
    """Take in the end of a match. It is rated on the day this happens; elsewhere it counts from when it ended."""
    ended = queries.ended(match_id)
    now = timezone.now()
    ratings.record_result(ended, now)
    ladders.record_result(ended, ended.finished_at or now)
    running.record_result(ended, ended.finished_at or now)
    attendance.note_ending(ended, ended.finished_at or now)
