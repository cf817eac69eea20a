"""How many games an event has, and when it should end (docs/competition.md, 4).

A round takes half of its days at the usual pace, and up to its hard limit if all use their full time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tournaments import brackets, leagues, plans, tables
from tournaments.event_rows import days_of_round
from tournaments.fixtures import HARD_LIMIT_RATIO
from tournaments.models import Round
from tournaments.shapes import Format, swiss_rounds
from tournaments.snake import even_sizes


@dataclass(frozen=True, slots=True)
class Estimate:
    """How many matches an event has, and how many days it should take at the usual pace."""

    matches: int
    days: int


def estimate(format: str, shape: Mapping[str, Any], players: int, pace: str, is_one_table: bool = False) -> Estimate:
    """What to expect of an event with so many players; `is_one_table` for a mini cup that is one match."""
    matches, rounds = (1, 1) if is_one_table else _size(format, shape, max(2, players))
    first = days_of_round(pace) if format == Format.CUP else _days(shape, pace)
    return Estimate(matches, (first + _days_after(rounds - 1, shape, pace)) // 2)


def _days(shape: Mapping[str, Any], pace: str) -> int:
    return days_of_round(pace, int(shape.get("games", 1)), bool(shape.get("in_turn")))


def _days_after(rounds: int, shape: Mapping[str, Any], pace: str) -> int:
    """How many days so many last rounds of an event take; the final of a cup may have more games than the others."""
    if not rounds or "final_games" not in shape:
        return rounds * _days(shape, pace)
    final = days_of_round(pace, int(shape["final_games"]), bool(shape.get("in_turn")))
    return (rounds - 1) * _days(shape, pace) + final


def _size(format: str, shape: Mapping[str, Any], players: int) -> tuple[int, int]:
    """How many matches and rounds."""
    if format == Format.LEAGUE:
        return sum(_pairs(size) for level in leagues.layout(players) for size in level), 1
    if format in (Format.ROUND_ROBIN, Format.MINI_CUP):
        cycles = int(shape.get("cycles", 1))
        in_turn = (players - 1 + players % 2) * cycles
        at_a_time = int(shape.get("at_a_time") or 0)
        rounds = in_turn if shape.get("serial") else -(-in_turn // at_a_time) if at_a_time else 1
        return cycles * _pairs(players), rounds
    if format == Format.SWISS:
        rounds = swiss_rounds(shape.get("rounds"), max(players, 4))
        return players // 2 * rounds, rounds
    if format == Format.TABLES:
        rounds = int(shape["rounds"])
        final = int(bool(shape.get("final_table")))
        sizes = tables.table_sizes(players, tables.Sizing.of(shape))
        count = len(sizes) if sizes else -(-players // int(shape["target"]))
        return count * rounds + final, rounds + final
    if format == Format.CUP:
        groups = -(-players // int(shape["limit"]))
        matches = sum(_pairs(size) for size in even_sizes(players, groups))
        if groups == 1:
            return matches, 1
        knock_out, rounds = _bracket(shape, 2 * groups)
        return matches + knock_out, 1 + rounds
    return _bracket(shape, players)


def _pairs(players: int) -> int:
    return players * (players - 1) // 2


def _bracket(shape: Mapping[str, Any], players: int) -> tuple[int, int]:
    """Matches and rounds of a bracket; of a match of several games all are counted."""
    games = int(shape.get("games", 1))
    last = int(shape.get("final_games", games))
    third = games if shape.get("third_place") and players > 3 else 0
    return (players - 2) * games + last + third, (brackets.bracket_size(players) - 1).bit_length()


@dataclass(frozen=True, slots=True)
class Forecast:
    """When a running event ends: at the usual pace, and at the latest, if all use their full time."""

    usual: datetime
    latest: datetime


def forecast(value: plans.Event, pace: str, rounds: Sequence[Round], now: datetime) -> Forecast | None:
    """The end of a running event from its open rounds and those to come; None while none is open."""
    still_open = [
        one for one in rounds if one.closed_at is None and one.late_at is not None and one.limit_at is not None
    ]
    if not still_open:
        return None
    to_come = timedelta(days=_days_after(rounds_to_come(value), value.shape, pace))
    usual = max(now, *(one.opened_at + (one.late_at - one.opened_at) / 2 for one in still_open if one.late_at))
    latest = max(one.limit_at for one in still_open if one.limit_at)
    return Forecast(usual + to_come / 2, latest + to_come * HARD_LIMIT_RATIO)


def rounds_to_come(value: plans.Event) -> int:
    """How many rounds follow those that have been opened."""
    if value.format == plans.SWISS:
        return max(0, int(value.shape["rounds"]) - value.last_round)
    if value.format == plans.TABLES:
        return max(0, int(value.shape["rounds"]) + bool(value.shape.get("final_table")) - value.last_round)
    if value.format == plans.KNOCK_OUT:
        return max(0, len(plans.bracket_of(value).rounds) - value.last_round)
    if value.format == plans.CUP:
        return max(0, _rounds_of_cup(value) - value.last_round)
    if value.shape.get("serial") or value.shape.get("at_a_time"):
        in_all = max((bout.round for bout in plans.schedule(value)), default=0)
        return max(0, in_all - value.last_round)
    return 0


def _rounds_of_cup(value: plans.Event) -> int:
    groups = len(plans.groups_of(value))
    if groups < 2:
        return 1
    seeds = value.shape.get(plans.SEEDS)
    return 1 + (brackets.bracket_size(len(seeds) if seeds else 2 * groups) - 1).bit_length()
