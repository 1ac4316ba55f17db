"""What a person would use instead: numpy, and PyTorch where it is installed, for the same work.

They train the same network on the same data and evaluate it at the picture's pixels. They run in a
process of their own, with numpy on one thread and without the GPU's work beside them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .measure import Figure, figure, sample
from .reference import neural as reference

RATE, MOMENTUM = 0.25, 0.9


def figures(data: np.ndarray, size: tuple[int, int]) -> Iterator[Figure]:
    """Measures on `data` (SAMPLES, 4), for a picture of `size` (width, height)."""
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        cwd=Path(__file__).resolve().parent.parent,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        input=json.dumps({"data": data.tolist(), "size": size}),
        stdout=subprocess.PIPE,
        text=True,
    )
    done.check_returncode()
    for line in done.stdout.splitlines():
        yield Figure(**json.loads(line))


def _measure(data: np.ndarray, size: tuple[int, int]) -> Iterator[Figure]:
    pixels = np.stack(np.meshgrid(*reference.plane(*size)), -1).reshape(-1, 2)
    yield from _numpy(data.astype(np.float32), pixels.astype(np.float32))
    try:
        import torch  # pyright: ignore
    except ImportError:
        return
    yield from _torch(torch, data, pixels, "cpu")
    if torch.cuda.is_available():
        yield from _torch(torch, data, pixels, "cuda")


def _figure(what: str, run: Callable[[], object], unit: str, wait: Callable[[], object]) -> Figure:
    """The time of `run`, until `wait` has returned."""

    def once() -> float:
        start = time.perf_counter()
        run()
        wait()
        return time.perf_counter() - start

    factor = {"µs": 1e6, "ms": 1e3}[unit]
    return figure(what, unit, [factor * seconds for seconds in sample(once)])


# --- numpy: float32, one thread ------------------------------------------------------------------


def _numpy(data: np.ndarray, pixels: np.ndarray) -> Iterator[Figure]:
    layers = [part.astype(np.float32) for part in reference.layers(reference.init(0)[0])]
    steps = [np.zeros_like(layer) for layer in layers]

    def epoch() -> None:
        for layer, step, slope in zip(layers, steps, _slopes(layers, data), strict=True):
            step *= np.float32(MOMENTUM)
            step -= np.float32(RATE / len(data)) * slope
            layer += step

    def field() -> np.ndarray:
        w1, b1, w2, b2, w3, b3 = layers
        h1 = np.tanh(pixels @ w1.T + b1)
        return np.tanh(h1 @ w2.T + b2) @ w3 + b3

    yield _figure("one epoch, numpy", epoch, "µs", lambda: None)
    yield _figure("field's network alone, numpy", field, "ms", lambda: None)


def _slopes(layers: list[np.ndarray], data: np.ndarray) -> list[np.ndarray]:
    """The gradient by each of the six parts of the parameters, summed over the samples."""
    w1, b1, w2, b2, w3, b3 = layers
    points, labels = data[:, :2], data[:, 2]
    h1 = np.tanh(points @ w1.T + b1)
    h2 = np.tanh(h1 @ w2.T + b2)
    error = 1.0 / (1.0 + np.exp(-(h2 @ w3 + b3))) - labels
    d2 = error[:, None] * w3 * (1.0 - h2 * h2)
    d1 = d2 @ w2 * (1.0 - h1 * h1)
    return [d1.T @ points, d1.sum(0), d2.T @ h1, d2.sum(0), error @ h2, error.sum(keepdims=True)]


# --- PyTorch: eager, and as a CUDA graph ---------------------------------------------------------


def _torch(torch: Any, data: np.ndarray, pixels: np.ndarray, device: str) -> Iterator[Figure]:
    network = torch.nn.Sequential(
        torch.nn.Linear(2, 12), torch.nn.Tanh(),
        torch.nn.Linear(12, 12), torch.nn.Tanh(),
        torch.nn.Linear(12, 1),
    ).to(device)  # fmt: skip
    points = torch.tensor(data[:, :2], dtype=torch.float32, device=device)
    labels = torch.tensor(data[:, 2:3], dtype=torch.float32, device=device)
    grid = torch.tensor(pixels, dtype=torch.float32, device=device)
    optimizer = torch.optim.SGD(network.parameters(), lr=RATE, momentum=MOMENTUM)
    loss_of = torch.nn.BCEWithLogitsLoss()
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None

    def epoch() -> None:
        optimizer.zero_grad(set_to_none=False)
        loss_of(network(points), labels).backward()
        optimizer.step()

    def field() -> Any:
        with torch.no_grad():
            return network(grid)

    where = "PyTorch on the CPU" if device == "cpu" else "PyTorch on the GPU"
    yield _figure(f"one epoch, {where}", epoch, "µs", wait)
    if device == "cuda":
        yield _figure("one epoch, PyTorch, a CUDA graph", _captured(torch, epoch), "µs", wait)
    yield _figure(f"field's network alone, {where}", field, "ms", wait)


def _captured(torch: Any, work: Callable[[], None]) -> Callable[[], None]:
    """`work` as a CUDA graph, after the warm-up on a side stream that capturing asks for."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    for measured in _measure(np.array(asked["data"]), tuple(asked["size"])):
        print(json.dumps(vars(measured)), flush=True)
