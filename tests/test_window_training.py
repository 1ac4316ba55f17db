"""The training panel in a real window: trainers, epochs a frame, times and the proof."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from .desktop import App, Desktop, changed_box, desktop, playing

FIXED = ("--fps", "60", "--shape", "spiral")
PANEL = (996, 20, 1260, 520)  # left, top, right, bottom in a window of 1280x720
PARALLEL_BUTTON = (1022, 94)
EPOCHS_SLIDER_RIGHT, EPOCHS_SLIDER_Y = 1240, 205
PROVE_KEY = "p"


@pytest.fixture(scope="module")
def screen() -> Iterator[Desktop]:
    with desktop(1400, 900) as screen:
        yield screen


def panel(app: App) -> np.ndarray:
    left, top, right, bottom = PANEL
    return app.photograph()[top:bottom, left:right]


def wait_for_change(app: App, before: np.ndarray, least_height: int) -> None:
    """Until the panel differs from `before` over at least so many rows."""

    def changed() -> bool:
        box = changed_box(before, panel(app))
        return box is not None and box[3] - box[1] >= least_height

    app.wait_until(changed, "the panel changed")


def test_t_takes_the_next_trainer_and_the_network_stays(screen: Desktop, tmp_path: Path) -> None:
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.wait_for_frames()
        app.press("t")
        app.wait_for_frames()
        stats = app.leave().check().stats
    assert stats["trainer"] == "parallel"
    assert stats["epoch"] == 3 * stats["frame"]


def test_a_click_on_a_trainer_chooses_it_and_is_no_restart(screen: Desktop, tmp_path: Path) -> None:
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.wait_for_frames()
        app.click(*PARALLEL_BUTTON)
        app.wait_for_frames()
        stats = app.leave().check().stats
    assert stats["trainer"] == "parallel"
    assert stats["epoch"] == 3 * stats["frame"]


def test_brackets_halve_and_double_the_epochs_of_a_frame(screen: Desktop, tmp_path: Path) -> None:
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.wait_for_frames()
        app.press("bracketright", "bracketright", "bracketright", "bracketleft")
        app.wait_for_frames()
        stats = app.leave().check().stats
    assert stats["epochs_per_frame"] == 12
    assert stats["epoch"] > 3 * stats["frame"]


def test_the_slider_reaches_the_most_epochs(screen: Desktop, tmp_path: Path) -> None:
    """A thousand epochs a frame go on: the window still answers."""
    with playing(screen, tmp_path / "run", *FIXED, "--trainer", "parallel") as app:
        app.wait_for_frames()
        app.click(EPOCHS_SLIDER_RIGHT, EPOCHS_SLIDER_Y)
        app.wait_for_frames()
        stats = app.leave().check().stats
    assert stats["epochs_per_frame"] == 1000
    assert stats["epoch"] > 1000


def test_p_proves_and_says_so_in_the_panel(screen: Desktop, tmp_path: Path) -> None:
    """The sentence takes the place of two lines with more of them; the network stays."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.pause()
        app.wait_until_still()
        before = panel(app)
        app.press(PROVE_KEY)
        wait_for_change(app, before, least_height=60)
        stats = app.leave().check().stats
    assert stats["epoch"] == 3 * stats["frame"]


def test_no_lie_is_shown_as_speed(screen: Desktop, tmp_path: Path) -> None:
    """On lavapipe timestamps prove false once there is a render pass: null in the stats object,
    and in the panel words instead of bars."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.wait_for_frames(60)
        outcome = app.leave().check()
    if not outcome.stats["software"]:
        pytest.skip("needs a software adapter")
    assert outcome.stats["pass_ms"] is None
