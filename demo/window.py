"""Plays in a GLFW window: the HUD, keys and mouse, full screen."""

from __future__ import annotations

from typing import Any

import glfw
from wgpu.utils.imgui import ImguiRenderer

from . import controls
from .hud import Hud
from .player import Player
from .settings import Settings

_LEFT_BUTTON = 1
_BEFORE_IMGUI = -100.0  # ImguiRenderer's handlers have order -99
_NAMED_KEYS = ("ArrowLeft", "ArrowRight", "F11", "Escape")


class WindowPlayer(Player):
    """Plays on rendercanvas's GLFW canvas."""

    def __init__(self, canvas: Any, loop: Any, settings: Settings) -> None:
        super().__init__(canvas, loop, settings)
        self._window = canvas._window  # rendercanvas 2.7 has no public way to GLFW's window
        self._windowed: tuple[int, int, int, int] | None = None
        self._key_is_new = False
        canvas.add_event_handler(self._on_pointer, "pointer_down", order=_BEFORE_IMGUI)
        canvas.add_event_handler(self._on_key, "key_down", "char", order=_BEFORE_IMGUI)

    def prepare(self) -> None:
        """Makes the HUD."""
        self.hud = Hud(ImguiRenderer(self.device, self.canvas).backend, self)

    def tell(self, text: str) -> None:
        """Says `text` in the middle of the window."""
        assert self.hud is not None
        size, ratio = self.canvas.get_logical_size(), self.canvas.get_pixel_ratio()
        self.hud.lay_out_notice(size, ratio, text)

    def hidden(self) -> bool:
        """Whether the window is minimised or unmapped."""
        return bool(
            glfw.get_window_attrib(self._window, glfw.ICONIFIED)
            or not glfw.get_window_attrib(self._window, glfw.VISIBLE)
        )

    def toggle_hud(self) -> None:
        """Hides or shows the HUD."""
        if self.hud is not None:
            self.hud.panels = not self.hud.panels

    def toggle_help(self) -> None:
        """Hides or shows the list of keys."""
        if self.hud is not None:
            self.hud.help = not self.hud.help

    def toggle_full_screen(self) -> None:
        """Fills the monitor that the window is on, or goes back to where it was."""
        if self._windowed is not None:
            no_monitor: Any = None
            glfw.set_window_monitor(self._window, no_monitor, *self._windowed, glfw.DONT_CARE)
            self._windowed = None
            return
        x, y = glfw.get_window_pos(self._window)
        width, height = glfw.get_window_size(self._window)
        monitor = _monitor_at(x + width // 2, y + height // 2)
        if monitor is not None:
            self._windowed = x, y, width, height
            mode = glfw.get_video_mode(monitor)
            glfw.set_window_monitor(self._window, monitor, 0, 0, *mode.size, mode.refresh_rate)

    def _on_pointer(self, event: dict) -> None:
        """A click is a fresh network, unless it is the HUD's."""
        on_hud = self.hud is not None and self.hud.covers(event["x"], event["y"])
        if self.playing and not on_hud and event["button"] == _LEFT_BUTTON:
            self.playback.click()

    def _on_key(self, event: dict) -> None:
        """Named keys as they go down; characters as the keyboard's layout makes them.

        GLFW names keys by a US layout, so that only the char event knows `?` or `=`. It repeats
        while a key is held, unlike key_down, which comes just before its first.
        """
        if event["event_type"] == "key_down":
            self._key_is_new = True
            if event["key"] in _NAMED_KEYS:
                self._press(event["key"])
        elif self._key_is_new:
            self._key_is_new = False
            self._press(event["data"])

    def _press(self, key: str) -> None:
        if self.playing or key in ("Escape", "q", "Q", "F11"):
            controls.press(self, key)


def _monitor_at(x: int, y: int) -> Any:
    """The monitor that holds the point of the desktop, or else the primary one, or None."""
    for monitor in glfw.get_monitors():
        left, top = glfw.get_monitor_pos(monitor)
        width, height = glfw.get_video_mode(monitor).size
        if left <= x < left + width and top <= y < top + height:
            return monitor
    return glfw.get_primary_monitor()
