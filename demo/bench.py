"""What this machine does: each pass and trainer, start-up, frames a second, and what others need.

It warms up, reads results back before the clock stops, and keeps every sample after the warm-up. A
figure appears only if it was measured.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from . import rivals
from .files import write_whole
from .gpu import Runner, adapter_info, choose_adapter, request_device
from .measure import HEADER, RUNS, Figure, figure, sample
from .scene import Scene
from .scenes import neural
from .settings import Settings

_WARM_UP = 20
EPOCHS = 30
"""Epochs a run of a trainer; its figure is the time divided by them."""

_APP_SECONDS = 120.0


def run(settings: Settings) -> int:
    """Measures all there is to measure, and prints the table; returns the exit code."""
    adapter = choose_adapter(settings.adapter)
    info = adapter_info(adapter)
    machine = {"adapter": str(info), "cpu": _cpu(), "cores": os.cpu_count()}
    out = sys.stderr if settings.stats_to_stdout else sys.stdout
    print(f"{info} · {machine['cpu']}, {machine['cores']} cores", file=out)
    print(HEADER, file=out)
    runner = Runner(request_device(adapter), _scene(settings, info.software))
    measured = []
    for one in _figures(runner, settings):
        measured.append(one)
        print(one, file=out, flush=True)
    text = json.dumps({**machine, "figures": [asdict(one) for one in measured]}) + "\n"
    if settings.stats is not None:
        write_whole({settings.stats: text.encode()})
    if settings.stats_to_stdout:
        sys.stdout.write(text)
    return 0


def _scene(settings: Settings, software: bool, trainer: str = neural.DEFAULT_TRAINER) -> Scene:
    return neural.scene(settings.size, software=software, trainer=trainer, epochs=EPOCHS)


def _figures(runner: Runner, settings: Settings) -> Iterator[Figure]:
    software = _is_software(runner)
    runner.start(shape=0, epochs=EPOCHS)
    if runner.timed:
        yield from _passes(runner)
    for trainer in neural.TRAINERS:
        runner.use(_scene(settings, software, trainer))
        yield _trainer(runner, trainer)
    runner.use(_scene(settings, software))
    yield _headless_frames(runner)
    yield from _starts(settings)
    yield from rivals.figures(runner.read("data"), settings.size)


def _passes(runner: Runner) -> Iterator[Figure]:
    """Each pass but the training, by timestamps."""
    samples: dict[str, list[float]] = {}
    for i in range(_WARM_UP + RUNS):
        runner.step()
        runner.paint()
        for name, ms in runner.pass_times().items():
            if i >= _WARM_UP and name != "train":
                samples.setdefault(name, []).append(ms)
    for name, values in samples.items():
        yield figure(f"pass {name}", "ms", values)
    both = [f + d for f, d in zip(samples["field"], samples["dots"], strict=True)]
    yield figure("field with its dots", "ms", both)


def _trainer(runner: Runner, trainer: str) -> Figure:
    """Microseconds an epoch: by timestamps, or else by the wall."""
    what = f"one epoch, {trainer}"

    def by_timestamps() -> float:
        runner.step()
        return runner.pass_times()["train"] / 1000

    def by_wall() -> float:
        start = time.perf_counter()
        runner.step()
        runner.read_stats()
        return time.perf_counter() - start

    samples = sample(by_timestamps if runner.timed else by_wall)
    return figure(what, "µs", [1e6 * s / EPOCHS for s in samples])


def _headless_frames(runner: Runner) -> Figure:
    """Frames a second without a window, twenty in flight."""
    runner.use(neural.scene(runner.scene.size, software=_is_software(runner)))

    def twenty() -> float:
        start = time.perf_counter()
        for _ in range(20):
            runner.step(None, epochs=neural.EPOCHS_PER_FRAME)
            runner.paint()
        runner.read_stats()
        return time.perf_counter() - start

    return figure("frames, headless", "frames/s", [20 / s for s in sample(twenty)])


def _is_software(runner: Runner) -> bool:
    return adapter_info(runner.device.adapter).software


def _starts(settings: Settings) -> Iterator[Figure]:
    """From the start of a process to its first picture, with empty and with warm caches; and the
    window's frames a second where there is a display."""
    for kind, arguments in _front_ends().items():
        cold, warm = [], []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(_wall(arguments, settings, cache))
                warm.append(_wall(arguments, settings, cache))
        yield figure(f"start to end of the first frame, {kind}, empty caches", "s", cold)
        yield figure(f"start to end of the first frame, {kind}, warm caches", "s", warm)
    if "window" in _front_ends():
        yield _window_frames(settings)


def _front_ends() -> dict[str, list[str]]:
    from .display import has_display

    ends = {"headless": ["--headless"]}
    return {**ends, "window": []} if has_display() else ends


def _wall(arguments: list[str], settings: Settings, cache: str) -> float:
    start = time.perf_counter()
    _app([*arguments, "--frames", "1"], settings, cache)
    return time.perf_counter() - start


def _window_frames(settings: Settings) -> Figure:
    """Three runs of the window, each the mean of its frames."""
    rates = []
    for _ in range(3):
        stats = json.loads(_app(["--frames", "200", "--stats", "-"], settings, None))
        rates.append(stats["fps"])
    width, height = settings.window
    return figure(f"frames, window {width}x{height}", "frames/s", rates)


def _app(arguments: list[str], settings: Settings, cache: str | None) -> str:
    """Runs the program; returns its standard output. A `cache` folder replaces the drivers' own."""
    environment = dict(os.environ)
    if cache is not None:
        for name in ("MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH", "XDG_CACHE_HOME"):
            environment[name] = cache
    if settings.adapter:
        arguments = [*arguments, "--adapter", settings.adapter]
    done = subprocess.run(
        [sys.executable, "-m", str(__package__), *arguments],
        cwd=Path(__file__).resolve().parent.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_APP_SECONDS,
    )
    done.check_returncode()
    return done.stdout


def _cpu() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return next(
            line.split(":")[1].strip() for line in text.splitlines() if "model name" in line
        )
    except (OSError, IndexError):
        return platform.processor() or platform.machine()
