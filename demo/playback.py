"""Who decides what a frame does: document 001's host, with time in the user's hand.

No GPU here: clicks, keys and the clock go in, and what to run and the fields of the uniform struct
Frame come out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import tau

from .clock import Clock
from .scenes.neural import (
    CYCLE,
    DEFAULT_TRAINER,
    EPOCHS_PER_FRAME,
    MAX_EPOCHS_PER_FRAME,
    PARAMETERS,
    SECONDS_PER_SHAPE,
    SHAPES,
    TRAINERS,
)

SLOWEST_PACE = 1 / 32
CURVE_FRAMES = 360
"""Frames whose loss a curve shows: a shape's six seconds at 60 frames a second."""

_KEY_SPACING = 2654435761  # odd, so that its multiples modulo 2^32 are all different


@dataclass(frozen=True)
class Plan:
    """What one frame runs: training or not, and the fields of Frame it paints with."""

    step: bool
    values: dict[str, float]


class Playback:
    """The state of a demo being watched: time, shape, pace, pause, clicks.

    `seed` picks the first network, in 0..2^32 - 1; `shape` (an index into SHAPES) is held instead
    of cycling. `pace` is training steps a frame, in 1/32..1; the clock slows down with it. A step
    trains `epochs` epochs, in 1..MAX_EPOCHS_PER_FRAME, by `trainer`, a name of TRAINERS.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        seed: int = 0,
        shape: int | None = None,
        epochs: int = EPOCHS_PER_FRAME,
        trainer: str = DEFAULT_TRAINER,
    ) -> None:
        self._clock = clock
        self.epochs = epochs
        self.trainer = trainer
        self.paused = False
        self.pace = 1.0
        self.frames = 0
        self._held_shape = shape
        self._cycle_start = 0.0
        self._cycle_shape = 0
        self._owed = 0.0  # training steps due; one is taken at 1
        self._clicked = False
        self._single_step = False
        self._clicks = 0
        first_key = seed * _KEY_SPACING % 2**32
        self._used_keys = {first_key}
        self.time = clock.start
        self.shape = self._shape_now()
        self.start_values = self._values(restart=False, key_base=first_key)

    # --- what the user does ------------------------------------------------------------------

    def click(self) -> None:
        """A fresh network in the next frame."""
        self._clicked = True

    def toggle_pause(self) -> None:
        """Stops or restarts clock, training and cycle."""
        self.paused = not self.paused
        self._clock.pause()

    def single_step(self) -> None:
        """One training step, while paused."""
        self._single_step = self.paused

    def slower(self) -> None:
        """Halves the pace, down to SLOWEST_PACE."""
        self._set_pace(max(self.pace / 2, SLOWEST_PACE))

    def faster(self) -> None:
        """Doubles the pace, up to 1."""
        self._set_pace(min(self.pace * 2, 1.0))

    def hold(self, direction: int) -> None:
        """Picks the next (1) or previous (-1) shape, and stays with it."""
        self._held_shape = (self._shape_now() + direction) % len(SHAPES)
        self._owed = 1.0

    def cycle(self) -> None:
        """Goes on through the cycle, from the present shape if it is one of it, which then has
        its full time ahead."""
        if self._held_shape is not None:
            self._cycle_start = self.time
            self._cycle_shape = self._held_shape if self._held_shape < CYCLE else 0
            self._held_shape = None

    def next_trainer(self) -> None:
        """Takes the gradient in the next way; the network stays."""
        names = list(TRAINERS)
        self.trainer = names[(names.index(self.trainer) + 1) % len(names)]

    def set_epochs(self, epochs: int) -> None:
        """Sets the epochs of a training step, within their bounds."""
        self.epochs = min(max(epochs, 1), MAX_EPOCHS_PER_FRAME)

    def suspend(self) -> None:
        """The window is hidden: time until the next frame does not count."""
        self._clock.pause()

    # --- what a frame does -------------------------------------------------------------------

    def next_frame(self) -> Plan | None:
        """The next frame's plan, or None where nothing moves (paused)."""
        if not self.paused:
            self._move(self.pace)
        elif self._single_step:
            self._move(1.0)
            self._clock.pause()
        elif not (self._clicked or self._shape_now() != self.shape):
            return None
        due = self._owed >= 1.0 or self._clicked or self.paused
        self._single_step = False
        return self._step() if due else Plan(False, self._values(restart=False, key_base=0))

    @property
    def seconds_left(self) -> float | None:
        """Seconds on the demo's clock until the next shape; None while one is held."""
        if self._held_shape is not None:
            return None
        return SECONDS_PER_SHAPE - (self.time - self._cycle_start) % SECONDS_PER_SHAPE

    # --- inside ------------------------------------------------------------------------------

    def _move(self, rate: float) -> None:
        self.time = self._clock.tick(rate)
        self._owed += rate
        self.frames += 1

    def _step(self) -> Plan:
        shape = self._shape_now()
        restart = self._clicked or shape != self.shape
        key_base = self._fresh_key() if restart else 0
        self._clicked = False
        self._owed = 0.0
        self.shape = shape
        return Plan(True, self._values(restart=restart, key_base=key_base))

    def _fresh_key(self) -> int:
        """Document 001's key, from the clock; a click whose key was used before adds its count."""
        key = int(self.time * 97.0) % 9973 * PARAMETERS
        if self._clicked:
            self._clicks += 1
            if key in self._used_keys:
                return (key + self._clicks * _KEY_SPACING) % 2**32
        self._used_keys.add(key)
        return key

    def _shape_now(self) -> int:
        if self._held_shape is not None:
            return self._held_shape
        turns = (self.time - self._cycle_start) // SECONDS_PER_SHAPE
        return int(self._cycle_shape + turns) % CYCLE

    def _values(self, *, restart: bool, key_base: int) -> dict[str, float]:
        return {
            "band_phase": self.time * 0.25 % 1.0,
            "pulse_phase": self.time * 2.4 % tau,
            "shape": self.shape,
            "restart": int(restart),
            "key_base": key_base,
            "epochs": self.epochs,
        }

    def _set_pace(self, pace: float) -> None:
        self.pace = pace
        self._owed = 0.0
