"""Ratings computed again from the log, day by day, into the tables that are read or into their shadows.

`into` forgets what a table holds of a pool from a day on and computes it anew. `swap` makes the stored rows those of
the shadows: in one transaction, so that readers see the old ratings until it is done, and by way of what differs, so
that it is quick where little does. Called by ratings.py only, which knows when nobody else may write.
"""

import gc
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.core.management.color import no_style
from django.db import connection, models
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from tournaments.models import (
    Rating,
    RatingChange,
    RatingChangeShadow,
    RatingDay,
    RatingDayShadow,
    RatingEvent,
    RatingShadow,
)
from tournaments.players import Player
from tournaments.pools import params_of
from tournaments.rate import DayOutcome, DayResult, shown_until
from tournaments.rate import Rating as Strength
from tournaments.result_log import OVERALL, Card, LoggedResult, LoggedSeat, after_results, code_of, counted

Kind = RatingEvent.Kind
COUNTED: Final = "ok"
CARD: Final = ("pool", "user_id", "day", "r", "rd", "games", "wins", "draws", "losses", "peak")
CHANGE: Final = ("event_id", "pool", "user_id", "day", "start_r", "start_rd", "change")
BATCH: Final = 500
PAGE: Final = 20_000
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """Where ratings are kept: the newest cards, the cards after each day, and what each result was worth."""

    cards: type[models.Model]
    days: type[models.Model]
    changes: type[models.Model]


STORED: Final = Tables(Rating, RatingDay, RatingChange)
SHADOWS: Final = Tables(RatingShadow, RatingDayShadow, RatingChangeShadow)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was ruled on a result since it was logged; None is nothing."""

    is_void: bool = False
    related: bool | None = None
    seats: Sequence[Sequence[Any]] | None = None


NONE: Final = Ruling()


def rulings(matches: Iterable[int] | None = None) -> dict[int, Ruling]:
    """The rulings that hold, by match: all, or those on some matches. One query."""
    rows = RatingEvent.objects.exclude(kind=Kind.RESULT)
    if matches is not None:
        rows = rows.filter(match__in=matches)
    found: dict[int, Ruling] = {}
    for match_id, kind, seats in rows.order_by("pk").values_list("match", "kind", "seats"):
        old = found.get(match_id, NONE)
        is_void = kind == Kind.VOID if kind in (Kind.VOID, Kind.UNVOID) else old.is_void
        related = kind == Kind.RELATED if kind in (Kind.RELATED, Kind.UNRELATED) else old.related
        found[match_id] = Ruling(is_void, related, seats if kind == Kind.RE_RANK else old.seats)
    return found


def logged(event: RatingEvent, ruling: Ruling = NONE) -> LoggedResult:
    """A row of the log, with what was ruled on it, as the pure functions read it."""
    seats = event.seats if ruling.seats is None else ruling.seats
    return LoggedResult(
        number=event.match_id,
        pool=event.pool,
        day=event.day,
        seats=tuple(LoggedSeat(user, rank, moved, bot) for user, rank, moved, bot in seats),
        rated=event.rated,
        reason=event.reason,
        related=event.related if ruling.related is None else ruling.related,
        streak=event.streak,
        void=ruling.is_void,
    )


def into(tables: Tables, pool: str, day: int, before: int | None = None) -> None:
    """Compute a pool again from a day on, as far as the day `before` if one is given. Outside of a transaction it is
    many short ones."""
    params = params_of(pool)
    cards = cards_before(tables, pool, day)
    stale = tables.cards._default_manager.filter(pool=pool, day__gte=day)
    touched: set[Player] = set(stale.values_list("user_id", flat=True))
    for kept in (tables.changes, tables.days, tables.cards):
        kept._default_manager.filter(pool=pool, day__gte=day).delete()
    log = RatingEvent.objects.filter(kind=Kind.RESULT, day__gte=day)
    if pool != OVERALL:
        log = log.filter(pool=pool)
    if before is not None:
        log = log.filter(day__lt=before)
    days: list[Row] = []
    changes: list[Row] = []
    with _collector_paused():
        for one, results, events in _counted_days(log):
            after = after_results(cards, one, results, params)
            cards.update((player, card) for player, (card, _outcome) in after.items())
            touched |= after.keys()
            days += [_card_row(pool, player, card) for player, (card, _outcome) in after.items()]
            changes += _change_rows(pool, one, after, events)
            if len(changes) >= PAGE:
                _insert_history(tables, days, changes)
                days, changes = [], []
    _insert_history(tables, days, changes)
    _put_cards(tables, pool, {player: cards[player] for player in touched if player in cards})


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Cards are many and never in cycles: looking for cycles among them again and again takes half of a replay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _put_cards(tables: Tables, pool: str, cards: Mapping[Player, Card]) -> None:
    """Make these the newest cards of their players."""
    params = params_of(pool)
    players = list(cards)
    for start in range(0, len(players), BATCH):
        tables.cards._default_manager.filter(pool=pool, user_id__in=players[start : start + BATCH]).delete()
    insert(
        tables.cards,
        (*CARD, "shown_until"),
        [
            (*_card_row(pool, player, card), shown_until(card.rating, card.games, params))
            for player, card in cards.items()
        ],
    )


def _counted_days(log: models.QuerySet[RatingEvent]) -> Iterator[tuple[int, list[DayResult], dict[int, int]]]:
    """Day by day the results that count, and the row of the log of each. Rows never have an earlier day than those
    before them."""
    ruled = rulings()
    for day, rows in groupby(_in_pages(log), key=lambda event: event.day):
        results, events = [], {}
        for event in rows:
            result = logged(event, ruled.get(event.match_id, NONE))
            if code_of(result) == COUNTED:
                results.append(counted(result))
                events[event.match_id] = event.pk
        yield day, results, events


def _in_pages(log: models.QuerySet[RatingEvent]) -> Iterator[RatingEvent]:
    """A log row by row, without keeping a cursor open meanwhile."""
    last = 0
    while page := list(log.filter(pk__gt=last).order_by("pk")[:PAGE]):
        yield from page
        last = page[-1].pk


def _insert_history(tables: Tables, days: list[Row], changes: list[Row]) -> None:
    insert(tables.days, CARD, days)
    insert(tables.changes, CHANGE, changes)


def cards_before(tables: Tables, pool: str, day: int, users: Collection[int] | None = None) -> dict[Player, Card]:
    """The cards of a pool, or of some of its players, as they stood before a day; none for newcomers. Two queries."""
    newest = tables.cards._default_manager.filter(pool=pool)
    if users is not None:
        newest = newest.filter(user_id__in=users)
    earlier: Iterable[Any] = newest.filter(day__lt=day)
    cards: dict[Player, Card] = {row.user_id: card_of(row) for row in earlier}
    later = newest.filter(day__gte=day).values("user_id")
    history = tables.days._default_manager.filter(pool=pool, day__lt=day, user_id__in=later)
    age = Window(RowNumber(), partition_by=F("user_id"), order_by=F("day").desc())
    cards.update((row.user_id, card_of(row)) for row in history.annotate(age=age).filter(age=1))
    return cards


def card_of(row: Any) -> Card:
    """A stored card as the pure functions read it."""
    return Card(Strength(row.r, row.rd, row.day), row.games, row.wins, row.draws, row.losses, row.peak)


def _card_row(pool: str, player: Player, card: Card) -> Row:
    rating = card.rating
    counts = (card.games, card.wins, card.draws, card.losses, card.peak)
    return (pool, player, rating.day, rating.r, rating.rd, *counts)


def _change_rows(
    pool: str, day: int, after: dict[Player, tuple[Card, DayOutcome]], events: dict[int, int]
) -> Iterator[Row]:
    for player, (_card, outcome) in after.items():
        for match_id, change in outcome.changes.items():
            yield (events[match_id], pool, player, day, outcome.start.r, outcome.start.rd, change)


def insert(model: type[models.Model], names: Sequence[str], rows: Iterable[Row]) -> None:
    """Add many rows, as fast as the database can take them."""
    if connection.vendor != "postgresql":
        made = [model(**dict(zip(names, row, strict=True))) for row in rows]
        model._default_manager.bulk_create(made, batch_size=BATCH)
        return
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def swap() -> int:
    """Make the stored ratings those of the shadows; return how many rows differed. Call it in a transaction in which
    nobody else may rate."""
    differing = 0
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL statement_timeout = 0")
        for stored, shadow, names, key in (
            (RatingChange, RatingChangeShadow, CHANGE, ("event_id", "pool", "user_id")),
            (RatingDay, RatingDayShadow, CARD, ("pool", "user_id", "day")),
            (Rating, RatingShadow, (*CARD, "shown_until"), ("pool", "user_id")),
        ):
            columns, keys = ", ".join(names), ", ".join(key)
            old, new = (connection.ops.quote_name(model._meta.db_table) for model in (stored, shadow))
            stale = f"SELECT {columns} FROM {old} EXCEPT SELECT {columns} FROM {new}"
            cursor.execute(f"DELETE FROM {old} WHERE ({keys}) IN (SELECT {keys} FROM ({stale}) AS stale)")
            differing += cursor.rowcount
            cursor.execute(
                f"INSERT INTO {old} ({columns}) SELECT {columns} FROM {new} EXCEPT SELECT {columns} FROM {old}"
            )
            differing += cursor.rowcount
    return differing


def clear() -> None:
    """Empty the shadows."""
    tables = [model._meta.db_table for model in (RatingChangeShadow, RatingDayShadow, RatingShadow)]
    connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), tables))
