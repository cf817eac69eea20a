"""What pages and moves cost on PostgreSQL, with 10^4 and 10^5 running matches in the database.

    DATABASE_URL=postgres://postgres@127.0.0.1:5432/oceans_bench python -m tests.benchmarks.site --matches 10000 100000

Makes a database of its own (`test_` before the name in DATABASE_URL) and drops it at the end. Requests go through
Django's test client in one process, kinds in turn, so that a busy machine slows all of them alike: the ratios to the
*me* view (session, user and one row) are what counts. CPU is the median of `time.process_time()` of a request, which
does not include PostgreSQL's; rates and p50/p95 are by the wall clock.
"""

import argparse
import gzip
import itertools
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.benchmarks.database import own_database

Request = Callable[[], "tuple[int, bytes]"]
"""Makes one request and returns status and body."""

PLAYERS = 120
"""How many different people make requests."""
WARM_UP = 10
COUNTED = 12
"""Over how many requests of a kind queries and bytes are counted."""
WHOLE_MATCHES = 100


@dataclass
class Kind:
    """One kind of request and what was measured of it."""

    name: str
    prepare: "Callable[[], Request]"
    expected: int = 200
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    queries: int = 0
    size: int = 0
    zipped: int = 0

    def measure(self) -> None:
        request = self.prepare()
        wall, cpu = time.perf_counter(), time.process_time()
        self._check(request())
        self.cpu.append(time.process_time() - cpu)
        self.wall.append(time.perf_counter() - wall)

    def count(self) -> None:
        """Note the most queries and bytes of one request."""
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        request = self.prepare()
        with CaptureQueriesContext(connection) as captured:
            body = self._check(request())
        self.queries = max(self.queries, len(captured))
        self.size = max(self.size, len(body))
        self.zipped = max(self.zipped, len(gzip.compress(body, 4)))

    def _check(self, answer: tuple[int, bytes]) -> bytes:
        status, body = answer
        if status != self.expected:
            raise SystemExit(f"{self.name}: the answer was {status}, not {self.expected}.")
        return body


class Visitors:
    """People with sessions, and matches in which they must move."""

    def __init__(self, seed: int) -> None:
        from django.test import Client
        from django.utils import timezone

        from accounts.models import User
        from oceans.models import Match, MoveLog, Seat

        self.pick = random.Random(seed)
        users = list(User.objects.filter(seats__is_due=True).distinct().order_by("pk").values_list("pk", flat=True))
        self.nobody = Client(headers={"host": "localhost"})
        self.clients = {}
        for user in User.objects.filter(pk__in=self.pick.sample(users, min(PLAYERS, len(users)))):
            self.clients[user.pk] = Client(headers={"host": "localhost"})
            self.clients[user.pk].force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
            # One handler for all, as each would load the middlewares anew.
            self.clients[user.pk].handler = self.nobody.handler
        # A visit is noted once in two minutes; for these people that is now.
        User.objects.filter(pk__in=self.clients).update(last_seen_at=timezone.now())
        due = Seat.objects.filter(user__in=self.clients, is_due=True).order_by("pk")
        self.due = list(due.values_list("user_id", "match_id"))
        self.pick.shuffle(self.due)
        MoveLog.objects.filter(match__status=Match.Status.OPEN).delete()
        self.numbers = itertools.count(1)
        self._to_play: Iterator[tuple[int, int]] = iter(list(self.due))

    def get(self, path: str, user: int | None = None) -> Request:
        client = self.nobody if user is None else self.clients[user]

        def request() -> tuple[int, bytes]:
            answer = client.get(path)
            return answer.status_code, answer.content

        return request

    def anybody(self) -> int:
        return self.pick.choice(list(self.clients))

    def own_match(self, *, is_known: bool) -> Request:
        """The page of a match in which its reader must move, seen by this process before or not."""
        from oceans import ledger

        user, match_id = self.pick.choice(self.due)
        request = self.get(f"/game/{match_id}/", user)
        if is_known:
            request()
        else:
            ledger.forget()
        return request

    def watched_match(self) -> Request:
        user, match_id = self.anybody(), self.pick.choice(self.due)[1]
        self.get(f"/game/{match_id}/")()
        return self.get(f"/game/{match_id}/", user)

    def move(self) -> Request:
        """A move from a page that was just fetched; each match is used once."""
        from oceans import ledger
        from oceans.models import Match
        from oceans.rules import engine

        user, match_id = next(self._to_play)
        client = self.clients[user]
        client.get(f"/game/{match_id}/")
        match = Match.objects.get(pk=match_id)
        ((_seat, ask),) = engine.due(ledger.load(match)).asks.items()
        posted = {"turn": match.turn, "move": ask.words()[0]}

        def request() -> tuple[int, bytes]:
            answer = client.post(f"/game/{match_id}/move/", posted)
            return answer.status_code, answer.content

        return request


def transaction_of(visitors: Visitors) -> Request:
    """The statements a move cannot do without, as plain SQL: session, user, lock, one entry of the log, two updates.

    They are made at an offer, so that no match is disturbed.
    """
    from django.db import connection, transaction

    from oceans.models import Match

    session = visitors.clients[visitors.anybody()].session.session_key
    user, played = visitors.pick.choice(visitors.due)
    offer = Match.objects.filter(status=Match.Status.OPEN).order_by("pk").values_list("pk", flat=True)[0]
    number = next(visitors.numbers)
    entry = "INSERT INTO oceans_movelog (match_id, number, deal_no, turn, seat, text, cause, made_at)"

    def request() -> tuple[int, bytes]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM django_session WHERE session_key = %s AND expire_date > now()", [session])
            cursor.execute("SELECT * FROM accounts_user WHERE id = %s", [user])
            with transaction.atomic():
                cursor.execute("SELECT * FROM oceans_match WHERE id = %s FOR NO KEY UPDATE", [offer])
                cursor.execute(f"{entry} VALUES (%s, %s, 1, %s, 0, 'deal', 'seat', now())", [offer, number, number])
                cursor.execute("UPDATE oceans_match SET attempts = attempts WHERE id = %s", [offer])
                cursor.execute("UPDATE oceans_seat SET misses = misses WHERE match_id = %s AND number = 0", [played])
        return 200, b""

    return request


def kinds_of(visitors: Visitors) -> list[Kind]:
    def me() -> Request:
        return visitors.get("/bench/me/", visitors.anybody())

    return [
        Kind("bare view", lambda: visitors.get("/bench/constant/")),
        Kind("me", me),
        Kind("bare transaction", lambda: transaction_of(visitors)),
        Kind("rules, nobody signed in", lambda: visitors.get("/games/oceans-eleven/")),
        Kind("match, to move", lambda: visitors.own_match(is_known=True)),
        Kind("match, first look", lambda: visitors.own_match(is_known=False)),
        Kind("match, watched", visitors.watched_match),
        Kind("dashboard", lambda: visitors.get("/turn/", visitors.anybody())),
        Kind("lobby", lambda: visitors.get("/lobby/", visitors.anybody())),
        Kind("move", visitors.move, expected=303),
    ]


def measure(requests: int, seed: int) -> list[Kind]:
    kinds = kinds_of(Visitors(seed))
    for kind in kinds:
        for _ in range(COUNTED):
            kind.count()
    for number in range(WARM_UP + requests):
        for kind in kinds:
            kind.measure()
            if number < WARM_UP:
                kind.cpu.clear()
                kind.wall.clear()
    return kinds


def table(kinds: list[Kind]) -> Iterator[str]:
    me = next(statistics.median(kind.cpu) for kind in kinds if kind.name == "me")
    yield f"{'':24}{'CPU ms':>8}{'x me':>7}{'per s':>8}{'p50 ms':>8}{'p95 ms':>8}{'queries':>9}{'bytes':>8}{'gzip':>7}"
    for kind in kinds:
        cpu = statistics.median(kind.cpu)
        cuts = statistics.quantiles(kind.wall, n=20)
        yield (
            f"{kind.name:24}{cpu * 1e3:8.2f}{cpu / me:7.2f}{1 / statistics.mean(kind.wall):8.0f}"
            f"{statistics.median(kind.wall) * 1e3:8.2f}{cuts[-1] * 1e3:8.2f}"
            f"{kind.queries:9}{kind.size:8}{kind.zipped:7}"
        )


def replay_times() -> list[float]:
    """How long replaying whole matches of Ocean's Eleven takes, in seconds of CPU."""
    from oceans.rules import engine
    from tests.benchmarks.site_data import whole_matches

    times = []
    for match in whole_matches(WHOLE_MATCHES):
        began = time.process_time()
        engine.replay(match.setup, match.keys, match.log)
        times.append(time.process_time() - began)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, nargs="+", default=[10_000], help="running matches, in rising order")
    parser.add_argument("--requests", type=int, default=200, help="of each kind")
    parser.add_argument("--keep", action="store_true", help="use a database that is there, and leave it there")
    options = parser.parse_args()
    with own_database(keep=options.keep):
        run(options)


def run(options: argparse.Namespace) -> None:
    from django.conf import settings
    from django.utils import timezone

    from tests.benchmarks.site_data import fill

    settings.ROOT_URLCONF = "tests.benchmarks.site_urls"
    times = replay_times()
    print(
        f"Replay of a whole match of Ocean's Eleven: median {statistics.median(times) * 1e3:.1f} ms,"
        f" longest {max(times) * 1e3:.1f} ms"
    )
    for count in options.matches:
        began = time.perf_counter()
        fill(count, timezone.now())
        print(f"\n{count:,} running matches ({time.perf_counter() - began:.0f} s to add)\n")
        print("\n".join(table(measure(options.requests, seed=count))), flush=True)


if __name__ == "__main__":
    main()
