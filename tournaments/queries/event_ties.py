"""The pairings of an event as its page shows them: brackets and rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments import plans
from tournaments.brackets import Bracket, BracketMatch, Gap
from tournaments.models import Round
from tournaments.plans import Bout
from tournaments.queries.event_reader import Reader, written


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a pairing."""

    user: User | None
    words: str
    score: str
    is_winner: bool


@dataclass(frozen=True, slots=True)
class Tie:
    """A pairing as pages list it."""

    board: int
    sides: tuple[Side, ...]
    match_ids: tuple[int, ...]
    how: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round with its pairings."""

    title: str
    number: int
    is_late: bool
    closes_at: datetime | None
    ties: tuple[Tie, ...]
    may_extend: bool = False


def rounds(read: Reader, rows: Sequence[Round]) -> list[RoundRow]:
    """The rounds with their pairings, first round first; those of the endless event have the day as their name."""
    by_round: dict[int, list[Bout]] = {}
    for bout in read.value.bouts:
        by_round.setdefault(bout.round, []).append(bout)
    return [
        RoundRow(
            date_format(one.opened_at, "j F Y")
            if read.event.is_endless
            else _("Round %(number)d") % {"number": one.number},
            one.number,
            one.is_late,
            one.limit_at if one.closed_at is None else None,
            tuple(_tie(read, bout) for bout in by_round.get(one.number, [])),
            one.closed_at is None and not one.was_extended,
        )
        for one in rows
        if one.number in by_round or not read.event.is_endless
    ]


def bracket(read: Reader) -> list[RoundRow]:
    """The bracket of a knock-out, or of a cup whose groups are done; empty elsewhere."""
    value = read.value
    if value.format == plans.KNOCK_OUT:
        found, after = plans.bracket_of(value), 0
    elif value.format == plans.CUP and any(not bout.group for bout in value.bouts):
        after = plans.rounds_before_bracket(value)
        found = plans.bracket_of(value, plans.cup_seeds(value), after)
    else:
        return []
    bouts = {(bout.round, bout.board): bout for bout in value.bouts if not bout.group}
    columns = [
        RoundRow(
            _round_name(found, number),
            number,
            False,
            None,
            tuple(
                _bracket_tie(read, match, bouts.get((number + after, board)), board)
                for board, match in enumerate(round_, start=1)
            ),
        )
        for number, round_ in enumerate(found.rounds, start=1)
    ]
    if found.third:
        last = len(found.rounds)
        tie = _bracket_tie(read, found.third, bouts.get((last + after, 2)), 2)
        columns.append(RoundRow(_("Third place"), last, False, None, (tie,)))
    return columns


def _round_name(found: Bracket, number: int) -> str:
    left = len(found.rounds) - number
    names = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return names.get(left, _("Round %(number)d") % {"number": number})


def _bracket_tie(read: Reader, match: BracketMatch, bout: Bout | None, board: int) -> Tie:
    sides = []
    for slot in (match.a, match.b):
        if isinstance(slot, Gap):
            words = _("open") if slot is Gap.UNKNOWN else _("bye")
            sides.append(Side(None, words, "", False))
            continue
        score = ""
        if bout is not None and bout.points:
            score = written(bout.points[bout.players.index(int(slot))], 2)
        sides.append(Side(read.users[int(slot)], "", score, match.is_over and match.winner == slot))
    ids = read.match_ids(bout) if bout else ()
    return Tie(board, tuple(sides), ids, bout.how if bout else "", match.kind == "open")


def _tie(read: Reader, bout: Bout) -> Tie:
    is_table = not read.value.is_for_two
    sides = []
    for index, player in enumerate(bout.players):
        score = ""
        if bout.points:
            score = str(bout.points[index]) if is_table else written(bout.points[index], 2)
        best = bout.points and bout.points[index] == (min(bout.points) if is_table else 2)
        sides.append(Side(read.users[player], "", score, bool(best)))
    return Tie(bout.board, tuple(sides), read.match_ids(bout), bout.how, bout.is_open)
