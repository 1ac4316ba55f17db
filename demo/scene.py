"""What a scene is: a table of constants, buffers and passes. No GPU calls are made here.

`gpu.Runner` runs the table on wgpu; any other host can run the same table with the same WGSL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil

Constant = int | float | tuple[float, float, float]


@dataclass(frozen=True)
class Buffer:
    """A GPU buffer of `shape` elements of `dtype` (a numpy name).

    A `pair` has two sides: a kernel binds `x`, the side written last, and `x_next`, the side to be
    written. They swap after each pass that binds an `x_next`.
    """

    shape: tuple[int, ...]
    dtype: str = "float32"
    pair: bool = False


@dataclass(frozen=True)
class Pass:
    """A dispatch of the kernel `shaders/<scene>/<kernel>.wgsl` over `threads` (x, y, z) threads.

    It is dispatched `repeat` times; pairs swap after each. Its time counts as that of the pass
    `part_of`, if it is a part or a kind of that one.
    """

    kernel: str
    threads: tuple[int, ...]
    part_of: str | None = None
    repeat: int = 1

    @property
    def timed_as(self) -> str:
        """The name that its time goes by."""
        return self.part_of or self.kernel

    def workgroups(self, workgroup_size: tuple[int, int, int]) -> tuple[int, int, int]:
        """The workgroups (x, y, z) that hold all threads."""
        threads = (*self.threads, 1, 1)[:3]
        x, y, z = (ceil(t / s) for t, s in zip(threads, workgroup_size, strict=True))
        return x, y, z


@dataclass(frozen=True)
class Scene:
    """A scene's table.

    `start` runs once, `update` is one step of training, `draw` paints the buffer `paint`, RGBA
    float32 of shape (height, width, 4), from what `update` left. `stats` names the leading elements
    of the buffer `stats`, the only one that is read back while running.
    """

    name: str
    constants: Mapping[str, Constant]
    buffers: Mapping[str, Buffer]
    start: tuple[Pass, ...]
    update: tuple[Pass, ...]
    draw: tuple[Pass, ...]
    stats: tuple[str, ...] = field(default=())

    @property
    def size(self) -> tuple[int, int]:
        """The picture's (width, height) in pixels."""
        height, width, _ = self.buffers["paint"].shape
        return width, height

    @property
    def kernels(self) -> tuple[str, ...]:
        """Each kernel's name once, in the order of first use."""
        return tuple(dict.fromkeys(p.kernel for p in (*self.start, *self.update, *self.draw)))
