"""The seam between rows and kernel: what is stored of a match becomes its state, and a new state becomes rows.

`load` replays the log, strictly: a row the rules do not follow raises ReplayError. `record` is the only writer of log
rows, sealed answers, orders and the columns derived from them. Both expect the caller to hold the lock of the match
where it matters; neither opens a transaction.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from statistics import median
from threading import Lock
from typing import Any, Final, cast

from django.conf import settings
from django.db import connection, transaction

from oceans.models import Match, MoveLog, Order, SealedAnswer, Seat, SeatEntropy
from oceans.rules import engine
from oceans.rules.chance import DealKeys, server_seed
from oceans.rules.engine import Entry, MatchState, Setup
from oceans.rules.fair_record import Participant, Secrets
from oceans.rules.game import Game
from oceans.rules.games import by_slug
from oceans.rules.moves import Move
from oceans.rules.options import read_options
from oceans.rules.orders import Order as StandingOrder
from oceans.rules.orders import Orders, read_orders
from oceans.stories import written_story

MOVELESS: Final = ("retire", "draw")
"""Causes of entries that are no answers."""

Sealed = tuple[int, int, str, str]
"""A waiting answer as it is stored: turn, seat, text, cause."""

SEAT_COLUMNS: Final = tuple(
    field.attname for field in Seat._meta.concrete_fields if field.attname not in ("id", "match_id", "number")
)

SHUFFLES: Final = (
    "SELECT shuffle.match_id, given.\"index\", shuffle.key_number, NULL, NULL, given.source, '',"
    " shuffle.nonce, given.entropy"
    " FROM oceans_shuffle shuffle LEFT JOIN oceans_seatentropy given ON given.match_id = shuffle.match_id"
    " WHERE shuffle.match_id IN ({})"
)
"""The shuffles of some matches, each once for every participant, in columns that fit beside those of LOGS."""
LOGS: Final = (
    "SELECT match_id, number, deal_no, turn, seat, text, cause, NULL, NULL FROM oceans_movelog"
    " WHERE match_id IN ({}) AND number > %s AND number <= %s"
)
"""The entries of some matches after one number up to another, which the ORM would take longer to ask for."""
LAST: Final = 2**31 - 1


# Reading


def load(match: Match) -> MatchState:
    """The state of a started match, sealed answers included."""
    return with_waiting(match, state_of_log(match))


def with_waiting(match: Match, state: MatchState) -> MatchState:
    """A state that the log gives, with the answers that wait for others."""
    return _with_sealed(state, _sealed_of([match], state.turn)[match.pk]) if _gathers(state) else state


def load_many(matches: Iterable[Match]) -> dict[int, MatchState]:
    """The states of those of the matches that have started, by id: no query if they are at hand, else two at most."""
    matches = [match for match in matches if match.started_at is not None]
    known = {match.pk: _cache.get(match) for match in matches}
    strange = [match for match in matches if known[match.pk] is None]
    behind = [match for match in matches if _length(known[match.pk]) < match.log_length]
    secrets, logs = _stored(shuffles_of=strange, logs_of=behind)
    states = {}
    for match in matches:
        state = known[match.pk]
        if state is None:
            state = engine.start(setup_of(match), DealKeys(secrets[match.pk].match_key))
        states[match.pk] = _caught_up(match, state, logs.get(match.pk, ())[len(state.log) : match.log_length])
    asking = [match for match in matches if _gathers(states[match.pk])]
    if asking:
        sealed = _sealed_of(asking)
        for match in asking:
            answers = sealed[match.pk]
            states[match.pk] = _with_sealed(states[match.pk], answers)
    return states


def state_of_log(match: Match) -> MatchState:
    """The state that the log alone gives: without answers that wait for others."""
    known = _cache.get(match)
    if known is None:
        secrets, logs = _stored(shuffles_of=[match], logs_of=[match], until=match.log_length)
        opening = engine.start(setup_of(match), DealKeys(secrets[match.pk].match_key))
        return _caught_up(match, opening, logs.get(match.pk, ()))
    known_length = len(known.log)
    fresh = entries_of(match, after=known_length, until=match.log_length) if known_length < match.log_length else ()
    return _caught_up(match, known, fresh)


def _caught_up(match: Match, state: MatchState, fresh: Iterable[tuple[int, Entry]]) -> MatchState:
    for number, entry in fresh:
        state = engine.replay_entry(state, number, entry)
    if len(state.log) != match.log_length:
        raise engine.ReplayError(len(state.log) + 1, f"the match counts {match.log_length} entries, its log other ones")
    _cache.put(match, state)
    return state


def _length(state: MatchState | None) -> int:
    return -1 if state is None else len(state.log)


def _gathers(state: MatchState) -> bool:
    """Whether several seats answer together, so that answers may wait outside of the log."""
    due = engine.due(state)
    return due is not None and len(due.asks) > 1


def _with_sealed(state: MatchState, answers: Iterable[Sealed]) -> MatchState:
    for turn, seat, text, cause in answers:
        if turn == state.turn:
            state = engine.submit(state, seat, Move.parse(text), cast(engine.Cause, cause))
    return state


def state_at(match: Match, number: int) -> MatchState:
    """The state after so many entries of the log; 0 is the opening of the first deal."""
    state = engine.start(setup_of(match), keys_of(match))
    for at, entry in entries_of(match, until=number):
        state = engine.replay_entry(state, at, entry)
    return state


def entries_of(match: Match, *, after: int = 0, until: int | None = None) -> list[tuple[int, Entry]]:
    """The log of a match as the kernel takes it, each entry with its number."""
    _secrets, logs = _stored(logs_of=[match], after=after, until=until)
    return logs.get(match.pk, [])


def _stored(
    *, shuffles_of: Sequence[Match] = (), logs_of: Sequence[Match] = (), after: int = 0, until: int | None = None
) -> tuple[dict[int, Secrets], dict[int, list[tuple[int, Entry]]]]:
    """What is stored of the shuffles of some matches and of the logs of some, by match. One query, or none for none."""
    parts: list[str] = []
    terms: list[int] = []
    if shuffles_of:
        parts.append(SHUFFLES.format(", ".join(["%s"] * len(shuffles_of))))
        terms += [match.pk for match in shuffles_of]
    if logs_of:
        parts.append(LOGS.format(", ".join(["%s"] * len(logs_of))))
        terms += [*(match.pk for match in logs_of), after, LAST if until is None else until]
    shuffles: dict[int, tuple[int, bytes]] = {}
    given: dict[int, list[Participant]] = {match.pk: [] for match in shuffles_of}
    logs: dict[int, list[tuple[int, Entry]]] = {}
    for match_id, number, deal_no, turn, seat, text, cause, nonce, entropy in _fetched(parts, terms):
        if nonce is None:
            move = None if cause in MOVELESS else Move.parse(text)
            logs.setdefault(match_id, []).append((number, Entry(deal_no, turn, seat, move, cause)))
            continue
        shuffles[match_id] = (deal_no, bytes(nonce))
        if entropy is not None:
            given[match_id].append(Participant(bytes(entropy), text == SeatEntropy.Source.OWN))
    secrets = {match.pk: _secrets(match, *shuffles[match.pk], given[match.pk]) for match in shuffles_of}
    return secrets, logs


def _fetched(parts: Sequence[str], terms: Sequence[int]) -> list[Any]:
    """Rows of the parts together, ordered by their first two columns."""
    if not parts:
        return []
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts) + " ORDER BY 1, 2", terms)
        return cursor.fetchall()


def _sealed_of(matches: Sequence[Match], turn: int | None = None) -> dict[int, list[Sealed]]:
    rows = SealedAnswer.objects.filter(match__in=matches).order_by("match", "seat")
    if turn is not None:
        rows = rows.filter(turn=turn)
    sealed: dict[int, list[Sealed]] = {match.pk: [] for match in matches}
    for match_id, at, seat, text, cause in rows.values_list("match_id", "turn", "seat", "text", "cause"):
        sealed[match_id].append((at, seat, text, cause))
    return sealed


def orders_of(match: Match, game: Game) -> dict[int, tuple[StandingOrder, ...]]:
    """The standing orders of a match by seat, as they are tried. A kind the game no longer has is left out."""
    if not game.orders:
        return {}
    stored: dict[int, list[tuple[str, Any]]] = {}
    for seat, kind, body in Order.objects.filter(match=match).values_list("seat", "kind", "body"):
        stored.setdefault(seat, []).append((kind, body))
    return {seat: read_orders(game.orders, rows) for seat, rows in stored.items()}


def setup_of(match: Match) -> Setup:
    """What was agreed before the first card."""
    game = by_slug(match.game)
    return Setup(
        game=game,
        options=read_options(game, match.options, match.seat_count),
        seats=match.seat_count,
        open_archive=match.open_archive,
    )


def secrets_of(match: Match) -> Secrets:
    """The server's seed and what the participants gave. Raises LookupError if the master key is not at hand."""
    secrets, _logs = _stored(shuffles_of=[match])
    return secrets[match.pk]


def _secrets(match: Match, key_number: int, nonce: bytes, given: Sequence[Participant]) -> Secrets:
    master_key = settings.MASTER_KEYS.get(key_number)
    if master_key is None:
        raise LookupError(
            f"The master key number {key_number} is missing: restore the key file (docs/deploy.md, Keys)."
        )
    seed = server_seed(master_key, match.fair_id, nonce)
    return Secrets(match_id=match.fair_id, rules_id=match.rules_id, seed=seed, participants=tuple(given))


def keys_of(match: Match) -> DealKeys:
    """The keys of the deals of a match that everybody has joined."""
    return DealKeys(secrets_of(match).match_key)


class _Cache:
    """States lately seen, by match. Values never change and a log only grows, so one that is here is right or short;
    a short one saves replaying its part. The commitment tells apart matches of one number in different databases."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._states: OrderedDict[tuple[int, str, int], MatchState] = OrderedDict()
        self._lock = Lock()

    def get(self, match: Match) -> MatchState | None:
        with self._lock:
            state = self._states.get(self._key(match))
            if state is not None:
                self._states.move_to_end(self._key(match))
        return state if state is not None and len(state.log) <= match.log_length else None

    def put(self, match: Match, state: MatchState) -> None:
        key = self._key(match)
        with self._lock:
            known = self._states.get(key)
            if known is None or len(known.log) < len(state.log):
                self._states[key] = state
            self._states.move_to_end(key)
            while len(self._states) > self._size:
                self._states.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._states.clear()

    @staticmethod
    def _key(match: Match) -> tuple[int, str, int]:
        return match.pk, match.commitment, match.rules_version


_cache = _Cache(size=1000)
forget = _cache.clear
"""Empty the cache of states, as a new process would start."""


# Writing


def record(
    match: Match,
    seats: Sequence[Seat],
    before: MatchState | None,
    after: MatchState,
    *,
    now: datetime,
    orders: Orders | None = None,
    orders_before: Orders | None = None,
    waited_s: Mapping[int, int] | None = None,
) -> None:
    """Write how a match went on from `before` (None at its start) to `after`.

    Clocks, misses and ends of seats were set by the caller on the rows of `seats`; what follows from the state alone
    is set here. `waited_s`: how long seats took whose visit this was.
    """
    waited = dict(waited_s or {})
    _write_log(match, before, after, now, waited)
    _write_sealed(match, before, after, now, waited)
    _write_orders(match, orders_before or {}, orders or {}, now)
    derive(match, seats, after)
    if after.over is not None:
        _close(match, seats, after)
    if before is None or before.turn != after.turn or not engine.is_unnamed(after):
        match.moved_at = now
    match.save(update_fields=[field.attname for field in Match._meta.concrete_fields if field.attname in DERIVED])
    for seat in seats:
        write_seat(seat)
    settled = after if not after.sealed else None
    if settled is not None:
        transaction.on_commit(lambda: _cache.put(match, settled), robust=True)


def record_orders(match: Match, before: Orders, after: Orders, now: datetime) -> None:
    """Write that standing orders were placed or withdrawn while nothing was played."""
    _write_orders(match, before, after, now)


def clear_waiting(match: Match) -> None:
    """Drop the sealed answers and standing orders of a match that ends without them."""
    SealedAnswer.objects.filter(match=match).delete()
    Order.objects.filter(match=match).delete()


DERIVED: Final = frozenset(
    [
        "status",
        "deal_no",
        "turn",
        "log_length",
        "due_s",
        "started_at",
        "moved_at",
        "finished_at",
        "ended_by",
        "result",
        "story",
        "unrated_because",
        "attempts",
    ]
)
"""Columns of Match that play changes."""


def derive(match: Match, seats: Iterable[Seat], state: MatchState) -> None:
    """Set the columns that follow from the state alone."""
    match.deal_no, match.turn, match.log_length = state.deal_no, state.turn, len(state.log)
    due, score = due_seats(state), state.game.score(state.progress())
    for seat in seats:
        seat.is_due = seat.number in due
        seat.score = score[seat.number]
    if state.over is not None:
        match.result = {"places": list(state.over.places), "score": list(state.over.score)}
        for seat in seats:
            seat.score, seat.place = state.over.score[seat.number], state.over.places[seat.number]


def due_seats(state: MatchState) -> frozenset[int]:
    """The seats that must answer and have not."""
    due = engine.due(state)
    return frozenset(due.asks if due else ()) - {answer.seat for answer in state.sealed}


def remember(seat: Seat) -> Seat:
    """Note what is stored of a seat, so that `write_seat` writes only what has changed."""
    seat.stored = {column: getattr(seat, column) for column in SEAT_COLUMNS}
    return seat


def write_seat(seat: Seat) -> None:
    """Store the changed columns of a seat that went through `remember`."""
    changed = {column: getattr(seat, column) for column in SEAT_COLUMNS}
    changed = {column: value for column, value in changed.items() if seat.stored[column] != value}
    if changed:
        Seat.objects.filter(pk=seat.pk).update(**changed)
        seat.stored.update(changed)


def _write_log(
    match: Match, before: MatchState | None, after: MatchState, now: datetime, waited: dict[int, int]
) -> None:
    known = len(before.log) if before else 0
    fresh = after.log[known:]
    if not fresh:
        return
    kept: dict[int, tuple[datetime, int | None]] = {}
    if before is not None and before.sealed and before.turn != after.turn:
        sealed = SealedAnswer.objects.filter(match=match).values_list("seat", "made_at", "waited_s")
        kept = {seat: (made_at, waited_s) for seat, made_at, waited_s in sealed}
        SealedAnswer.objects.filter(match=match).delete()
    rows = []
    for number, entry in enumerate(fresh, known + 1):
        took = waited.pop(entry.seat, None) if entry.seat is not None and entry.cause == "seat" else None
        made_at = now
        if entry.seat is not None and entry.seat in kept and entry.cause not in MOVELESS:
            made_at, earlier = kept.pop(entry.seat)
            took = earlier if took is None else took
        rows.append(
            MoveLog(
                match=match,
                number=number,
                deal_no=entry.deal_no,
                turn=entry.turn,
                seat=entry.seat,
                text="" if entry.cause in MOVELESS else entry.text,
                cause=entry.cause,
                made_at=made_at,
                waited_s=took,
            )
        )
    MoveLog.objects.bulk_create(rows)


def _write_sealed(
    match: Match, before: MatchState | None, after: MatchState, now: datetime, waited: Mapping[int, int]
) -> None:
    same_turn = before is not None and before.turn == after.turn
    old = {one.seat: one for one in before.sealed} if before is not None and same_turn else {}
    new = {one.seat: one for one in after.sealed}
    for seat in old.keys() - new.keys():
        SealedAnswer.objects.filter(match=match, seat=seat).delete()
    for seat, answer in new.items():
        if old.get(seat) == answer:
            continue
        values = {"turn": after.turn, "text": str(answer.move), "cause": answer.cause, "made_at": now}
        if seat in waited:
            values["waited_s"] = waited[seat]
        SealedAnswer.objects.update_or_create(match=match, seat=seat, defaults=values)


def _write_orders(match: Match, before: Orders, after: Orders, now: datetime) -> None:
    old, new = _by_kind(before), _by_kind(after)
    for seat, kind in old.keys() - new.keys():
        Order.objects.filter(match=match, seat=seat, kind=kind).delete()
    for (seat, kind), order in new.items():
        if old.get((seat, kind)) != order:
            values = {"body": dict(order.written()), "placed_at": now}
            Order.objects.update_or_create(match=match, seat=seat, kind=kind, defaults=values)


def _by_kind(orders: Orders) -> dict[tuple[int, str], StandingOrder]:
    return {(seat, order.kind): order for seat, ones in orders.items() for order in ones}


def _close(match: Match, seats: Iterable[Seat], state: MatchState) -> None:
    match.story = written_story(state.story)
    clear_waiting(match)
    waits: dict[int, list[int]] = {}
    for number, waited_s in MoveLog.objects.filter(match=match).values_list("seat", "waited_s"):
        if number is not None and waited_s is not None:
            waits.setdefault(number, []).append(waited_s)
    for seat in seats:
        if seat.number in waits:
            seat.reply_s = round(median(waits[seat.number]))
