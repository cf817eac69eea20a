"""What competition costs on PostgreSQL with 10^5 players and 10^6 results.

    DATABASE_URL=postgres://postgres@127.0.0.1:5432/oceans_bench python -m tests.benchmarks.competition

Makes a database of its own (`test_` before the name in DATABASE_URL) and drops it at the end. `--only ladders` or
`--only events` leaves out the rest. Pages go through Django's test client in one process; their CPU is the median of
`time.process_time()`, which does not include PostgreSQL's. Where the specification of competition gives a figure, the
last column is ours divided by it.
"""

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.benchmarks.database import own_database

DAYS = 1825
TODAY = 20_787
"""The rating day of the newest result, as days since 1970."""
POOL = "oe-twos"
CHUNK = 20_000
REQUESTS = 40

RATE_US = {2: 10.0, 4: 26.0, 6: 48.0, 10: 110.0}
REPLAY_S = 18.7
SWISS_S = {64: 0.25, 128: 2.0, 200: 6.0}
"""The middle of the specification's spans."""
LADDER_MS = {1_000: 1.0, 20_000: 40.0}
"""For moving so many rungs in one statement, there in SQLite in memory; ours for all that a result does on a ladder."""


def line(what: str, value: float, unit: str, spec: float | None = None, more: str = "") -> None:
    ratio = f"{value / spec:9.2f}" if spec else " " * 9
    print(f"{what:52}{value:11,.3f} {unit:3}{ratio}  {more}".rstrip(), flush=True)


def best(work: Callable[[], object], times: int) -> float:
    """The shortest CPU time of a piece of work, in seconds."""
    taken = []
    for _ in range(times):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


# Without a database


def pure(results: int, players: int) -> None:
    from tournaments import leagues
    from tournaments.pairing import pair_round
    from tournaments.rate import Rating, day_result, rate_day
    from tournaments.result_log import Card, after_results

    for seats, spec in RATE_US.items():
        cards = {number: Rating(1500 + 10 * number, 60, 99) for number in range(seats)}
        one = day_result(1, range(seats), range(1, seats + 1))
        taken = best(lambda cards=cards, one=one: [rate_day(cards, 100, [one]) for _ in range(200)], 5) / 200
        line(f"rate a result of {seats} seats", taken * 1e6, "us", spec)

    known: dict[Any, Card] = {}
    taken = 0.0
    gc.disable()  # as replays.py does
    number = 0
    for day, pairs in days_of(results, players):
        played = [day_result(number + k, pair, (1, 2)) for k, pair in enumerate(pairs)]
        number += len(played)
        began = time.process_time()
        known.update((player, card) for player, (card, _outcome) in after_results(known, day, played).items())
        taken += time.process_time() - began
    gc.enable()
    line(f"replay {results:,} results of one pool", taken, "s", REPLAY_S * results / 1e6)

    for entrants, spec in SWISS_S.items():
        field = contenders(entrants)
        line(f"pair round 5 of a Swiss of {entrants}", best(lambda field=field: pair_round(field, 5), 1), "s", spec)

    sizes = leagues.layout(players)
    names = iter(range(1, players + 1))
    levels = [
        [[leagues.LeagueLine(next(names), place, size - place, size) for place in range(1, size + 1)] for size in level]
        for level in sizes
    ]
    ratings = {name: 1500.0 + name % 400 for name in range(1, players + 1)}
    line(f"rebuild a league of {players:,}", best(lambda: leagues.next_edition(levels, ratings), 2), "s")


def contenders(count: int) -> list[Any]:
    """A field after four rounds, each player having met whoever stood next below; the better one wins three of four."""
    from tournaments.pairing import Contender

    pick = random.Random(count)
    field = [Contender(number, number, 0) for number in range(1, count + 1)]
    for _ in range(4):
        field.sort(key=lambda one: (-one.points, one.seed))
        waiting, after = list(field), []
        while waiting:
            first = waiting.pop(0)
            second = next((one for one in waiting if one.player not in first.met), waiting[0])
            waiting.remove(second)
            wins = (first.seed < second.seed) == (pick.random() < 0.75)
            for own, other, seat, won in ((first, second, 1, wins), (second, first, -1, not wins)):
                met = (*own.met, other.player)
                after.append(Contender(own.player, own.seed, own.points + 2 * won, met, 0, (*own.seats, seat)))
        field = after
    return field


def days_of(results: int, players: int) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Pairs of players by day, winner first, numbered from 1; few play much and many play little."""
    pick = random.Random(1)
    for number in range(DAYS):
        count = results * (number + 1) // DAYS - results * number // DAYS
        pairs = []
        while len(pairs) < count:
            one, other = (1 + int(players * pick.random() ** 2) for _ in range(2))
            if one != other:
                pairs.append((one, other) if pick.random() < 0.5 + 0.3 * (one < other) - 0.15 else (other, one))
        yield TODAY - DAYS + 1 + number, pairs


# With rows


def sign_up(players: int) -> None:
    """People, and the clock of the service."""
    from accounts.models import User
    from oceans.models import ServiceClock

    last = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=TODAY)
    ServiceClock.objects.get_or_create(pk=1, defaults={"last_wall": last})
    people = (
        User(pk=number, username=f"player{number}", email=f"p{number}@example.org", password="!")
        for number in range(1, players + 1)
    )
    User.objects.bulk_create(people, batch_size=CHUNK)


def fill(results: int, players: int) -> None:
    """Finished matches with their rows of the log."""
    from django.db import connection

    from oceans.management.recounting import recount
    from oceans.models import Match, Seat
    from tournaments.models import RatingEvent

    start = datetime(1970, 1, 1, tzinfo=UTC)
    empty = Match(game=POOL, rules_version=1, seat_count=2, pace="classic", rated=True, status="finished")
    empty.is_in_totals = True
    empty.result = {"places": [1, 2], "score": [6, 5]}
    event = RatingEvent(pool=POOL, rated=True, reason="normal", code="ok")
    matches = Rows(Match, empty, "id", "created_at", "started_at", "moved_at", "finished_at")
    sat = ("match_id", "number", "user_id", "joined", "place", "ended_at", "end_seen_at")
    seats = Rows(Seat, Seat(has_moved=True, reply_s=3600), *sat)
    events = Rows(RatingEvent, event, "match_id", "day", "seats", "finished_at", "logged_at")
    match_id = 0
    for day, pairs in days_of(results, players):
        at = start + timedelta(days=day, hours=12)
        for winner, loser in pairs:
            match_id += 1
            matches.add(match_id, at, at, at, at)
            seats.add(match_id, 0, winner, 0, 1, at, at)
            seats.add(match_id, 1, loser, 1, 2, at, at)
            events.add(match_id, day, f"[[{winner}, 1, true, false], [{loser}, 2, true, false]]", at, at)
        if match_id == results or len(matches.made) >= CHUNK:
            for rows in (matches, seats, events):
                rows.write()
    with connection.cursor() as cursor:
        for table in ("accounts_user", "oceans_match"):
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")
        cursor.execute("ANALYZE")
    recount()


class Rows:
    """Many rows of a model that differ from one another in few columns."""

    def __init__(self, model: Any, like: Any, *varying: str) -> None:
        fields = [field for field in model._meta.concrete_fields if field.attname != "id" or "id" in varying]
        self.model, self.names = model, [field.attname for field in fields]
        self.like = [written(field, getattr(like, field.attname)) for field in fields]
        self.places = [self.names.index(name) for name in varying]
        self.made: list[list[Any]] = []

    def add(self, *values: Any) -> None:
        row = self.like.copy()
        for place, value in zip(self.places, values, strict=True):
            row[place] = value
        self.made.append(row)

    def write(self) -> None:
        from tournaments.replays import insert

        insert(self.model, self.names, self.made)
        self.made = []


def written(field: Any, value: Any) -> Any:
    """A value as COPY takes it."""
    return json.dumps(value) if field.get_internal_type() == "JSONField" and value is not None else value


@dataclass(frozen=True)
class Cost:
    """What one piece of work took, in seconds, and asked the database; `cpu` is that of this process."""

    wall: float
    cpu: float
    queries: int


def cost_of(work: Callable[[], object]) -> Cost:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        began, cpu = time.perf_counter(), time.process_time()
        work()
        return Cost(time.perf_counter() - began, time.process_time() - cpu, len(captured))


def tell(what: str, costs: Sequence[Cost], spec: float | None = None, more: str = "") -> None:
    """A line with the medians, and the most queries."""
    wall, cpu = (statistics.median(getattr(cost, name) for cost in costs) for name in ("wall", "cpu"))
    asked = max(cost.queries for cost in costs)
    line(what, wall * 1e3, "ms", spec, f"CPU {cpu * 1e3:.1f} ms, {asked} queries{more}")


def finished(game: str, users: Sequence[int], now: datetime, **terms: Any) -> Any:
    """A match of two that has ended, without its moves; the first one has won."""
    from oceans.models import Match, Seat

    match = Match.objects.create(
        game=game, rules_version=1, seat_count=2, pace="classic", status="finished", created_at=now, started_at=now,
        finished_at=now, ended_by="played", result={"places": [1, 2], "score": [6, 5]}, **terms,
    )  # fmt: skip
    for seat, user in enumerate(users):
        Seat.objects.create(match=match, number=seat, user_id=user, joined=seat, has_moved=True)
    return match


def ratings_in_rows() -> None:
    from django.db import connection

    from oceans import queries
    from tournaments import ratings
    from tournaments.models import RatingEvent

    began, cpu = time.perf_counter(), time.process_time()
    differing = ratings.rebuild()
    taken, busy = time.perf_counter() - began, time.process_time() - cpu
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    more = f"CPU {busy:.1f} s, {differing:,} rows"
    spec = 2 * REPLAY_S * RatingEvent.objects.count() / 1e6
    line("rebuild all ratings, game and overall, in rows", taken, "s", spec, more)

    # Results of today, of players with many results; the log is not behind them in any way.
    now = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=TODAY, hours=13)
    costs = []
    for number in range(REQUESTS):
        ended = queries.ended(finished(POOL, (2 * number + 1, 2 * number + 2), now, rated=True).pk)
        costs.append(cost_of(lambda ended=ended: ratings.record_result(ended, now)))
    assert RatingEvent.objects.filter(day=TODAY).count() >= REQUESTS
    tell("record and rate a result of two", costs)


def pages(people: int, only: str | None) -> None:
    from django.core.cache import cache
    from django.test import Client

    from accounts.models import User
    from tournaments.models import Ladder, Tournament

    reader = Client(headers={"host": "localhost"})
    reader.force_login(User.objects.get(pk=5), backend="allauth.account.auth_backends.AuthenticationBackend")
    pick = random.Random(2)
    kinds: dict[str, Callable[[], str]] = {
        "leader board": lambda: f"/ratings/{POOL}/",
        "leader board, page 20": lambda: f"/ratings/{POOL}/?page=20",
        "profile of one who plays much": lambda: f"/player/player{pick.randint(1, 50)}/",
        "profile of anybody": lambda: f"/player/player{pick.randint(1, people)}/",
    }
    for slug in Ladder.objects.order_by("pk").values_list("slug", flat=True):
        kinds[f"ladder of {int(slug[1:]):,}"] = lambda slug=slug: f"/ladders/{slug}/"
    for entered, pk in Tournament.objects.order_by("pk").values_list("entered", "pk"):
        kinds[f"event, a league of {entered:,}"] = lambda pk=pk: f"/tournaments/{pk}/"
    for name, path in kinds.items():
        if only is not None and not name.startswith(only.removesuffix("s")):
            continue
        costs, size = [], 0
        for _number in range(REQUESTS + 3):
            cache.clear()
            answers: list[Any] = []
            url = path()
            costs.append(cost_of(lambda url=url, answers=answers: answers.append(reader.get(url))))
            if answers[0].status_code != 200:
                raise SystemExit(f"{url}: the answer was {answers[0].status_code}.")
            size = max(size, len(answers[0].content))
        tell(f"page: {name}", costs[3:], more=f", {size / 1024:.0f} KiB")


def ladders_in_rows(people: int) -> None:
    from django.db import connection

    from oceans import queries
    from tournaments import ladders, order_keys
    from tournaments.models import Challenge, Ladder, Rung

    now = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=TODAY, hours=14)
    for members, game in ((1_000, "oe-jokers"), (20_000, "oe-twos")):
        if members > people:
            continue
        ladder = Ladder.objects.create(slug=f"l{members}", name=f"Of {members}", game=game, applied_at=now)
        since = {"joined_at": now, "active_at": now, "idle_since": now, "due_at": now + timedelta(days=30)}
        Rung.objects.bulk_create(
            (
                Rung(ladder=ladder, user_id=one, order_key=one * order_keys.STEP, best=one, **since)
                for one in range(1, members + 1)
            ),
            batch_size=CHUNK,
        )
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        rungs = {rung.user_id: rung for rung in ladder.rungs.all()}
        costs = []
        for number in range(5):
            by = members - 10 * number
            to = by - members // 5 + 10
            match = finished(game, (by, to), now, event=f"ladder:{ladder.slug}")
            Challenge.objects.create(
                ladder=ladder, by_id=by, to_id=to, by_rung=rungs[by], to_rung=rungs[to], low=to, high=by,
                state="running", made_at=now, match=match,
            )  # fmt: skip
            ended = queries.ended(match.pk)
            costs.append(cost_of(lambda ended=ended: ladders.record_result(ended, now)))
        assert Challenge.objects.filter(ladder=ladder, state="played").count() == 5
        more = f", past {members // 5:,} rungs"
        tell(f"ladder result among {members:,}", costs, LADDER_MS[members], more)
        gone = []
        for user in range(1, 6):
            began = time.perf_counter()
            ladders.leave(ladder_id=ladder.pk, user_id=user, now=now)
            gone.append(time.perf_counter() - began)
        line(f"leaving from the top of {members:,}", statistics.median(gone) * 1e3, "ms")
        began = time.perf_counter()
        order_keys.renumber(ladder.pk)
        line(f"renumber {members:,} rungs", (time.perf_counter() - began) * 1e3, "ms")


def events_in_rows(people: int) -> None:
    """Results of a league in groups of ten, all pairings open but those that were measured."""
    from itertools import combinations

    from django.db import connection

    from oceans import queries
    from tournaments import running
    from tournaments.models import Entrant, EventMatch, Pairing, Round, Tournament

    now = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=TODAY, hours=15)
    for entrants in (1_000, 20_000):
        if entrants > people:
            continue
        pairs = [pair for first in range(1, entrants + 1, 10) for pair in combinations(range(first, first + 10), 2)]
        event = Tournament.objects.create(
            name=f"League of {entrants}", format="league", game=POOL, pace="classic", state="running",
            starts="date", entered=entrants, undecided=len(pairs), seed="0" * 32, made_at=now, started_at=now,
        )  # fmt: skip
        Entrant.objects.bulk_create(
            (
                Entrant(tournament=event, user_id=one, seed=one, group=(one + 9) // 10, entered_at=now)
                for one in range(1, entrants + 1)
            ),
            batch_size=CHUNK,
        )
        late, limit = now + timedelta(days=75), now + timedelta(days=225)
        round_ = Round.objects.create(
            tournament=event, number=1, opened_at=now, late_at=late, limit_at=limit, undecided=len(pairs)
        )
        Pairing.objects.bulk_create(
            (
                Pairing(round=round_, board=board, group=(one + 9) // 10, players=[one, other])
                for board, (one, other) in enumerate(pairs, start=1)
            ),
            batch_size=CHUNK,
        )
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        costs = []
        for pairing in round_.pairings.order_by("board")[:REQUESTS]:
            match = finished(POOL, pairing.players, now, event=f"event:{event.pk}")
            EventMatch.objects.create(pairing=pairing, number=1, match=match)
            ended = queries.ended(match.pk)
            costs.append(cost_of(lambda ended=ended: running.record_result(ended, now)))
        assert not round_.pairings.filter(how="open", board__lte=REQUESTS).exists()
        tell(f"result in a league of {entrants:,}", costs, more=f", {len(pairs):,} pairings open")
        began = time.perf_counter()
        running.sweep(now)
        line(f"a tick while {len(pairs):,} pairings are open", (time.perf_counter() - began) * 1e3, "ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["ladders", "events"], help="what to measure, if not everything")
    options = parser.parse_args()
    with own_database():
        print(f"{'':52}{'measured':>11}    {'x spec':>9}")
        sign_up(options.players)
        if not options.only:
            pure(options.results, options.players)
            fill(options.results, options.players)
            ratings_in_rows()
        if options.only in (None, "ladders"):
            ladders_in_rows(options.players)
        if options.only in (None, "events"):
            events_in_rows(options.players)
        pages(options.players, options.only)


if __name__ == "__main__":
    main()
