"""The HUD: ImGui over the picture, a panel a file."""

from __future__ import annotations

from collections.abc import Callable

import wgpu
from imgui_bundle import ImVec2, imgui
from wgpu.utils.imgui.imgui_backend import ImguiWgpuBackend

from ..controls import Host
from . import help, notice, status, training
from .readout import Readout
from .style import Style

__all__ = ["Hud", "Readout"]


class Hud:
    """Lays the HUD out and draws it.

    `backend` is wgpu's ImGui backend, whose ImGui context is current. What the user sets goes to
    `host`. `panels` shows or hides all but notices, `help` the list of keys.
    """

    def __init__(self, backend: ImguiWgpuBackend, host: Host | None = None) -> None:
        self._backend = backend
        self._host = host
        self._style = Style()
        self._areas: list[tuple[float, float, float, float]] = []
        self.panels = True
        self.help = False

    def lay_out(self, size: tuple[float, float], pixel_ratio: float, readout: Readout) -> None:
        """Builds a frame for a target of `size` logical pixels, from what `readout` says."""
        self._frame(size, pixel_ratio, lambda: self._panels(size, readout))

    def lay_out_notice(self, size: tuple[float, float], pixel_ratio: float, text: str) -> None:
        """Builds a frame that says `text` in the middle and nothing else."""
        self._frame(size, pixel_ratio, lambda: [notice.draw_centred(self._style, size, text)])

    def draw(self, render_pass: wgpu.GPURenderPassEncoder) -> None:
        """Draws the frame that was built last."""
        self._backend.render(imgui.get_draw_data(), render_pass)

    def covers(self, x: float, y: float) -> bool:
        """Whether a panel lies at the point (logical pixels): a click there is the HUD's.

        ImGui's own answer is a frame late, which is too late for a fast mouse.
        """
        return any(
            left <= x < right and top <= y < bottom for left, top, right, bottom in self._areas
        )

    def _frame(
        self,
        size: tuple[float, float],
        pixel_ratio: float,
        build: Callable[[], list[tuple[float, float, float, float]]],
    ) -> None:
        self._backend.io.display_size = ImVec2(*size)
        self._backend.io.display_framebuffer_scale = ImVec2(pixel_ratio, pixel_ratio)
        imgui.new_frame()
        try:
            self._style.fit(size)
            self._areas = build()
        finally:
            imgui.render()

    def _panels(
        self, size: tuple[float, float], readout: Readout
    ) -> list[tuple[float, float, float, float]]:
        areas = []
        if self.panels:
            areas += status.draw(self._style, size, readout)
            areas += training.draw(self._style, size, readout, self._host)
        if self.help:
            areas.append(help.draw(self._style, size))
        if readout.notice:
            areas.append(notice.draw(self._style, size, readout.notice))
        return areas
