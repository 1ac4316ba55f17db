"""The panel at the right: how the gradient is taken, what each pass costs, and the proof."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..controls import Host
from ..scenes.neural import MAX_EPOCHS_PER_FRAME, TRAINERS
from .panel import Area, panel
from .readout import Readout
from .style import GOLD, HAIRLINE, LABEL, LIGHT_BLUE, SMALL_SIZE, WARNING, Style

_WIDTH = 264.0
_MARGIN = 20.0
_LEAST_SIZE = (1120.0, 500.0)  # logical px: in a smaller window it would cover the points
_BAR_HEIGHT = 3.0
_DESCRIPTION_HEIGHT = 36.0  # two lines


def draw(
    style: Style, size: tuple[float, float], readout: Readout, host: Host | None
) -> list[Area]:
    """Draws the panel on a target of `size`, if it fits; returns its area.

    Without a `host` it only shows.
    """
    if size[0] < _LEAST_SIZE[0] or size[1] < _LEAST_SIZE[1]:
        return []
    position = (size[0] - style.px(_MARGIN), style.px(_MARGIN))
    with panel("training", position, pivot=(1.0, 0.0), width=style.px(_WIDTH)) as area:
        style.text("Training", bold=True)
        _trainers(style, readout, host)
        _epochs(style, readout, host)
        _times(style, readout)
        _proof(style, readout, host)
    return area


def _trainers(style: Style, readout: Readout, host: Host | None) -> None:
    imgui.push_font(style.regular, style.px(16))
    for name in TRAINERS:
        if imgui.radio_button(name, name == readout.trainer) and host is not None:
            host.playback.trainer = name
    imgui.pop_font()
    below = imgui.get_cursor_pos_y() + style.px(_DESCRIPTION_HEIGHT)
    style.wrapped(TRAINERS[readout.trainer].capitalize() + ".")
    imgui.set_cursor_pos_y(below)  # what lies below stays where it is, however long the words


def _epochs(style: Style, readout: Readout, host: Host | None) -> None:
    style.row("Epochs a frame", str(readout.epochs_per_frame))
    imgui.push_font(style.regular, style.px(SMALL_SIZE))
    imgui.set_next_item_width(-1.0)
    changed, value = imgui.slider_int(
        "##epochs",
        readout.epochs_per_frame,
        1,
        MAX_EPOCHS_PER_FRAME,
        "",
        imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp,
    )
    imgui.pop_font()
    if changed and host is not None:
        host.playback.set_epochs(value)


def _times(style: Style, readout: Readout) -> None:
    """GPU time by pass: a bar each, relative to the longest, and the trainer's time an epoch."""
    style.text("GPU time", bold=True)
    times = readout.pass_ms
    if not times:
        style.wrapped("Not available: this adapter has no timestamps that prove true.")
        return
    longest = max(times.values()) or 1.0
    for name, ms in times.items():
        style.row(name, f"{ms:.3f} ms")
        _bar(style, ms / longest)
    epoch = 1000.0 * times["train"] / readout.epochs_per_frame
    style.row("per epoch", f"{epoch:.1f} µs", GOLD)


def _bar(style: Style, share: float) -> None:
    start, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = style.px(_BAR_HEIGHT)
    draw_list = imgui.get_window_draw_list()
    for length, colour in ((width, HAIRLINE), (width * share, LIGHT_BLUE)):
        end = ImVec2(start.x + length, start.y + height)
        draw_list.add_rect_filled(start, end, imgui.get_color_u32(colour), height / 2)
    imgui.dummy(ImVec2(width, height))


def _proof(style: Style, readout: Readout, host: Host | None) -> None:
    imgui.push_font(style.regular, style.px(16))
    label = "Proving…" if readout.proving else "Prove it"
    if imgui.button(label, ImVec2(-1.0, 0.0)) and host is not None:
        host.prove()
    imgui.pop_font()
    if readout.proof:
        style.wrapped(readout.proof, LABEL if "within" in readout.proof else WARNING)
    else:
        style.wrapped("Trains 50 epochs on the GPU and in float64, and compares.")
