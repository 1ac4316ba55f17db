"""The window, as a user meets it: under an X server of its own, with real events, photographed.

Nothing tells the epoch while the program runs, on purpose. With `--fps 60` frame k is at (k - 1) /
60 s and its network at epoch 3 k, unless something restarted it: what happened is worked out from
the stats object at the end.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from demo.scenes import neural

from .desktop import (
    App,
    Desktop,
    Outcome,
    changed_box,
    clean_environment,
    desktop,
    playing,
    read_png,
    run_app,
    same,
    started,
)
from .pictures import difference_in_levels

SCREEN = (1400, 900)
WINDOW = (1280, 720)
FPS = 60
EPOCHS_PER_FRAME = 3
SECONDS_PER_SHAPE = 6
LEVELS = 2
"""How far the window may be from the headless picture, in 8-bit levels."""
FIXED = ("--fps", str(FPS), "--shape", "spiral")
SMALL = (*FIXED, "--window", "960x540")
"""A window that is quicker to fill; the picture has its size."""
DENSE = (*FIXED, "--window", "900x520")
"""About the smallest window that has the full HUD, for a screen of twice the density."""
BAR_COLOUR = (2, 3, 6)  # 0.006, 0.010, 0.023, give or take a level

PANEL_LEFT, PANEL_TOP, PANEL_RIGHT = 20, 20, 284
ON_PANEL = (150, 200)
ON_PICTURE = (900, 400)
CENTRE = (640, 360)


@pytest.fixture(scope="module")
def screen() -> Iterator[Desktop]:
    with desktop(*SCREEN) as screen:
        yield screen


@pytest.fixture(scope="module")
def dense_screen() -> Iterator[Desktop]:
    """A screen of twice the usual density."""
    with desktop(1840, 1060, dpi=192) as screen:
        yield screen


# --- the HUD -----------------------------------------------------------------------------------


Box = tuple[int, int, int, int]
"""Left, top, right and bottom in the window."""


def toggle(app: App, key: str, *, beside_panel: bool = False) -> tuple[np.ndarray, np.ndarray, Box]:
    """Presses `key` while paused; the window before and after, and where a panel came or went.

    The HUD's frame rate changes even then: it is narrower than any panel, and can be left out.
    """
    before = app.photograph()
    app.press(key)
    seen: list[Box] = []
    after = before
    first = PANEL_RIGHT if beside_panel else 0

    def settled() -> bool:
        nonlocal after
        after = app.photograph()
        box = changed_box(before[:, first:], after[:, first:])
        if box is not None and box[2] - box[0] > 100:
            seen.append((box[0] + first, box[1], box[2] + first, box[3]))
        return len(seen) > 1 and seen[-1] == seen[-2]

    app.wait_until(settled, f"{key} changed something")
    return before, after, seen[-1]


def count_white(photo: np.ndarray, box: Box) -> int:
    """How many pixels in the box are as bright and colourless as the HUD's text."""
    left, top, right, bottom = box
    return int((photo[top:bottom, left:right].min(axis=2) > 200).sum())


@pytest.mark.parametrize("density", [1, 2])
def test_the_hud_is_drawn(request: pytest.FixtureRequest, tmp_path: Path, density: int) -> None:
    """H takes the panel away: exactly there, and nowhere else, the window changes, and the text
    goes with it. On a screen of twice the density all is twice as large."""
    screen = request.getfixturevalue("screen" if density == 1 else "dense_screen")
    with playing(screen, tmp_path / "run", *(SMALL if density == 1 else DENSE)) as app:
        app.pause()
        shown, hidden, (left, top, right, bottom) = toggle(app, "h")
        assert (left, top, right) == tuple(
            density * side for side in (PANEL_LEFT, PANEL_TOP, PANEL_RIGHT)
        )
        assert 250 * density < bottom - top < 500 * density
        box = (left, top, right, bottom)
        assert count_white(shown, box) - count_white(hidden, box) > 300 * density**2
        _, shown_again, _ = toggle(app, "h")
        assert count_white(shown_again, box) > count_white(hidden, box)
        app.leave().check()


def test_question_mark_shows_the_keys(screen: Desktop, tmp_path: Path) -> None:
    """The list of keys comes in the middle, with text in it, and goes again."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.pause()
        before, shown, box = toggle(app, "question", beside_panel=True)
        left, top, right, bottom = box
        assert abs(left + right - WINDOW[0]) <= 2
        assert abs(top + bottom - WINDOW[1]) <= 2
        assert right - left > 250
        assert bottom - top > 200
        assert count_white(shown, box) - count_white(before, box) > 300
        _, after, box_again = toggle(app, "question", beside_panel=True)
        assert box_again == box
        assert same(after[:, PANEL_RIGHT:], before[:, PANEL_RIGHT:])
        app.leave().check()


# --- clicks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "start", "target", "restarts"),
    [
        pytest.param(None, ON_PANEL, ON_PICTURE, True, id="picture"),
        pytest.param(None, ON_PICTURE, ON_PANEL, False, id="panel"),
        pytest.param("h", ON_PICTURE, ON_PANEL, True, id="hidden-panel"),
        pytest.param("question", ON_PICTURE, CENTRE, False, id="list-of-keys"),
    ],
)
def test_click(
    screen: Desktop,
    tmp_path: Path,
    key: str | None,
    start: tuple[int, int],
    target: tuple[int, int],
    restarts: bool,
) -> None:
    """A click on the picture begins a fresh network, one on a panel does not, however fast the
    mouse jumped there from the other."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.desktop.xdotool("mousemove", *start)
        if key is not None:
            app.press(key)
        app.wait_for_frames()
        app.click(*target)
        app.wait_for_frames()
        assert is_restarted(app.leave().check()) == restarts


@pytest.mark.parametrize(
    ("x", "restarts"), [pytest.param(540, False, id="panel"), pytest.param(600, True, id="picture")]
)
def test_click_on_a_dense_screen(
    dense_screen: Desktop, tmp_path: Path, x: int, restarts: bool
) -> None:
    """The panel takes clicks where it is seen, in physical pixels up to 568."""
    with playing(dense_screen, tmp_path / "run", *DENSE) as app:
        app.wait_for_frames()
        app.click(x, 200)
        app.wait_for_frames()
        assert is_restarted(app.leave().check()) == restarts


def test_click_while_paused(screen: Desktop, tmp_path: Path) -> None:
    """The fresh network is seen at once, takes its first step, and stays paused."""
    with playing(screen, tmp_path / "run", *SMALL) as app:
        app.wait_for_frames()
        before = app.pause()
        app.click(700, 300)
        app.wait_until(lambda: not same(app.picture(), before), "a fresh network")
        app.wait_until_still()
        outcome = app.leave().check()
    assert outcome.stats["frame"] > 1
    assert outcome.stats["epoch"] == EPOCHS_PER_FRAME
    assert outcome.stats["time"] == (outcome.stats["frame"] - 1) / FPS


def is_restarted(outcome: Outcome) -> bool:
    """Whether a fresh network began in a run at full pace."""
    frame, epoch = outcome.stats["frame"], outcome.stats["epoch"]
    assert 0 < epoch <= EPOCHS_PER_FRAME * frame
    return epoch < EPOCHS_PER_FRAME * frame


def check_nothing_lost(outcome: Outcome) -> None:
    """Fails unless each frame moved the clock and trained, and nothing restarted."""
    frame = outcome.stats["frame"]
    assert outcome.stats["epoch"] == EPOCHS_PER_FRAME * frame
    assert outcome.stats["time"] == (frame - 1) / FPS


# --- keys --------------------------------------------------------------------------------------


def test_space_pauses_and_goes_on(screen: Desktop, tmp_path: Path) -> None:
    """While paused the picture stands still, so that neither the clock nor the network moves; then
    both go on from there."""
    with playing(screen, tmp_path / "run", *SMALL) as app:
        app.pause()
        app.press("space")
        app.wait_for_frames()
        paused = app.pause()
        app.wait_until_still()
        assert same(app.picture(), paused)
        outcome = app.leave().check()
    check_nothing_lost(outcome)
    expected = headless_picture(tmp_path, outcome.stats["frame"])
    assert difference_in_levels(paused, expected[:, 480:]).max() <= LEVELS


def test_period_steps_once_while_paused(screen: Desktop, tmp_path: Path) -> None:
    """Each press makes one more frame, and only that; while it plays, the key does nothing."""
    steps = 3
    with playing(screen, tmp_path / "run", *SMALL) as app:
        app.press("period")
        app.wait_for_frames()
        first = last = app.pause()
        for _ in range(steps):
            app.press("period")
            app.wait_until(lambda old=last: not same(app.picture(), old), "a step")
            last = app.wait_until_still()
        outcome = app.leave().check()
    check_nothing_lost(outcome)
    frame = outcome.stats["frame"]
    for picture, number in ((first, frame - steps), (last, frame)):
        expected = headless_picture(tmp_path, number)
        assert difference_in_levels(picture, expected[:, 480:]).max() <= LEVELS


@pytest.mark.parametrize(
    ("keys", "pace"),
    [
        pytest.param(["minus"], 1 / 2, id="halved"),
        pytest.param(["minus"] * 7, 1 / 32, id="slowest"),
        pytest.param(["minus"] * 7 + ["equal"] * 6, 1, id="full-again"),
    ],
)
def test_pace(screen: Desktop, tmp_path: Path, keys: list[str], pace: float) -> None:
    """`-` halves the pace down to 1/32, `=` doubles it up to 1: of the frames since then, that
    share moved the clock on, and trained the network that was fresh when they began.

    How many there were follows from how far the clock is behind: a whole number of frames.
    """
    with playing(screen, tmp_path / "run", *SMALL) as app:
        old = app.pause()
        app.click(700, 300)
        app.wait_until(lambda: not same(app.picture(), old), "a fresh network")
        app.press(*keys, "space")
        app.wait_for_frames(6)
        stats = app.leave().check().stats
    behind = stats["frame"] - 1 - stats["time"] * FPS
    if pace == 1:
        assert behind == 0
        assert stats["epoch"] > EPOCHS_PER_FRAME
        return
    slowed = behind / (1 - pace)
    assert slowed == pytest.approx(round(slowed), abs=1e-6)
    assert slowed > 5
    assert stats["epoch"] == EPOCHS_PER_FRAME * (1 + int(round(slowed) * pace))


@pytest.mark.parametrize(("key", "direction"), [("Right", 1), ("Left", -1)])
def test_arrows_pick_a_shape(screen: Desktop, tmp_path: Path, key: str, direction: int) -> None:
    """The shape before or after the spiral comes at once, with a fresh network."""
    shapes = tuple(neural.SHAPES)
    shape = shapes[(shapes.index("spiral") + direction) % len(shapes)]
    with playing(screen, tmp_path / "run", *SMALL) as app:
        app.press(key)
        app.wait_for_frames()
        outcome = app.leave().check()
    assert outcome.stats["shape"] == shape
    assert is_restarted(outcome)


FAST = ("--fps", "1", "--frames", "60", "--window", "960x540")
"""A second a frame: the shape changes every six frames unless it is held."""


def test_an_arrow_holds_its_shape(screen: Desktop, tmp_path: Path) -> None:
    """The shape that was picked stays for longer than a shape's time."""
    with playing(screen, tmp_path / "run", *FAST) as app:
        app.press("Right")
        outcome = app.wait_until_ended()
    assert is_restarted(outcome)
    assert outcome.stats["epoch"] > EPOCHS_PER_FRAME * SECONDS_PER_SHAPE


def test_c_cycles_again(screen: Desktop, tmp_path: Path) -> None:
    """A held shape is left after its time, and so are those that follow."""
    with playing(screen, tmp_path / "run", *FAST, "--shape", "rings") as app:
        app.press("c")
        outcome = app.wait_until_ended()
    assert is_restarted(outcome)
    assert outcome.stats["epoch"] <= EPOCHS_PER_FRAME * SECONDS_PER_SHAPE


def test_s_saves_a_picture_and_says_where(screen: Desktop, tmp_path: Path) -> None:
    """One PNG lies in the user's folder for pictures and shows what the window showed; a notice
    with text in it comes at the bottom of the window."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.pause()
        before, after, box = toggle(app, "s", beside_panel=True)
        left, top, right, bottom = box
        assert app.process.poll() is None
        (path,) = (app.home / "Pictures").iterdir()
        app.leave().check()
    assert path.suffix == ".png"
    saved = read_png(path)
    assert saved.shape == before.shape
    beside = slice(PANEL_RIGHT, None)
    assert difference_in_levels(saved[:, beside], before[:, beside]).max() <= 1
    assert top > WINDOW[1] * 0.85
    assert bottom < WINDOW[1]
    assert right - left > 200
    assert count_white(after, box) - count_white(before, box) > 200


def test_f11_fills_the_screen_and_goes_back(screen: Desktop, tmp_path: Path) -> None:
    """The window takes the screen's size and then its own, twice; the network trains on."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        windowed = app.geometry()
        for _ in range(2):
            app.press("F11")
            app.wait_until(lambda: app.geometry() == (0, 0, *SCREEN), "full screen")
            app.wait_for_frames()
            app.press("F11")
            app.wait_until(lambda: app.geometry() == windowed, "a window again")
            app.wait_for_frames()
        check_nothing_lost(app.leave().check())


# --- leaving -----------------------------------------------------------------------------------

LEAVING = ("Escape", "q", "close", signal.SIGTERM, signal.SIGINT)
MIDDLE = (400, 300, 880, 420)
"""Where the window says what it is busy with."""


def name_of(how: str | signal.Signals) -> str:
    return how.name if isinstance(how, signal.Signals) else how


def leave(app: App, how: str | signal.Signals) -> Outcome:
    """Leaves by a key, a signal, or the window's close button."""
    if how != "close":
        return app.leave(how)
    start = time.monotonic()
    app.ask_to_close()
    return app.wait_until_ended(start)


@pytest.mark.parametrize("how", LEAVING, ids=name_of)
def test_leaving(screen: Desktop, tmp_path: Path, how: str | signal.Signals) -> None:
    """Every way out takes less than 2 s, ends with exit code 0 and no word on stderr, and what
    was asked for is written whole."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.wait_for_frames()
        outcome = leave(app, how).check()
    check_nothing_lost(outcome)
    assert outcome.screenshot.shape == (WINDOW[1], WINDOW[0], 3)
    assert sorted(path.name for path in outcome.folder.iterdir()) == [
        "home",
        "screenshot.png",
        "stats.json",
        "stderr",
        "stdout",
    ]


@pytest.mark.parametrize("how", ["Escape", "close", signal.SIGTERM], ids=name_of)
def test_leaving_while_kernels_compile(
    screen: Desktop, tmp_path: Path, how: str | signal.Signals
) -> None:
    """The same before there is anything to see."""
    cache = {"MESA_SHADER_CACHE_DIR": str(tmp_path / "cache")}
    with started(screen, tmp_path / "run", *FIXED, **cache) as app:
        app.wait_for_window()
        app.wait_until(lambda: count_white(app.photograph(), MIDDLE) > 50, "it says that it works")
        assert not app.is_playing()
        outcome = leave(app, how).check()
    assert (outcome.stats["frame"], outcome.stats["epoch"]) == (0, 0)
    assert outcome.screenshot.shape == (WINDOW[1], WINDOW[0], 3)


def test_frames_end_by_themselves(screen: Desktop, tmp_path: Path) -> None:
    """After N frames the window closes; the last one is the headless picture of that frame."""
    frames = 20
    with started(screen, tmp_path / "run", *SMALL, "--frames", str(frames)) as app:
        outcome = app.wait_until_ended()
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.stats["frame"] == frames
    check_nothing_lost(outcome)
    assert (
        outside_panel_difference(outcome.screenshot, headless_picture(tmp_path, frames)) <= LEVELS
    )


# --- what the window shows ---------------------------------------------------------------------


def headless_picture(folder: Path, frames: int, *arguments: str) -> np.ndarray:
    """The picture after so many frames at the window's fixed rate, as 8-bit RGB."""
    path = folder / f"headless-{frames}.png"
    more = ("--headless", "--frames", str(frames), "--screenshot", str(path), *arguments)
    done = run_app(*FIXED, *more, environment=clean_environment(folder))
    assert done.returncode == 0, done.stderr
    return read_png(path)


def outside_panel_difference(a: np.ndarray, b: np.ndarray) -> int:
    """The largest difference in levels, left and right of the panel's columns."""
    difference = difference_in_levels(a, b)
    return max(difference[:, :PANEL_LEFT].max(), difference[:, PANEL_RIGHT:].max())


def test_the_window_shows_the_headless_picture(screen: Desktop, tmp_path: Path) -> None:
    """Where the HUD doesn't lie, a photograph of the screen and the window's own screenshot are the
    headless picture of the same frame; with the HUD hidden that is everywhere."""
    with playing(screen, tmp_path / "run", *SMALL) as app:
        app.wait_for_frames()
        app.pause()
        with_hud, without_hud, _ = toggle(app, "h")
        toggle(app, "h")
        outcome = app.leave().check()
    expected = headless_picture(tmp_path, outcome.stats["frame"])
    assert difference_in_levels(without_hud, expected).max() <= LEVELS
    for picture in (with_hud, outcome.screenshot):
        assert outside_panel_difference(picture, expected) <= LEVELS
        assert difference_in_levels(picture, expected).max() > 50  # the HUD is on both


def test_another_aspect_is_letterboxed(screen: Desktop, tmp_path: Path) -> None:
    """A square picture fills the window's height, in the middle, with dark bars beside it."""
    with playing(screen, tmp_path / "run", *FIXED, "--size", "500x500") as app:
        app.pause()
        _, photo, _ = toggle(app, "h")
        outcome = app.leave().check()
    left, right = (WINDOW[0] - WINDOW[1]) // 2, (WINDOW[0] + WINDOW[1]) // 2
    for bar in (photo[:, :left], photo[:, right:]):
        assert np.abs(bar.astype(int) - BAR_COLOUR).max() <= 1
    picture = headless_picture(tmp_path, outcome.stats["frame"], "--size", "500x500")
    side = right - left
    scaled = Image.fromarray(picture).resize((side, side), Image.Resampling.BILINEAR)
    assert difference_in_levels(photo[:, left:right], np.asarray(scaled)).max() <= LEVELS


# --- what a desktop does to a window -----------------------------------------------------------


def test_any_size_is_survived(screen: Desktop, tmp_path: Path) -> None:
    """Odd, tiny and very wide windows neither end the program nor lose the network, and a common
    size afterwards shows the right picture."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        for width, height in ((641, 479), (1, 1), (3000, 20), (20, 800), (960, 540)):
            app.desktop.xdotool("windowsize", app.window(), width, height)
            size = (width, height)
            app.wait_until(lambda size=size: app.geometry()[2:] == size, f"{width}x{height}")
            time.sleep(0.2)  # the smallest show nothing that could be waited for
        app.wait_for_frames()
        app.pause()
        _, photo, _ = toggle(app, "h")
        outcome = app.leave().check()
    check_nothing_lost(outcome)
    expected = headless_picture(tmp_path, outcome.stats["frame"])
    assert difference_in_levels(photo, expected).max() <= LEVELS


def test_a_hidden_window_waits(screen: Desktop, tmp_path: Path) -> None:
    """While nobody can see it, neither the clock nor the network moves, though this clock is the
    wall's; then both go on."""
    hidden_seconds = 2.0
    with started(screen, tmp_path / "run", "--shape", "spiral") as app:
        app.wait_for_window()
        earliest = time.monotonic()
        app.wait_until_playing()
        app.wait_for_frames()
        window = app.window()
        app.desktop.xdotool("windowunmap", window)
        app.wait_until(lambda: not app.window(), "hidden")
        time.sleep(hidden_seconds)
        app.desktop.xdotool("windowmap", window)
        app.wait_for_window()
        app.wait_for_frames()
        outcome = app.leave().check()
        seconds = time.monotonic() - earliest
    assert outcome.stats["epoch"] == EPOCHS_PER_FRAME * outcome.stats["frame"]
    assert outcome.stats["time"] < seconds - hidden_seconds


def test_a_hidden_window_leaves(screen: Desktop, tmp_path: Path) -> None:
    """SIGTERM ends it as well while it is hidden, with the files whole."""
    with playing(screen, tmp_path / "run", *FIXED) as app:
        app.desktop.xdotool("windowunmap", app.window())
        app.wait_until(lambda: not app.window(), "hidden")
        outcome = app.leave(signal.SIGTERM).check()
    check_nothing_lost(outcome)
    assert outcome.screenshot.shape == (WINDOW[1], WINDOW[0], 3)
