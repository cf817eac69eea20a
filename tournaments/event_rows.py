"""An event between its rows and the value that plans are made from; the lock of an event.

Used by the verbs of running.py, and by pages for reading.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from oceans import queries
from tournaments.fixtures import FORFEIT, HARD_LIMIT_RATIO, PLAYED, round_days
from tournaments.models import Entrant, EventMatch, Pairing, Round, Tournament
from tournaments.plans import KNOCK_OUT, Bout, Competitor, Event

Group = tuple[int, int]
"""A level and the number of a group on it."""


@dataclass(slots=True)
class Locked:
    """An event under its lock: its rows and the time."""

    event: Tournament
    now: datetime

    def entrant(self, user_id: int) -> Entrant | None:
        return self.event.entrants.filter(user=user_id).first()


@contextmanager
def locked(tournament_id: int, now: datetime) -> Iterator[Locked]:
    """A transaction that holds the lock of an event. Matches are locked after it, never before."""
    with transaction.atomic():
        yield Locked(Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id), now)


def is_for_two(tournament: Tournament) -> bool:
    """Whether its matches are between two players."""
    seats = next((game.seats for game in queries.games() if game.slug == tournament.game), range(2, 3))
    if tournament.format == Tournament.Format.TABLES:
        return False
    return tournament.format != Tournament.Format.MINI_CUP or 2 in seats


def is_one_table(tournament: Tournament) -> bool:
    """Whether it is a mini cup of one match for all."""
    return tournament.format == Tournament.Format.MINI_CUP and not is_for_two(tournament)


def pairings_of(tournament: Tournament, since: datetime | None = None, group: Group | None = None) -> QuerySet[Pairing]:
    """The pairings of an event, or of one group, with their rounds; of those that are decided only what was paired
    after `since`."""
    found = Pairing.objects.filter(round__tournament=tournament).select_related("round")
    if group is not None:
        found = found.filter(level=group[0], group=group[1])
    return found.filter(Q(how="open") | Q(round__opened_at__gt=since)) if since is not None else found


def value_of(tournament: Tournament, since: datetime | None = None, group: Group | None = None) -> Event:
    """The event as plans read it, or one group of it, or as `pairings_of` cuts it short. Three queries."""
    entrants = tournament.entrants.exclude(seed=None)
    if group is not None:
        entrants = entrants.filter(level=group[0], group=group[1])
    competitors = tuple(
        Competitor(
            one.user_id,
            one.seed or 0,
            one.level,
            one.group,
            one.state == Entrant.State.IN,
            one.is_paused,
            one.state == Entrant.State.EXCLUDED,
            one.late_in,
        )
        for one in entrants.order_by("seed")
    )
    rows = list(pairings_of(tournament, since, group).order_by("round__number", "board"))
    unmoved = _unmoved(rows)
    bouts = tuple(
        Bout(
            row.round.number,
            row.board,
            tuple(row.players),
            tuple(row.points),
            row.how,
            row.level,
            row.group,
            row.winner_id,
            row.games,
            unmoved.get(row.pk, frozenset()),
        )
        for row in rows
    )
    return Event(tournament.format, tournament.shape, competitors, bouts, is_for_two(tournament))


def _unmoved(rows: Iterable[Pairing]) -> dict[int, frozenset[int]]:
    """At tables: who never moved, by pairing."""
    players = {row.pk: row.players for row in rows if len(row.players) > 2}
    found = {}
    for match in EventMatch.objects.filter(pairing__in=players).exclude(moved=[]):
        pairs = zip(players[match.pairing_id], match.moved, strict=True)
        found[match.pairing_id] = frozenset(player for player, moved in pairs if not moved)
    return found


def add_bouts(here: Locked, bouts: Sequence[Bout]) -> list[Bout]:
    """Store bouts that are not stored yet; return those that were new. Their matches are opened apart from it."""
    stored = Pairing.objects.filter(round__tournament=here.event).values_list("round__number", "board")
    known = set(stored) if bouts else set()
    rounds: dict[int, Round] = {}
    for bout in bouts:
        if bout.round not in rounds:
            rounds[bout.round] = open_round(here, bout.round, bout.games)
    added = [bout for bout in bouts if (bout.round, bout.board) not in known]
    for number, bouts_open in Counter(bout.round for bout in added if bout.is_open).items():
        count_undecided(here.event, rounds[number].pk, bouts_open)
    Pairing.objects.bulk_create(
        Pairing(
            round=rounds[bout.round],
            board=bout.board,
            level=bout.level,
            group=bout.group,
            players=list(bout.players),
            games=bout.games,
            lacking=games_at_first(here.event, bout.games) if bout.is_open else 0,
            points=list(bout.points),
            how=bout.how,
            winner_id=bout.winner,
            decided_at=None if bout.is_open else here.now,
        )
        for bout in added
    )
    return added


def games_at_first(tournament: Tournament, games: int) -> int:
    """How many games of a pairing are opened at once: all, or the first where they are played one by one."""
    return 1 if tournament.shape.get("in_turn") else games


def count_undecided(event: Tournament, round_id: int, by: int) -> None:
    """So many pairings of a round more, or less, wait for a result."""
    Round.objects.filter(pk=round_id).update(undecided=F("undecided") + by)
    event.undecided += by
    event.save(update_fields=["undecided"])


def open_round(here: Locked, number: int, games: int = 1) -> Round:
    """The round, with the usual time from now on for what is added to it."""
    late, limit = deadlines(here.event, here.now, games)
    fields = {"opened_at": here.now, "late_at": late, "limit_at": limit}
    round_, is_new = Round.objects.get_or_create(tournament=here.event, number=number, defaults=fields)
    if not is_new and round_.late_at is not None and round_.limit_at is not None:
        round_.late_at, round_.limit_at = max(late, round_.late_at), max(limit, round_.limit_at)
        round_.is_late, round_.closed_at = round_.late_at <= here.now, None
        round_.save(update_fields=["late_at", "limit_at", "is_late", "closed_at"])
    return round_


def deadlines(tournament: Tournament, now: datetime, games: int = 1) -> tuple[datetime, datetime]:
    """When a round that opens now is overdue, and when what is still open in it is closed."""
    days = days_of_round(tournament.pace, games, bool(tournament.shape.get("in_turn")))
    return now + timedelta(days=days), now + timedelta(days=days * HARD_LIMIT_RATIO)


def days_of_round(pace: str, games: int = 1, in_turn: bool = False) -> int:
    """How many days a round may take at a pace. Games of one match are played side by side but for extra ones, or all
    one by one."""
    in_a_row = games if in_turn or games == 1 else 2
    return round_days(int(pace.removeprefix("days-")) if pace.startswith("days-") else pace, in_a_row)


def points_for(winner: int | None, players: list[int]) -> list[int]:
    """Doubled points of two players."""
    return [1, 1] if winner is None else [2 if player == winner else 0 for player in players]


def how_played(moved: Iterable[bool]) -> str:
    """Played, or a forfeit where one side never moved."""
    return PLAYED if all(moved) else FORFEIT


def is_in_groups(tournament: Tournament, pairing: Pairing) -> bool:
    """Whether the format says who has the first seat: Berger's tables, or the pairing of a Swiss."""
    return not is_knock_out(tournament, pairing) and not tournament.is_endless


def is_knock_out(tournament: Tournament, pairing: Pairing) -> bool:
    """Whether somebody must go on from this pairing."""
    return pairing.group == 0 and tournament.format in (KNOCK_OUT, Tournament.Format.CUP)
