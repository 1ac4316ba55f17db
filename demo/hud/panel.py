"""A panel: an ImGui window at a fixed place that tells where it lies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import ImVec2, imgui

Area = tuple[float, float, float, float]
"""A panel's left, top, right and bottom, in logical pixels."""

_FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.always_auto_resize
)


@contextmanager
def panel(
    name: str,
    position: tuple[float, float],
    *,
    pivot: tuple[float, float] = (0.0, 0.0),
    width: float = 0.0,
) -> Iterator[list[Area]]:
    """A panel whose point `pivot` (shares of its size) is at `position`; a `width` of 0 fits the
    content. Yields a list that holds the panel's area afterwards."""
    area: list[Area] = []
    imgui.set_next_window_pos(ImVec2(*position), imgui.Cond_.always, ImVec2(*pivot))
    if width:
        imgui.set_next_window_size_constraints(ImVec2(width, 0.0), ImVec2(width, 1e5))
    imgui.begin(name, None, _FLAGS)
    try:
        yield area
    finally:
        corner, size = imgui.get_window_pos(), imgui.get_window_size()
        area.append((corner.x, corner.y, corner.x + size.x, corner.y + size.y))
        imgui.end()
