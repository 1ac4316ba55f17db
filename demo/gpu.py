"""The GPU side: which adapter, and the Runner that executes a scene's table on wgpu.

Importing this module imports wgpu. Nothing on the GPU is created inside a frame: buffers are made
with the Runner, and a kernel's pipeline and bind groups at its first use.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import wgpu
from wgpu.backends import wgpu_native
from wgpu.backends.wgpu_native import extras

from . import fast_cffi, shader
from .errors import UserError
from .scene import Buffer, Pass, Scene

fast_cffi.install(wgpu_native.ffi)

if "XDG_RUNTIME_DIR" not in os.environ and "MESA_VK_DEVICE_SELECT" not in os.environ:
    # Mesa's layer that sorts devices asks the desktop, and complains on stderr where there is none.
    os.environ.setdefault("NODEVICE_SELECT", "1")

# WebGPU's own graphics APIs (Vulkan, Metal, D3D12). OpenGL would be a silent, slower fallback.
# This makes wgpu's instance, so it comes after the environment.
extras.set_instance_extras(backends=["Primary"])

_CURES = {
    "linux": "on Debian or Ubuntu: apt-get install mesa-vulkan-drivers libvulkan1",
    "darwin": "Metal needs macOS 10.13 or later",
    "win32": "install your graphics card's driver",
}
_MAX_UNIFORM = 64 << 10

# wgpu 0.32 would hand out the adapter's own limits, and a kernel beyond these fail elsewhere.
DEFAULT_LIMITS: dict[str, int | None] = {
    "max-buffer-size": 256 << 20,
    "max-compute-invocations-per-workgroup": 256,
    "max-compute-workgroup-storage-size": 16384,
    "max-compute-workgroups-per-dimension": 65535,
    "max-storage-buffer-binding-size": 128 << 20,
    "max-storage-buffers-per-shader-stage": 8,
    "max-texture-dimension-2d": 8192,
    "max-uniform-buffer-binding-size": _MAX_UNIFORM,
    "max-uniform-buffers-per-shader-stage": 12,
}
"""WebGPU's default limits that kernels meet, by their names in wgpu."""

MAX_DISPATCHES = 100
"""Dispatches of one pass that a submission holds at most: systems kill a long one (Windows at
2 s)."""

_TIMES_BYTES = 256  # the alignment that WebGPU asks for
_TIMESTAMPS = _TIMES_BYTES // 8


@dataclass(frozen=True)
class AdapterInfo:
    """What a person wants to know of an adapter."""

    name: str
    graphics_api: str
    software: bool

    def __str__(self) -> str:
        """For example `NVIDIA H200 (Vulkan)`."""
        return f"{self.name} ({self.graphics_api}{', software' if self.software else ''})"


def adapter_info(adapter: wgpu.GPUAdapter) -> AdapterInfo:
    """The adapter's name, graphics API, and whether a CPU plays the GPU."""
    info = adapter.info
    return AdapterInfo(info["device"], info["backend_type"], info["adapter_type"].upper() == "CPU")


def list_adapters() -> list[wgpu.GPUAdapter]:
    """The adapters that can run the program: Vulkan, Metal or D3D12, in the driver's order."""
    return wgpu.gpu.enumerate_adapters_sync()


def choose_adapter(name: str | None = None) -> wgpu.GPUAdapter:
    """The first adapter whose name holds `name` in any case, or else the fastest.

    Raises UserError where there is none; OpenGL alone counts as none.
    """
    if name is None:
        return _fastest_adapter()
    adapters = list_adapters()
    for adapter in adapters:
        if name.lower() in adapter_info(adapter).name.lower():
            return adapter
    if not adapters:
        raise _no_adapter()
    known = ", ".join(adapter_info(adapter).name for adapter in adapters)
    raise UserError(f"No adapter's name holds {name!r}; there is {known}.")


def _fastest_adapter() -> wgpu.GPUAdapter:
    try:
        return wgpu.gpu.request_adapter_sync(power_preference="high-performance")
    except RuntimeError:  # what wgpu 0.32 raises where there is none
        raise _no_adapter() from None


def _no_adapter() -> UserError:
    cure = _CURES.get(sys.platform, _CURES["linux"])
    return UserError(f"No Vulkan, Metal or D3D12 driver was found ({cure}).")


def request_device(adapter: wgpu.GPUAdapter) -> wgpu.GPUDevice:
    """A device with WebGPU's default limits, and timestamp queries where the adapter has them."""
    features = [f for f in ("timestamp-query",) if f in adapter.features]
    return adapter.request_device_sync(
        label="watch it learn", required_features=features, required_limits=DEFAULT_LIMITS
    )


@dataclass(frozen=True)
class _Kernel:
    pipeline: wgpu.GPUComputePipeline
    groups: tuple[wgpu.GPUBindGroup, wgpu.GPUBindGroup]  # by parity
    workgroup_size: tuple[int, int, int]
    swaps: bool


class Runner:
    """Runs a scene's table: start, step, paint; reads and writes its buffers.

    `timed` runs measure their passes where the adapter can. `guard` bytes are added behind every
    buffer and stay what they are: tests look at them.
    """

    def __init__(
        self, device: wgpu.GPUDevice, scene: Scene, *, timed: bool = True, guard: int = 0
    ) -> None:
        self.device = device
        self.scene = scene
        self.timed = timed and "timestamp-query" in device.features
        # wgpu 0.32 hands out raw ticks, whose length only wgpu-native's own C function tells.
        native: Any = wgpu_native.lib
        self._tick_ms = native.wgpuQueueGetTimestampPeriod(device.queue._internal) / 1e6
        self._shaders: dict[str, shader.Shader] = {}
        self.load_kernels(scene.kernels)
        self._parity = 0
        self._frame = np.zeros((), shader.struct_dtype(scene.name, "Frame"))
        self._frame_buffer = device.create_buffer(
            label="frame", size=self._frame.nbytes, usage="UNIFORM | COPY_DST"
        )
        self._sides = {
            name: self._create_sides(name, buffer, guard) for name, buffer in scene.buffers.items()
        }
        self._kernels: dict[str, _Kernel] = {}
        self._timers = [
            device.create_query_set(label=f"times of {what}", type="timestamp", count=_TIMESTAMPS)
            for what in ("update", "draw")
            if self.timed
        ]
        self.times_buffer = device.create_buffer(
            label="pass times", size=2 * _TIMES_BYTES, usage="QUERY_RESOLVE | COPY_SRC"
        )

    # --- running -----------------------------------------------------------------------------

    def warm_up(self) -> Iterator[str]:
        """Compiles a kernel at a time and dispatches it once, since some drivers compile only
        then; yields the name of the next one, before its turn. Buffers hold rubbish afterwards:
        call `start`."""
        for name in self.scene.kernels:
            yield name
            self.run((Pass(name, (1,)),))

    def start(self, **frame: float) -> None:
        """Runs the start passes; `frame` as for `step`."""
        self.run(self.scene.start, None, **frame)

    def step(self, encoder: wgpu.GPUCommandEncoder | None = None, **frame: float) -> None:
        """Runs the update passes: one step of training. Arguments as for `run`."""
        self.run(self.scene.update, encoder, **frame)

    def paint(self, encoder: wgpu.GPUCommandEncoder | None = None, **frame: float) -> None:
        """Runs the draw passes. Arguments as for `run`."""
        self.run(self.scene.draw, encoder, **frame)

    def run(
        self,
        passes: Sequence[Pass],
        encoder: wgpu.GPUCommandEncoder | None = None,
        **frame: float,
    ) -> None:
        """Runs any passes of the scene's kernels, in order, each a compute pass of its own.

        `frame` sets fields of the uniform struct Frame; those not named stay. Without an encoder
        the passes are submitted at once, otherwise they are only recorded; but of a pass with more
        than MAX_DISPATCHES all before the last ones are submitted, so that nothing which they
        depend on may be waiting in the encoder.
        """
        if frame:
            self._write_frame(frame)
        own = encoder or self.device.create_command_encoder(label="scene")
        timer = self._timer(passes)
        for index, described in enumerate(passes):
            self._encode(own, described, timer, index)
        if timer is not None:
            offset = _TIMES_BYTES if passes is self.scene.draw else 0
            own.resolve_query_set(timer, 0, 2 * len(passes), self.times_buffer, offset)
        if encoder is None:
            self.device.queue.submit([own.finish()])

    def load_kernels(self, names: Iterable[str]) -> None:
        """Lets `run` use kernels of the scene's folder that its table does not name."""
        for name in names:
            if name not in self._shaders:
                self._shaders[name] = shader.load(self.scene.name, name, self.scene.constants)

    def use(self, scene: Scene) -> None:
        """Runs another table from now on, over the same buffers with what they hold.

        Raises ValueError for a table with other buffers or constants.
        """
        if (scene.buffers, scene.constants) != (self.scene.buffers, self.scene.constants):
            raise ValueError("a table to be swapped in must have the same buffers and constants")
        self.scene = scene
        self.load_kernels(scene.kernels)

    def pass_times(self) -> dict[str, float]:
        """GPU milliseconds of each pass of the last step and paint; waits for the GPU.

        Empty where the adapter has no timestamp queries.
        """
        return self.times_from(self._read(self.times_buffer))

    def paint_times(self) -> dict[str, float]:
        """As `pass_times`, of the draw passes alone."""
        names = {p.timed_as for p in self.scene.draw}
        return {name: ms for name, ms in self.pass_times().items() if name in names}

    def span_ms(self, raw: bytes | memoryview) -> float:
        """The GPU milliseconds between pairs of timestamps, uint64 each, added up."""
        ticks = np.frombuffer(raw, np.uint64).reshape(-1, 2)
        return float(sum(max(0, int(end) - int(begin)) for begin, end in ticks)) * self._tick_ms

    def times_from(self, raw: bytes | memoryview) -> dict[str, float]:
        """As `pass_times`, from a copy of `times_buffer`."""
        if not self.timed:
            return {}
        ticks = np.frombuffer(raw, np.uint64).reshape(2, -1)
        times: dict[str, float] = {}
        for row, passes in zip(ticks, (self.scene.update, self.scene.draw), strict=True):
            for i, p in enumerate(passes):
                spent = max(0, int(row[2 * i + 1]) - int(row[2 * i])) * self._tick_ms
                times[p.timed_as] = times.get(p.timed_as, 0.0) + spent
        return times

    # --- buffers -----------------------------------------------------------------------------

    def buffer(self, name: str) -> wgpu.GPUBuffer:
        """The GPU buffer `name`; of a pair, the side written last."""
        sides = self._sides[name]
        return sides[self._parity % len(sides)]

    def read(self, name: str) -> np.ndarray:
        """A copy of the buffer `name`, in its shape; waits for the GPU."""
        described = self.scene.buffers[name]
        raw = self._read(self.buffer(name), 0, _nbytes(described))
        return np.frombuffer(raw, described.dtype).reshape(described.shape).copy()

    def read_stats(self) -> dict[str, float]:
        """The scene's stats by name; waits for the GPU."""
        return self.stats_from(self.read("stats"))

    def stats_from(self, values: np.ndarray) -> dict[str, float]:
        """The scene's stats by name, from the content of its buffer `stats`."""
        # By way of the shortest decimal: 0.7, not the 0.699999988 that float32 stores for it.
        return {n: float(str(v)) for n, v in zip(self.scene.stats, values, strict=False)}

    def write(self, name: str, values: np.ndarray) -> None:
        """Overwrites the buffer `name`. Raises ValueError for another shape."""
        described = self.scene.buffers[name]
        if values.shape != described.shape:
            raise ValueError(f"{name} has shape {described.shape}, not {values.shape}")
        data = np.ascontiguousarray(values, described.dtype)
        self.device.queue.write_buffer(self.buffer(name), 0, data)

    def fill_guards(self, byte: int) -> None:
        """Sets the bytes behind all buffers."""
        for name, sides in self._sides.items():
            offset = _nbytes(self.scene.buffers[name])
            for side in sides:
                filling = np.full(side.size - offset, byte, np.uint8)
                self.device.queue.write_buffer(side, offset, filling)

    def read_guard(self, name: str) -> list[np.ndarray]:
        """The bytes behind each side of the buffer `name`."""
        offset = _nbytes(self.scene.buffers[name])
        return [np.frombuffer(self._read(side, offset), np.uint8) for side in self._sides[name]]

    # --- inside ------------------------------------------------------------------------------

    def _read(self, buffer: wgpu.GPUBuffer, offset: int = 0, size: int | None = None) -> memoryview:
        return memoryview(self.device.queue.read_buffer(buffer, offset, size))  # pyright: ignore

    def _encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        described: Pass,
        timer: wgpu.GPUQuerySet | None,
        index: int,
    ) -> None:
        """Records a pass. Its time runs from the first of its submissions to the last."""
        stamps: dict[str, Any] = {} if timer is None else {"query_set": timer}
        begin = {**stamps, "beginning_of_pass_write_index": 2 * index} if stamps else None
        end = {**stamps, "end_of_pass_write_index": 2 * index + 1} if stamps else None
        left = described.repeat
        while left > MAX_DISPATCHES:
            early = self.device.create_command_encoder(label=described.kernel)
            self._dispatch(early, described, MAX_DISPATCHES, begin)
            self.device.queue.submit([early.finish()])
            left -= MAX_DISPATCHES
            begin = None
        both = {**(begin or {}), **end} if end else None
        self._dispatch(encoder, described, left, both)

    def _dispatch(
        self,
        encoder: wgpu.GPUCommandEncoder,
        described: Pass,
        count: int,
        stamps: dict[str, Any] | None,
    ) -> None:
        kernel = self._kernel(described.kernel)
        workgroups = described.workgroups(kernel.workgroup_size)
        compute = encoder.begin_compute_pass(label=described.kernel, timestamp_writes=stamps)
        compute.set_pipeline(kernel.pipeline)
        for _ in range(count):
            compute.set_bind_group(0, kernel.groups[self._parity])
            compute.dispatch_workgroups(*workgroups)
            self._parity ^= kernel.swaps
        compute.end()

    def _write_frame(self, frame: Mapping[str, float]) -> None:
        for name, value in frame.items():
            self._frame[name] = value
        self.device.queue.write_buffer(self._frame_buffer, 0, self._frame.tobytes())

    def _create_sides(self, name: str, buffer: Buffer, guard: int) -> tuple[wgpu.GPUBuffer, ...]:
        usage = "STORAGE | COPY_SRC | COPY_DST"
        if _nbytes(buffer) + guard <= _MAX_UNIFORM:
            usage += " | UNIFORM"  # some kernel may bind it as one
        labels = (f"{name} a", f"{name} b") if buffer.pair else (name,)
        size = _nbytes(buffer) + guard
        return tuple(
            self.device.create_buffer(label=label, size=size, usage=usage) for label in labels
        )

    def _timer(self, passes: Sequence[Pass]) -> wgpu.GPUQuerySet | None:
        """The query set for the update or the draw passes; other passes are not timed."""
        if self.timed and passes is self.scene.update:
            return self._timers[0]
        if self.timed and passes is self.scene.draw:
            return self._timers[1]
        return None

    def _kernel(self, name: str) -> _Kernel:
        if name not in self._kernels:
            self._kernels[name] = self._create_kernel(self._shaders[name])
        return self._kernels[name]

    def _create_kernel(self, loaded: shader.Shader) -> _Kernel:
        # An explicit layout: "auto" drops bindings that a kernel happens not to use.
        layout = self.device.create_bind_group_layout(
            label=loaded.name,
            entries=[
                {
                    "binding": binding.slot,
                    "visibility": wgpu.ShaderStage.COMPUTE,
                    "buffer": {"type": binding.access},
                }
                for binding in loaded.bindings
            ],
        )
        pipeline = self.device.create_compute_pipeline(
            label=loaded.name,
            layout=self.device.create_pipeline_layout(
                label=loaded.name, bind_group_layouts=[layout]
            ),
            compute={
                "module": self.device.create_shader_module(label=loaded.name, code=loaded.source),
                "entry_point": loaded.entry_point,
            },
        )
        groups = (
            self._create_group(loaded, layout, parity=0),
            self._create_group(loaded, layout, parity=1),
        )
        swaps = any(b.name.endswith("_next") for b in loaded.bindings)
        return _Kernel(pipeline, groups, loaded.workgroup_size, swaps)

    def _create_group(
        self, loaded: shader.Shader, layout: wgpu.GPUBindGroupLayout, parity: int
    ) -> wgpu.GPUBindGroup:
        entries = []
        for binding in loaded.bindings:
            buffer = self._bound(loaded.name, binding.name, parity)
            resource = {"buffer": buffer, "offset": 0, "size": buffer.size}
            entries.append({"binding": binding.slot, "resource": resource})
        return self.device.create_bind_group(label=loaded.name, layout=layout, entries=entries)

    def _bound(self, kernel: str, name: str, parity: int) -> wgpu.GPUBuffer:
        """The buffer that a kernel's binding `name` stands for."""
        if name == "frame":
            return self._frame_buffer
        base = name.removesuffix("_next")
        sides = self._sides.get(base, ())
        if not sides or (base != name and len(sides) == 1):
            raise ValueError(f"{kernel} binds {name}, which is no buffer of the scene")
        return sides[(parity + (base != name)) % len(sides)]


def _nbytes(buffer: Buffer) -> int:
    return prod(buffer.shape) * np.dtype(buffer.dtype).itemsize


def print_adapters() -> int:
    """Prints the adapters, one a line; returns the exit code."""
    adapters = list_adapters()
    if not adapters:
        raise _no_adapter()
    for adapter in adapters:
        print(adapter_info(adapter))
    return 0
