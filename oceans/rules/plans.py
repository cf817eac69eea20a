"""Betting plans: all that a seat may want to do in one betting round, filed at once (docs/rules/common.md, 13 and 18).

With a fixed limit a plan has one line for each level of betting, parted by strokes: nobody has bet, one bet, a bet and
one raise, and so on.

    plan check/call/fold/fold

With the other limits it is an opening (check, or bet a number), the most chips to put in this round by calling, and
if wanted one raise to a stated total of the round.

    plan bet 4, call 12, raise 20
    plan check, call 0
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from .asks import Picker
from .moves import Move
from .options import Choice, Kind, Whole

PLAN: Final = "plan"
FIRST: Final = ("check", "bet")
LATER: Final = ("fold", "call", "raise")
LAST: Final = ("fold", "call")

_TOTALS: Final = re.compile(r"(check|bet ([1-9]\d{0,6})), call (\d{1,7})(?:, raise ([1-9]\d{0,6}))?")


@dataclass(frozen=True, slots=True)
class Totals:
    """A plan for limits in which amounts are chosen. `opening` 0 is a check; `most` and `raise_to` are totals of the
    round, `raise_to` 0 if no raise is wanted."""

    opening: int
    most: int
    raise_to: int


@dataclass(frozen=True, slots=True)
class LevelPlan:
    """The ask for a plan with one line for each level. `raises`: how many raises a round may have. `is_opened`: a bet
    has been made already, so that the first line will not be needed."""

    prompt: str
    raises: int
    is_opened: bool = False
    open: bool = True

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """What may stand in each line."""
        return (FIRST, *(LATER,) * self.raises, LAST)

    def refuse(self, move: Move) -> str | None:
        levels = self.levels
        if move.verb != PLAN or move.amount is not None or move.cards:
            return f"“{move}” is not possible now: file a plan such as “{self._example()}”."
        lines = lines_of(move)
        if len(lines) != len(levels):
            return f"A plan here has {len(levels)} lines, as in “{self._example()}”: you gave {len(lines)}."
        for number, (line, allowed) in enumerate(zip(lines, levels, strict=True), 1):
            if line not in allowed:
                return f"Line {number} of the plan must be {' or '.join(allowed)}, not “{line}”."
        return None

    def only(self) -> Move | None:
        return None

    def some(self, pick: Picker) -> Move:
        return _lines_move(*(allowed[pick(len(allowed))] for allowed in self.levels))

    def words(self) -> tuple[str, ...]:
        return (f"{PLAN} {'/'.join('|'.join(allowed) for allowed in self.levels)}",)

    def terms(self) -> Mapping[str, tuple[Kind, Any]]:
        """The plan as fields of a form: what each may be, and its default."""
        kinds = {
            f"level{number}": (Choice(_level_words(number), tuple((word, word) for word in allowed)), allowed[0])
            for number, allowed in enumerate(self.levels)
        }
        return {name: kind for name, kind in kinds.items() if not (self.is_opened and name == "level0")}

    def filled(self, values: Mapping[str, Any]) -> Move:
        """The plan from the values of such fields; a missing one takes its default."""
        return _lines_move(
            *(str(values.get(f"level{number}", allowed[0])) for number, allowed in enumerate(self.levels))
        )

    def values(self, move: Move) -> Mapping[str, Any]:
        """The values that make this plan."""
        return {f"level{number}": line for number, line in enumerate(lines_of(move))}

    def passive(self) -> Move:
        """Check if it is free, else fold."""
        return _lines_move(*(allowed[0] for allowed in self.levels))

    def _example(self) -> str:
        return str(_lines_move("check", *("call",) * (len(self.levels) - 1)))


@dataclass(frozen=True, slots=True)
class TotalsPlan:
    """The ask for a plan with amounts. `most` is all the seat can put in this round."""

    prompt: str
    most: int
    is_opened: bool = False
    open: bool = True

    def refuse(self, move: Move) -> str | None:
        if move.verb != PLAN:
            return f"“{move}” is not possible now: file a plan such as “plan bet 2, call 6” or “plan check, call 0”."
        totals = totals_of(move)
        if totals is None:
            return "Write the plan as “plan check, call 6” or “plan bet 2, call 6, raise 10”."
        if max(totals.opening, totals.most, totals.raise_to) > self.most:
            return f"You can put in at most {self.most} in this round."
        return None

    def only(self) -> Move | None:
        return None

    def some(self, pick: Picker) -> Move:
        opening, most, to = (pick(2) and pick(self.most + 1) for _ in range(3))
        return _totals_move(Totals(opening, most, to))

    def words(self) -> tuple[str, ...]:
        return (f"{PLAN} check|bet 1-{self.most}, call 0-{self.most}[, raise 1-{self.most}]",)

    def terms(self) -> Mapping[str, tuple[Kind, Any]]:
        """The plan as fields of a form: what each may be, and its default."""
        opening = {"opening": (Whole("If nobody has bet, bet (0: check)", 0, self.most), 0)}
        return {
            **({} if self.is_opened else opening),
            "most": (Whole("Call as long as I put in no more than", 0, self.most), 0),
            "raise_to": (Whole("Raise once, to (0: no raise)", 0, self.most), 0),
        }

    def filled(self, values: Mapping[str, Any]) -> Move:
        """The plan from the values of such fields; a missing one takes its default."""
        return _totals_move(Totals(*(int(values.get(name, 0)) for name in ("opening", "most", "raise_to"))))

    def values(self, move: Move) -> Mapping[str, Any]:
        """The values that make this plan."""
        totals = totals_of(move)
        return {} if totals is None else asdict(totals)

    def passive(self) -> Move:
        """Check if it is free, else fold."""
        return _totals_move(Totals(0, 0, 0))


def lines_of(move: Move) -> tuple[str, ...]:
    """The lines of a plan by level."""
    return tuple(move.detail.split("/"))


def totals_of(move: Move) -> Totals | None:
    """A plan with amounts, None if the move is no such plan."""
    found = _TOTALS.fullmatch(move.detail)
    return found and Totals(int(found[2] or 0), int(found[3]), int(found[4] or 0))


def _lines_move(*lines: str) -> Move:
    return Move(PLAN, detail="/".join(lines))


def _totals_move(totals: Totals) -> Move:
    opening = f"bet {totals.opening}" if totals.opening else "check"
    rest = f", raise {totals.raise_to}" if totals.raise_to else ""
    return Move(PLAN, detail=f"{opening}, call {totals.most}{rest}")


def _level_words(level: int) -> str:
    if level < 2:
        return ("If nobody has bet", "Facing a bet")[level]
    return "Facing a bet and a raise" if level == 2 else f"Facing a bet and {level - 1} raises"
