"""Plays the neural scene without a window, for tests that look at it frame by frame."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import wgpu

from demo.clock import FixedClock
from demo.gpu import Runner
from demo.playback import Playback
from demo.scenes import neural

SIZE = (960, 540)


def create_runner(
    device: wgpu.GPUDevice,
    size: tuple[int, int] = SIZE,
    *,
    trainer: str = neural.DEFAULT_TRAINER,
    epochs: int = neural.EPOCHS_PER_FRAME,
    guard: int = 0,
) -> Runner:
    """A Runner as software adapters get it; the GPU's differs in how long its runs are."""
    scene = neural.scene(size, software=True, trainer=trainer, epochs=epochs)
    return Runner(device, scene, guard=guard)


def play(
    runner: Runner,
    frames: int,
    *,
    start: float = 0.0,
    fps: float = 60.0,
    seed: int = 0,
    shape: str | None = None,
    epochs: int = neural.EPOCHS_PER_FRAME,
    click_at: Collection[int] = (),
) -> Iterator[Playback]:
    """Steps through `frames` frames; yields after each, before anything is painted."""
    held = None if shape is None else list(neural.SHAPES).index(shape)
    playback = Playback(FixedClock(start, fps), seed=seed, shape=held, epochs=epochs)
    runner.start(**playback.start_values)
    for frame in range(frames):
        if frame in click_at:
            playback.click()
        plan = playback.next_frame()
        assert plan is not None and plan.step
        runner.step(None, **plan.values)
        yield playback


def play_through(runner: Runner, frames: int, **options) -> Playback:
    """As `play`, to the end; returns the playback after the last frame."""
    *_, last = play(runner, frames, **options)
    return last
