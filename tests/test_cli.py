"""The command line: what tools rely on, and one sentence for what a user can do wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from demo import cli

ROOT = Path(__file__).parent.parent
STATS = {
    "scene", "adapter", "graphics_api", "software", "frame", "time", "shape", "seed", "epoch",
    "loss", "accuracy", "pass_ms", "trainer", "epochs_per_frame",
}  # fmt: skip
PASSES = {"train", "stats", "dataset", "field", "dots"}

BAD_USE = {
    "no frames": ["--headless"],
    "zero frames": ["--frames", "0"],
    "half a frame": ["--frames", "1.5"],
    "negative frames": ["--frames", "-3"],
    "frames without a value": ["--frames"],
    "zero fps": ["--fps", "0"],
    "fps that is no number": ["--fps", "nan"],
    "infinite fps": ["--fps", "inf"],
    "negative start": ["--start", "-1"],
    "a start that is no number": ["--start", "soon"],
    "an unknown shape": ["--shape", "moons"],
    "a negative seed": ["--seed", "-1"],
    "a seed beyond 32 bits": ["--seed", str(2**32)],
    "a click that is no frame": ["--click-at", "1,x"],
    "an empty click": ["--click-at", ""],
    "an empty size": ["--size", "0x10"],
    "a size of one side": ["--size", "960"],
    "a size beyond the binding limit": ["--size", "4096x2049"],
    "an empty window": ["--window", "0x0"],
    "an unknown scene": ["sudoku"],
    "an unknown trainer": ["--trainer", "guess"],
    "no epochs": ["--epochs-per-frame", "0"],
    "too many epochs": ["--epochs-per-frame", "1001"],
    "an unknown option": ["--fast"],
    "an abbreviated option": ["--head"],
    "both headless and terminal": ["--headless", "--terminal", "--frames", "1"],
    "a screenshot into no folder": ["--screenshot", "/no/such/folder/a.png"],
    "stats into no folder": ["--stats", "/no/such/folder/a.json"],
    "a screenshot that is a folder": ["--screenshot", "/"],
    "one file for both": ["--screenshot", "same", "--stats", "same"],
}


@pytest.mark.parametrize("arguments", BAD_USE.values(), ids=BAD_USE.keys())
def test_bad_use_gets_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture) -> None:
    assert cli.main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.endswith(".\n")
    assert "usage" not in printed.err and "Traceback" not in printed.err


@pytest.mark.parametrize("arguments", BAD_USE.values(), ids=BAD_USE.keys())
def test_bad_use_is_told_before_any_gpu_work(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("demo.gpu", "demo.headless", "demo.display"):
        monkeypatch.setitem(sys.modules, name, None)  # importing it fails
    assert cli.main(arguments) == 2


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "app.py", *arguments],
        capture_output=True, text=True, timeout=100, cwd=cwd,
    )  # fmt: skip


def stats_of(*arguments: str) -> dict:
    """The stats object of a headless run, which must be all that is on standard output."""
    done = run("--headless", *arguments, "--stats", "-")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_the_stats_object() -> None:
    stats = stats_of("--frames", "1")
    assert set(stats) == STATS
    assert (stats["scene"], stats["frame"], stats["time"]) == ("neural", 1, 0.0)
    assert (stats["shape"], stats["seed"], stats["epoch"]) == ("spiral", 0, 3)
    assert int(1000 * stats["loss"]) == 583
    assert int(1000 * stats["accuracy"]) == 700
    assert stats["graphics_api"] in ("Vulkan", "Metal", "D3D12")
    assert isinstance(stats["software"], bool)
    if stats["pass_ms"] is not None:
        assert set(stats["pass_ms"]) == PASSES
        assert all(0.0 < ms < 10_000.0 for ms in stats["pass_ms"].values())


def test_time_shape_and_seed_are_arguments() -> None:
    stats = stats_of("--frames", "31", "--fps", "10", "--start", "4", "--seed", "7")
    assert stats["time"] == 7.0
    assert stats["shape"] == "rings"
    assert stats["seed"] == 7
    assert stats["epoch"] == 33  # the restart at 6 s, and ten frames


def test_a_held_shape_and_a_click() -> None:
    stats = stats_of("--frames", "400", "--shape", "xor", "--click-at", "5,390")
    assert stats["shape"] == "xor"
    assert stats["epoch"] == 30


def test_seeds_and_clicks_differ_and_repeat() -> None:
    losses = [
        stats_of("--frames", "20", *more)["loss"]
        for more in ([], ["--seed", "1"], ["--seed", "1"], ["--click-at", "3"], ["--click-at", "4"])
    ]
    assert losses[1] == losses[2]
    assert len(set(losses)) == len(losses) - 1


def test_screenshot_and_stats_files(tmp_path: Path) -> None:
    picture, stats = tmp_path / "é picture.png", tmp_path / "stats.json"
    done = run("--headless", "--frames", "3", "--size", "321x123",
               "--screenshot", str(picture), "--stats", str(stats))  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads(stats.read_text())["frame"] == 3
    assert Image.open(picture).size == (321, 123)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([picture.name, stats.name])


def test_the_hud_covers_only_its_panel(tmp_path: Path) -> None:
    paths = [tmp_path / "plain.png", tmp_path / "hud.png"]
    for path, more in zip(paths, ([], ["--hud"]), strict=True):
        done = run("--headless", "--frames", "30", "--screenshot", str(path), *more)
        assert done.returncode == 0, done.stderr
    plain, hud = (np.asarray(Image.open(path)).astype(int) for path in paths)
    differs = np.abs(plain - hud).max(axis=2) > 2
    rows, columns = np.nonzero(differs)
    assert 0.15 < differs.mean() < 0.25
    assert (columns.min(), rows.min()) == (20, 20)
    assert columns.max() < 290
    light = hud[20:400, 20:284, :3].max(axis=2) > 200
    assert 0.01 < light.mean() < 0.3, "text is light on dark"


def test_a_run_that_fails_writes_nothing(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    done = run("--headless", "--frames", "3", "--adapter", "no such", "--screenshot", str(picture))
    assert done.returncode == 2
    assert "no such" in done.stderr and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_adapter_by_part_of_its_name() -> None:
    name = stats_of("--frames", "1")["adapter"]
    assert stats_of("--frames", "1", "--adapter", name[1:6].upper())["adapter"] == name


def test_list_adapters_and_version() -> None:
    listed = run("--list-adapters")
    assert listed.returncode == 0
    assert all("(" in line for line in listed.stdout.splitlines())
    assert run("--version").stdout.startswith("watch-it-learn ")


@pytest.mark.parametrize("size", ["1x1", "3x2000", "3840x2160", "300000x7"])
def test_extreme_sizes(size: str) -> None:
    assert stats_of("--frames", "1", "--size", size)["epoch"] == 3


def test_late_pictures_equal_early_ones(device) -> None:
    """A million seconds later, whole cycles and bands: the same but for the seam's pulse."""
    from demo.picture import to_rgba8

    from .pictures import difference_in_levels
    from .playing import create_runner, play

    runners = [create_runner(device, (480, 270)) for _ in range(2)]
    runs = [play(r, 300, start=s) for r, s in zip(runners, (0.0, 1000008.0), strict=True)]
    for early, _ in zip(*runs, strict=True):
        if early.frames % 20 == 1:
            for runner in runners:
                runner.paint(None, pulse_phase=0.0)
            pictures = [to_rgba8(runner.read("paint")) for runner in runners]
            assert difference_in_levels(*pictures).max() <= 3


def test_interrupting_leaves_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, ROOT / "app.py", "--headless", "--frames", "100000000"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        process.wait(timeout=3)
    except subprocess.TimeoutExpired:
        process.send_signal(2)
    assert process.wait(timeout=3) == 130
    assert process.stderr is not None
    assert process.stderr.read() == ""
