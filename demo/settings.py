"""What the command line asks for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .scenes.neural import DEFAULT_TRAINER, EPOCHS_PER_FRAME, SIZE


@dataclass(frozen=True)
class Settings:
    """A run's settings, checked.

    Sizes are (width, height) in pixels, times are in seconds, `epochs` are those of a frame.
    """

    scene: str = "neural"
    frames: int | None = None
    fps: float | None = None
    start: float = 0.0
    shape: int | None = None
    seed: int = 0
    click_at: frozenset[int] = frozenset()
    trainer: str = DEFAULT_TRAINER
    epochs: int = EPOCHS_PER_FRAME
    prove: bool = False
    size: tuple[int, int] = SIZE
    window: tuple[int, int] = (1280, 720)
    hud: bool = False
    screenshot: Path | None = None
    stats: Path | None = None
    stats_to_stdout: bool = False
    adapter: str | None = None

    @property
    def wants_stats(self) -> bool:
        """Whether the stats object was asked for."""
        return self.stats_to_stdout or self.stats is not None
