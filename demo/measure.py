"""How a figure is measured: warm up, keep every sample, tell median, least and most."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

RUNS = 100
LEAST_RUNS = 10
_SECONDS = 4.0  # a figure's runs end after this, but not before LEAST_RUNS
_WARM_UP = 5


@dataclass(frozen=True)
class Figure:
    """A measurement: what, in which unit, and its median, least and most over `runs`."""

    what: str
    unit: str
    median: float
    least: float
    most: float
    runs: int

    def __str__(self) -> str:
        """A line of the table."""
        numbers = "".join(f"{_number(value):>10}" for value in (self.median, self.least, self.most))
        return f"{self.what:<52}{numbers}  {self.unit:<9}{self.runs:>5}"


HEADER = f"{'':<52}{'median':>10}{'least':>10}{'most':>10}  {'unit':<9}{'runs':>5}"
"""The line above a table of figures."""


def figure(what: str, unit: str, values: list[float]) -> Figure:
    """The figure of some samples."""
    return Figure(what, unit, statistics.median(values), min(values), max(values), len(values))


def sample(measure: Callable[[], float]) -> list[float]:
    """Warms up, then measures RUNS times, or fewer where that would take long."""
    for _ in range(_WARM_UP):
        measure()
    values: list[float] = []
    begin = time.perf_counter()
    while len(values) < RUNS:
        values.append(measure())
        if len(values) >= LEAST_RUNS and time.perf_counter() - begin > _SECONDS:
            break
    return values


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"
