"""Everything of an event that its page needs, read once: constant queries, however many entered."""

from datetime import datetime
from fractions import Fraction

from django.db.models import F

from tournaments.endless import LATELY
from tournaments.event_rows import Group, pairings_of, value_of
from tournaments.models import EventMatch, Tournament
from tournaments.plans import Bout, Event


class Reader:
    """An event as its page reads it: whole, or one group, the endless one with what has happened lately. `may_watch`:
    whether games may be linked to for this reader."""

    def __init__(
        self, event: Tournament, reader_id: int | None, now: datetime, *, may_watch: bool, group: Group | None = None
    ) -> None:
        self.event, self.reader_id, self.may_watch, self.group = event, reader_id, may_watch, group
        entrants = event.entrants.select_related("user").order_by(F("place").asc(nulls_last=True), "seed", "entered_at")
        if group is not None:
            entrants = entrants.filter(level=group[0], group=group[1]).exclude(seed=None)
        self.entrants = list(entrants)
        self.users = {one.user_id: one.user for one in self.entrants}
        since = now - LATELY if event.is_endless else None
        self.value: Event = value_of(event, since, group)
        self._matches: dict[tuple[int, int], list[EventMatch]] = {}
        rows = EventMatch.objects.filter(pairing__in=pairings_of(event, since, group)).select_related("pairing__round")
        for match in rows.order_by("number"):
            pairing = match.pairing
            self._matches.setdefault((pairing.round.number, pairing.board), []).append(match)

    def name(self, user_id: int) -> str:
        """What an entrant is called."""
        return self.users[user_id].shown_name

    def matches_of(self, bout: Bout) -> list[EventMatch]:
        """The matches played for a pairing."""
        return self._matches.get((bout.round, bout.board), [])

    def match_ids(self, bout: Bout) -> tuple[int, ...]:
        """The games of a pairing that the reader may look at."""
        return tuple(match.match_id for match in self.matches_of(bout)) if self.may_watch else ()


def written(value: int | Fraction, divisor: int = 1) -> str:
    """A figure as pages print it: 2½, 4¼, 12."""
    exact = Fraction(value) / divisor
    whole, rest = divmod(exact, 1)
    marks = {Fraction(0): "", Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}
    if rest not in marks:
        return f"{float(exact):.2f}"
    return f"{whole}{marks[rest]}" if whole or not rest else marks[rest]
