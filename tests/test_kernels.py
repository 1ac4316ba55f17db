"""Each kernel, one dispatch from a random valid state, against its float64 twin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pytest

from demo.gpu import Runner
from demo.reference import neural as reference
from demo.scene import Pass
from demo.scenes import neural

from .playing import create_runner, play_through

SIZE = (331, 187)  # odd, so that runs of pixels end outside
GUARD = 256
SCENES = {t: neural.scene(SIZE, software=True, trainer=t) for t in neural.TRAINERS}
KERNELS = list(dict.fromkeys(kernel for scene in SCENES.values() for kernel in scene.kernels))
TRAINERS = [f"train_{trainer}" for trainer in neural.TRAINERS]
SEEDS = (1, 2, 3)
FRAME = {"band_phase": 0.3, "pulse_phase": 1.1, "key_base": 582 * 205, "epochs": 3}


@dataclass(frozen=True)
class State:
    """A random valid state of all buffers, float32 values in float64."""

    w: np.ndarray
    v: np.ndarray
    data: np.ndarray
    paint: np.ndarray

    @staticmethod
    def random(seed: int) -> State:
        chance = np.random.default_rng(seed)
        w, v = (np.zeros(208) for _ in range(2))
        w[:205] = chance.normal(0.0, 1.0, 205)
        v[:205] = chance.normal(0.0, 0.02, 205)
        w[205] = 3 * chance.integers(1000)
        data = reference.dataset(int(chance.integers(3)))
        data[:, :2] += chance.normal(0.0, 0.05, (100, 2))
        paint = np.ones((SIZE[1], SIZE[0], 4))
        paint[..., :3] = chance.uniform(0.0, 1.0, paint[..., :3].shape)
        return State(*(a.astype(np.float32).astype(np.float64) for a in (w, v, data, paint)))

    def put_into(self, runner: Runner) -> None:
        for name in ("w", "v", "data", "paint"):
            runner.write(name, getattr(self, name).astype(np.float32))


Results = Mapping[str, np.ndarray]


def _train(state: State, restart: bool, gradient_of: Callable = reference.gradient) -> Results:
    key = FRAME["key_base"]
    w, v = reference.train(
        state.w, state.v, state.data, restart=restart, key_base=key, gradient_of=gradient_of
    )
    return {"w": w, "v": v}


def _init(_: State) -> Results:
    return dict(zip("wv", reference.init(FRAME["key_base"]), strict=True))


# What each kernel writes, by its twin; and how far float32 may be from it.
TWINS: dict[str, tuple[Callable[[State], Results], float]] = {
    "init": (_init, 1e-7),
    "train_single": (lambda s: _train(s, restart=False), 2e-6),
    "train_parallel": (lambda s: _train(s, restart=False), 2e-6),
    "train_difference": (lambda s: _train(s, False, reference.difference), 3e-3),
    "stats": (lambda s: {"stats": reference.stats(s.w, s.data)}, 2e-6),
    "dataset": (lambda _: {"data": reference.dataset(1)}, 1e-6),
    "fold": (lambda s: {"folded": reference.fold(s.w, SIZE[1])}, 3e-5),
    "field": (lambda s: {"paint": reference.field(s.w, *SIZE, 0.3, 1.1)}, 2e-3),
    "dots": (lambda s: {"paint": reference.dots(s.paint, s.data)}, 2e-3),
}
NEEDS = {"field": ("fold",)}  # passes that a kernel cannot do without


@pytest.fixture(scope="module")
def runner(device) -> Runner:
    return create_runner(device, SIZE, guard=GUARD)


def dispatch(runner: Runner, kernel: str, **frame: float) -> None:
    """Runs one pass of a scene alone (with what it needs), as the scene would."""
    runner.load_kernels([kernel])
    tables = (runner.scene.start, runner.scene.draw, *(s.update for s in SCENES.values()))
    passes = {p.kernel: p for table in tables for p in table}
    chosen: list[Pass] = [passes[name] for name in (*NEEDS.get(kernel, ()), kernel)]
    runner.run(chosen, None, **{**FRAME, "shape": 1, "restart": 0, **frame})


def assert_close(actual: np.ndarray, expected: np.ndarray, bound: float) -> None:
    """Finite, of the right shape, and within `bound`, in this order."""
    assert np.isfinite(actual).all()
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=bound, atol=bound)


def test_every_pass_has_a_twin() -> None:
    assert set(KERNELS) == set(TWINS)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernel_is_its_twin(runner: Runner, kernel: str, seed: int) -> None:
    state = State.random(seed)
    state.put_into(runner)
    twin, bound = TWINS[kernel]
    dispatch(runner, kernel)
    for name, expected in twin(state).items():
        assert_close(runner.read(name), expected, bound)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kernel", TRAINERS)
def test_restart_is_its_twin(runner: Runner, kernel: str, seed: int) -> None:
    state = State.random(seed)
    state.put_into(runner)
    dispatch(runner, kernel, restart=1)
    for name, expected in _train(state, restart=True).items():
        assert_close(runner.read(name), expected, 1e-7)


@pytest.mark.parametrize("shape", range(len(neural.SHAPES)))
def test_each_shape_is_its_twin(runner: Runner, shape: int) -> None:
    dispatch(runner, "dataset", shape=shape)
    assert_close(runner.read("data"), reference.dataset(shape), 1e-6)


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (64, 36), (961, 540)])
def test_field_and_dots_at_any_size(device, size: tuple[int, int]) -> None:
    state = State.random(4)
    small = create_runner(device, size, guard=GUARD)
    small.write("w", state.w.astype(np.float32))
    small.write("data", state.data.astype(np.float32))
    before = [bytes(side) for side in small.read_guard("paint")]
    small.paint(None, **FRAME)
    expected = reference.dots(reference.field(state.w, *size, 0.3, 1.1), state.data)
    assert_close(small.read("paint"), expected, 4e-3)
    assert [bytes(side) for side in small.read_guard("paint")] == before


def test_the_gpus_runs_paint_what_the_softwares_do(device) -> None:
    state = State.random(5)
    pictures = []
    for software in (False, True):
        other = Runner(device, neural.scene(SIZE, software=software))
        state.put_into(other)
        other.paint(None, **FRAME)
        pictures.append(other.read("paint"))
    assert_close(pictures[0], pictures[1], 2e-3)


@pytest.mark.parametrize("kernel", KERNELS)
def test_nothing_is_written_past_a_buffers_end(runner: Runner, kernel: str) -> None:
    State.random(6).put_into(runner)
    runner.fill_guards(0xA5)
    dispatch(runner, kernel)
    for name in runner.scene.buffers:
        for side in runner.read_guard(name):
            assert side.size == GUARD
            assert (side == 0xA5).all(), f"{kernel} wrote past the end of {name}"


def test_saturated_networks_stay_finite(runner: Runner) -> None:
    """Weights far beyond what training reaches: everything is ±1, and nothing is NaN."""
    state = State.random(7)
    huge = state.w.copy()
    huge[:205] *= 1e4
    state.put_into(runner)
    runner.write("w", huge.astype(np.float32))
    dispatch(runner, "stats")
    # 1 - 0.000001 rounds in float32, so that a clamped loss is 13.802 there and 13.816 here.
    assert_close(runner.read("stats"), reference.stats(huge, state.data), 2e-3)
    runner.paint(None, **FRAME)
    assert np.isfinite(runner.read("paint")).all()


def test_two_runs_agree_to_the_bit(device) -> None:
    results = []
    for _ in range(2):
        runner = create_runner(device)
        play_through(runner, 40, click_at=(20,))
        runner.paint()
        results.append([runner.read(name).tobytes() for name in ("w", "v", "stats", "paint")])
    assert results[0] == results[1]


@pytest.mark.parametrize("frames, bound", [(20, 1e-5), (300, 5e-5)])
def test_training_stays_by_its_twin(device, frames: int, bound: float) -> None:
    runner = create_runner(device)
    play_through(runner, frames)
    w, v = reference.init(0)
    data = reference.dataset(0)
    for _ in range(frames):
        w, v = reference.train(w, v, data)
    assert_close(runner.read("w"), w, bound)
    assert_close(runner.read("v"), v, bound)
