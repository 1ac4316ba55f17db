"""What the HUD says, as plain values."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from ..gpu import AdapterInfo
from ..playback import CURVE_FRAMES, Playback
from ..scenes.neural import CYCLE, DEFAULT_TRAINER, EPOCHS_PER_FRAME, SECONDS_PER_SHAPE, SHAPES


@dataclass
class Readout:
    """A frame's figures. `loss`, `accuracy` and `epoch` are None until the first came back.

    `pace` is in training steps a frame, `seconds_left` on the demo's clock (None: held). `pass_ms`
    are GPU milliseconds by pass, None where there are none to be trusted.
    """

    adapter: AdapterInfo
    shape: str = ""
    next_shape: str = ""
    seconds_left: float | None = None
    share_left: float = 0.0
    pace: float = 1.0
    paused: bool = False
    fps: float | None = None
    epoch: int | None = None
    loss: float | None = None
    accuracy: float | None = None
    notice: str = ""
    trainer: str = DEFAULT_TRAINER
    epochs_per_frame: int = EPOCHS_PER_FRAME
    pass_ms: dict[str, float] | None = None
    proof: str = ""
    proving: bool = False
    losses: deque[float] = field(default_factory=lambda: deque(maxlen=CURVE_FRAMES))

    def take(self, stats: dict[str, float]) -> None:
        """Takes over a frame's stats; a fresh network begins a new curve."""
        epoch = int(stats["epoch"])
        if self.epoch is not None and epoch <= self.epoch:
            self.losses.clear()
        self.epoch = epoch
        self.loss = stats["loss"]
        self.accuracy = stats["accuracy"]
        self.losses.append(self.loss)

    def follow(self, playback: Playback) -> None:
        """Takes over what playback knows."""
        titles = tuple(SHAPES.values())
        self.shape = titles[playback.shape]
        self.next_shape = titles[(playback.shape + 1) % CYCLE]
        self.seconds_left = playback.seconds_left
        self.share_left = (playback.seconds_left or 0.0) / SECONDS_PER_SHAPE
        self.pace = playback.pace
        self.paused = playback.paused
        self.trainer = playback.trainer
        self.epochs_per_frame = playback.epochs

    @property
    def loss_text(self) -> str:
        """Four decimals, or scientific notation where those would hide what happens."""
        if self.loss is None:
            return "–"
        return f"{self.loss:.4f}" if self.loss >= 0.01 else f"{self.loss:.2e}"

    @property
    def epoch_text(self) -> str:
        """The epoch with thousands set apart."""
        return "–" if self.epoch is None else f"{self.epoch:,}"

    @property
    def accuracy_text(self) -> str:
        """Per cent."""
        return "–" if self.accuracy is None else f"{100 * self.accuracy:.0f} %"

    @property
    def fps_text(self) -> str:
        """Frames per second."""
        return "–" if self.fps is None else f"{self.fps:.0f}"

    @property
    def pace_text(self) -> str:
        """Training steps a frame, or that it is paused."""
        if self.paused:
            return "paused"
        return "full" if self.pace >= 1 else f"1/{round(1 / self.pace)}"
