"""Words around a match: chat, private notes, and what a player has looked at."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from accounts.models import User
from oceans.models import CHAT_LENGTH, NOTE_LENGTH, Chat, Match, Note, Seat
from oceans.refusals import BadRequest, NotRunning, Refusal, TooMany

CHAT_MOST: Final = 10
CHAT_SPAN: Final = timedelta(minutes=1)
"""At most so many lines by one person in so long."""
CHAT_OPEN_AFTER: Final = timedelta(days=7)
"""How long people may talk at a match that is over."""

SEEN: Final = """
    UPDATE oceans_seat
    SET seen_number = (SELECT log_length FROM oceans_match WHERE oceans_match.id = oceans_seat.match_id),
        end_seen_at = CASE WHEN ended_at IS NOT NULL THEN COALESCE(end_seen_at, %s) END
    WHERE match_id = %s AND user_id = %s
"""


def say(*, match_id: int, user_id: int, text: str, now: datetime) -> None:
    """Say a line at a match: to the other players for those who play, else among those who watch.

    Raises BadRequest or another Refusal with a sentence.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None or (match.finished_at and match.finished_at < now - CHAT_OPEN_AFTER):
        raise NotRunning(_("The talk at this game is closed."))
    plays = Seat.objects.filter(match=match, user=user_id).exists()
    room = Chat.Room.PLAYERS if plays else Chat.Room.WATCHERS
    add_line(Chat, {"match": match, "room": room}, user_id=user_id, text=text, most=CHAT_LENGTH, now=now)


def add_line(
    kind: type[Model], place: Mapping[str, object], *, user_id: int, text: str, most: int, now: datetime
) -> None:
    """Write down what somebody says in a place, as a row of a kind of talk; at most so many letters.

    The same line again at once is taken for the same post, sent twice, and changes nothing. Raises BadRequest or
    TooMany with a sentence.
    """
    line = plain_line(text)
    if not line:
        raise BadRequest(_("Write something first."))
    if len(line) > most:
        raise BadRequest(_("Say it in at most %(most)d letters.") % {"most": most})
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user_id)
        lately = kind._default_manager.filter(user=user_id, said_at__gt=now - CHAT_SPAN)
        if lately.filter(**place).order_by("-pk").values_list("text", flat=True).first() == line:
            return
        if lately.count() >= CHAT_MOST:
            raise TooMany(_("That was a lot at once: wait a minute before you say more."))
        kind._default_manager.create(**place, user_id=user_id, text=line, said_at=now)


def plain_line(text: str) -> str:
    """A text as one line, without control and other invisible characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def write_note(
    *, match_id: int, user_id: int, text: str | None = None, afterwards: str | None = None, now: datetime
) -> None:
    """Keep a private note about a match, words for everybody once it is over, or both; None leaves one as it is.

    Only players write words for afterwards, and not when it is over. Raises Refusal with a sentence.
    """
    given = {"text": text, "afterwards": afterwards}
    # No database keeps a NUL in a text.
    values = {name: value.replace("\0", "").strip() for name, value in given.items() if value is not None}
    if any(len(value) > NOTE_LENGTH for value in values.values()):
        raise BadRequest(_("Write at most %(most)d letters.") % {"most": NOTE_LENGTH})
    if "afterwards" in values:
        seat = Seat.objects.filter(match=match_id, user=user_id).first()
        if seat is None or seat.ended_at is not None:
            raise Refusal(_("Only players can leave words for afterwards, and only while they play."))
    Note.objects.update_or_create(match_id=match_id, user_id=user_id, defaults={**values, "written_at": now})


def forget_notes(user_id: int, _now: datetime) -> None:
    """Forget the private notes of somebody who closes his account; words for everybody stay with the games."""
    Note.objects.filter(user=user_id).exclude(text="").update(text="")


def mark_seen(*, match_id: int, user_id: int, now: datetime) -> None:
    """Note that a player has looked at the match as it is now."""
    with connection.cursor() as cursor:
        cursor.execute(SEEN, [connection.ops.adapt_datetimefield_value(now), match_id, user_id])
