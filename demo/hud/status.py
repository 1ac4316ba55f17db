"""The panel at the left: how training goes, which shape, how to read the picture, which adapter."""

from __future__ import annotations

import math
from collections.abc import Sequence

from imgui_bundle import ImVec2, ImVec4, imgui
from imgui_bundle.imgui import ImVec2Like

from .panel import Area, panel
from .readout import Readout
from .style import (
    GOLD,
    HAIRLINE,
    LABEL,
    LIGHT_BLUE,
    SMALL_SIZE,
    TEXT,
    TITLE_SIZE,
    WARNING,
    Style,
    class_colour,
)

_WIDTH = 264.0
_COMPACT_WIDTH = 190.0
_MARGIN = 20.0
_COMPACT_MARGIN = 8.0
_FULL_SIZE = (880.0, 500.0)  # logical px below which the panel says only the essential
_LEAST_SIZE = (420.0, 240.0)  # and below which it would hide the picture
_CURVE_HEIGHT = 44.0
_CURVE_DECADES = 2.0  # the curve's range is at least this wide, so that noise stays small
_CLICK = "Click: a fresh network"


def draw(style: Style, size: tuple[float, float], readout: Readout) -> list[Area]:
    """Draws the panel on a target of `size`; returns its area, or nothing where none fits."""
    if size[0] < _LEAST_SIZE[0] or size[1] < _LEAST_SIZE[1]:
        return []
    full = size[0] >= _FULL_SIZE[0] and size[1] >= _FULL_SIZE[1]
    margin = style.px(_MARGIN) if full else _COMPACT_MARGIN
    width = style.px(_WIDTH) if full else _COMPACT_WIDTH
    with panel("status", (margin, margin), width=width) as area:
        if full:
            _full(style, readout)
        else:
            _compact(style, readout)
    return area


def _full(style: Style, readout: Readout) -> None:
    style.text("Watch it learn", size=TITLE_SIZE, bold=True)
    _figures(style, readout)
    _curve(style, readout.losses)
    _rule(style)
    _shape(style, readout)
    _rule(style)
    _legend(style)
    _rule(style)
    style.wrapped(f"{readout.adapter.name} · {readout.adapter.graphics_api}")
    if readout.adapter.software:
        style.wrapped("Software: the CPU plays the GPU", WARNING)
    _rule(style)
    style.wrapped(f"{_CLICK}  ·  ? for the keys")


def _compact(style: Style, readout: Readout) -> None:
    _figures(style, readout)
    style.row(readout.shape, _until(readout))
    if readout.adapter.software:
        style.wrapped("Software, on the CPU", WARNING)
    style.wrapped(_CLICK)


def _figures(style: Style, readout: Readout) -> None:
    style.row("Epoch", readout.epoch_text)
    style.row("Loss", readout.loss_text, GOLD)
    style.row("Accuracy", readout.accuracy_text, LIGHT_BLUE)
    style.row("Frames/s", readout.fps_text)
    style.row("Pace", readout.pace_text, WARNING if readout.paused else TEXT)


def _until(readout: Readout) -> str:
    return "held" if readout.seconds_left is None else f"{readout.seconds_left:.1f} s"


def _shape(style: Style, readout: Readout) -> None:
    """Which shape, and as a line that shrinks how long until the next."""
    style.row(readout.shape, _until(readout))
    if readout.seconds_left is None:
        style.wrapped("C cycles through the shapes again")
        return
    start, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = style.px(3)
    _bar(start, width, height, HAIRLINE)
    _bar(start, width * readout.share_left, height, LIGHT_BLUE)
    imgui.dummy(ImVec2(width, height))
    style.wrapped(f"then {readout.next_shape}")


def _bar(start: ImVec2, width: float, height: float, colour: ImVec4) -> None:
    end = ImVec2(start.x + width, start.y + height)
    imgui.get_window_draw_list().add_rect_filled(
        start, end, imgui.get_color_u32(colour), height / 2
    )


def _curve(style: Style, losses: Sequence[float]) -> None:
    """The loss on a logarithmic axis: a linear one lies flat once training has got anywhere."""
    start, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = style.px(_CURVE_HEIGHT)
    imgui.dummy(ImVec2(width, height))
    logs = [math.log10(loss) for loss in losses if math.isfinite(loss) and loss > 0.0]
    if len(logs) < 2:
        return
    top = max(logs)
    bottom = min(min(logs), top - _CURVE_DECADES)
    points: list[ImVec2Like] = [
        ImVec2(
            start.x + width * i / (len(logs) - 1),
            start.y + height * (0.04 + 0.92 * (top - log) / (top - bottom)),
        )
        for i, log in enumerate(logs)
    ]
    colour = imgui.get_color_u32(GOLD)
    imgui.get_window_draw_list().add_polyline(points, colour, style.px(1.5), 0)


def _legend(style: Style) -> None:
    """The two classes' colours, and that brightness is confidence."""
    start, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = style.px(10)
    middle, end = start.x + width / 2, start.x + width
    dark = imgui.get_color_u32(class_colour(0, 0.05))
    blue, gold = (imgui.get_color_u32(class_colour(label)) for label in (0, 1))
    draw_list = imgui.get_window_draw_list()
    bottom = start.y + height
    draw_list.add_rect_filled_multi_color(start, ImVec2(middle, bottom), blue, dark, dark, blue)
    draw_list.add_rect_filled_multi_color(
        ImVec2(middle, start.y), ImVec2(end, bottom), dark, gold, gold, dark
    )
    imgui.dummy(ImVec2(width, height))
    style.text("class 0", LABEL, SMALL_SIZE)
    imgui.same_line()
    style.text("class 1", LABEL, SMALL_SIZE, right=True)
    style.wrapped("Bright: sure. Dark: undecided.")


def _rule(style: Style) -> None:
    start, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    y = start.y + style.px(3)
    line = imgui.get_color_u32(HAIRLINE)
    imgui.get_window_draw_list().add_line(ImVec2(start.x, y), ImVec2(start.x + width, y), line)
    imgui.dummy(ImVec2(width, style.px(6)))
