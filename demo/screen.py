"""Puts the paint buffer on a texture view, letterboxed at the picture's own aspect."""

from __future__ import annotations

import numpy as np
import wgpu

from . import shader
from .errors import UserError
from .gpu import Runner
from .resources import SHADERS

_MAX_SIDE = 8192  # WebGPU's default limit of a texture
_COPY_WORKGROUP = 8
_TIMES_BYTES = 4 * 8


class Screen:
    """Shows a Runner's picture on targets of the colour format `target_format`.

    Raises UserError for a picture with a side that a texture can't have.
    """

    def __init__(self, runner: Runner, target_format: str) -> None:
        self._device = runner.device
        self._size = runner.scene.size
        if max(self._size) > _MAX_SIDE:
            raise UserError(f"A picture to be shown has at most {_MAX_SIDE} pixels a side.")
        self._texture = self._device.create_texture(
            label="picture",
            size=(*self._size, 1),
            format="rgba8unorm",
            usage="STORAGE_BINDING | TEXTURE_BINDING",
        )
        constants = shader.declarations(runner.scene.constants)
        self._copy, self._copy_group = self._create_copy(constants, runner.buffer("paint"))
        self._target_size = self._device.create_buffer(
            label="target size", size=8, usage="UNIFORM | COPY_DST"
        )
        self._written_size: tuple[int, int] | None = None
        self._timer = self._create_timer(runner)
        self.times_buffer = self._device.create_buffer(
            label="show times", size=_TIMES_BYTES, usage="QUERY_RESOLVE | COPY_SRC"
        )
        self._blit, self._blit_group = self._create_blit(target_format)

    def copy(self, encoder: wgpu.GPUCommandEncoder) -> None:
        """Takes over what the paint buffer holds."""
        width, height = self._size
        compute = encoder.begin_compute_pass(label="copy", timestamp_writes=self._stamps(0))
        compute.set_pipeline(self._copy)
        compute.set_bind_group(0, self._copy_group)
        compute.dispatch_workgroups(-(-width // _COPY_WORKGROUP), -(-height // _COPY_WORKGROUP))
        compute.end()

    @property
    def timestamps(self) -> dict[str, object] | None:
        """What the render pass that shows the picture is to be begun with, to be timed."""
        return self._stamps(1)

    def resolve_times(self, encoder: wgpu.GPUCommandEncoder) -> None:
        """Makes the times of copy and render pass available in `times_buffer`."""
        if self._timer is not None:
            encoder.resolve_query_set(self._timer, 0, 4, self.times_buffer, 0)

    def draw(self, render_pass: wgpu.GPURenderPassEncoder, size: tuple[int, int]) -> None:
        """Draws the picture over a target of `size` (width, height) in physical pixels."""
        if size != self._written_size:
            self._device.queue.write_buffer(self._target_size, 0, np.array(size, np.float32))
            self._written_size = size
        render_pass.set_pipeline(self._blit)
        render_pass.set_bind_group(0, self._blit_group)
        render_pass.draw(3)

    def _create_timer(self, runner: Runner) -> wgpu.GPUQuerySet | None:
        if not runner.timed:
            return None
        return self._device.create_query_set(label="times of show", type="timestamp", count=4)

    def _stamps(self, index: int) -> dict[str, object] | None:
        if self._timer is None:
            return None
        return {
            "query_set": self._timer,
            "beginning_of_pass_write_index": 2 * index,
            "end_of_pass_write_index": 2 * index + 1,
        }

    def _create_copy(
        self, constants: str, paint: wgpu.GPUBuffer
    ) -> tuple[wgpu.GPUComputePipeline, wgpu.GPUBindGroup]:
        layout = self._device.create_bind_group_layout(
            label="copy",
            entries=[
                {
                    "binding": 0,
                    "visibility": wgpu.ShaderStage.COMPUTE,
                    "buffer": {"type": "read-only-storage"},
                },
                {
                    "binding": 1,
                    "visibility": wgpu.ShaderStage.COMPUTE,
                    "storage_texture": {"access": "write-only", "format": "rgba8unorm"},
                },
            ],
        )
        pipeline = self._device.create_compute_pipeline(
            label="copy",
            layout=self._device.create_pipeline_layout(label="copy", bind_group_layouts=[layout]),
            compute={"module": self._module("copy", constants), "entry_point": "copy"},
        )
        group = self._device.create_bind_group(
            label="copy",
            layout=layout,
            entries=[
                {"binding": 0, "resource": {"buffer": paint, "offset": 0, "size": paint.size}},
                {"binding": 1, "resource": self._texture.create_view()},
            ],
        )
        return pipeline, group

    def _create_blit(self, target_format: str) -> tuple[wgpu.GPURenderPipeline, wgpu.GPUBindGroup]:
        fragment = wgpu.ShaderStage.FRAGMENT
        layout = self._device.create_bind_group_layout(
            label="blit",
            entries=[
                {"binding": 0, "visibility": fragment, "texture": {}},
                {"binding": 1, "visibility": fragment, "sampler": {"type": "filtering"}},
                {"binding": 2, "visibility": fragment, "buffer": {"type": "uniform"}},
            ],
        )
        module = self._module("blit", "")
        pipeline = self._device.create_render_pipeline(
            label="blit",
            layout=self._device.create_pipeline_layout(label="blit", bind_group_layouts=[layout]),
            vertex={"module": module, "entry_point": "corner"},
            primitive={"topology": "triangle-list"},
            fragment={
                "module": module,
                "entry_point": "blit",
                "targets": [{"format": target_format}],
            },
        )
        sampler = self._device.create_sampler(
            label="smooth", mag_filter="linear", min_filter="linear"
        )
        size = {"buffer": self._target_size, "offset": 0, "size": self._target_size.size}
        group = self._device.create_bind_group(
            label="blit",
            layout=layout,
            entries=[
                {"binding": 0, "resource": self._texture.create_view()},
                {"binding": 1, "resource": sampler},
                {"binding": 2, "resource": size},
            ],
        )
        return pipeline, group

    def _module(self, name: str, constants: str) -> wgpu.GPUShaderModule:
        source = (SHADERS / "screen" / f"{name}.wgsl").read_text(encoding="utf-8")
        return self._device.create_shader_module(label=name, code=source + "\n" + constants)
