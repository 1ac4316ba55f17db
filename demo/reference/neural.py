"""Document 001's passes in numpy: the twins of `shaders/neural/`.

Arrays, laid out as the GPU's buffers:
    w, v   (208,) parameters and velocities: W1 (12, 2) at 0, b1 (12,) at 24, W2 (12, 12) at 36,
           b2 (12,) at 180, W3 (12,) at 192, b3 at 204; slot 205 of w counts epochs, the rest is 0
    data   (SAMPLES, 4): x, y, label (0 or 1), 0
    stats  (4,): loss, accuracy, epoch, 0
    paint  (height, width, 4): RGBA, top row first
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

SAMPLES = 100
INPUTS = 2
HIDDEN = 12
SLOTS = 208
W1, B1, W2, B2, W3, B3, EPOCH = 0, 24, 36, 180, 192, 204, 205

BASE_COLOUR = np.array([0.012, 0.02, 0.046])
CLASS_COLOURS = np.array([[0.16, 0.31, 0.82], [1.0, 0.84, 0.24]])
SEAM_COLOUR = np.array([0.90, 0.95, 1.0])
RIM_COLOUR = np.array([0.01, 0.02, 0.05])
DOT_COLOURS = np.array([[0.45, 0.62, 1.0], [1.0, 0.88, 0.40]])
DOT_REACH_SQUARED = 0.00032
"""A dot's box in the plane: half its side, squared (the picture's height is 2). The rim ends
within, at 0.0178, so the box's corners stay as they are: document 001's round cut adds nothing."""


def hash_u32(key: ArrayLike) -> NDArray[np.uint32]:
    """The MurmurHash3 finaliser behind one multiplication, of each key modulo 2^32."""
    h = np.array(key, dtype=np.int64).astype(np.uint32)
    h *= 374761393  # in place: numpy's scalars would warn of the wrap, its arrays don't
    h ^= h >> 16
    h *= 2246822519
    h ^= h >> 13
    h *= 3266489917
    h ^= h >> 16
    return h


def rand_unit(key: ArrayLike) -> Floats:
    """A number in [0, 1] for each key."""
    return hash_u32(key) / 4294967295.0


def init(key_base: int) -> tuple[Floats, Floats]:
    """A fresh network, (w, v), drawn by the keys from `key_base + 1` on (the seed pass)."""
    spread = np.zeros(SLOTS)
    spread[W1:B1] = 0.65
    spread[W2:B2] = 0.5
    spread[W3:B3] = 0.68
    w = (rand_unit(key_base + np.arange(SLOTS) + 1) * 2.0 - 1.0) * spread
    return w, np.zeros(SLOTS)


def layers(w: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """Views of `w`: W1 (12, 2), b1 (12,), W2 (12, 12), b2 (12,), W3 (12,), b3 (1,)."""
    w1 = w[W1:B1].reshape(HIDDEN, INPUTS)
    w2 = w[W2:B2].reshape(HIDDEN, HIDDEN)
    return w1, w[B1:W2], w2, w[B2:W3], w[W3:B3], w[B3:EPOCH]


def forward(w: ArrayLike, points: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """The activations h1 (N, 12) and h2 (N, 12) and the logits (N,) for `points` (N, 2)."""
    w1, b1, w2, b2, w3, b3 = layers(np.asarray(w, dtype=np.float64))
    h1 = np.tanh(np.asarray(points, dtype=np.float64) @ w1.T + b1)
    h2 = np.tanh(h1 @ w2.T + b2)
    return h1, h2, h2 @ w3 + b3


def sigmoid(logits: Floats) -> Floats:
    """The probability of class 1."""
    return 1.0 / (1.0 + np.exp(np.clip(-logits, -700.0, 700.0)))


def gradient(w: ArrayLike, data: ArrayLike) -> Floats:
    """Pass 1's `g`, laid out as w: the cross-entropy's gradient, summed over the samples."""
    data = np.asarray(data, dtype=np.float64)
    points, labels = data[:, :2], data[:, 2]
    h1, h2, logits = forward(w, points)
    _, _, w2, _, w3, _ = layers(np.asarray(w, dtype=np.float64))
    ds = sigmoid(logits) - labels
    d2 = ds[:, None] * w3 * (1.0 - h2**2)
    d1 = d2 @ w2 * (1.0 - h1**2)
    parts = (d1.T @ points, d1.sum(0), d2.T @ h1, d2.sum(0), ds @ h2, ds.sum())
    g = np.zeros(SLOTS)
    g[:EPOCH] = np.concatenate([np.ravel(part) for part in parts])
    return g


def loss(w: ArrayLike, data: ArrayLike) -> float:
    """The mean cross-entropy, unclamped and stable: what `gradient` / SAMPLES differentiates."""
    data = np.asarray(data, dtype=np.float64)
    _, _, logits = forward(w, data[:, :2])
    return float(np.mean(np.logaddexp(0.0, logits) - data[:, 2] * logits))


def difference(w: ArrayLike, data: ArrayLike, step: float = 2.0**-10) -> Floats:
    """As `gradient`, by a forward difference of `step` for each parameter."""
    w = np.asarray(w, dtype=np.float64)
    base = loss(w, data)
    g = np.zeros(SLOTS)
    for i in range(EPOCH):
        grown = w.copy()
        grown[i] += step
        g[i] = (loss(grown, data) - base) / step
    return g * len(np.asarray(data))


def train(
    w: ArrayLike,
    v: ArrayLike,
    data: ArrayLike,
    epochs: int = 3,
    restart: bool = False,
    key_base: int = 0,
    learning_rate: float = 0.25,
    momentum: float = 0.9,
    gradient_of: Callable[[ArrayLike, ArrayLike], Floats] = gradient,
) -> tuple[Floats, Floats]:
    """(w, v) after `epochs` steps of momentum SGD over the whole batch (pass 1).

    `gradient_of(w, data)` is the way to take the gradient: `gradient` or `difference`.

    A restart publishes a fresh network instead, and counts the epochs that it throws away.
    """
    if restart:
        w, v = init(key_base)
        w[EPOCH] = epochs
        return w, v
    w, v = np.array(w, dtype=np.float64), np.asarray(v, dtype=np.float64)
    rate = learning_rate / len(np.asarray(data))
    for _ in range(epochs):
        v = momentum * v - rate * gradient_of(w, data)
        w += v
    w[EPOCH] += epochs
    return w, v


def stats(w: ArrayLike, data: ArrayLike) -> Floats:
    """Loss, accuracy, epoch, 0 of the batch (pass 2); a p of exactly 0.5 counts as wrong."""
    data = np.asarray(data, dtype=np.float64)
    labels = data[:, 2]
    _, _, logits = forward(w, data[:, :2])
    p = np.clip(sigmoid(logits), 1e-6, 1.0 - 1e-6)
    losses = -(labels * np.log(p) + (1.0 - labels) * np.log(1.0 - p))
    right = (p - 0.5) * (labels - 0.5) > 0.0
    return np.array([losses.mean(), right.mean(), np.asarray(w)[EPOCH], 0.0])


def spiral(s: NDArray[np.int64]) -> Floats:
    """Two arms of 4.4 radians, a class each: (x, y, label) of the samples `s`."""
    arm, i = np.divmod(s, SAMPLES // 2)
    t = i / (SAMPLES // 2)
    radius = 0.13 + 0.74 * t
    angle = t * 4.4 + arm * np.pi
    noise_x = (rand_unit(s * 2 + 1) - 0.5) * 0.07
    noise_y = (rand_unit(s * 2 + 2) - 0.5) * 0.07
    return np.stack([radius * np.cos(angle) + noise_x, radius * np.sin(angle) + noise_y, arm], 1)


def rings(s: NDArray[np.int64]) -> Floats:
    """A disk (class 1, the first half) inside a ring: (x, y, label) of the samples `s`."""
    inner = s * 2 < SAMPLES
    draw = rand_unit(100003 + s * 3 + 1)
    radius = np.where(inner, np.sqrt(draw) * 0.34, 0.58 + draw * 0.27)
    angle = rand_unit(100003 + s * 3 + 2) * (2.0 * np.pi)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), inner.astype(np.float64)], 1)


def xor(s: NDArray[np.int64]) -> Floats:
    """Four quarters, class 1 where x and y share a sign: (x, y, label) of the samples `s`."""
    x = (rand_unit(200003 + s * 3 + 1) * 2.0 - 1.0) * 0.85
    y = (rand_unit(200003 + s * 3 + 2) * 2.0 - 1.0) * 0.85
    return np.stack([x, y, (x * y > 0.0).astype(np.float64)], 1)


SHAPES = (spiral, rings, xor)


def dataset(shape: int) -> Floats:
    """The points (SAMPLES, 4) of a shape: 0 spiral, 1 rings, 2 xor (pass 3)."""
    points = SHAPES[shape](np.arange(SAMPLES))
    return np.pad(points, ((0, 0), (0, 1)))


def plane(width: int, height: int) -> tuple[Floats, Floats]:
    """x (width,) and y (height,) of the pixels' centres: y falls from 1 to -1, x by the aspect."""
    x = ((np.arange(width) + 0.5) / width - 0.5) * 2.0 * (width / height)
    y = (0.5 - (np.arange(height) + 0.5) / height) * 2.0
    return x, y


def smoothstep(low: float, high: float, x: Floats) -> Floats:
    """WGSL's smoothstep: 0 below `low`, 1 above `high`, a cubic between."""
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def fold(w: ArrayLike, height: int) -> Floats:
    """The folded weights (55, 4) as `shaders/neural/folded.wgsl` lays them out: with
    c = 2 log2(e), tanh(a) = 1 - 2 / (1 + 2^(c a))."""
    w1, b1, w2, b2, w3, b3 = layers(np.asarray(w, dtype=np.float64))
    c = 2.0 * np.log2(np.e)
    step = 2.0 ** (c * w1[:, 0] * 2.0 / height)
    first = np.column_stack([c * w1, c * b1, step])
    second = (-2.0 * c * w2).reshape(-1, 4)
    second_bias = (c * (b2 + w2.sum(1))).reshape(-1, 4)
    output_bias = np.full((1, 4), -0.5 * c * (b3[0] + w3.sum()))
    return np.concatenate([first, second, second_bias, (c * w3).reshape(-1, 4), output_bias])


def probability(w: ArrayLike, width: int, height: int) -> Floats:
    """The probability of class 1 at each pixel, (height, width)."""
    points = np.stack(np.meshgrid(*plane(width, height)), -1).reshape(-1, 2)
    return sigmoid(forward(w, points)[2]).reshape(height, width)


def field(w: ArrayLike, width: int, height: int, band_phase: float, pulse_phase: float) -> Floats:
    """The decision field without its dots, (height, width, 4) (pass 4).

    `band_phase` is the frame's time x 0.25 (turns, any whole number added), `pulse_phase` its
    time x 2.4 (radians).
    """
    p = probability(w, width, height).ravel()
    confidence = np.abs(p - 0.5) * 2.0
    fill = 0.10 + 0.60 * confidence**2
    band = smoothstep(0.44, 0.5, np.abs((p * 9.0 - band_phase) % 1.0 - 0.5)) * 0.10
    edge = np.exp(-(((p - 0.5) / 0.035) ** 2))
    seam = edge * 0.55 * (0.72 + 0.28 * np.sin(pulse_phase))
    side = CLASS_COLOURS[np.where(p < 0.5, 0, 1)]
    colours = BASE_COLOUR + side * (fill + band)[:, None] + SEAM_COLOUR * seam[:, None]
    return np.insert(colours, 3, 1.0, axis=1).reshape(height, width, 4)


def dots(paint: ArrayLike, data: ArrayLike) -> Floats:
    """A new `paint` with the points laid over it in sample order (the end of pass 4)."""
    paint = np.array(paint, dtype=np.float64)
    x, y = plane(paint.shape[1], paint.shape[0])
    for dot_x, dot_y, label, _ in np.asarray(data, dtype=np.float64):
        columns = np.flatnonzero((x - dot_x) ** 2 < DOT_REACH_SQUARED)
        rows = np.flatnonzero((y - dot_y) ** 2 < DOT_REACH_SQUARED)
        radius = np.hypot(x[columns] - dot_x, y[rows, None] - dot_y)
        box = np.ix_(rows, columns, np.arange(3))
        paint[box] = _dotted(paint[box], radius[..., None], int(label >= 0.5))
    return paint


def _dotted(colours: Floats, radius: Floats, label: int) -> Floats:
    """`colours` (rows, columns, 3) under a dot's dark rim and core; `radius` from its centre."""
    rim = 1.0 - smoothstep(0.0155, 0.0178, radius)
    core = 1.0 - smoothstep(0.0100, 0.0148, radius)
    rimmed = colours + (RIM_COLOUR - colours) * rim
    return rimmed + (DOT_COLOURS[label] - rimmed) * core
