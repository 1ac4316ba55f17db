"""What is missing is said in one sentence with its cure: a display, a driver, a package."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from .desktop import NO_DRIVER, Desktop, blocking, clean_environment, desktop, run_app

BAD_USE = 2
PACKAGES = {
    "PIL": "pillow",
    "blessed": "blessed",
    "glfw": "glfw",
    "imgui_bundle": "imgui-bundle",
    "numpy": "numpy",
    "platformdirs": "platformdirs",
    "rendercanvas": "rendercanvas",
    "wgpu": "wgpu",
}
"""What is imported, and the name it is installed by."""

HEADLESS = ("--headless", "--frames", "2", "--size", "32x18")
IMPORTED = """
import sys
from demo.cli import main
code = main(sys.argv[1:])
print(*sorted({"glfw", "imgui_bundle", "rendercanvas"} & sys.modules.keys()))
sys.exit(code)
"""
REFUSES_GLFW = """
import sys
import glfw
def init():
    sys.exit("glfw.init was called")
glfw.init = init
from demo.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def screen() -> Iterator[Desktop]:
    with desktop(640, 480) as screen:
        yield screen


def check_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Fails unless the program said one sentence with these words on stderr, and left with 2."""
    assert done.stderr.count("\n") == 1, done.stderr
    for word in words:
        assert word in done.stderr
    assert (done.returncode, done.stdout) == (BAD_USE, "")


# --- no display, no driver ---------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [(), ("--terminal",)], ids=["window", "terminal"])
def test_neither_display_nor_terminal(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """The sentence names what works without either."""
    check_sentence(run_app(*arguments, environment=clean_environment(tmp_path)), "--headless")


def test_a_display_that_is_not_there(tmp_path: Path) -> None:
    """The same where DISPLAY leads nowhere."""
    environment = clean_environment(tmp_path, DISPLAY=":4321")
    check_sentence(run_app(environment=environment), "--headless")


def test_no_driver_headless(tmp_path: Path) -> None:
    """The sentence names Debian's package."""
    environment = clean_environment(tmp_path, **NO_DRIVER)
    check_sentence(run_app(*HEADLESS, environment=environment), "mesa-vulkan-drivers")


def test_no_driver_in_a_window(screen: Desktop, tmp_path: Path) -> None:
    """The same where there is a display."""
    environment = clean_environment(tmp_path, DISPLAY=screen.display, **NO_DRIVER)
    check_sentence(run_app("--frames", "2", environment=environment), "mesa-vulkan-drivers")


# --- a missing package -------------------------------------------------------------------------


def check_tells_to_install(done: subprocess.CompletedProcess[str], package: str) -> None:
    """Fails unless the sentence names the package and the command that installs it."""
    check_sentence(done, f"package {package} ", f'pip install "{PACKAGES[package]}>')


@pytest.mark.parametrize(
    ("package", "options"),
    [("wgpu", ()), ("numpy", ()), ("PIL", ()), ("imgui_bundle", ("--hud",))],
)
def test_missing_headless(tmp_path: Path, package: str, options: tuple[str, ...]) -> None:
    """What a headless run with a screenshot needs; nothing is written."""
    path = tmp_path / "picture.png"
    environment = clean_environment(tmp_path, **blocking(tmp_path, package))
    done = run_app(*HEADLESS, *options, "--screenshot", str(path), environment=environment)
    check_tells_to_install(done, package)
    assert not path.exists()


def test_headless_needs_no_more(tmp_path: Path) -> None:
    """All that only a window, a terminal or a picture needs may be missing."""
    others = sorted(PACKAGES.keys() - {"numpy", "wgpu"})
    environment = clean_environment(tmp_path, **blocking(tmp_path, *others))
    done = run_app(*HEADLESS, "--stats", "-", environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"frame": 2' in done.stdout


@pytest.mark.parametrize(
    "package", ["wgpu", "numpy", "glfw", "rendercanvas", "imgui_bundle", "platformdirs", "PIL"]
)
def test_missing_in_a_window(screen: Desktop, tmp_path: Path, package: str) -> None:
    """What the window needs; Pillow only where a picture is asked for."""
    blocked = blocking(tmp_path, package)
    environment = clean_environment(tmp_path, DISPLAY=screen.display, **blocked)
    path = str(tmp_path / "picture.png")
    done = run_app("--frames", "2", "--screenshot", path, environment=environment)
    check_tells_to_install(done, package)


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_needs_nothing(tmp_path: Path, option: str) -> None:
    """Whoever has installed nothing yet can read what there is."""
    environment = clean_environment(tmp_path, **blocking(tmp_path, *PACKAGES))
    done = run_app(option, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "watch-it-learn" in done.stdout


# --- headless runs and glfw --------------------------------------------------------------------


def run_script(script: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a script that calls the program."""
    return run_app(*arguments, environment=clean_environment(folder), launcher=("-c", script))


def test_headless_imports_no_window(tmp_path: Path) -> None:
    """Neither GLFW nor what needs it is imported by a run that saves picture and stats."""
    files = [str(tmp_path / name) for name in ("picture.png", "stats.json")]
    arguments = (*HEADLESS, "--screenshot", files[0], "--stats", files[1])
    done = run_script(IMPORTED, *arguments, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


@pytest.mark.parametrize("hud", [(), ("--hud",)], ids=["plain", "hud"])
def test_headless_never_starts_glfw(tmp_path: Path, hud: tuple[str, ...]) -> None:
    """ImGui's package imports GLFW, but nothing starts it: there may be no display."""
    path = str(tmp_path / "picture.png")
    done = run_script(REFUSES_GLFW, *HEADLESS, *hud, "--screenshot", path, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
