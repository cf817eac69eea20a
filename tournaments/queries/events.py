"""What pages show of events: lists, standings with the parts of their tie-breaks, cross-tables, brackets, rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _

from accounts.models import User
from oceans import queries
from tournaments import infinity, plans, tiebreaks
from tournaments.brackets import Bracket, BracketMatch, Gap
from tournaments.event_rows import value_of
from tournaments.models import Award, Entrant, EventMatch, Pairing, Tournament
from tournaments.plans import Bout, Event
from tournaments.standings import Standing

Format = Tournament.Format
State = Tournament.State

LISTED: Final = 50
HALVED: Final = {"points": 2, "adjusted": 2, "bhc1": 2, "bh": 2, "sb": 4, "de": 2}
"""By what stored figures are divided for pages, where a win is 1 (docs/competition.md, 5)."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event in a list."""

    event: Tournament
    game: str
    is_mine: bool


def listed(reader_id: int | None, state: str, limit: int = LISTED) -> list[EventRow]:
    """Events in a state, newest first. Two queries."""
    found = list(Tournament.objects.filter(state=state).order_by("-made_at")[:limit])
    mine = set(
        Entrant.objects.filter(user=reader_id, state=Entrant.State.IN, tournament__in=found).values_list(
            "tournament", flat=True
        )
    )
    return [EventRow(one, queries.game_name(one.game), one.pk in mine) for one in found]


def awards_of(user: User) -> list[Award]:
    """What somebody has won, latest first. One query."""
    return list(Award.objects.filter(user=user).select_related("tournament", "ladder").order_by("-won_at", "kind"))


def event_of_match(match_id: int) -> int | None:
    """The event a match was played for. One query."""
    return EventMatch.objects.filter(match=match_id).values_list("pairing__round__tournament", flat=True).first()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: its figures as text by column, and the parts of the tie-breaks in words."""

    user: User
    place: str
    figures: tuple[str, ...]
    cells: tuple["Cell", ...] = ()
    parts: tuple[str, ...] = ()
    is_own: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One meeting in a cross-table, seen by the line's player. `kind` is w, l, or blank; `self` is no meeting."""

    text: str
    kind: str
    match_id: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Table:
    """The standings of an event or of one of its groups."""

    title: str
    columns: tuple[str, ...]
    numbers: tuple[User, ...]
    lines: tuple[Line, ...]


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


@dataclass(slots=True)
class EventPage:
    """An event for one reader."""

    event: Tournament
    game: str
    own: Entrant | None
    tables: list[Table]
    bracket: list[RoundRow]
    rounds: list[RoundRow]
    entrants: list[Entrant]
    own_matches: list[int]
    ends_by: datetime | None


class Reader:
    """Everything of an event that pages need, read once: constant queries, however many entered."""

    def __init__(self, event: Tournament, reader_id: int | None) -> None:
        self.event, self.reader_id = event, reader_id
        self.entrants = list(event.entrants.select_related("user").order_by("place", "seed", "entered_at"))
        self.users = {one.user_id: one.user for one in self.entrants}
        self.value: Event = value_of(event)
        self.matches: dict[tuple[int, int], list[EventMatch]] = {}
        rows = EventMatch.objects.filter(pairing__round__tournament=event).select_related("pairing__round")
        for match in rows.order_by("number"):
            pairing = match.pairing
            self.matches.setdefault((pairing.round.number, pairing.board), []).append(match)

    def matches_of(self, bout: Bout) -> list[EventMatch]:
        return self.matches.get((bout.round, bout.board), [])


def event_page(event: Tournament, reader: User | None, now: datetime) -> EventPage:
    """All of an event's page. Seven queries."""
    reader_id = reader.pk if reader else None
    read = Reader(event, reader_id)
    has_begun = event.state in (State.RUNNING, State.FINISHED) or bool(read.value.bouts)
    rounds = list(event.rounds.order_by("number")) if has_begun else []
    own_matches = [
        match.match_id
        for bout in read.value.bouts
        if reader_id in bout.players
        for match in read.matches_of(bout)
        if match.ended_at is None
    ]
    listed_rounds = [
        RoundRow(
            _("Round %(number)d") % {"number": one.number},
            one.number,
            one.is_late,
            one.limit_at if one.closed_at is None else None,
            tuple(_tie(read, bout) for bout in read.value.bouts if bout.round == one.number),
        )
        for one in rounds
    ]
    return EventPage(
        event=event,
        game=queries.game_name(event.game),
        own=next((one for one in read.entrants if one.user_id == reader_id), None),
        tables=_tables(read) if has_begun else [],
        bracket=_bracket(read) if has_begun else [],
        rounds=listed_rounds,
        entrants=read.entrants,
        own_matches=own_matches,
        ends_by=forecast(event, read, now) if event.is_running and not event.is_endless else None,
    )


def forecast(event: Tournament, read: Reader, now: datetime) -> datetime | None:
    """When it ends at the latest, if all use their full time: the last limit, and as long again for each round to
    come."""
    limits = [one.limit_at - one.opened_at for one in event.rounds.all() if one.limit_at]
    open_until = [one.limit_at for one in event.rounds.filter(closed_at=None) if one.limit_at]
    if not open_until:
        return None
    return max(open_until) + _rounds_to_come(read) * max(limits, default=timedelta())


def _rounds_to_come(read: Reader) -> int:
    value = read.value
    if value.format in (Format.SWISS, Format.TABLES):
        return max(0, int(value.shape["rounds"]) - value.last_round)
    if value.format == Format.KNOCK_OUT:
        return max(0, len(plans.bracket_of(value).rounds) - value.last_round)
    return 0


# --- Standings -------------------------------------------------------------------------------------------------------


def _tables(read: Reader) -> list[Table]:
    value = read.value
    if value.format == Format.INFINITY:
        return [_endless_table(read)]
    if value.format == Format.SWISS:
        return [_table(read, "", plans.swiss_table(value), SWISS_COLUMNS, _swiss_parts(read))]
    if value.format == Format.TABLES or not value.is_for_two:
        names = ("points", "firsts", "soo")
        if value.format != Format.TABLES:
            return []
        return [_table(read, "", plans.tables_table(value), names, {})]
    if value.format == Format.KNOCK_OUT:
        return []
    return [_group_table(read, level, group) for level, group in plans.groups_of(value)]


SWISS_COLUMNS: Final = ("points", "bhc1", "bh", "sb", "de", "wins")
GROUP_COLUMNS: Final = ("points", "sb", "de", "wins")


def heading(name: str) -> str:
    """The heading of a column of figures."""
    return {
        "points": _("Points"),
        "sb": _("Sonneborn-Berger"),
        "de": _("Direct encounter"),
        "wins": _("Wins"),
        "bhc1": _("Buchholz, cut 1"),
        "bh": _("Buchholz"),
        "firsts": _("Tables won"),
        "soo": _("Opposition"),
        "score": _("Score"),
    }[name]


def written(value: int | Fraction, divisor: int = 1) -> str:
    """A figure as pages print it: 2½, 4¼, 12."""
    exact = Fraction(value) / divisor
    whole, rest = divmod(exact, 1)
    marks = {Fraction(0): "", Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}
    if rest not in marks:
        return f"{float(exact):.2f}"
    return f"{whole}{marks[rest]}" if whole or not rest else marks[rest]


def _table(
    read: Reader, title: str, lines: Sequence[Standing], names: Sequence[str], parts: dict[int, tuple[str, ...]]
) -> Table:
    divisors = {} if read.value.format == Format.TABLES else HALVED
    shown = [
        Line(
            read.users[int(line.player)],
            f"{line.place}=" if line.shared else str(line.place),
            tuple(written(line.values[name], divisors.get(name, 1)) for name in names),
            parts=parts.get(int(line.player), ()),
            is_own=line.player == read.reader_id,
        )
        for line in lines
    ]
    return Table(title, tuple(heading(name) for name in names), (), tuple(shown))


def _group_table(read: Reader, level: int, group: int) -> Table:
    value = read.value
    members = plans.groups_of(value)[level, group]
    found = plans.group_table(value, level, group)
    bouts = [bout for bout in value.bouts if (bout.level, bout.group) == (level, group)]
    players = [one.player for one in members]
    gone = [one.player for one in members if one.player not in {line.player for line in found.standings}]
    lines = [
        Line(
            read.users[int(line.player)],
            f"{line.place}=" if line.shared else str(line.place),
            tuple(written(line.values[name], HALVED.get(name, 1)) for name in GROUP_COLUMNS),
            tuple(_cell(read, bouts, int(line.player), other) for other in players),
            _round_robin_parts(read, bouts, found.annulled, int(line.player)),
            line.player == read.reader_id,
            1 + players.index(int(line.player)),
        )
        for line in found.standings
    ]
    lines += [
        Line(
            read.users[player],
            _("out"),
            ("",) * len(GROUP_COLUMNS),
            tuple(_cell(read, bouts, player, other) for other in players),
            is_own=player == read.reader_id,
            seed=1 + players.index(player),
        )
        for player in gone
    ]
    several = len(plans.groups_of(value)) > 1
    title = _("Level %(level)d, group %(group)d") if value.format == Format.LEAGUE else _("Group %(group)d")
    names = {"level": level, "group": group}
    columns = tuple(heading(name) for name in GROUP_COLUMNS)
    return Table(title % names if several else "", columns, tuple(read.users[p] for p in players), tuple(lines))


def _cell(read: Reader, bouts: Sequence[Bout], player: int, other: int) -> Cell:
    if player == other:
        return Cell("", "self", None, _("self"))
    found = [bout for bout in bouts if set(bout.players) == {player, other}]
    texts, last = [], None
    for bout in found:
        match = next(iter(read.matches_of(bout)), None)
        last = match.match_id if match else last
        texts.append(_result_text(bout, player))
    points = [bout.points[bout.players.index(player)] for bout in found if bout.points]
    kind = "" if len(points) != 1 or points == [1] else "w" if points == [2] else "l"
    names = {"player": read.users[player].shown_name, "other": read.users[other].shown_name}
    return Cell(" ".join(texts), kind, last, _("%(player)s against %(other)s") % names)


def _result_text(bout: Bout, player: int) -> str:
    if not bout.points:
        return "·"
    text = written(bout.points[bout.players.index(player)], 2)
    return text + {"forfeit": "f", "overdue": "o"}.get(bout.how, "")


def _round_robin_parts(read: Reader, bouts: Sequence[Bout], annulled: Sequence[Any], player: int) -> tuple[str, ...]:
    """The sum of Sonneborn-Berger, term by term."""
    counted = [b for b in bouts if b.points and not set(b.players) & set(annulled)]
    totals: dict[int, int] = {}
    for bout in counted:
        for one, points in zip(bout.players, bout.points, strict=True):
            totals[one] = totals.get(one, 0) + points
    terms = []
    for bout in counted:
        if player in bout.players:
            side = bout.players.index(player)
            other = bout.players[1 - side]
            terms.append(
                f"{written(bout.points[side], 2)} × {written(totals[other], 2)} ({read.users[other].shown_name})"
            )
    return (f"{heading('sb')}: {' + '.join(terms)}",) if terms else ()


def _swiss_parts(read: Reader) -> dict[int, tuple[str, ...]]:
    """The terms of Buchholz, round by round; what is cut or worth nothing can be seen."""
    sheets = plans.swiss_sheets(read.value)
    parts: dict[int, tuple[str, ...]] = {}
    for player, outings in sheets.items():
        terms = []
        for outing, term in zip(outings, tiebreaks.buchholz_terms(player, sheets), strict=True):
            rival = outing.played_against
            name = read.users[int(rival)].shown_name if rival is not None else _("not played")
            terms.append(f"{written(term, 2)} ({name})")
        parts[int(player)] = (f"{heading('bh')}: {' + '.join(terms)}",) if terms else ()
    return parts


def _endless_table(read: Reader) -> Table:
    """Scores of those who are in, and how each came about."""
    steps: dict[int, list[tuple[int, int]]] = {}
    for row in Pairing.objects.filter(round__tournament=read.event, field__isnull=False).order_by("decided_at", "pk"):
        for player, points in zip(row.players, row.points, strict=True):
            steps.setdefault(player, []).append((points, row.field or 2))
    inside = [one for one in read.entrants if one.state == Entrant.State.IN]
    inside.sort(key=lambda one: (-(one.score or 0), one.seed or 0))
    lines = []
    for number, one in enumerate(inside, start=1):
        history = infinity.score_history(steps.get(one.user_id, []))
        parts = tuple(_step_text(step) for step in history[-5:])
        score = infinity.shown(infinity.FIRST_SCORE if one.score is None else one.score)
        lines.append(Line(one.user, str(number), (str(score),), parts=parts, is_own=one.user_id == read.reader_id))
    return Table("", (heading("score"),), (), tuple(lines))


def _step_text(step: infinity.ScoreStep) -> str:
    """How one result changed a score, as a sum that can be checked."""
    old, new = infinity.shown(step.old), infinity.shown(step.new)
    return f"({old} × ({step.weight:.2f} − 1) + {step.result * 1000}) / {step.weight:.2f} = {new}"


# --- Pairings --------------------------------------------------------------------------------------------------------


def _bracket(read: Reader) -> list[RoundRow]:
    value = read.value
    if value.format == Format.KNOCK_OUT:
        found, after = plans.bracket_of(value), 0
    elif value.format == Format.CUP and any(not bout.group for bout in value.bouts):
        found, after = plans.bracket_of(value, plans.cup_seeds(value), 1), 1
    else:
        return []
    bouts = {(bout.round, bout.board): bout for bout in value.bouts if not bout.group}
    return [
        RoundRow(
            _round_name(found, number),
            number,
            False,
            None,
            tuple(
                _bracket_tie(read, match, bouts.get((number + after, board)))
                for board, match in enumerate(round_, start=1)
            ),
        )
        for number, round_ in enumerate(found.rounds, start=1)
    ]


def _round_name(bracket: Bracket, number: int) -> str:
    left = len(bracket.rounds) - number
    names = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return names.get(left, _("Round %(number)d") % {"number": number})


def _bracket_tie(read: Reader, match: BracketMatch, bout: Bout | None) -> Tie:
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
    ids = tuple(one.match_id for one in read.matches_of(bout)) if bout else ()
    return Tie(tuple(sides), ids, bout.how if bout else "", match.kind == "open")


def _tie(read: Reader, bout: Bout) -> Tie:
    is_table = not read.value.is_for_two
    sides = []
    for index, player in enumerate(bout.players):
        score = ""
        if bout.points:
            score = str(bout.points[index]) if is_table else written(bout.points[index], 2)
        best = bout.points and bout.points[index] == (min(bout.points) if is_table else 2)
        sides.append(Side(read.users[player], "", score, bool(best)))
    ids = tuple(match.match_id for match in read.matches_of(bout))
    return Tie(tuple(sides), ids, bout.how, bout.is_open)
