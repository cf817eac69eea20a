"""The rows of competition: ratings with their log, ladders, events. Nothing here decides anything; see ratings.py,
ladders.py and running.py, which are the only writers."""

from tournaments.models.events import (
    Attendance,
    Award,
    Ending,
    Entrant,
    EventMatch,
    Invitation,
    Pairing,
    Round,
    Ruling,
    Tournament,
)
from tournaments.models.ladders import Challenge, Ladder, LadderStep, Rung
from tournaments.models.ratings import Rating, RatingChange, RatingDay, RatingEvent, TitleHeld

__all__ = [
    "Attendance",
    "Award",
    "Challenge",
    "Ending",
    "Entrant",
    "EventMatch",
    "Invitation",
    "Ladder",
    "LadderStep",
    "Pairing",
    "Rating",
    "RatingChange",
    "RatingDay",
    "RatingEvent",
    "Round",
    "Ruling",
    "Rung",
    "TitleHeld",
    "Tournament",
]
