"""Where the demo's time comes from: a fixed step, or the wall. Both keep it in double precision."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Tells the time (s) of the next frame; `rate` says how fast time runs, 1 is real time."""

    start: float

    def tick(self, rate: float = 1.0) -> float:
        """The time of the next frame. The first call answers with the start."""
        ...

    def pause(self) -> None:
        """Time spent until the next tick does not count."""
        ...


class FixedClock:
    """Frame k is at `start` + k / `fps` seconds, however long it takes to make."""

    def __init__(self, start: float = 0.0, fps: float = 60.0) -> None:
        self.start = start
        self.fps = fps
        self._frames: float | None = None  # a sum of powers of two: exact

    def tick(self, rate: float = 1.0) -> float:
        """The time of the next frame."""
        self._frames = 0.0 if self._frames is None else self._frames + rate
        return self.start + self._frames / self.fps

    def pause(self) -> None:
        """Nothing to do: this clock knows no wall."""


class WallClock:
    """Follows the wall, but never by more than `LONGEST_STEP`, so that a window that was dragged,
    hidden or asleep goes on where it was."""

    LONGEST_STEP = 0.25
    PAUSED_STEP = 1 / 60  # a single step while paused

    def __init__(self, start: float = 0.0, wall: Callable[[], float] = time.perf_counter) -> None:
        self.start = start
        self._wall = wall
        self._time = start
        self._last: float | None = None
        self._started = False

    def tick(self, rate: float = 1.0) -> float:
        """The time of the next frame."""
        now = self._wall()
        if self._last is not None:
            self._time += rate * min(now - self._last, self.LONGEST_STEP)
        elif self._started:
            self._time += rate * self.PAUSED_STEP
        self._last = now
        self._started = True
        return self._time

    def pause(self) -> None:
        """The next tick advances by `PAUSED_STEP`, however late it comes."""
        self._last = None
