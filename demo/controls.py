"""The keys, in one place: what each does, and the words for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from .playback import Playback


class Host(Protocol):
    """What a window or terminal can do beyond Playback."""

    playback: Playback

    def prove(self) -> None: ...
    def save_picture(self) -> None: ...
    def toggle_hud(self) -> None: ...
    def toggle_full_screen(self) -> None: ...
    def toggle_help(self) -> None: ...
    def leave(self) -> None: ...


@dataclass(frozen=True)
class Control:
    """A line of the list of keys; in words where the HUD's font has no glyph or a tiny one."""

    keys: str
    what: str


CONTROLS = (
    Control("Click", "a fresh network"),
    Control("Space", "pause and go on"),
    Control("Period", "one training step, while paused"),
    Control("Minus  =", "slower, faster"),
    Control("Left  Right", "pick a shape and hold it"),
    Control("C", "cycle through the shapes again"),
    Control("T", "the next way to train"),
    Control("[  ]", "half, twice the epochs of a frame"),
    Control("P", "prove it: compare with float64"),
    Control("S", "save a picture"),
    Control("H", "hide or show this HUD"),
    Control("F11", "full screen"),
    Control("?", "this list"),
    Control("Esc  Q", "leave"),
)


def press(host: Host, key: str) -> None:
    """Does what the key means. Keys are characters, or the names that browsers give them."""
    playback = host.playback
    actions: Mapping = {
        " ": playback.toggle_pause,
        ".": playback.single_step,
        "-": playback.slower,
        "_": playback.slower,
        "=": playback.faster,
        "+": playback.faster,
        "ArrowLeft": lambda: playback.hold(-1),
        "ArrowRight": lambda: playback.hold(1),
        "c": playback.cycle,
        "t": playback.next_trainer,
        "[": lambda: playback.set_epochs(playback.epochs // 2),
        "]": lambda: playback.set_epochs(playback.epochs * 2),
        "p": host.prove,
        "s": host.save_picture,
        "h": host.toggle_hud,
        "F11": host.toggle_full_screen,
        "?": host.toggle_help,
        "Escape": host.leave,
        "q": host.leave,
    }
    action = actions.get(key.lower() if len(key) == 1 else key)
    if action is not None:
        action()
