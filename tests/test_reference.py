"""The float64 twins alone, without a GPU: against finite differences, scalar arithmetic written
out here, and numbers from outside the project (ORACLES.md; document 001 is the specification)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from demo.reference import neural

EPOCHS_PER_FRAME = 3
SECONDS_PER_SHAPE = 6
FRAMES_PER_SECOND = 60
FRAMES_PER_SHAPE = FRAMES_PER_SECOND * SECONDS_PER_SHAPE


def random_network(seed: int) -> np.ndarray:
    """Every parameter at random, biases too, large enough to bend the tanh, with an epoch count."""
    w = np.zeros(208)
    w[:205] = np.random.default_rng(seed).normal(0.0, 0.6, 205)
    w[205] = 9.0
    return w


def integer_hash(key: int) -> int:
    """ORACLES.md's hash in Python's unbounded integers."""
    h = key * 374761393 % 2**32
    h = (h ^ h // 2**16) * 2246822519 % 2**32
    h = (h ^ h // 2**13) * 3266489917 % 2**32
    return h ^ h // 2**16


def smooth(low: float, high: float, x: float) -> float:
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return 3.0 * t**2 - 2.0 * t**3


# --- chance ---------------------------------------------------------------------------------


def test_hash_of_zero_is_zero() -> None:
    assert neural.hash_u32(0) == 0


@pytest.mark.parametrize("key", [1, 2, 205, 100004, 200304, 9972 * 205 + 205, 2**32 - 1])
def test_hash_is_the_integer_expression(key: int) -> None:
    assert int(neural.hash_u32(key)) == integer_hash(key)


def test_hash_wraps_its_key_and_takes_arrays() -> None:
    keys = np.array([7, 2**32 + 7, -1])
    expected = [integer_hash(7), integer_hash(7), integer_hash(2**32 - 1)]
    assert neural.hash_u32(keys).dtype == np.uint32
    np.testing.assert_array_equal(neural.hash_u32(keys), expected)


def test_rand_unit_reaches_both_ends() -> None:
    assert neural.rand_unit(0) == 0.0
    assert neural.rand_unit(1) == integer_hash(1) / (2**32 - 1)


# --- the network ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slot", "spread"), [(0, 0.65), (23, 0.65), (36, 0.5), (179, 0.5), (192, 0.68), (203, 0.68)]
)
@pytest.mark.parametrize("key_base", [0, 582 * 205])
def test_init_draws_each_weight_by_its_key(key_base: int, slot: int, spread: float) -> None:
    w, _ = neural.init(key_base)
    draw = integer_hash(key_base + slot + 1) / (2**32 - 1)
    assert w[slot] == pytest.approx((2.0 * draw - 1.0) * spread, rel=1e-12)


def test_init_leaves_biases_padding_epoch_and_velocities_at_zero() -> None:
    w, v = neural.init(0)
    assert w.shape == v.shape == (208,)
    np.testing.assert_array_equal(np.r_[w[24:36], w[180:192], w[204:], v], 0.0)


def test_forward_is_document_001s_loop() -> None:
    w, (x0, x1) = random_network(0), (0.3, -0.8)
    h1 = [math.tanh(w[2 * j] * x0 + w[2 * j + 1] * x1 + w[24 + j]) for j in range(12)]
    h2 = [
        math.tanh(w[180 + j] + sum(w[36 + j * 12 + k] * h1[k] for k in range(12)))
        for j in range(12)
    ]
    logit = w[204] + sum(w[192 + j] * h2[j] for j in range(12))
    found = neural.forward(w, [[0.0, 0.0], [x0, x1]])
    for array, expected in zip(found, (h1, h2, logit), strict=True):
        np.testing.assert_allclose(array[1], expected, rtol=1e-12)


@pytest.mark.parametrize("shape", [0, 1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_gradient_is_the_slope_of_the_loss(seed: int, shape: int) -> None:
    """In every parameter, within 1e-6 of its own size plus 1e-9 of the largest."""
    w, data, step = random_network(seed), neural.dataset(shape), 1e-5
    exact = neural.gradient(w, data)
    slopes = np.zeros(208)
    for i in range(205):
        shift = step * np.eye(208)[i]
        slopes[i] = (neural.loss(w + shift, data) - neural.loss(w - shift, data)) / (2.0 * step)
    largest = np.abs(exact).max()
    assert largest > 1.0
    np.testing.assert_allclose(slopes * len(data), exact, rtol=1e-6, atol=1e-9 * largest)


def test_train_is_momentum_descent_on_the_mean_gradient() -> None:
    w, data = random_network(5), neural.dataset(1)
    v = np.where(np.arange(208) < 205, 0.01, 0.0)
    first = 0.8 * v - 0.1 * neural.gradient(w, data) / 100
    second = 0.8 * first - 0.1 * neural.gradient(w + first, data) / 100
    w_next, v_next = neural.train(w, v, data, epochs=2, learning_rate=0.1, momentum=0.8)
    np.testing.assert_allclose(v_next, second, rtol=1e-12)
    np.testing.assert_allclose(w_next[:205], (w + first + second)[:205], rtol=1e-12)
    np.testing.assert_array_equal(w_next[205:], [11.0, 0.0, 0.0])


def test_train_leaves_what_it_is_given() -> None:
    w, v, data = random_network(6), np.zeros(208), neural.dataset(0)
    neural.train(w, v, data)
    np.testing.assert_array_equal(w, random_network(6))
    assert not v.any()


def test_restart_publishes_a_fresh_network_and_counts_the_discarded_epochs() -> None:
    w, v = neural.train(random_network(7), np.ones(208), neural.dataset(0), 3, True, 582 * 205)
    fresh, _ = neural.init(582 * 205)
    np.testing.assert_array_equal(w[:205], fresh[:205])
    np.testing.assert_array_equal(w[205:], [3.0, 0.0, 0.0])
    assert not v.any()


def test_stats_agrees_with_loss_and_carries_the_epoch() -> None:
    w, data = random_network(8), neural.dataset(2)
    right = (neural.forward(w, data[:, :2])[2] > 0.0) == (data[:, 2] == 1.0)
    expected = [neural.loss(w, data), np.count_nonzero(right) / 100, 9.0, 0.0]
    np.testing.assert_allclose(neural.stats(w, data), expected, rtol=1e-9)


def test_stats_clamps_certainty_and_counts_a_tie_as_wrong() -> None:
    w, data = np.zeros(208), neural.dataset(0)
    np.testing.assert_allclose(neural.stats(w, data), [math.log(2.0), 0.0, 0.0, 0.0], rtol=1e-12)
    w[204] = 50.0  # certain of class 1, which half of the points are
    clamped = -0.5 * (math.log(1e-6) + math.log(1.0 - 1e-6))
    np.testing.assert_allclose(neural.stats(w, data), [clamped, 0.5, 0.0, 0.0], rtol=1e-9)


# --- the points -----------------------------------------------------------------------------


def unit(key: int) -> float:
    return integer_hash(key) / (2**32 - 1)


def spiral_point(s: int) -> tuple[float, float, float]:
    arm, t = s // 50, s % 50 / 50
    radius, angle = 0.13 + 0.74 * t, 4.4 * t + math.pi * arm
    x, y = radius * math.cos(angle), radius * math.sin(angle)
    return x + 0.07 * (unit(2 * s + 1) - 0.5), y + 0.07 * (unit(2 * s + 2) - 0.5), float(arm)


def ring_point(s: int) -> tuple[float, float, float]:
    draw, angle = unit(100004 + 3 * s), 2.0 * math.pi * unit(100005 + 3 * s)
    radius = 0.34 * math.sqrt(draw) if s < 50 else 0.58 + 0.27 * draw
    return radius * math.cos(angle), radius * math.sin(angle), 1.0 if s < 50 else 0.0


def xor_point(s: int) -> tuple[float, float, float]:
    x, y = (0.85 * (2.0 * unit(key + 3 * s) - 1.0) for key in (200004, 200005))
    return x, y, 1.0 if (x > 0.0) == (y > 0.0) else 0.0


@pytest.mark.parametrize(("shape", "point"), [(0, spiral_point), (1, ring_point), (2, xor_point)])
def test_dataset_is_document_001s_formula(shape: int, point: Callable) -> None:
    expected = [(*point(s), 0.0) for s in range(100)]
    np.testing.assert_allclose(neural.dataset(shape), expected, rtol=1e-12, atol=1e-12)


# --- the picture ----------------------------------------------------------------------------


def field_pixel(p: float, band_phase: float, pulse_phase: float) -> list[float]:
    """Document 001's shading of one probability."""
    side = (0.16, 0.31, 0.82) if p < 0.5 else (1.0, 0.84, 0.24)
    turns = 9.0 * p - band_phase
    band = 0.10 * smooth(0.44, 0.5, abs(turns - math.floor(turns) - 0.5))
    fill = 0.10 + 0.60 * (2.0 * abs(p - 0.5)) ** 2
    seam = math.exp(-(((p - 0.5) / 0.035) ** 2)) * 0.55 * (0.72 + 0.28 * math.sin(pulse_phase))
    base, glow = (0.012, 0.02, 0.046), (0.90, 0.95, 1.0)
    return [base[c] + side[c] * (fill + band) + glow[c] * seam for c in range(3)] + [1.0]


@pytest.mark.parametrize(("band_phase", "pulse_phase"), [(0.0, 0.0), (0.5, 1.3), (0.99, 5.0)])
def test_field_shades_every_pixel_by_its_probability(band_phase: float, pulse_phase: float) -> None:
    w, width, height = random_network(9), 32, 18
    expected = np.empty((height, width, 4))
    for row, column in np.ndindex(height, width):
        x = ((column + 0.5) / width * 2.0 - 1.0) * (width / height)
        y = 1.0 - (row + 0.5) / height * 2.0
        logit = neural.forward(w, [[x, y]])[2].item()
        expected[row, column] = field_pixel(1.0 / (1.0 + math.exp(-logit)), band_phase, pulse_phase)
    painted = neural.field(w, width, height, band_phase, pulse_phase)
    np.testing.assert_allclose(painted, expected, rtol=1e-9)


def test_an_undecided_field_is_gold_under_a_full_seam() -> None:
    """All weights zero: p = 0.5 everywhere; half a turn puts a band's crest on it."""
    painted = neural.field(np.zeros(208), 4, 2, 0.5, math.pi / 2)
    expected = [0.012 + 0.2 + 0.9 * 0.55, 0.02 + 0.168 + 0.95 * 0.55, 0.046 + 0.048 + 0.55, 1.0]
    np.testing.assert_allclose(painted, np.broadcast_to(expected, (2, 4, 4)), rtol=1e-12)


def dotted_pixel(colour: np.ndarray, x: float, y: float, data: np.ndarray) -> np.ndarray:
    """Document 001's overlay of one pixel's `colour` (3,): every point, in order."""
    for dot_x, dot_y, label, _ in data:
        squared = (x - dot_x) ** 2 + (y - dot_y) ** 2
        if squared < 0.00032:
            radius = math.sqrt(squared)
            core_colour = np.array([0.45, 0.62, 1.0] if label < 0.5 else [1.0, 0.88, 0.40])
            rim = 1.0 - smooth(0.0155, 0.0178, radius)
            core = 1.0 - smooth(0.0100, 0.0148, radius)
            colour = colour * (1.0 - rim) + np.array([0.01, 0.02, 0.05]) * rim
            colour = colour * (1.0 - core) + core_colour * core
    return colour


def test_dots_cover_each_other_in_sample_order_and_are_clipped() -> None:
    width, height = 40, 540  # as fine as the program's picture, but a strip: x within 0.074
    data = np.zeros((5, 4))
    data[:, :2] = [(0.0, 0.0), (0.012, 0.006), (-0.009, 0.014), (0.07, 0.995), (5.0, 5.0)]
    data[:, 2] = [0, 1, 0, 1, 1]
    paint = np.ones((height, width, 4))
    paint[..., :3] = np.random.default_rng(10).random((height, width, 3))
    before, expected = paint.copy(), paint.copy()
    for row, column in np.ndindex(height, width):
        x = ((column + 0.5) / width * 2.0 - 1.0) * (width / height)
        y = 1.0 - (row + 0.5) / height * 2.0
        expected[row, column, :3] = dotted_pixel(paint[row, column, :3], x, y, data)
    np.testing.assert_allclose(neural.dots(paint, data), expected, rtol=1e-9)
    np.testing.assert_array_equal(paint, before)
    touched = (expected != paint).any(-1)
    assert touched[height // 2, width // 2]
    assert touched[:2, -2:].any()


# --- numbers from outside -------------------------------------------------------------------


def default_sequence(frames: int) -> Iterator[np.ndarray]:
    """The stats (4,) of each frame at 60 fps: train, stats, dataset, in that order."""
    w, v = neural.init(0)
    data, shape_before = neural.dataset(0), 0
    for frame in range(frames):
        shape = frame // FRAMES_PER_SHAPE % 3
        key_base = (frame * 97 // FRAMES_PER_SECOND) % 9973 * 205
        w, v = neural.train(w, v, data, restart=shape != shape_before, key_base=key_base)
        yield neural.stats(w, data)
        data, shape_before = neural.dataset(shape), shape


@pytest.fixture(scope="module")
def sequence() -> np.ndarray:
    """The stats (1080, 4) of the default sequence: spiral, rings, XOR."""
    stats = np.array(list(default_sequence(3 * FRAMES_PER_SHAPE)))
    assert np.isfinite(stats).all()
    return stats


def test_first_frame_is_the_authors(sequence: np.ndarray) -> None:
    loss, accuracy, epoch, _ = sequence[0]
    assert (math.floor(loss * 1000), math.floor(accuracy * 1000), epoch) == (583, 700, 3)
    assert loss == pytest.approx(0.5831964, abs=2e-5)


@pytest.mark.parametrize(
    ("frames", "expected", "bound"), [(51, 1.8043e-3, 1e-5), (351, 1.5195e-4, 1e-6)]
)
def test_spiral_loss_is_the_drivers(
    sequence: np.ndarray, frames: int, expected: float, bound: float
) -> None:
    loss, accuracy, epoch, _ = sequence[frames - 1]
    assert loss == pytest.approx(expected, abs=bound)
    assert (accuracy, epoch) == (1.0, frames * EPOCHS_PER_FRAME)


@pytest.mark.parametrize(("shape", "expected"), [(0, 1.4756e-4), (1, 2.2496e-4), (2, 6.0300e-4)])
def test_each_shapes_last_loss(sequence: np.ndarray, shape: int, expected: float) -> None:
    loss, _, epoch, _ = sequence[(shape + 1) * FRAMES_PER_SHAPE - 1]
    assert loss == pytest.approx(expected, rel=0.01)
    assert epoch == FRAMES_PER_SHAPE * EPOCHS_PER_FRAME


@pytest.mark.parametrize(("shape", "expected"), [(0, 66), (1, 60), (2, 69)])
def test_trained_epochs_until_accuracy_holds(
    sequence: np.ndarray, shape: int, expected: int
) -> None:
    frames = sequence[shape * FRAMES_PER_SHAPE :][:FRAMES_PER_SHAPE]
    reached = frames[np.argmax(frames[:, 1] >= 0.98)]
    discarded = 0 if shape == 0 else EPOCHS_PER_FRAME
    assert reached[1] >= 0.98
    assert abs(reached[2] - discarded - expected) <= 3
