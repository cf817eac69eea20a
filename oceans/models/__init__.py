"""The rows of play: matches, seats, logs, shuffles, offers, totals, and the service clock.

The log and what decks derive from are the truth; `ledger.record` keeps every derived column in step with them, and
`manage.py rederive` can rebuild those. Times named `..._s` are seconds of service time (see ServiceClock), times
named `..._at` are instants.
"""

from oceans.models.logs import Cause, MoveLog, Order, SealedAnswer, SeatEntropy, Shuffle
from oceans.models.matches import Hindsight, Match, Seat
from oceans.models.people import CHAT_LENGTH, NOTE_LENGTH, Chat, Note, Offer, Totals
from oceans.models.service import Effect, NoShow, Outage, ServiceClock, TimeOut

__all__ = [
    "CHAT_LENGTH",
    "NOTE_LENGTH",
    "Cause",
    "Chat",
    "Effect",
    "Hindsight",
    "Match",
    "MoveLog",
    "NoShow",
    "Note",
    "Offer",
    "Order",
    "Outage",
    "SealedAnswer",
    "Seat",
    "SeatEntropy",
    "ServiceClock",
    "Shuffle",
    "TimeOut",
    "Totals",
]
