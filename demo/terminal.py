"""Plays in the terminal, two pixels a character; the title carries the figures."""

from __future__ import annotations

import logging
import time
from typing import Any

from rendercanvas.terminal import RenderCanvas, loop

from . import controls
from .player import Player
from .settings import Settings

_FPS = 30
_TITLE_SECONDS = 0.25
_HELP_SECONDS = 8.0
_HELP = "space pause · . step · - = pace · ← → shape · c cycle · s save · q leave"


def create_canvas(title: str) -> tuple[Any, Any]:
    """rendercanvas's terminal canvas and its loop."""
    logging.getLogger("rendercanvas").setLevel(logging.ERROR)
    return RenderCanvas(title=title, update_mode="continuous", max_fps=_FPS), loop


class TerminalPlayer(Player):
    """Plays on rendercanvas's terminal canvas."""

    def __init__(self, canvas: Any, loop: Any, settings: Settings) -> None:
        super().__init__(canvas, loop, settings)
        self._next_title = 0.0
        self._help_until = 0.0
        canvas.add_event_handler(self._on_pointer, "pointer_down")
        canvas.add_event_handler(self._on_key, "key_down")

    def tell(self, text: str) -> None:
        """Says `text` in the title."""
        self.canvas.set_title(text)

    def frame_done(self) -> None:
        """Puts the figures into the title, a few times a second."""
        now = time.perf_counter()
        if now >= self._next_title:
            self._next_title = now + _TITLE_SECONDS
            self.canvas.set_title(self._title(now))

    def toggle_help(self) -> None:
        """Shows the keys in the title for a while."""
        self._help_until = time.perf_counter() + _HELP_SECONDS

    def _title(self, now: float) -> str:
        if now < self._help_until:
            return _HELP
        if self.readout.notice:
            return self.readout.notice
        figures = self.readout
        paused = " · paused" if figures.paused else ""
        return (
            f"{figures.shape} · epoch {figures.epoch_text} · loss {figures.loss_text}"
            f" · accuracy {figures.accuracy_text}{paused}"
        )

    def _on_pointer(self, _event: dict) -> None:
        if self.playing:
            self.playback.click()

    def _on_key(self, event: dict) -> None:
        if self.playing or event["key"] in ("Escape", "q", "Q"):
            controls.press(self, event["key"])
