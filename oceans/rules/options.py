"""Options of games: declared as fields of frozen dataclasses, read from whatever a form or a file holds.

@dataclass(frozen=True, slots=True)
class GutsOptions:
    cards: int = whole(2, 1, 3, "Cards each")
    look: str = choice("own", {"own": "Your own cards", "none": "Nobody"}, "Who sees a hand")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .game import Game


MOST_DIGITS: Final = 9
"""Longer numbers are no option of any game, and from some length on Python refuses to read them."""


class BadOptions(Exception):
    """Options that do not fit the game. Its text is one sentence for the person who chose them."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in a range. `may_be_none`: no number means no limit."""

    label: str
    low: int
    high: int
    may_be_none: bool = False

    def read(self, name: str, value: Any) -> int | None:
        if self.may_be_none and value in (None, "", "none"):
            return None
        text = str(value).strip()
        if (
            isinstance(value, bool)
            or not text.isascii()
            or not text.isdigit()
            or len(text) > MOST_DIGITS
            or not self.low <= int(text) <= self.high
        ):
            raise BadOptions(f"{self.label} ({name}) must be a whole number from {self.low} to {self.high}.")
        return int(text)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several named values."""

    label: str
    values: tuple[tuple[str, str], ...]

    def read(self, name: str, value: Any) -> str:
        if type(value) is int:
            value = str(value)
        if value not in [known for known, _ in self.values]:
            offered = ", ".join(dict(self.values))
            raise BadOptions(f"{self.label} ({name}) must be one of: {offered}.")
        return str(value)


@dataclass(frozen=True, slots=True)
class Flag:
    """On or off."""

    label: str

    def read(self, name: str, value: Any) -> bool:
        if value in (True, "on", "true", "True", "1", 1):
            return True
        if value in (False, "off", "false", "False", "0", "", 0):
            return False
        raise BadOptions(f"{self.label} ({name}) must be on or off.")


Kind = Whole | Choice | Flag


When = Mapping[str, tuple[Any, ...]]
"""For an option that means nothing by itself: the values that others must have, by name, for it to matter."""


def whole(
    default: int | None, low: int, high: int, label: str, *, may_be_none: bool = False, when: When | None = None
) -> Any:
    return field(default=default, metadata={"kind": Whole(label, low, high, may_be_none), "when": when})


def choice(default: str, values: Mapping[str, str], label: str, *, when: When | None = None) -> Any:
    return field(default=default, metadata={"kind": Choice(label, tuple(values.items())), "when": when})


def flag(default: bool, label: str, *, when: When | None = None) -> Any:
    return field(default=default, metadata={"kind": Flag(label), "when": when})


def kinds(game: Game) -> dict[str, tuple[Kind, Any]]:
    """The options a game leaves open, by name: what each may be, and its default."""
    return {name: found for name, found in _all_kinds(game).items() if len(game.fixed.get(name, "any")) > 1}


def offered(game: Game, given: Mapping[str, Any], seats: int) -> dict[str, tuple[Kind, Any]]:
    """Of the options a game leaves open those that matter with these values of the others and this many seats, each
    with the values that fit. Values that are missing or make no sense count as the default."""
    every = _all_kinds(game)
    whens = {_name(one.name): one.metadata.get("when") or {} for one in fields(game.options)}

    def matters(name: str) -> bool:
        return all(value_of(other) in wanted for other, wanted in whens[name].items())

    def value_of(name: str) -> Any:
        kind, default = every[name]
        if name not in given or not matters(name):
            return default
        try:
            return kind.read(name, given[name])
        except BadOptions:
            return default

    values = {name: value_of(name) for name in every}
    found = {}
    for name, (kind, default) in kinds(game).items():
        fitting = game.fitting(name, kind, values, seats) if matters(name) else None
        if fitting is not None:
            found[name] = (fitting, default)
    return found


def _all_kinds(game: Game) -> dict[str, tuple[Kind, Any]]:
    found = {}
    for one in fields(game.options):
        kind, name = one.metadata["kind"], _name(one.name)
        allowed = game.fixed.get(name)
        if allowed is None:
            found[name] = (kind, one.default)
        elif isinstance(kind, Choice):
            values = dict(kind.values)
            found[name] = (Choice(kind.label, tuple((value, values[value]) for value in allowed)), allowed[0])
        elif isinstance(kind, Whole) and None not in allowed:
            found[name] = (Whole(kind.label, min(allowed), max(allowed)), allowed[0])
        else:
            found[name] = (kind, allowed[0])
    return found


def _name(field_name: str) -> str:
    """An option is called as in the rules, even where that is a word of Python's own."""
    return field_name.removesuffix("_")


def read_options(game: Game, given: Mapping[str, Any], seats: int) -> Any:
    """The options object of a game from named values; what is missing takes its default. Raises BadOptions with a
    sentence for an unknown name, a value out of range, values that do not fit together, or a wrong number of seats."""
    known = _all_kinds(game)
    for name in given:
        if name not in known:
            offered = ", ".join(kinds(game)) or "none"
            raise BadOptions(f"{game.name} has no option “{str(name)[:40]}”: its options are {offered}.")
    if seats not in game.seats:
        span = str(game.seats[0]) if len(game.seats) == 1 else f"{game.seats[0]} to {game.seats[-1]}"
        raise BadOptions(f"{game.name} is played by {span} players, not {seats}.")
    values = {}
    for one in fields(game.options):
        name = _name(one.name)
        values[one.name] = value = one.metadata["kind"].read(name, given[name]) if name in given else known[name][1]
        if value not in game.fixed.get(name, (value,)):
            allowed = " or ".join(map(str, game.fixed[name]))
            raise BadOptions(f"{game.name} is always played with {name} {allowed}.")
    options = game.options(**values)
    game.check(options, seats)
    return options


def written_options(options: Any) -> dict[str, Any]:
    """Options as JSON values; `read_options` turns them back."""
    return {_name(name): value for name, value in asdict(options).items()}
