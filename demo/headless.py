"""Runs a scene without a window: N fixed steps, then the picture and the stats object."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from . import outcome
from .clock import FixedClock
from .gpu import Runner, adapter_info, choose_adapter, request_device
from .picture import to_rgba8
from .playback import CURVE_FRAMES, Playback
from .prove import start_proof
from .scenes import scene_module
from .settings import Settings

TIMED_FRAMES = 5
_FRAMES_IN_FLIGHT = 64  # then wait, so that what is queued stays small


def run(settings: Settings) -> int:
    """Runs as `settings` say; returns the exit code. Raises UserError where there is no GPU."""
    adapter = choose_adapter(settings.adapter)
    info = adapter_info(adapter)
    scene = scene_module(settings.scene).scene(
        settings.size, software=info.software, trainer=settings.trainer, epochs=settings.epochs
    )
    runner = Runner(request_device(adapter), scene)
    playback = Playback(
        FixedClock(settings.start, settings.fps or 60.0),
        seed=settings.seed,
        shape=settings.shape,
        epochs=settings.epochs,
        trainer=settings.trainer,
    )
    history: deque[dict[str, float]] = deque(maxlen=CURVE_FRAMES)
    with _noted_interrupts() as interrupted:
        times = _play(runner, playback, settings, history, interrupted)
    stats = outcome.stats_object(settings, info, playback, runner.read_stats(), times)

    def picture() -> np.ndarray:
        if not settings.hud:
            return to_rgba8(runner.read("paint"))
        from .offscreen import picture_with_hud  # imports ImGui, which imports glfw

        return picture_with_hud(runner, playback, info, history)

    proof = start_proof(runner, settings.trainer, playback.time)() if settings.prove else None
    return outcome.conclude(settings, stats, picture, proof)


def _play(
    runner: Runner,
    playback: Playback,
    settings: Settings,
    history: deque[dict[str, float]],
    interrupted: threading.Event,
) -> dict[str, float] | None:
    """Steps through all frames and paints the last; the passes' median times, if asked for. For a
    HUD, `history` takes the stats of each frame. Raises KeyboardInterrupt once `interrupted`."""
    total = settings.frames or 0
    samples: list[dict[str, float]] = []
    runner.start(**playback.start_values)
    for frame in range(total):
        if interrupted.is_set():
            raise KeyboardInterrupt
        if frame in settings.click_at:
            playback.click()
        plan = playback.next_frame()
        assert plan is not None  # nothing pauses a headless run
        runner.step(None, **plan.values)
        if settings.wants_stats and total - frame <= TIMED_FRAMES:
            runner.paint()
            samples.append(runner.pass_times())
        if settings.hud:
            history.append(runner.read_stats())
        elif frame % _FRAMES_IN_FLIGHT == 0:
            runner.read_stats()
    runner.paint()
    while settings.wants_stats and len(samples) < TIMED_FRAMES:
        runner.paint()
        samples.append(runner.paint_times())
    return outcome.medians(samples) or None


@contextmanager
def _noted_interrupts() -> Iterator[threading.Event]:
    """Here Ctrl-C only sets an event: raised anywhere, it could strike inside one of wgpu's
    callbacks, where it would be printed and forgotten."""
    interrupted = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)
