"""What is done once a day, in the first tick after midnight (UTC). Each part may be done twice; a night that broke off
is done again."""

from datetime import datetime

from tournaments import fair_play, ladders, ratings
from tournaments.models import Night
from tournaments.ratings import day_of


def close(now: datetime) -> int:
    """Close the day before this one, unless that has been done; return whether it was done now."""
    day = day_of(now) - 1
    if Night.objects.filter(day=day).exists():
        return 0
    ratings.award_ranks(now)
    ladders.note_places(now)
    fair_play.report(now)
    Night.objects.get_or_create(day=day, defaults={"done_at": now})
    return 1
