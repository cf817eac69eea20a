"""Who may play whom for ratings outside of events (docs/competition.md, 2): at most four games of a pair in a month,
and nobody who left three in a month without a move. Events and ladders have rules of their own."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from oceans.models import Match, NoShow, Seat

PAIR_MOST: Final = 4
PAIR_SPAN: Final = timedelta(days=30)
NO_SHOWS: Final = 3
NO_SHOW_SPAN: Final = timedelta(days=30)
BAR: Final = timedelta(days=14)
NEW_FOR: Final = timedelta(days=7)
NEW_UNTIL: Final = 5
"""Finished games after which an account is not new."""
WORN: Final = "pair"
"""Why a match is not rated whose players have met too often."""


def lately(now: datetime, prefix: str = "") -> Q:
    """Rated matches outside of events that count for the limit of a pair."""
    facts = {
        "rated": True,
        "event": "",
        "created_at__gt": now - PAIR_SPAN,
        "status__in": [Match.Status.RUNNING, Match.Status.FINISHED],
    }
    return Q(**{prefix + name: value for name, value in facts.items()})


def is_worn(game: str, users: Collection[int], now: datetime) -> bool:
    """Whether two of these users have played as many rated games as a month allows; a table counts for each of its
    pairs. One query."""
    seats = Seat.objects.filter(lately(now, "match__"), user__in=users, match__game=game)
    tables: dict[int, list[int]] = {}
    for match_id, user_id in seats.values_list("match", "user"):
        tables.setdefault(match_id, []).append(user_id)
    met = Counter(pair for table in tables.values() for pair in combinations(sorted(table), 2))
    return max(met.values(), default=0) >= PAIR_MOST


def worn_sentence() -> str:
    """What is said of a game that is not rated for that reason."""
    return _("not rated: you two have played four rated games in 30 days")


def note_no_show(match: Match, users: Collection[int], now: datetime) -> None:
    """Note that these users, knowing their cards, never moved; the third time in a month bars from rated games by
    offer. In the transaction that ends the match."""
    if Seat.objects.filter(match=match, user__is_bot=True).exists():
        return
    for user_id in sorted(users):
        NoShow.objects.get_or_create(match=match, user_id=user_id, defaults={"at": now})
        if NoShow.objects.filter(user=user_id, at__gt=now - NO_SHOW_SPAN).count() >= NO_SHOWS:
            User.objects.filter(pk=user_id).update(rated_from=now + BAR)


def why_not(user: Any, now: datetime) -> str | None:
    """Why a person may not play rated games by offer now, as a sentence; None if he may. No query."""
    if getattr(user, "is_guest", True):
        return _("Rated games need an account: sign up first.")
    if user.rated_from is not None and user.rated_from > now:
        day = f"{user.rated_from:%Y-%m-%d}"
        return _("You left three games without a move: rated games are open to you again from %(day)s.") % {"day": day}
    return None


def why_not_by_link(user: User, now: datetime) -> str | None:
    """Why a person may not offer rated games by a private link; None if he may. One query."""
    if now - user.date_joined < NEW_FOR:
        day = f"{user.date_joined + NEW_FOR:%Y-%m-%d}"
        return _("Rated games by a private link are open to you from %(day)s: offer this one unrated.") % {"day": day}
    if Seat.objects.filter(user=user, match__status=Match.Status.FINISHED)[:NEW_UNTIL].count() < NEW_UNTIL:
        return _("Finish five games before you offer rated ones by a private link: offer this one unrated.")
    return None
