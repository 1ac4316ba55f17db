"""The picture with the HUD over it, without a window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import wgpu
from imgui_bundle import imgui
from wgpu.utils.imgui.imgui_backend import ImguiWgpuBackend

from .gpu import AdapterInfo, Runner
from .hud import Hud, Readout
from .playback import Playback
from .screen import Screen

_FORMAT = "rgba8unorm"


def picture_with_hud(
    runner: Runner,
    playback: Playback,
    adapter: AdapterInfo,
    history: Iterable[dict[str, float]],
) -> np.ndarray:
    """The picture as 8-bit RGBA (height, width, 4), with the HUD; `history` are frames' stats."""
    imgui.create_context()
    screen = Screen(runner, _FORMAT)
    hud = Hud(ImguiWgpuBackend(runner.device, _FORMAT))
    readout = Readout(adapter)
    for stats in history:
        readout.take(stats)
    readout.follow(playback)
    width, height = runner.scene.size
    for _ in range(2):  # ImGui knows a panel's size only after its first frame
        hud.lay_out((width, height), 1.0, readout)
    encoder = runner.device.create_command_encoder(label="picture with HUD")
    screen.copy(encoder)
    return photograph(runner.device, encoder, screen, hud, (width, height), _FORMAT)


def photograph(
    device: wgpu.GPUDevice,
    encoder: wgpu.GPUCommandEncoder,
    screen: Screen | None,
    hud: Hud | None,
    size: tuple[int, int],
    target_format: str,
) -> np.ndarray:
    """Draws screen and HUD on a texture of `size` and reads it back, as 8-bit RGBA (height, width,
    4). Submits what `encoder` has recorded."""
    texture = device.create_texture(
        label="photograph",
        size=(*size, 1),
        format=target_format,
        usage="RENDER_ATTACHMENT | COPY_SRC",
    )
    draw_frame(encoder, texture.create_view(), screen, hud, size)
    device.queue.submit([encoder.finish()])
    raw: Any = device.queue.read_texture(
        {"texture": texture}, {"bytes_per_row": 4 * size[0]}, (*size, 1)
    )
    pixels = np.frombuffer(raw, np.uint8).reshape(size[1], size[0], 4).copy()
    if target_format.startswith("bgra"):
        pixels = pixels[..., [2, 1, 0, 3]]
    pixels[..., 3] = 255
    return pixels


def draw_frame(
    encoder: wgpu.GPUCommandEncoder,
    view: wgpu.GPUTextureView,
    screen: Screen | None,
    hud: Hud | None,
    size: tuple[int, int],
) -> None:
    """Records the one render pass of a frame: the picture, and the HUD over it."""
    render_pass = encoder.begin_render_pass(
        label="frame",
        timestamp_writes=screen.timestamps if screen is not None else None,
        color_attachments=[
            {
                "view": view,
                "resolve_target": None,
                "clear_value": (0.012, 0.020, 0.046, 1.0),
                "load_op": "clear",
                "store_op": "store",
            }
        ],
    )
    if screen is not None:
        screen.draw(render_pass, size)
    if hud is not None:
        hud.draw(render_pass)
    render_pass.end()
