"""The picture must not change unnoticed: each shape early, halfway and settled, and just after a
click, against the expected pictures in tests/screenshots."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demo.picture import to_rgba8
from demo.scenes import neural

from . import pictures
from .playing import create_runner, play, play_through

MOMENTS = {"early": 8, "halfway": 18, "settled": 240}
CLICK = 120


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return request.config.getoption("--update-screenshots")


@pytest.mark.parametrize("shape", neural.SHAPES)
def test_shape(device, update: bool, shape: str) -> None:
    runner = create_runner(device)
    moments = {frames: name for name, frames in MOMENTS.items()}
    failures = []
    for playback in play(runner, max(moments), shape=shape):
        if playback.frames in moments:
            runner.paint()
            name = f"{shape}-{moments[playback.frames]}"
            try:
                pictures.check(name, to_rgba8(runner.read("paint")), update=update)
            except AssertionError as failure:
                failures.append(str(failure))
    assert not failures, "\n".join(failures)


def test_just_after_a_click(device, update: bool) -> None:
    runner = create_runner(device)
    play_through(runner, CLICK + 2, click_at=(CLICK,))
    runner.paint()
    pictures.check("after-click", to_rgba8(runner.read("paint")), update=update)


@pytest.fixture
def picture() -> np.ndarray:
    chance = np.random.default_rng(1)
    picture = chance.integers(20, 230, (40, 60, 4), np.uint8)
    picture[..., 3] = 255
    return picture


def test_a_missing_picture_fails(tmp_path: Path, picture: np.ndarray) -> None:
    with pytest.raises(AssertionError, match="no expected picture"):
        pictures.check("new", picture, update=False, folder=tmp_path)
    assert (tmp_path / "failed" / "new-actual.png").is_file()


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_picture_that_differs_either_way_fails(
    tmp_path: Path, picture: np.ndarray, sign: int
) -> None:
    pictures.check("known", picture, update=True, folder=tmp_path)
    pictures.check("known", picture, update=False, folder=tmp_path)
    other = picture.astype(int)
    other[:3, :3, 1] += sign * (pictures.MAX_LEVELS + 1)
    with pytest.raises(AssertionError, match="differ by more than"):
        pictures.check("known", other.astype(np.uint8), update=False, folder=tmp_path)
    for kind in ("actual", "difference", "mask"):
        assert (tmp_path / "failed" / f"known-{kind}.png").is_file()


def test_a_picture_within_tolerance_passes(tmp_path: Path, picture: np.ndarray) -> None:
    pictures.check("known", picture, update=True, folder=tmp_path)
    picture[..., :3] += pictures.MAX_LEVELS
    pictures.check("known", picture, update=False, folder=tmp_path)


def test_another_size_fails(tmp_path: Path, picture: np.ndarray) -> None:
    pictures.check("known", picture, update=True, folder=tmp_path)
    with pytest.raises(AssertionError, match="shape"):
        pictures.check("known", picture[1:], update=False, folder=tmp_path)
