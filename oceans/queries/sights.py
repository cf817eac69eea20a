"""One match as one viewer may see it: now, at an earlier moment, as a record, and with the proof of its shuffles."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from oceans import ledger
from oceans.models import Chat, Match, MoveLog, Note
from oceans.queries.rows import MatchRow, Person, concealed, person_of, seats_by_match
from oceans.rules.dealt import dealt_decks
from oceans.rules.fair_record import Record, make_record
from oceans.rules.game import MatchResult
from oceans.rules.look import View, look
from oceans.rules.moves import Move
from oceans.stories import read_story, written_story

CHAT_SHOWN = 200
CHAT: Final = """
    SELECT line.*, person.username, person.is_bot, person.is_guest, person.closed_at
    FROM oceans_chat line JOIN accounts_user person ON person.id = line.user_id
    WHERE line.match_id = %s AND line.room IN ({})
    AND line.user_id NOT IN (
        SELECT blocked_id FROM accounts_block WHERE blocker_id = %s
        UNION ALL SELECT blocker_id FROM accounts_block WHERE blocked_id = %s
    )
    ORDER BY line.id DESC LIMIT %s
"""


class NotStarted(Exception):
    """A match that has not begun has nothing to see."""


def view_of(match: Match | int, viewer: int | None, *, at: int | None = None, now: datetime | None = None) -> MatchRow:
    """The match with what a seat, or a spectator (None), sees of it; `at` an earlier moment, after so many entries.

    One query, one more for the match if its id is given, one where answers are sealed; two more for the log if
    this process has not seen the match lately. Raises NotStarted, and Match.DoesNotExist.
    """
    match = Match.objects.get(pk=match) if isinstance(match, int) else match
    if match.started_at is None:
        raise NotStarted
    now = now or timezone.now()
    is_past = at is not None and at < match.log_length
    present = ledger.load(match)
    state = ledger.state_at(match, max(0, at or 0)) if is_past else present
    view = look(state, viewer, opened=match.is_over)
    seats = concealed(seats_by_match([match.pk], now)[match.pk], viewer, present)
    return MatchRow(match, seats, viewer, view)


def sight_of(match: Match) -> View:
    """What the reader who came through the door (access.py) sees of a running match, without who sits where.

    No query if this process has seen the match lately, else two for the log; one more where answers are sealed.
    """
    return look(ledger.load(match), match.viewer)


def replay_of(match: Match | int, viewer: int | None, number: int, now: datetime | None = None) -> MatchRow:
    """The match as the viewer saw it after `number` entries; all cards where it is over and its archive is open."""
    return view_of(match, viewer, at=number, now=now)


def deal_starts(match: Match) -> list[int]:
    """The entries at which deals begin: how many entries were before deal 1, 2 and so on. One query."""
    starts = [0]
    for number, deal_no in MoveLog.objects.filter(match=match).order_by("number").values_list("number", "deal_no"):
        while deal_no > len(starts):
            starts.append(number - 1)
    return starts


def result_of(match_id: int) -> MatchResult | None:
    """Places and score by seat of a finished match, or None. One query."""
    result = Match.objects.filter(pk=match_id, status=Match.Status.FINISHED).values_list("result", flat=True).first()
    return MatchResult(tuple(result["places"]), tuple(result["score"])) if result else None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended, for events, ladders and ratings. Users, places and scores are in order of the seats."""

    id: int
    status: str
    ended_by: str
    event: str
    game: str
    is_rated: bool
    users: tuple[int, ...]
    places: tuple[int, ...] | None
    scores: tuple[int, ...] | None
    late: tuple[int, ...]
    """Seats that lost the match, or left it, on time."""
    started_at: datetime | None
    finished_at: datetime | None
    moved: tuple[bool, ...]
    """Seats that made at least one decision of their own."""
    bots: tuple[bool, ...]
    was_to_count: bool
    """Whether it was agreed as rated, whatever came of that."""
    unrated_because: str


def ended(match_id: int) -> Ended:
    """All that others need to know of a match that is over. Three queries. Raises Match.DoesNotExist."""
    match = Match.objects.get(pk=match_id)
    result = match.result or {}
    late = match.time_outs.filter(outcome__in=["lost", "drawn", "forfeited", "retired", "cancelled"])
    seats = list(match.seats.order_by("number").values_list("user_id", "has_moved", "user__is_bot"))
    return Ended(
        id=match.pk,
        status=match.status,
        ended_by=match.ended_by,
        event=match.event,
        game=match.game,
        is_rated=match.rated and not match.unrated_because and match.status == Match.Status.FINISHED,
        users=tuple(user_id for user_id, _moved, _bot in seats),
        places=tuple(result["places"]) if result else None,
        scores=tuple(result["score"]) if result else None,
        late=tuple(sorted(late.values_list("seat", flat=True))),
        started_at=match.started_at,
        finished_at=match.finished_at,
        moved=tuple(has_moved for _user, has_moved, _bot in seats),
        bots=tuple(is_bot for _user, _moved, is_bot in seats),
        was_to_count=match.rated,
        unrated_because=match.unrated_because,
    )


# The fair record


def fair_record(match: Match | int, viewer: int | None) -> Record:
    """The record of the match's shuffles (rules/fair_record.py), with openings of the cards that the viewer may know.

    The seed and all orders come with the end; where the archive is not open they stay secret for good, as folded
    cards do. Two queries, and two more for the log.
    """
    match = Match.objects.get(pk=match) if isinstance(match, int) else match
    secrets = ledger.secrets_of(match)
    is_cancelled = match.status == Match.Status.CANCELLED
    revealed = match.is_over and match.open_archive
    if match.started_at is None:
        return make_record(
            secrets, started=False, revealed=revealed, cancelled=match.ended_by if is_cancelled else None
        )
    return make_record(
        secrets,
        dealt_decks(ledger.state_of_log(match), viewer, opened=revealed),
        seated=match.are_seats_drawn,
        revealed=revealed,
        cancelled=match.ended_by if is_cancelled else None,
    )


# Records of play


def record_of(match: Match | int, viewer: int | None, now: datetime | None = None) -> dict[str, Any]:
    """The match as JSON values: what was agreed, who played, every move and the public story.

    Moves of other seats tell the cards in them only where the archive is open, and nobody is told whether an order
    made a move of somebody else. What the rules keep secret of a move stays so for ever: the record tells only that
    everybody had answered. Three queries, and two more for the log.
    """
    row = view_of(match, viewer, now=now)
    shown = row.match.is_over and row.match.open_archive
    entries = tuple(MoveLog.objects.filter(match=row.match).order_by("number"))
    closed_at = {entry.turn: entry.made_at for entry in sorted(entries, key=lambda entry: entry.made_at)}
    secret = row.game.secret
    assert row.view is not None
    story = read_story(row.match.story) if row.match.story else row.view.story
    return {
        "format": "oceans-match/1",
        "match": row.id,
        "game": row.match.game,
        "rules": row.match.rules_id,
        "options": row.match.options,
        "pace": row.match.pace,
        "rated": row.match.rated,
        "status": row.match.status,
        "ended_by": row.match.ended_by,
        "started_at": _written(row.match.started_at),
        "finished_at": _written(row.match.finished_at),
        "players": [{"seat": seat.number, "name": seat.person.name, "bot": seat.person.is_bot} for seat in row.seats],
        "result": row.match.result,
        "moves": [
            _secret_entry(entry, closed_at[entry.turn])
            if entry.seat != viewer and entry.text.partition(" ")[0] in secret
            else _written_entry(entry, viewer, shown)
            for entry in entries
        ],
        "story": written_story(story),
        "server_commitment": row.match.commitment,
    }


def _written_entry(entry: MoveLog, viewer: int | None, shown: bool) -> dict[str, Any]:
    own = viewer is not None and entry.seat == viewer
    cause = "seat" if entry.cause == "order" and not own else entry.cause
    return {
        "n": entry.number,
        "deal": entry.deal_no,
        "turn": entry.turn,
        "seat": entry.seat,
        "move": entry.text if own or shown else _without_cards(entry.text),
        "cause": cause,
        "at": _written(entry.made_at),
    }


def _secret_entry(entry: MoveLog, closed_at: datetime) -> dict[str, Any]:
    """An answer of which nobody else learns what it was, when it came, or whether it was chosen."""
    whole = {"n": entry.number, "deal": entry.deal_no, "turn": entry.turn, "seat": entry.seat}
    return {**whole, "move": "", "cause": "seat", "at": _written(closed_at)}


def _without_cards(text: str) -> str:
    """A move as the others saw it being made: that cards were named and how many, not which."""
    if not text:
        return text
    move = Move.parse(text)
    if move.cards:
        return f"{move.verb} ({len(move.cards)})"
    return str(Move(move.verb, move.amount))


def _written(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


# Words around the match


@dataclass(frozen=True, slots=True)
class ChatRow:
    """One line of talk."""

    id: int
    person: Person
    text: str
    said_at: datetime


def chat_of(match: Match, viewer: int | None, reader: int | None, limit: int = CHAT_SHOWN) -> list[ChatRow]:
    """The latest lines, oldest first: of the players for players, of those who watch for the others; both rooms once
    the match is over. Not what people said whom the reader, a user, has blocked or who have blocked him. One query."""
    rooms = Chat.Room.values if match.is_over else [Chat.Room.PLAYERS if viewer is not None else Chat.Room.WATCHERS]
    lines = Chat.objects.raw(CHAT.format(", ".join(["%s"] * len(rooms))), [match.pk, *rooms, reader, reader, limit])
    return [
        ChatRow(
            line.pk,
            person_of(line.user_id, line.username, line.is_bot, line.is_guest, line.closed_at),
            line.text,
            line.said_at,
        )
        for line in reversed(list(lines))
    ]


@dataclass(frozen=True, slots=True)
class Notes:
    """A reader's own note, his words for afterwards, and the words of all that may be read now."""

    own: str = ""
    own_afterwards: str = ""
    afterwards: tuple[tuple[Person, str], ...] = ()


def notes_of(match: Match, user_id: int | None) -> Notes:
    """What this reader may read of the notes about a match that came through the door (access.py). One query where the
    match is over, none during play."""
    if not match.is_over:
        return Notes(match.own_note or "", match.own_afterwards or "") if user_id is not None else Notes()
    own = afterwards = ""
    words = []
    for note in Note.objects.filter(match=match).select_related("user"):
        if note.user_id == user_id:
            own, afterwards = note.text, note.afterwards
        if note.afterwards:
            user = note.user
            words.append(
                (person_of(user.pk, user.username, user.is_bot, user.is_guest, user.closed_at), note.afterwards)
            )
    return Notes(own, afterwards, tuple(words))
