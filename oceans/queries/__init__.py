"""Every read worth a name. Queries return views and small rows, never a state; each says what it costs."""

from oceans.queries.lists import (
    HistoryPage,
    finished_unseen,
    history_of,
    next_waiting,
    running_now,
    running_with_others,
    waiting_count,
    waiting_for,
)
from oceans.queries.lobby import OfferRow, invitations, offer_with, offers_by, open_offers
from oceans.queries.people import Profile, profile_of
from oceans.queries.rows import MatchRow, Person, SeatRow
from oceans.queries.sights import (
    ChatRow,
    Ended,
    Notes,
    NotStarted,
    chat_of,
    deal_starts,
    ended,
    fair_record,
    notes_of,
    record_of,
    replay_of,
    result_of,
    view_of,
)

__all__ = [
    "ChatRow",
    "Ended",
    "HistoryPage",
    "MatchRow",
    "NotStarted",
    "Notes",
    "OfferRow",
    "Person",
    "Profile",
    "SeatRow",
    "chat_of",
    "deal_starts",
    "ended",
    "fair_record",
    "finished_unseen",
    "history_of",
    "invitations",
    "next_waiting",
    "notes_of",
    "offer_with",
    "offers_by",
    "open_offers",
    "profile_of",
    "record_of",
    "replay_of",
    "result_of",
    "running_now",
    "running_with_others",
    "view_of",
    "waiting_count",
    "waiting_for",
]
