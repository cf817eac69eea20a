"""Matches between people, set up in a line, for tests of everything above the rules."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from oceans import ledger, play
from oceans.models import Match, MoveLog, Seat, ServiceClock
from oceans.rules import engine
from oceans.rules.chance import DealKeys, Stream
from oceans.rules.engine import MatchState
from oceans.rules.moves import Move


def bot(name: str = "Pebble") -> User:
    """A house bot."""
    return User.objects.create(username=name, is_bot=True)


def opened(now: datetime, *users: User, game: str = "oe-twos", pace: str = "classic", **terms: Any) -> Match:
    """A running match of these people; who sits where is drawn."""
    match_id = play.open_match(game=game, users=[user.pk for user in users], pace=pace, now=now, **terms)
    return Match.objects.get(pk=match_id)


def state_of(match: Match) -> MatchState:
    """The full truth about a match as it is stored now."""
    match.refresh_from_db()
    return ledger.load(match)


def due_seat(match: Match) -> Seat:
    """The seat that must answer; the first of them if there are several."""
    return match.seats.filter(is_due=True).select_related("user").order_by("number")[0]


def other_seat(match: Match, seat: Seat) -> Seat:
    """The opponent in a match of two."""
    return match.seats.exclude(pk=seat.pk).select_related("user").get()


def legal(match: Match, seat: int) -> tuple[str, ...]:
    """What a seat may answer, in short."""
    due = engine.due(state_of(match))
    return due.asks[seat].words() if due and seat in due.asks else ()


def answer(match: Match, text: str, now: datetime, seat: int | None = None) -> None:
    """Answer for a seat, the one that is due if none is named, at the present turn."""
    seat = due_seat(match).number if seat is None else seat
    turn = state_of(match).turn
    play.make_move(match_id=match.pk, seat=seat, turn=turn, move=Move.parse(text), now=now)
    match.refresh_from_db()


def answer_until_turn_passes(match: Match, now: datetime) -> None:
    """Let the seat that is due deal until somebody else is, conceding where it cannot."""
    seat = due_seat(match).number
    for _ in range(60):
        if due_seat(match).number != seat:
            return
        answer(match, legal(match, seat)[0], now)
    raise AssertionError("the turn never passed")


def play_out(match: Match, now: datetime, seed: int = 1) -> None:
    """Play a match to its end by legal moves that chance picks."""
    pick = Stream(DealKeys.of_seed(seed).deal_key(1), "test").below
    for _ in range(2_000):
        match.refresh_from_db()
        if not match.is_running:
            return
        seat = due_seat(match).number
        ask = engine.due(state_of(match)).asks[seat]
        play.make_move(match_id=match.pk, seat=seat, turn=match.turn, move=ask.some(pick), now=now)
    raise AssertionError("the match never ended")


def at_service_time(seconds: int, now: datetime) -> None:
    """Let the service clock stand at so many seconds at this instant."""
    ServiceClock.objects.update_or_create(pk=1, defaults={"service_s": seconds, "last_wall": now})


def pass_time(span: timedelta, now: datetime) -> datetime:
    """Let so much service time pass; return the instant it is then."""
    clock = ServiceClock.objects.first() or ServiceClock(last_wall=now)
    later = now + span
    at_service_time(clock.at(now) + int(span.total_seconds()), later)
    return later


def give_notice(match: Match) -> None:
    """Have the final reminders of a match gone out long ago, so that its deadlines hold."""
    for seat in match.seats.filter(deadline_s__isnull=False):
        match.seats.filter(pk=seat.pk).update(notice_s=seat.started_s, effective_s=seat.deadline_s, remind_s=None)
    earliest = min(match.seats.filter(effective_s__isnull=False).values_list("effective_s", flat=True), default=None)
    Match.objects.filter(pk=match.pk).update(due_s=earliest)
    match.refresh_from_db()


def log_of(match: Match) -> Sequence[str]:
    """The log as lines such as `0 deal`, forced moves marked."""
    rows = MoveLog.objects.filter(match=match).order_by("number")
    return [f"{row.seat} {row.text or row.cause}{' !' if row.cause == 'forced' else ''}" for row in rows]
