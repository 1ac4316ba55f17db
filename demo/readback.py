"""The latest content of small GPU buffers, one to three frames late, without stalling a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import wgpu

Tag = TypeVar("Tag")

DEPTH = 4  # copies that may be under way; while all are, a frame's content is skipped


class Readback(Generic[Tag]):
    """Copies `sources`, (buffer, bytes) each, into staging buffers and maps those in turn.

    Must be used inside the event loop, which delivers the results: `deliver(tag, contents)` is
    called with the tag given to `copy` and a list of bytes, one of each source.
    """

    def __init__(
        self,
        device: wgpu.GPUDevice,
        sources: Sequence[tuple[wgpu.GPUBuffer, int]],
        deliver: Callable[[Tag, list[bytes]], None],
    ) -> None:
        self._sources = sources
        self._deliver = deliver
        total = sum(size for _, size in sources)
        self._free = [
            device.create_buffer(label=f"readback {i}", size=total, usage="MAP_READ | COPY_DST")
            for i in range(DEPTH)
        ]
        self._copied: tuple[wgpu.GPUBuffer, Tag] | None = None
        self._mapping: dict[wgpu.GPUBuffer, wgpu.GPUPromise] = {}

    def copy(self, encoder: wgpu.GPUCommandEncoder, tag: Tag) -> None:
        """Records the copy of this frame's content."""
        if not self._free:
            return
        staging = self._free.pop()
        offset = 0
        for buffer, size in self._sources:
            encoder.copy_buffer_to_buffer(buffer, 0, staging, offset, size)
            offset += size
        self._copied = staging, tag

    def submitted(self) -> None:
        """To be called after the encoder's commands were submitted."""
        if self._copied is None:
            return
        staging, tag = self._copied
        self._copied = None
        # A plain READ makes wgpu 0.32 submit once more, which stalls lavapipe for a frame.
        promise = staging.map_async("READ_NOSYNC")
        self._mapping[staging] = promise
        promise.then(lambda _: self._take(staging, tag))

    def close(self) -> None:
        """Waits for what is under way: a map that is pending when the loop ends is an error."""
        for staging, promise in list(self._mapping.items()):
            if staging.map_state == "pending":
                promise.sync_wait()
            if staging.map_state == "mapped":
                staging.unmap()
        self._mapping.clear()
        self._free.clear()

    def _take(self, staging: wgpu.GPUBuffer, tag: Tag) -> None:
        if self._mapping.pop(staging, None) is None:
            return  # closed meanwhile
        raw = bytes(memoryview(staging.read_mapped()))  # pyright: ignore
        staging.unmap()
        self._free.append(staging)
        contents = []
        offset = 0
        for _, size in self._sources:
            contents.append(raw[offset : offset + size])
            offset += size
        self._deliver(tag, contents)
