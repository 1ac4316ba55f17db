"""The list of keys, in the middle: whoever asks for it wants to read it."""

from __future__ import annotations

from imgui_bundle import imgui

from ..controls import CONTROLS
from .panel import Area, panel
from .style import LABEL, TITLE_SIZE, Style

_KEY_COLUMN = 110.0


def draw(style: Style, size: tuple[float, float]) -> Area:
    """Draws the list on a target of `size`; returns its area."""
    with panel("help", (size[0] / 2, size[1] / 2), pivot=(0.5, 0.5)) as area:
        style.text("Keys", size=TITLE_SIZE, bold=True)
        for control in CONTROLS:
            style.text(control.keys, bold=True)
            imgui.same_line(style.px(_KEY_COLUMN))
            style.text(control.what, LABEL)
    return area[0]
