"""The standings of an event as its page shows them, with the parts of every tie-break, and cross-tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from accounts.models import User
from tournaments import endless, infinity, plans, tiebreaks
from tournaments.models import Entrant, Tournament
from tournaments.plans import Bout
from tournaments.queries.event_reader import Reader, written
from tournaments.standings import Standing

Format = Tournament.Format

HALVED: Final = {"points": 2, "adjusted": 2, "bhc1": 2, "bh": 2, "sb": 4, "de": 2}
"""By what stored figures are divided for pages, where a win is 1 (docs/competition.md, 5)."""
SWISS_COLUMNS: Final = ("points", "bhc1", "bh", "sb", "de", "wins")
GROUP_COLUMNS: Final = ("points", "sb", "de", "wins")
TABLE_COLUMNS: Final = ("points", "firsts", "soo")


@dataclass(frozen=True, slots=True)
class Cell:
    """One meeting in a cross-table, seen by the line's player. `kind` is w, l, or blank; `self` is no meeting."""

    text: str
    kind: str
    match_id: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: its figures as text by column, and the parts of the tie-breaks in words."""

    user: User
    place: str
    figures: tuple[str, ...]
    cells: tuple[Cell, ...] = ()
    parts: tuple[str, ...] = ()
    is_own: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The standings of an event or of one of its groups. `names` are the columns for programs."""

    title: str
    names: tuple[str, ...]
    numbers: tuple[User, ...]
    lines: tuple[Line, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The headings of the columns of figures."""
        return tuple(heading(name) for name in self.names)

    @property
    def short(self) -> tuple[tuple[str, str], ...]:
        """The same headings in a few letters for wide tables, each with the word it stands for."""
        return tuple((abbreviation(name), heading(name)) for name in self.names)

    @property
    def has_parts(self) -> bool:
        """Whether a tie-break has parts to show."""
        return any(line.parts for line in self.lines)


def tables(read: Reader) -> list[Table]:
    """The standings: one table, or one for each group or section; none in a knock-out."""
    value = read.value
    if value.format == Format.INFINITY:
        return [_endless_table(read)]
    if value.format == Format.SWISS:
        return [_swiss_table(read, section) for section in plans.sections_of(value)]
    if value.format == Format.TABLES:
        return [_table(read, "", plans.tables_table(value), TABLE_COLUMNS, _table_parts(read), {})]
    if value.format == Format.KNOCK_OUT or not value.is_for_two:
        return []
    return [_group_table(read, level, group) for level, group in plans.groups_of(value)]


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


def abbreviation(name: str) -> str:
    """A heading in a few letters."""
    return {
        "points": _("Pts"),
        "sb": _("SB"),
        "de": _("DE"),
        "wins": _("W"),
        "bhc1": _("BH-1"),
        "bh": _("BH"),
        "firsts": _("Won"),
        "soo": _("Opp"),
        "score": _("Score"),
    }[name]


def _table(
    read: Reader,
    title: str,
    lines: Sequence[Standing],
    names: Sequence[str],
    parts: Mapping[int, tuple[str, ...]],
    divisors: Mapping[str, int],
) -> Table:
    shown = [
        Line(
            read.users[int(line.player)],
            _place(line),
            tuple(written(line.values[name], divisors.get(name, 1)) for name in names),
            parts=parts.get(int(line.player), ()),
            is_own=line.player == read.reader_id,
        )
        for line in lines
    ]
    return Table(title, tuple(names), (), tuple(shown))


def _place(line: Standing) -> str:
    return f"{line.place}=" if line.shared else str(line.place)


# Groups


def _group_table(read: Reader, level: int, group: int) -> Table:
    value = read.value
    groups = plans.groups_of(value)
    found = plans.group_table(value, level, group)
    bouts = [bout for bout in value.bouts if (bout.level, bout.group) == (level, group)]
    players = [one.player for one in groups[level, group]]
    placed = {line.player for line in found.standings}
    meetings = _meetings(bouts)
    lines = [
        Line(
            read.users[int(line.player)],
            _place(line),
            tuple(written(line.values[name], HALVED.get(name, 1)) for name in GROUP_COLUMNS),
            tuple(_cell(read, meetings, found.annulled, int(line.player), other) for other in players),
            _sonneborn_parts(read, bouts, found.annulled, int(line.player)),
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
            tuple(_cell(read, meetings, found.annulled, player, other) for other in players),
            is_own=player == read.reader_id,
            seed=1 + players.index(player),
        )
        for player in players
        if player not in placed
    ]
    title = _("Level %(level)d, group %(group)d") if value.format == Format.LEAGUE else _("Group %(group)d")
    title = title % {"level": level, "group": group} if len(groups) > 1 or read.group is not None else ""
    return Table(title, GROUP_COLUMNS, tuple(read.users[p] for p in players), tuple(lines))


def _meetings(bouts: Sequence[Bout]) -> dict[frozenset[int], list[Bout]]:
    found: dict[frozenset[int], list[Bout]] = {}
    for bout in bouts:
        found.setdefault(frozenset(bout.players), []).append(bout)
    return found


def _cell(
    read: Reader, meetings: Mapping[frozenset[int], Sequence[Bout]], struck: Sequence[Any], player: int, other: int
) -> Cell:
    if player == other:
        return Cell("", "self", None, _("self"))
    found = meetings.get(frozenset((player, other)), ())
    ids = [match_id for bout in found for match_id in read.match_ids(bout)]
    text = " ".join(_result_text(bout, player) for bout in found)
    points = [bout.points[bout.players.index(player)] for bout in found if bout.points]
    kind = "" if len(points) != 1 or points == [1] else "w" if points == [2] else "l"
    if (player in struck or other in struck) and text:
        text, kind = f"({text})", ""
    names = {"player": read.name(player), "other": read.name(other)}
    return Cell(text, kind, ids[-1] if ids else None, _("%(player)s against %(other)s") % names)


def _result_text(bout: Bout, player: int) -> str:
    if not bout.points:
        return "·"
    text = written(bout.points[bout.players.index(player)], 2)
    return text + {"forfeit": "f", "overdue": "o"}.get(bout.how, "")


def _sonneborn_parts(read: Reader, bouts: Sequence[Bout], annulled: Sequence[Any], player: int) -> tuple[str, ...]:
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
            terms.append(f"{written(bout.points[side], 2)} × {written(totals[other], 2)} ({read.name(other)})")
    return (f"{heading('sb')}: {' + '.join(terms)}",) if terms else ()


# Swiss


def _swiss_table(read: Reader, section: int) -> Table:
    several = len(plans.sections_of(read.value)) > 1
    title = _("Section %(number)d") % {"number": section} if several else ""
    lines = plans.swiss_table(read.value, section)
    return _table(read, title, lines, SWISS_COLUMNS, _swiss_parts(read, section), HALVED)


def _swiss_parts(read: Reader, section: int) -> dict[int, tuple[str, ...]]:
    """The terms of Buchholz and Sonneborn-Berger, round by round; what is cut or worth nothing can be seen."""
    sheets = plans.swiss_sheets(read.value, section)
    adjusted = {player: tiebreaks.adjusted(sheet) for player, sheet in sheets.items()}
    own = {player: sum(outing.worth for outing in sheet) for player, sheet in sheets.items()}
    parts: dict[int, tuple[str, ...]] = {}
    for player, outings in sheets.items():
        buchholz, sonneborn = [], []
        for outing, term in zip(outings, tiebreaks.buchholz_terms(player, sheets), strict=True):
            rival = outing.played_against
            name = read.name(int(rival)) if rival is not None else _("not played")
            buchholz.append(f"{written(term, 2)} ({name})")
            other = own[player] if rival is None else adjusted[rival]
            sonneborn.append(f"{written(outing.worth, 2)} × {written(other, 2)} ({name})")
        if outings:
            sums = (f"{heading('bh')}: {' + '.join(buchholz)}", f"{heading('sb')}: {' + '.join(sonneborn)}")
            parts[int(player)] = sums
    return parts


# Tables


def _table_parts(read: Reader) -> dict[int, tuple[str, ...]]:
    """What each table was worth to each of its players."""
    scale = plans.scale_of(read.value)
    terms: dict[int, list[str]] = {}
    for number, results in enumerate(plans.table_results(read.value), start=1):
        for result in results:
            for player, points in result.points(scale).items():
                words = {"number": number, "points": written(points), "size": len(result.seats)}
                terms.setdefault(int(player), []).append(
                    _("round %(number)d: %(points)s at a table of %(size)d") % words
                )
    return {player: (f"{heading('points')}: {'; '.join(own)}",) for player, own in terms.items()}


# Endless


def _endless_table(read: Reader) -> Table:
    """Scores of those who are in, and how each came about."""
    inside = [one for one in read.entrants if one.state == Entrant.State.IN]
    inside.sort(key=lambda one: (-(one.score or 0), one.seed or 0))
    lines = []
    for number, one in enumerate(inside, start=1):
        parts = tuple(_step_text(step) for step in endless.steps_of(one))
        score = infinity.shown(infinity.FIRST_SCORE if one.score is None else one.score)
        lines.append(Line(one.user, str(number), (str(score),), parts=parts, is_own=one.user_id == read.reader_id))
    return Table("", ("score",), (), tuple(lines))


def _step_text(step: infinity.ScoreStep) -> str:
    """How one result changed a score, as a sum that can be checked."""
    old, new = infinity.shown(step.old), infinity.shown(step.new)
    return f"({old} × ({step.weight:.2f} − 1) + {step.result * 1000}) / {step.weight:.2f} = {new}"
