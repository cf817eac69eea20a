"""Matches from the first commitment to the first question: created, joined, begun, or cancelled before that."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.numbers import whole
from oceans import clock, ledger
from oceans.models import Match, Seat, SeatEntropy, Shuffle
from oceans.play.transition import locked, started
from oceans.refusals import BadRequest
from oceans.rules import chance
from oceans.rules.game import Game
from oceans.rules.games import by_slug
from oceans.rules.options import BadOptions, read_options, written_options

UNLIMITED_LEAVE: Final = "all"
NO_LEAVE: Final = "none"
MOST_LEAVE_DAYS: Final = 60
PATIENCE: Final = range(1, 6)


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before a match: the game with its options, and the conditions of play."""

    game: Game
    options: Any
    seats: int
    pace: str
    weekend: bool = False
    leave_allowed: str = UNLIMITED_LEAVE
    rated: bool = False
    patience: int = 2


def read_terms(
    *,
    game: str,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
    pace: str = "classic",
    weekend: bool = False,
    leave_allowed: str = UNLIMITED_LEAVE,
    rated: bool = False,
    patience: int = 2,
) -> Terms:
    """Check what somebody asks for. Raises BadRequest with a sentence about the first thing that cannot be."""
    try:
        rules = by_slug(game)
        seats = rules.seats[0] if seats is None else seats
        chosen = read_options(rules, options or {}, seats)
    except (KeyError, BadOptions) as refused:
        raise BadRequest(str(refused.args[0])) from refused
    if pace not in clock.PACES:
        raise BadRequest(
            _("There is no pace of that name: choose one of %(paces)s.") % {"paces": ", ".join(clock.PACES)}
        )
    if not _is_leave(leave_allowed):
        raise BadRequest(_("Leave must be all, none, or a number of days up to %(most)d.") % {"most": MOST_LEAVE_DAYS})
    if patience not in PATIENCE:
        raise BadRequest(_("Patience must be 1 to 5 missed moves."))
    return Terms(rules, chosen, seats, pace, weekend, leave_allowed, rated, patience)


def _is_leave(text: str) -> bool:
    if text in (UNLIMITED_LEAVE, NO_LEAVE):
        return True
    return 1 <= (whole(text, 2) or 0) <= MOST_LEAVE_DAYS


def create(
    terms: Terms,
    now: datetime,
    *,
    label: str = "",
    event: str = "",
    rematch_of: int | None = None,
    are_seats_drawn: bool = True,
    is_private: bool = False,
) -> Match:
    """A match nobody has joined, with the server's commitment, which is public from now on."""
    match = Match.objects.create(
        game=terms.game.slug,
        rules_version=terms.game.version,
        options=written_options(terms.options),
        seat_count=terms.seats,
        pace=terms.pace,
        weekend=terms.weekend,
        leave_allowed=terms.leave_allowed,
        rated=terms.rated,
        open_archive=getattr(terms.options, "open_archive", True),
        patience=1 if terms.seats == 2 else terms.patience,
        label=label[:120],
        event=event,
        rematch_of_id=rematch_of,
        are_seats_drawn=are_seats_drawn and rematch_of is None,
        is_private=is_private,
        created_at=now,
    )
    key_number = max(settings.MASTER_KEYS)
    nonce = secrets.token_bytes(32)
    seed = chance.server_seed(settings.MASTER_KEYS[key_number], match.fair_id, nonce)
    Shuffle.objects.create(match=match, key_number=key_number, nonce=nonce)
    match.commitment = chance.server_commitment(match.fair_id, seed).hex()
    match.save(update_fields=["commitment"])
    return match


def join(match: Match, user_id: int, index: int, entropy: bytes | None = None) -> None:
    """Take the next participant in, with entropy of his own or, where he sends none, some that the server makes."""
    own = entropy is not None
    given = entropy if entropy is not None else secrets.token_bytes(32)
    SeatEntropy.objects.create(
        match=match,
        index=index,
        user_id=user_id,
        entropy=given,
        source=SeatEntropy.Source.OWN if own else SeatEntropy.Source.SERVER,
        commitment=chance.seat_commitment(match.fair_id, index, given).hex(),
    )


def read_entropy(text: str) -> bytes | None:
    """What a browser sent as its part of the shuffle, in hex; None if it sent nothing. Raises BadRequest."""
    if not text.strip():
        return None
    try:
        given = bytes.fromhex(text.strip())
    except ValueError:
        given = b""
    if not 16 <= len(given) <= 64:
        raise BadRequest(_("Your part of the shuffle must be 16 to 64 bytes in hexadecimal digits."))
    return given


def begin(match_id: int, now: datetime, seating: Sequence[int] | None = None) -> None:
    """Seat the participants of a full match and deal. `seating` has the participant of each seat where seats are not
    drawn. Call it in the transaction in which the last one joined."""
    with locked(match_id, now) as here:
        match = here.match
        joined = list(SeatEntropy.objects.filter(match=match).order_by("index").values_list("user_id", flat=True))
        drawn = seating if seating is not None else chance.seating(ledger.secrets_of(match).match_key, len(joined))
        here.seats = [
            Seat(match=match, number=number, user_id=joined[participant], joined=participant)
            for number, participant in enumerate(drawn)
        ]
        started(here)


def open_match(
    *,
    game: str,
    options: Mapping[str, Any] | None = None,
    users: Sequence[int],
    pace: str,
    label: str = "",
    now: datetime,
    event: str = "",
    weekend: bool = False,
    leave_allowed: str = UNLIMITED_LEAVE,
    rated: bool = False,
    patience: int = 2,
    entropy: Mapping[int, bytes] | None = None,
    are_seats_drawn: bool = True,
    is_private: bool = False,
) -> int:
    """Create and begin a match of these users, in seats drawn from its shuffle or as they are named; return its id.

    A private one is seen by those who play it and those whom its event lets in (queries.let_watch). `entropy` has the
    parts of the shuffle that users sent, by user; the server makes the others. Raises BadRequest with a sentence if
    the match is not possible.
    """
    if len(set(users)) != len(users):
        raise BadRequest(_("Nobody can take two seats at one game."))
    terms = read_terms(
        game=game,
        options=options,
        seats=len(users),
        pace=pace,
        weekend=weekend,
        leave_allowed=leave_allowed,
        rated=rated,
        patience=patience,
    )
    with transaction.atomic():
        match = create(terms, now, label=label, event=event, are_seats_drawn=are_seats_drawn, is_private=is_private)
        for index, user_id in enumerate(users):
            join(match, user_id, index, (entropy or {}).get(user_id))
        begin(match.pk, now, seating=None if are_seats_drawn else range(len(users)))
    return match.pk


def set_private(*, event: str, is_private: bool) -> None:
    """Close the matches of an event to strangers, or open them."""
    Match.objects.filter(event=event).update(is_private=is_private)
