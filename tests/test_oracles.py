"""Numbers from outside: what the program of document 001 yields where its author, other drivers and
an independent float64 simulation ran it."""

from __future__ import annotations

import numpy as np
import pytest

from demo.playback import Playback

from .playing import create_runner, play, play_through

SHAPE_FRAMES = 360


def test_first_frame_is_the_authors(device) -> None:
    runner = create_runner(device)
    play_through(runner, 1)
    stats = runner.read_stats()
    assert int(1000 * stats["loss"]) == 583
    assert int(1000 * stats["accuracy"]) == 700
    assert stats["loss"] == pytest.approx(0.5831964, abs=2e-5)
    assert stats["epoch"] == 3


@pytest.mark.parametrize("frames, loss, bound", [(51, 1.8043e-3, 1e-5), (351, 1.5195e-4, 1e-6)])
def test_spiral_loss_is_the_drivers(device, frames: int, loss: float, bound: float) -> None:
    runner = create_runner(device)
    play_through(runner, frames, shape="spiral")
    stats = runner.read_stats()
    assert stats["loss"] == pytest.approx(loss, abs=bound)
    assert stats["accuracy"] == 1.0
    assert stats["epoch"] == 3 * frames


@pytest.fixture(scope="module")
def sequence(device) -> np.ndarray:
    """(loss, accuracy, epoch, shape) of each frame of the default sequence, 18.1 s and a bit."""
    runner = create_runner(device)
    rows = []
    playback: Playback
    for playback in play(runner, 3 * SHAPE_FRAMES + 10):
        rows.append([*runner.read_stats().values(), playback.shape])
    return np.array(rows)


@pytest.mark.parametrize("shape, loss", list(enumerate([1.4756e-4, 2.2496e-4, 6.0300e-4])))
def test_each_shape_is_learned_as_far(sequence: np.ndarray, shape: int, loss: float) -> None:
    last = sequence[(shape + 1) * SHAPE_FRAMES - 1]
    assert last[0] == pytest.approx(loss, rel=0.01)


@pytest.mark.parametrize("shape, epochs", list(enumerate([66, 60, 69])))
def test_each_shape_is_learned_as_fast(sequence: np.ndarray, shape: int, epochs: int) -> None:
    frames = sequence[shape * SHAPE_FRAMES : (shape + 1) * SHAPE_FRAMES]
    # The first frame of a shape but the first is a restart, whose stats see the old data.
    trained = np.arange(SHAPE_FRAMES) + (1 if shape == 0 else 0)
    holds = np.flatnonzero((frames[:, 1] >= 0.98) & (trained > 0))[0]
    assert 3 * trained[holds] == pytest.approx(epochs, abs=3)


@pytest.mark.parametrize(
    "seconds, shape, epoch", [(5.9, 0, 1065), (6.1, 1, 21), (12.1, 2, 21), (18.1, 0, 21)]
)
def test_the_cycle(sequence: np.ndarray, seconds: float, shape: int, epoch: int) -> None:
    row = sequence[round(60 * seconds)]
    assert row[3] == shape
    assert row[2] == epoch
