"""The three ways to take the gradient, any number of epochs a frame, and the proof."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from demo import gpu, prove
from demo.playback import Playback
from demo.reference import neural as reference
from demo.scenes import neural

from .playing import create_runner, play, play_through

ROOT = Path(__file__).parent.parent
SMALL = (96, 54)


def weights_after(device, frames: int, **options) -> np.ndarray:
    epochs = options.get("epochs", neural.EPOCHS_PER_FRAME)
    runner = create_runner(device, SMALL, **options)
    play_through(runner, frames, shape="rings", epochs=epochs)
    return runner.read("w")


@pytest.mark.parametrize("epochs", [1, 30])
def test_parallel_is_single_to_a_millionth_an_epoch(device, epochs: int) -> None:
    single, parallel = (
        weights_after(device, 1, trainer=trainer, epochs=epochs)
        for trainer in ("single", "parallel")
    )
    assert np.isfinite(parallel).all()
    np.testing.assert_allclose(parallel, single, rtol=0, atol=1e-6 * epochs)


@pytest.mark.parametrize("trainer, epochs", [
    ("single", 3), ("single", 250), ("parallel", 31), ("parallel", 32), ("parallel", 33),
    ("parallel", 1000), ("difference", 7),
])  # fmt: skip
def test_epochs_in_one_frame_equal_frames_of_one_epoch(device, trainer: str, epochs: int) -> None:
    """To the bit; 250 and 1000 take several submissions."""
    together = weights_after(device, 1, trainer=trainer, epochs=epochs)
    apart = weights_after(device, epochs, trainer=trainer, epochs=1)
    assert together[205] == epochs
    assert together.tobytes() == apart.tobytes()


def test_the_most_epochs_are_right(device) -> None:
    """A driver that cut long loops would show here (lavapipe ends them after 65,535 turns)."""
    found = weights_after(device, 1, trainer="single", epochs=neural.MAX_EPOCHS_PER_FRAME)
    w, v = reference.init(0)
    expected, _ = reference.train(w, v, reference.dataset(1), epochs=neural.MAX_EPOCHS_PER_FRAME)
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-4)


@pytest.mark.parametrize("trainer", neural.TRAINERS)
@pytest.mark.parametrize("shape, epochs", [("spiral", 66), ("rings", 60), ("xor", 69)])
def test_every_trainer_learns_every_shape(device, trainer: str, shape: str, epochs: int) -> None:
    """From document 001's network for the shape's turn, as fast as the outside numbers say."""
    index = list(neural.SHAPES).index(shape)
    runner = create_runner(device, SMALL, trainer=trainer)
    reached = None
    for playback in play(runner, 362, start=6.0 * index - (1 / 60 if index else 0)):
        stats = runner.read_stats()
        trained = playback.frames - (2 if index else 0)  # the frame before, and the restart
        if reached is None and trained > 0 and stats["accuracy"] >= 0.98:
            reached = 3 * trained
        if trained == 200:
            assert stats["loss"] < 2e-3
            break
    assert reached == pytest.approx(epochs, abs=3)


def test_the_network_outlives_a_change_of_trainer(device) -> None:
    runner = create_runner(device, SMALL)
    play_through(runner, 20)
    before = runner.read("w")
    for trainer in ("parallel", "difference", "single"):
        runner.use(neural.scene(SMALL, software=True, trainer=trainer, epochs=2))
        np.testing.assert_array_equal(runner.read("w"), before)
        expected, _ = reference.train(before, runner.read("v"), runner.read("data"), epochs=2)
        runner.step(None, epochs=2, restart=0)
        before = runner.read("w")
        np.testing.assert_allclose(before, expected, rtol=0, atol=1e-3)


def test_another_tables_buffers_are_refused(device) -> None:
    runner = create_runner(device, SMALL)
    with pytest.raises(ValueError, match="the same buffers and constants"):
        runner.use(neural.scene((97, 54), software=True))


def test_playback_keeps_epochs_within_bounds() -> None:
    from demo.clock import FixedClock

    player = Playback(FixedClock())
    player.set_epochs(0)
    assert player.epochs == 1
    player.set_epochs(10**6)
    assert player.epochs == neural.MAX_EPOCHS_PER_FRAME
    plan = player.next_frame()
    assert plan is not None and plan.values["epochs"] == neural.MAX_EPOCHS_PER_FRAME


def test_keeping_to_submissions_that_no_system_kills() -> None:
    """The work of one submission is bounded, whatever is asked for."""
    for trainer in neural.TRAINERS:
        described = neural.training(trainer, neural.MAX_EPOCHS_PER_FRAME)
        epochs_a_dispatch = neural.MAX_EPOCHS_PER_FRAME / described.repeat
        assert epochs_a_dispatch <= neural.EPOCHS_PER_DISPATCH
    assert gpu.MAX_DISPATCHES <= 100


@pytest.mark.parametrize("trainer", neural.TRAINERS)
@pytest.mark.parametrize("frames", [1, 40])
def test_the_proof_holds_and_leaves_the_network_alone(device, trainer: str, frames: int) -> None:
    runner = create_runner(device, (320, 180))
    play_through(runner, frames)
    before = runner.read("w").tobytes()
    proof = prove.start_proof(runner, trainer, 1.0)()
    assert proof.holds, str(proof)
    assert proof.weight > 0.0 and proof.field > 0.0
    assert runner.read("w").tobytes() == before


def test_a_wrong_kernel_is_not_proven(device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half the learning rate must be found out; so must a number that is none."""
    runner = create_runner(device, (320, 180))
    play_through(runner, 5)
    wrong = dataclasses.replace(
        runner.scene, constants={**runner.scene.constants, "LEARNING_RATE": 0.125}
    )
    honest = runner.scene
    runner.scene = wrong
    proof = prove.start_proof(runner, "single", 0.0)()
    assert not proof.holds and "beyond" in str(proof)
    runner.scene = honest
    nothing = runner.read("w")
    nothing[:205] = np.nan
    runner.write("w", nothing)
    with np.errstate(invalid="ignore"):
        assert not prove.start_proof(runner, "single", 0.0)().holds


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "app.py", *arguments], capture_output=True, text=True, timeout=100
    )


def test_prove_on_the_command_line() -> None:
    done = run("--headless", "--frames", "20", "--trainer", "parallel", "--epochs-per-frame", "5",
               "--prove", "--stats", "-")  # fmt: skip
    assert done.returncode == 0, done.stderr
    stats = json.loads(done.stdout)
    assert (stats["trainer"], stats["epochs_per_frame"], stats["epoch"]) == ("parallel", 5, 100)
    assert stats["proof"]["holds"] is True
    assert stats["proof"]["trainer"] == "parallel"
    assert 0.0 < stats["proof"]["weight_difference"] < 1e-4
    assert done.stderr.count("\n") == 1 and "within bounds" in done.stderr


def test_a_proof_that_fails_exits_non_zero(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    from demo import cli, outcome

    monkeypatch.setitem(prove.BOUNDS, "single", (0.0, 0.0, 0.0))
    assert cli.main(["--headless", "--frames", "2", "--prove"]) == outcome.NOT_PROVEN
    assert "beyond bounds" in capsys.readouterr().err
