"""A scene played on a canvas: what the window and the terminal share.

A frame is one submission: training, field, copy, picture and HUD. The first frames show what the
program is busy with, while a kernel a frame compiles.
"""

from __future__ import annotations

import signal
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import wgpu
from wgpu.classes import DrawCancelled

from . import outcome
from .clock import FixedClock, WallClock
from .errors import UserError
from .files import write_whole
from .gpu import Runner, adapter_info, choose_adapter, request_device
from .hud.readout import Readout
from .offscreen import draw_frame, photograph
from .picture import to_png
from .playback import Playback
from .prove import Proof, start_proof
from .readback import Readback
from .scene import Scene
from .scenes import scene_module
from .screen import Screen
from .settings import Settings

_FPS_FRAMES = 600
_SHOWN_FPS_FRAMES = 30
_NOTICE_SECONDS = 4.0
_TIMES_KEPT = 120
SHOW = "show"
"""The name of the pass that shows the picture: copy and render pass, HUD included."""


class Player:
    """Plays on `canvas` in `loop`, both rendercanvas's. Subclasses bind events and may bring a HUD.

    Raises UserError where there is no usable adapter.
    """

    def __init__(self, canvas: Any, loop: Any, settings: Settings) -> None:
        self.canvas = canvas
        self.loop = loop
        self.settings = settings
        self.hud = None
        adapter = choose_adapter(settings.adapter)
        self.device = request_device(adapter)
        self._context = canvas.get_wgpu_context()
        # The preferred format may be an sRGB one, which would encode the colours a second time.
        self.format = self._context.get_preferred_format(adapter).removesuffix("-srgb")
        self._context.configure(device=self.device, format=self.format)
        info = adapter_info(adapter)
        self.readout = Readout(info)
        self.playback = Playback(
            self._clock(),
            seed=settings.seed,
            shape=settings.shape,
            epochs=settings.epochs,
            trainer=settings.trainer,
        )
        self._trained_by = (settings.trainer, settings.epochs)
        self.runner = Runner(self.device, self._scene())
        self.screen: Screen | None = None
        self._readback: Readback[bool] | None = None
        self._times: deque[dict[str, float]] = deque(maxlen=_TIMES_KEPT)
        self._durations: deque[float] = deque(maxlen=_FPS_FRAMES)
        self._last_frame: float | None = None
        self._notice_until = 0.0
        self._save_asked = False
        self._trained = False
        self._times_true: bool | None = None
        self._leaving = False
        self._error: Exception | None = None
        self._size = (1, 1)
        self._life = self._live()
        canvas.add_event_handler(self._on_close, "close")

    def run(self) -> int:
        """Plays until the user leaves or all frames are done; returns the exit code."""
        self.canvas.request_draw(self._draw)
        # Else rendercanvas takes Ctrl-C over, and closes the canvas in the middle of a frame.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.loop.run()
        if self._error is not None:
            raise self._error
        return self._write_outcome()

    # --- what a front end adds ---------------------------------------------------------------

    def prepare(self) -> None:
        """Called after the first frame, which is empty: make what takes time, the HUD say."""

    def hidden(self) -> bool:
        """Whether nobody can see the canvas."""
        return False

    def tell(self, text: str) -> None:
        """Says what the program is busy with, before the picture is there."""

    def frame_done(self) -> None:
        """Called after each frame of the scene."""

    # --- what the user does ------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether the kernels are compiled and the scene runs."""
        return self.screen is not None

    def leave(self) -> None:
        """Ends the loop soon; what was asked for is still written."""
        if not self._leaving:
            self._leaving = True
            # Not at once: the canvas may be in the middle of a frame.
            self.loop.call_soon(self.loop.stop)

    def save_picture(self) -> None:
        """Saves what is seen as a PNG, after the next frame."""
        self._save_asked = self.playing

    def prove(self) -> None:
        """Compares with float64 from the present state on; the result comes a second later."""
        if self.playing and not self.readout.proving:
            self.readout.proving = True
            compare = self._start_proof()

            def finish() -> None:
                proof = compare()
                self.readout.proof, self.readout.proving = str(proof), False

            threading.Thread(target=finish, name="proof", daemon=True).start()

    def notify(self, text: str) -> None:
        """Shows `text` for a few seconds."""
        self.readout.notice = text
        self._notice_until = time.perf_counter() + _NOTICE_SECONDS

    def toggle_hud(self) -> None:
        """Hides or shows the HUD."""

    def toggle_help(self) -> None:
        """Hides or shows the list of keys."""

    def toggle_full_screen(self) -> None:
        """Fills the screen, or no longer."""

    # --- a frame -----------------------------------------------------------------------------

    def _draw(self) -> None:
        """rendercanvas's draw function. An error ends the loop instead of repeating each frame."""
        try:
            if self._leaving:
                raise DrawCancelled("leaving")
            if self.hidden():
                self.playback.suspend()
                self._last_frame = None
                raise DrawCancelled("hidden")
            # First the texture: where there is none, nothing of the frame may have happened.
            self._size = self.canvas.get_physical_size()
            self._view = self._context.get_current_texture().create_view()
            self._encoder = self.device.create_command_encoder(label="frame")
            next(self._life)
        except DrawCancelled:
            raise
        except Exception as error:
            self._error = error
            self.leave()

    def _live(self) -> Iterator[None]:
        """The life of the program; makes one frame up to each `yield`."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.leave())
        self._show(with_hud=False)
        yield
        self.prepare()
        total = len(self.runner.scene.kernels)
        for number, kernel in enumerate(self.runner.warm_up(), 1):
            self.tell(f"Compiling the kernels: {kernel} ({number} of {total})")
            self._show()
            yield
        screen = Screen(self.runner, self.format)
        self.runner.start(**self.playback.start_values)
        self._readback = Readback(self.device, self._read_sources(screen), self._take)
        self.screen = screen
        while True:
            self._play_frame()
            yield

    def _play_frame(self) -> None:
        if self.playback.frames in self.settings.click_at and not self.playback.paused:
            self.playback.click()
        plan = self.playback.next_frame()
        assert self.screen is not None and self._readback is not None
        if plan is not None:
            if plan.step:
                self._follow_trainer()
                self.runner.step(self._encoder, **plan.values)
            self._trained = plan.step
            self.runner.paint(self._encoder, **plan.values)
            self.screen.copy(self._encoder)
        self._measure()
        self.readout.follow(self.playback)
        if time.perf_counter() > self._notice_until:
            self.readout.notice = ""
        self._lay_out()
        self._show(plan is not None)
        self._readback.submitted()
        if self._save_asked:
            self._save_asked = False
            self._save_now()
        self.frame_done()
        if self.settings.frames is not None and self.playback.frames >= self.settings.frames:
            self.leave()

    def _scene(self) -> Scene:
        """The table for the trainer and the epochs that are asked for."""
        trainer, epochs = self._trained_by
        return scene_module(self.settings.scene).scene(
            self.settings.size,
            software=self.readout.adapter.software,
            trainer=trainer,
            epochs=epochs,
        )

    def _follow_trainer(self) -> None:
        """Takes over another trainer or number of epochs; the network stays."""
        asked = (self.playback.trainer, self.playback.epochs)
        if asked != self._trained_by:
            self._trained_by = asked
            self.runner.use(self._scene())
            self._times.clear()

    def _lay_out(self) -> None:
        if self.hud is not None:
            self.hud.lay_out(
                self.canvas.get_logical_size(), self.canvas.get_pixel_ratio(), self.readout
            )

    def _show(self, read_back: bool = False, *, with_hud: bool = True) -> None:
        hud = self.hud if with_hud else None
        draw_frame(self._encoder, self._view, self.screen, hud, self._size)
        if read_back and self.screen is not None and self._readback is not None:
            self.screen.resolve_times(self._encoder)
            self._readback.copy(self._encoder, self._trained)
        self.device.queue.submit([self._encoder.finish()])

    def _measure(self) -> None:
        now = time.perf_counter()
        if self._last_frame is not None:
            self._durations.append(now - self._last_frame)
            recent = list(self._durations)[-_SHOWN_FPS_FRAMES:]
            self.readout.fps = len(recent) / sum(recent)
            self.readout.pass_ms = self._shown_times(1000 / self.readout.fps)
        self._last_frame = now

    def _read_sources(self, screen: Screen) -> list[tuple[wgpu.GPUBuffer, int]]:
        stats = self.runner.buffer("stats")
        sources = [(stats, stats.size)]
        if self.runner.timed:
            for buffer in (self.runner.times_buffer, screen.times_buffer):
                sources.append((buffer, buffer.size))
        return sources

    def _take(self, trained: bool, contents: list[bytes]) -> None:
        """Takes what came back of a frame; one that did not train has nothing new to say."""
        if not trained:
            return
        self.readout.take(self.runner.stats_from(np.frombuffer(contents[0], np.float32)))
        if self.runner.timed:
            times = self.runner.times_from(contents[1])
            self._times.append({**times, SHOW: self.runner.span_ms(contents[2])})

    def _shown_times(self, frame_ms: float) -> dict[str, float] | None:
        """Running medians by pass, if they are to be trusted; a GPU's must fit into the frame.

        A software adapter's are checked once, against the wall, after some frames.
        """
        if not self._times:
            return None
        times = outcome.medians(list(self._times)[-_SHOWN_FPS_FRAMES:])
        if not self.readout.adapter.software:
            return times if sum(times.values()) < 2 * frame_ms else None
        if self._times_true is None and len(self._times) >= _SHOWN_FPS_FRAMES:
            self._times_true = _times_are_true(self.runner, times, software=True)
        return times if self._times_true else None

    # --- what is kept ------------------------------------------------------------------------

    def _photograph(self) -> np.ndarray:
        """What is seen, as 8-bit RGBA."""
        encoder = self.device.create_command_encoder(label="photograph")
        return photograph(self.device, encoder, self.screen, self.hud, self._size, self.format)

    def _save_now(self) -> None:
        path = _new_picture_path()
        try:
            write_whole({path: to_png(self._photograph())})
        except UserError as error:
            self.notify(str(error))
        else:
            self.notify(f"Saved {path}")

    def _on_close(self, _event: dict) -> None:
        self._leaving = True
        if self._readback is not None:
            self._readback.close()

    def _write_outcome(self) -> int:
        stats = outcome.stats_object(
            self.settings,
            self.readout.adapter,
            self.playback,
            self.runner.read_stats() if self.playing else None,
            self._pass_times(),
        )
        durations = list(self._durations)
        stats["fps"] = len(durations) / sum(durations) if durations else None
        proof = self._start_proof()() if self.settings.prove and self.playing else None
        return outcome.conclude(self.settings, stats, self._photograph, proof)

    def _pass_times(self) -> dict[str, float] | None:
        if not self._times:
            return None
        times = outcome.medians(self._times)
        times.pop(SHOW)
        software = self.readout.adapter.software
        return times if _times_are_true(self.runner, times, software=software) else None

    def _start_proof(self) -> Callable[[], Proof]:
        return start_proof(self.runner, self._trained_by[0], self.playback.time)

    def _clock(self) -> FixedClock | WallClock:
        if self.settings.fps is None:
            return WallClock(self.settings.start)
        return FixedClock(self.settings.start, self.settings.fps)


def _times_are_true(runner: Runner, times: dict[str, float], *, software: bool) -> bool:
    """Whether `times` (ms by pass) account for the time that a paint takes.

    lavapipe's do not once the process has used a render pass: they then tell of 0.1 ms where 17
    went by. A wait for a GPU holds a millisecond or two of other things, one for a CPU does not.
    """
    waits = []
    for _ in range(5):
        start = time.perf_counter()
        runner.paint()
        painting = runner.paint_times()  # waits for the GPU
        waits.append(1000 * (time.perf_counter() - start))
    wait = statistics.median(waits)
    told = sum(times[name] for name in painting)
    return told > 0.0 and wait - told < wait / 4 + (0.5 if software else 2.0)


def _new_picture_path() -> Path:
    """A path for a new picture in the user's folder for pictures, or where the program was
    started."""
    folder = Path(platformdirs.user_pictures_dir())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path.cwd()
    stem = f"watch-it-learn-{datetime.now():%Y%m%d-%H%M%S}"
    names = (f"{stem}{suffix}.png" for suffix in ("", *(f"-{n}" for n in range(2, 100))))
    return next(folder / name for name in names if not (folder / name).exists())
