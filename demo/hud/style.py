"""Colours, fonts and sizes: quiet, and the picture's own."""

from __future__ import annotations

from pathlib import Path

import imgui_bundle
from imgui_bundle import ImVec2, ImVec4, imgui

from ..scenes.neural import CLASS_COLOURS

_FONTS = Path(imgui_bundle.__file__).parent / "assets" / "fonts" / "Roboto"
_DESIGN_SIZE = (1280.0, 720.0)  # logical px; larger windows get a larger HUD
_LARGEST_SCALE = 3.0

TEXT_SIZE = 17.0
TITLE_SIZE = 23.0
SMALL_SIZE = 14.0

TEXT = ImVec4(0.93, 0.95, 0.99, 1.0)
LABEL = ImVec4(0.62, 0.68, 0.80, 1.0)
GOLD = ImVec4(1.0, 0.84, 0.24, 1.0)
LIGHT_BLUE = ImVec4(0.45, 0.62, 1.0, 1.0)
WARNING = ImVec4(1.0, 0.66, 0.42, 1.0)
PANEL = ImVec4(0.012, 0.020, 0.046, 0.92)
HAIRLINE = ImVec4(1.0, 1.0, 1.0, 0.12)


_WIDGETS = {
    imgui.Col_.frame_bg: ImVec4(0.10, 0.13, 0.22, 1.0),
    imgui.Col_.frame_bg_hovered: ImVec4(0.14, 0.19, 0.32, 1.0),
    imgui.Col_.frame_bg_active: ImVec4(0.16, 0.22, 0.38, 1.0),
    imgui.Col_.check_mark: LIGHT_BLUE,
    imgui.Col_.slider_grab: LIGHT_BLUE,
    imgui.Col_.slider_grab_active: TEXT,
    imgui.Col_.button: ImVec4(0.12, 0.20, 0.44, 1.0),
    imgui.Col_.button_hovered: ImVec4(0.16, 0.27, 0.60, 1.0),
    imgui.Col_.button_active: ImVec4(0.20, 0.34, 0.74, 1.0),
}


def class_colour(label: int, glow: float = 0.70) -> ImVec4:
    """The colour that the field shows for class 0 or 1; a glow of 0.70 is full confidence."""
    red, green, blue = CLASS_COLOURS[label]
    return ImVec4(0.012 + red * glow, 0.020 + green * glow, 0.046 + blue * glow, 1.0)


class Style:
    """The fonts, and the scale that fits the HUD to its target. Needs a current ImGui context."""

    def __init__(self) -> None:
        fonts = imgui.get_io().fonts
        self.regular = fonts.add_font_from_file_ttf(str(_FONTS / "Roboto-Regular.ttf"), TEXT_SIZE)
        self.bold = fonts.add_font_from_file_ttf(str(_FONTS / "Roboto-Bold.ttf"), TEXT_SIZE)
        self.scale = 1.0
        style = imgui.get_style()
        style.set_color_(imgui.Col_.window_bg, PANEL)
        style.set_color_(imgui.Col_.border, HAIRLINE)
        style.set_color_(imgui.Col_.text, TEXT)
        for widget, colour in _WIDGETS.items():
            style.set_color_(widget, colour)

    def fit(self, size: tuple[float, float]) -> None:
        """Scales the HUD up for targets beyond the design's size, in steps of a quarter."""
        share = min(size[0] / _DESIGN_SIZE[0], size[1] / _DESIGN_SIZE[1], _LARGEST_SCALE)
        self.scale = max(1.0, int(4 * share) / 4)
        style = imgui.get_style()
        style.window_padding = ImVec2(self.px(16), self.px(14))
        style.item_spacing = ImVec2(self.px(8), self.px(5))
        style.window_rounding = self.px(10)
        style.window_border_size = 1.0
        style.frame_rounding = self.px(5)
        style.grab_rounding = self.px(5)
        style.frame_padding = ImVec2(self.px(6), self.px(3))

    def px(self, length: float) -> float:
        """A length of the design, scaled."""
        return length * self.scale

    def text(
        self,
        text: str,
        colour: ImVec4 = TEXT,
        size: float = TEXT_SIZE,
        *,
        bold: bool = False,
        right: bool = False,
    ) -> None:
        """A line of text; `right` aligns it with the panel's right edge."""
        imgui.push_font(self.bold if bold else self.regular, self.px(size))
        if right:
            room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
            imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(0.0, room))
        imgui.text_colored(colour, text)
        imgui.pop_font()

    def row(self, label: str, value: str, colour: ImVec4 = TEXT) -> None:
        """A quiet label, and its value in bold at the right."""
        self.text(label, LABEL)
        imgui.same_line()
        self.text(value, colour, bold=True, right=True)

    def wrapped(self, text: str, colour: ImVec4 = LABEL, size: float = SMALL_SIZE) -> None:
        """Text that breaks at the panel's right edge."""
        imgui.push_font(self.regular, self.px(size))
        imgui.push_text_wrap_pos(0.0)
        imgui.text_colored(colour, text)
        imgui.pop_text_wrap_pos()
        imgui.pop_font()
