"""A database full of running matches for site.py. Each was dealt and played by the engine, so that its log replays;
only the rows are written in bulk."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, models

from accounts.models import User
from oceans import clock, ledger, offers
from oceans.models import Chat, Match, MoveLog, Seat, SeatEntropy, ServiceClock, Shuffle
from oceans.play.opening import Terms, read_terms
from oceans.rules import chance, engine
from oceans.rules.chance import DealKeys
from oceans.rules.engine import MatchState, Setup
from oceans.rules.fair_record import Participant, Secrets
from oceans.rules.moves import Move

GAMES: Final = ("oe-twos", "oe-twos", "oe-jokers", "oe-none")
MATCHES_EACH: Final = 20
"""Running matches of one person."""
LONGEST_LOG: Final = 60
DEALS: Final = 0.85
"""How often a player deals rather than concedes."""
CHATTY: Final = 4
"""One match in so many has lines of chat."""
OPEN_OFFERS: Final = 60
SERVICE_S: Final = 30 * 86_400
CHUNK: Final = 500
DEAL: Final = Move("deal")


def fill(count: int, now: datetime) -> None:
    """Bring the database up to so many running matches, with people who play about MATCHES_EACH each."""
    ServiceClock.objects.get_or_create(pk=1, defaults={"service_s": SERVICE_S, "last_wall": now})
    there = Match.objects.filter(status=Match.Status.RUNNING).count()
    begin = (Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0) + 1
    people = _people(max(2 * OPEN_OFFERS, 2 * (count - there) // MATCHES_EACH), now) if there < count else []
    if not there:
        for person in User.objects.filter(pk__in=people[:OPEN_OFFERS]):
            offers.post(user=person, game="oe-twos", now=now)
        begin += OPEN_OFFERS
    pick = random.Random(begin)
    for first in range(begin, begin + count - there, CHUNK):
        numbers = range(first, min(first + CHUNK, begin + count - there))
        _write([_match(number, pick.sample(people, 2), pick, now) for number in numbers])
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [Match]):
            cursor.execute(statement)
        cursor.execute("ANALYZE")


def whole_matches(count: int) -> list[MatchState]:
    """Ocean's Eleven matches played to their end."""
    pick = random.Random(count)
    terms = read_terms(game="oe-twos")
    return [_played(terms, DealKeys.of_seed(number), pick) for number in range(count)]


def _people(count: int, now: datetime) -> list[int]:
    have = User.objects.count()
    names = [f"player{number}" for number in range(have, have + count)]
    people = [User(username=name, email=f"{name}@example.org", last_seen_at=now, password="!") for name in names]
    return [person.pk for person in User.objects.bulk_create(people, batch_size=CHUNK)]


NUMBERED: Final = (Match, Shuffle)
"""Models whose keys are given, not drawn from a sequence."""
Rows = dict[type[models.Model], list[Any]]


def _match(number: int, users: Sequence[int], pick: random.Random, now: datetime) -> Rows:
    """The rows of one match in which somebody must move."""
    terms = read_terms(game=pick.choice(GAMES))
    moved_at = now - timedelta(seconds=pick.randrange(3 * 86_400))
    match = Match(
        pk=number,
        game=terms.game.slug,
        rules_version=terms.game.version,
        seat_count=2,
        pace=terms.pace,
        status=Match.Status.RUNNING,
        created_at=moved_at,
        started_at=moved_at,
        moved_at=moved_at,
        patience=1,
    )
    shuffle = Shuffle(match=match, key_number=max(settings.MASTER_KEYS), nonce=pick.randbytes(32))
    entropies = [
        SeatEntropy(match=match, index=index, user_id=user, entropy=pick.randbytes(32), source="server")
        for index, user in enumerate(users)
    ]
    for entropy in entropies:
        entropy.commitment = chance.seat_commitment(match.fair_id, entropy.index, entropy.entropy).hex()
    secrets = Secrets(
        match.fair_id,
        match.rules_id,
        chance.server_seed(settings.MASTER_KEYS[shuffle.key_number], match.fair_id, shuffle.nonce),
        tuple(Participant(entropy.entropy, False) for entropy in entropies),
    )
    match.commitment = secrets.commitment.hex()
    state = _played(terms, DealKeys(secrets.match_key), pick, most=pick.randrange(LONGEST_LOG))
    drawn = chance.seating(secrets.match_key, 2)
    seats = [
        Seat(match=match, number=number, user_id=users[joined], joined=joined) for number, joined in enumerate(drawn)
    ]
    ledger.derive(match, seats, state)
    _wind_clocks(match, seats, terms, moved_at, now)
    return {
        Match: [match],
        Shuffle: [shuffle],
        SeatEntropy: entropies,
        Seat: seats,
        MoveLog: list(_log(match, state, moved_at)),
        Chat: list(_chat(match, users, moved_at)),
    }


def _played(terms: Terms, keys: DealKeys, pick: random.Random, *, most: int | None = None) -> MatchState:
    """A match after about `most` entries and not over, or played to its end."""
    state, _orders = engine.settle(engine.start(Setup(terms.game, terms.options, terms.seats), keys))
    while (due := engine.due(state)) is not None and (most is None or len(state.log) < most):
        ((seat, ask),) = due.asks.items()
        deals = pick.random() < DEALS and ask.refuse(DEAL) is None
        after, _orders = engine.settle(engine.submit(state, seat, DEAL if deals else ask.some(pick.randrange)))
        if after.over is not None and most is not None:
            break
        state = after
    return state


def _wind_clocks(match: Match, seats: Sequence[Seat], terms: Terms, moved_at: datetime, now: datetime) -> None:
    pace = clock.PACES[terms.pace]
    since_s = SERVICE_S - int((now - moved_at).total_seconds())
    for seat in seats:
        wound = clock.resume(pace, clock.fresh(pace), since_s) if seat.is_due else clock.fresh(pace)
        for column, value in asdict(wound).items():
            setattr(seat, column, value)
        seat.turn_since_at = moved_at if seat.is_due else None
        seat.has_moved = match.log_length > 1
        seat.seen_number = match.log_length - (match.log_length > 0) * seat.is_due
    match.due_s = min((seat.effective_s for seat in seats if seat.effective_s is not None), default=None)


def _log(match: Match, state: MatchState, moved_at: datetime) -> Iterator[MoveLog]:
    for number, entry in enumerate(state.log, 1):
        yield MoveLog(
            match=match,
            number=number,
            deal_no=entry.deal_no,
            turn=entry.turn,
            seat=entry.seat,
            text=entry.text,
            cause=entry.cause,
            made_at=moved_at,
            waited_s=3600 if entry.cause == "seat" else None,
        )


def _chat(match: Match, users: Sequence[int], moved_at: datetime) -> Iterator[Chat]:
    if match.pk % CHATTY == 0:
        for number in range(6):
            text = f"That was line {number} of a talk at a game of cards."
            yield Chat(match=match, user_id=users[number % 2], room=Chat.Room.PLAYERS, text=text, said_at=moved_at)


def _write(matches: Iterable[Rows]) -> None:
    together: Rows = {}
    for rows in matches:
        for model, made in rows.items():
            together.setdefault(model, []).extend(made)
    for model, made in together.items():
        _copy(model, made)


def _copy(model: type[models.Model], rows: Iterable[models.Model]) -> None:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key or model in NUMBERED]
    columns = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    with connection.cursor() as cursor, cursor.copy(f"COPY {model._meta.db_table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields])
