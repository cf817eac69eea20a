"""Points of a line over time, ready for one inline drawing and the table that says the same. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor
from typing import Final

LEFT, RIGHT, TOP, BOTTOM = 40.0, 322.0, 14.0, 112.0
MOST_LINES: Final = 5
MOST_ROWS: Final = 24


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the line or a line of the grid, with what stands beside it."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A line chart in a box of 360 by 131."""

    line: str
    area: str
    grid: list[Mark]
    last: Mark
    best: Mark
    first_value: int
    last_value: int
    best_value: int
    rows: list[tuple[datetime, int]]
    """Some of the points, the first and the last among them."""


def chart(points: Sequence[tuple[datetime, float]]) -> Chart:
    """The chart of at least two points in order of time."""
    times = [at.timestamp() for at, _value in points]
    values = [value for _at, value in points]
    step = _step(max(values) - min(values))
    low, high = floor(min(values) / step) * step, max(ceil(max(values) / step), floor(min(values) / step) + 1) * step
    span = max(1.0, times[-1] - times[0])

    def place(at: float, value: float) -> tuple[float, float]:
        x = LEFT + (RIGHT - LEFT) * (at - times[0]) / span
        return round(x, 1), round(BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low), 1)

    dots = [place(at, value) for at, value in zip(times, values, strict=True)]
    line = " ".join(f"{x},{y}" for x, y in dots)
    top = values.index(max(values))
    levels = range(low, high + 1, step)
    every = ceil(len(points) / MOST_ROWS)
    rows = [(at, round(value)) for at, value in [*points[:-1:every], points[-1]]]
    return Chart(
        line=line,
        area=f"{dots[0][0]},{BOTTOM} {line} {dots[-1][0]},{BOTTOM}",
        grid=[Mark(LEFT, place(times[0], level)[1], str(level)) for level in levels],
        last=Mark(*dots[-1], str(round(values[-1]))),
        best=Mark(*dots[top], str(round(values[top]))),
        first_value=round(values[0]),
        last_value=round(values[-1]),
        best_value=round(values[top]),
        rows=rows,
    )


def _step(span: float) -> int:
    """The distance of grid lines: a round number that gives few lines."""
    return next(step for step in (10, 20, 50, 100, 200, 500, 1000, 10_000) if span / step <= MOST_LINES - 1)
