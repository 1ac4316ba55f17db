"""Words that come and go: what was saved where, and what the program is busy with."""

from __future__ import annotations

from .panel import Area, panel
from .style import Style

_MARGIN = 24.0


def draw(style: Style, size: tuple[float, float], text: str) -> Area:
    """Says `text` at the bottom; returns the area."""
    with panel("notice", (size[0] / 2, size[1] - style.px(_MARGIN)), pivot=(0.5, 1.0)) as area:
        style.text(text)
    return area[0]


def draw_centred(style: Style, size: tuple[float, float], text: str) -> Area:
    """Says `text` in the middle; returns the area."""
    with panel("busy", (size[0] / 2, size[1] / 2), pivot=(0.5, 0.5)) as area:
        style.text(text)
    return area[0]
