"""Points of a line over time, ready for one inline drawing and the table that says the same. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor
from typing import Final

LEFT, RIGHT, TOP, BOTTOM = 40.0, 322.0, 14.0, 112.0
MOST_LINES: Final = 5
MOST_DOTS: Final = 180
MOST_ROWS: Final = 24
TICKS: Final = 4


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
    ticks: list[tuple[float, datetime]]
    """Dates along the bottom."""
    last: Mark
    best: Mark | None
    """None where it is the last point."""
    first_value: int
    last_value: int
    best_value: int
    rows: list[tuple[datetime, int]]
    """Some of the points, the first, the best and the last among them."""


def chart(points: Sequence[tuple[datetime, float]], *, least_is_best: bool = False) -> Chart:
    """The chart of at least two points in order of time. Where the least is best, as with places, it is on top."""
    top = (min if least_is_best else max)(range(len(points)), key=lambda index: points[index][1])
    dots = _thinned(points, top, MOST_DOTS)
    values = [value for _at, value in points]
    began, span = points[0][0], points[-1][0] - points[0][0]
    seconds = max(1.0, span.total_seconds())
    step = _step(max(values) - min(values), least=1 if least_is_best else 10)
    low = floor(min(values) / step) * step
    high = max(ceil(max(values) / step) * step, low + step)

    def place(at: datetime, value: float) -> tuple[float, float]:
        share = (value - low) / (high - low)
        x = LEFT + (RIGHT - LEFT) * (at - began).total_seconds() / seconds
        return round(x, 1), round(BOTTOM - (BOTTOM - TOP) * (1 - share if least_is_best else share), 1)

    line = " ".join(f"{x},{y}" for x, y in (place(*dot) for dot in dots))
    best, last = place(*points[top]), place(*points[-1])
    return Chart(
        line=line,
        area=f"{LEFT},{BOTTOM} {line} {RIGHT},{BOTTOM}",
        grid=[Mark(LEFT, place(began, level)[1], str(level)) for level in range(low, high + 1, step)],
        ticks=[
            (round(LEFT + (RIGHT - LEFT) * number / TICKS, 1), began + span * number / TICKS)
            for number in range(TICKS + 1)
        ],
        last=Mark(*last, str(floor(values[-1] + 0.5))),
        best=None if top == len(points) - 1 else Mark(*best, str(floor(values[top] + 0.5))),
        first_value=floor(values[0] + 0.5),
        last_value=floor(values[-1] + 0.5),
        best_value=floor(values[top] + 0.5),
        rows=[(at, floor(value + 0.5)) for at, value in _thinned(points, top, MOST_ROWS)],
    )


def _thinned(points: Sequence[tuple[datetime, float]], best: int, most: int) -> list[tuple[datetime, float]]:
    """Every so manieth point, with the best and the last one."""
    every = ceil(len(points) / most)
    kept = {*range(0, len(points), every), best, len(points) - 1}
    return [points[index] for index in sorted(kept)]


def _step(span: float, least: int) -> int:
    """The distance of grid lines: a round number that gives few lines."""
    steps = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000)
    return next(step for step in steps if step >= least and span / step <= MOST_LINES - 1)
