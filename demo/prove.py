"""Prove it: trains on from the present weights on the GPU and in float64, and compares."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .gpu import Runner
from .reference import neural as reference
from .scene import Pass
from .scenes.neural import TRAINERS, training

EPOCHS = 50
SEAM = 1e-3
"""Pixels whose probability is this near to 0.5 are left out of the field's difference."""

BOUNDS = {
    "single": (2e-4, 1e-4, 0.02),
    "parallel": (2e-4, 1e-4, 0.02),
    "difference": (5e-3, 1e-3, 0.1),
}
"""By trainer: how far a weight, the loss and a colour channel (0 to 1) may be from float64 after
EPOCHS epochs. Ten times and more of what was seen; differences amplify float32's rounding."""


def finite(number: float) -> float | None:
    """The number, or None for one that JSON has no word for."""
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class Proof:
    """The largest differences between GPU and float64, and the bounds they are held to."""

    trainer: str
    weight: float
    loss: float
    field: float

    @property
    def holds(self) -> bool:
        """Whether all differences are numbers within their bounds."""
        differences = (self.weight, self.loss, self.field)
        return all(d <= b for d, b in zip(differences, BOUNDS[self.trainer], strict=True))

    def __str__(self) -> str:
        """One sentence."""
        verdict = "within" if self.holds else "beyond"
        weight, loss, field = BOUNDS[self.trainer]
        return (
            f"After {EPOCHS} epochs of {self.trainer} on the GPU and in float64, a weight differs"
            f" by {self.weight:.1e} at most (bound {weight:g}), the loss by {self.loss:.1e}"
            f" ({loss:g}), the field by {self.field:.1e} ({field:g}): {verdict} bounds."
        )

    def as_stats(self) -> dict[str, object]:
        """For the stats object."""
        return {
            "trainer": self.trainer,
            "epochs": EPOCHS,
            "weight_difference": finite(self.weight),
            "loss_difference": finite(self.loss),
            "field_difference": finite(self.field),
            "holds": self.holds,
        }


def start_proof(runner: Runner, trainer: str, time: float) -> Callable[[], Proof]:
    """Trains on the GPU, on buffers of its own, from what `runner` holds; `time` (s) gives the
    phases of the picture. Waits for the GPU.

    Returns a function that does the float64 half, which takes a second: it may run in a thread.
    """
    w, v, data = (runner.read(name) for name in ("w", "v", "data"))
    phases = {"band_phase": time * 0.25 % 1.0, "pulse_phase": time * 2.4 % (2.0 * np.pi)}
    scratch = Runner(runner.device, runner.scene, timed=False)
    scratch.load_kernels(f"train_{name}" for name in TRAINERS)
    for name, values in (("w", w), ("v", v), ("data", data)):
        scratch.write(name, values)
    scratch.run((training(trainer, EPOCHS), Pass("stats", (1,))), restart=0, epochs=EPOCHS)
    scratch.run([p for p in runner.scene.draw if p.kernel != "dots"], None, **phases)
    found = {name: scratch.read(name) for name in ("w", "stats", "paint")}
    return lambda: _compare(trainer, (w, v, data), found, phases)


def _compare(
    trainer: str,
    start: tuple[np.ndarray, np.ndarray, np.ndarray],
    found: dict[str, np.ndarray],
    phases: dict[str, float],
) -> Proof:
    w, v, data = start
    method = reference.difference if trainer == "difference" else reference.gradient
    expected, _ = reference.train(w, v, data, epochs=EPOCHS, gradient_of=method)
    height, width, _ = found["paint"].shape
    field = reference.field(expected, width, height, phases["band_phase"], phases["pulse_phase"])
    # On the seam itself the colour jumps from one class's to the other's.
    off_seam = np.abs(reference.probability(expected, width, height) - 0.5) > SEAM
    return Proof(
        trainer,
        weight=float(np.abs(found["w"] - expected).max()),
        loss=float(abs(found["stats"][0] - reference.stats(expected, data)[0])),
        field=float(np.abs(found["paint"] - field)[off_seam].max(initial=0.0)),
    )
