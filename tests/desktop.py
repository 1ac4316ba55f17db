"""A desktop for tests: an X server of its own, and app.py playing on it, driven by real events.

Nothing here looks into the program: what it did is read from photographs of the screen, and from
the files that it leaves.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from PIL import Image, ImageGrab

ROOT = Path(__file__).resolve().parent.parent
TITLE = "Watch it learn"
PATIENCE = 60.0
"""Seconds until a test gives up waiting, however busy the machine is."""
EXIT_SECONDS = 2.0
"""Within this the program leaves once it is asked to."""

NO_DRIVER = {"VK_ICD_FILENAMES": "/nonexistent.json", "VK_DRIVER_FILES": "/nonexistent.json"}
"""What an environment says so that Vulkan finds no driver."""

_POLL_SECONDS = 0.02
_STILL_SECONDS = 0.5  # a picture that stands still this long is paused: frames take far less
_KEPT = re.compile(r"PATH|LD_LIBRARY_PATH|TMPDIR|(VK|LP|GALLIUM|WGPU)_\w+")
_COLOURS_OF_A_PICTURE = 20  # before the kernels are compiled the window is of one colour


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """An environment without a display or a user's settings, but with those of the GPU's driver.

    Unless `more` names another, all share a cache of the kernels that Mesa has compiled.
    """
    kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
    shared = {"HOME": str(home), "LANG": "C.UTF-8", "MESA_SHADER_CACHE_DIR": _shader_cache().name}
    return kept | shared | more


_BLOCK_IMPORTS = """
import os, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in os.environ["BLOCKED"].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
"""


def blocking(folder: Path, *modules: str) -> dict[str, str]:
    """What an environment says so that these can't be imported; needs a file in `folder`."""
    (folder / "sitecustomize.py").write_text(_BLOCK_IMPORTS)
    return {"PYTHONPATH": str(folder), "BLOCKED": ",".join(modules)}


def run_app(
    *arguments: str, environment: Mapping[str, str], launcher: tuple[str, ...] = ("app.py",)
) -> subprocess.CompletedProcess[str]:
    """Runs app.py to its end, with neither terminal nor input; `launcher` runs something else."""
    return subprocess.run(
        [sys.executable, *launcher, *arguments],
        cwd=ROOT,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def wait_until(
    condition: Callable[[], bool],
    what: str,
    *,
    seconds: float = PATIENCE,
    describe: Callable[[], str] = str,
) -> None:
    """Waits until `condition()`; fails with `what` and `describe()` where it never comes."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"After {seconds:g} s: not {what}.\n{describe()}")
        time.sleep(_POLL_SECONDS)


@dataclass(frozen=True)
class Desktop:
    """An X server; `display` is its name, like `:5`."""

    display: str

    def photograph(self) -> np.ndarray:
        """What the whole screen shows, as 8-bit RGB (height, width, 3)."""
        return np.asarray(ImageGrab.grab(xdisplay=self.display).convert("RGB"))

    def xdotool(self, *arguments: object) -> str:
        """Runs xdotool; returns what it printed, nothing where it found no window."""
        done = subprocess.run(
            ["xdotool", *map(str, arguments)],
            env=os.environ | {"DISPLAY": self.display},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return done.stdout


@contextmanager
def desktop(width: int, height: int, *, dpi: int | None = None) -> Iterator[Desktop]:
    """An X server with a screen of this size, whose user set `dpi`. It has no window manager."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-noreset"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        assert number, "Xvfb did not start"
        if dpi is not None:
            subprocess.run(
                ["xrdb", "-merge", "-nocpp"],
                env=os.environ | {"DISPLAY": f":{number}"},
                input=f"Xft.dpi: {dpi}\n",
                text=True,
                check=True,
                timeout=PATIENCE,
            )
        yield Desktop(f":{number}")
    finally:
        server.kill()
        server.wait()


@dataclass(frozen=True)
class Outcome:
    """How a run ended. `seconds` passed between the wish to leave and the end."""

    code: int
    stdout: str
    stderr: str
    seconds: float
    folder: Path

    @cached_property
    def stats(self) -> dict:
        """The content of the file that --stats named."""
        return json.loads((self.folder / "stats.json").read_text())

    @cached_property
    def screenshot(self) -> np.ndarray:
        """The content of the file that --screenshot named, as 8-bit RGB (height, width, 3)."""
        return read_png(self.folder / "screenshot.png")

    def check(self) -> Outcome:
        """Fails unless the run ended well: exit code 0, nothing to complain about, and in time."""
        assert (self.code, self.stderr) == (0, "")
        assert self.seconds < EXIT_SECONDS
        return self


class App:
    """app.py in a window on a desktop. It writes --stats and --screenshot into `folder`.

    Coordinates are physical pixels of the window.
    """

    def __init__(self, on: Desktop, folder: Path, *arguments: str, **environment: str) -> None:
        self.desktop = on
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        files = ("--stats", folder / "stats.json", "--screenshot", folder / "screenshot.png")
        with (folder / "stdout").open("w") as out, (folder / "stderr").open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, "app.py", *map(str, files), *arguments],
                cwd=ROOT,
                env=clean_environment(self.home, DISPLAY=on.display, **environment),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )

    # --- what a user sees --------------------------------------------------------------------

    def window(self) -> str:
        """X's number of the window, empty while there is none."""
        return self.desktop.xdotool("search", "--onlyvisible", "--name", f"^{TITLE}$").strip()

    def geometry(self) -> tuple[int, int, int, int]:
        """The window's left, top, width and height."""
        told = self.desktop.xdotool("getwindowgeometry", "--shell", self.window())
        numbers = dict(re.findall(r"(X|Y|WIDTH|HEIGHT)=(-?\d+)", told))
        return tuple(int(numbers[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def photograph(self) -> np.ndarray:
        """What the window shows, as 8-bit RGB (height, width, 3), as far as it is on the screen."""
        left, top, width, height = self.geometry()
        return self.desktop.photograph()[top : top + height, left : left + width]

    def picture(self) -> np.ndarray:
        """The right half of what the window shows, which no panel covers but the list of keys."""
        photo = self.photograph()
        return photo[:, photo.shape[1] // 2 :]

    # --- what a user does --------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Presses keys, by X's names for them."""
        self.desktop.xdotool("key", *keys)

    def click(self, x: int, y: int) -> None:
        """Jumps there with the mouse and clicks at once."""
        left, top, _, _ = self.geometry()
        self.desktop.xdotool("mousemove", left + x, top + y, "click", 1)

    def pause(self) -> np.ndarray:
        """Presses Space and waits until nothing moves; returns the picture."""
        self.press("space")
        return self.wait_until_still()

    def ask_to_close(self) -> None:
        """What a window manager does for its close button, which xdotool can't."""
        _send_delete_window(self.desktop.display, int(self.window()))

    # --- waiting -----------------------------------------------------------------------------

    def wait_until(self, condition: Callable[[], bool], what: str) -> None:
        """Waits until `condition()`; fails where the program ends or the patience."""

        def holds() -> bool:
            ended = self.process.poll() is not None
            assert not ended, f"It ended before: {what}.\n{self.said()}"
            return condition()

        wait_until(holds, what, describe=self.said)

    def wait_for_window(self) -> None:
        """Waits until the window is on the screen."""
        self.wait_until(lambda: bool(self.window()), "a window")

    def wait_until_playing(self) -> None:
        """Waits until the kernels are compiled and the picture is there."""
        self.wait_for_window()
        self.wait_until(self.is_playing, "playing")

    def is_playing(self) -> bool:
        """Whether the window shows a picture: many colours above what it says in the middle."""
        photo = self.photograph()
        above = photo[: photo.shape[0] // 3, photo.shape[1] // 2 :]
        return len(np.unique(above.reshape(-1, 3), axis=0)) > _COLOURS_OF_A_PICTURE

    def wait_for_frames(self, count: int = 3) -> None:
        """Waits until the picture has changed `count` times, so that what was sent is done."""
        for _ in range(count):
            before = self.picture()
            self.wait_until(lambda old=before: not same(self.picture(), old), "a new picture")

    def wait_until_still(self) -> np.ndarray:
        """Waits until the picture stays the same for a while; returns it."""
        last, since = self.picture(), time.monotonic()

        def is_still() -> bool:
            nonlocal last, since
            now = self.picture()
            if not same(now, last):
                last, since = now, time.monotonic()
            return time.monotonic() - since > _STILL_SECONDS

        self.wait_until(is_still, "standing still")
        return last

    def wait_until_ended(self, since: float | None = None) -> Outcome:
        """Waits until the program has ended; returns how."""
        start = time.monotonic() if since is None else since
        wait_until(lambda: self.process.poll() is not None, "ended", describe=self.said)
        seconds = time.monotonic() - start
        out, err = ((self.folder / name).read_text() for name in ("stdout", "stderr"))
        return Outcome(self.process.returncode, out, err, seconds, self.folder)

    def leave(self, how: str | signal.Signals = "Escape") -> Outcome:
        """Presses a key or sends a signal, and waits for the end."""
        start = time.monotonic()
        if isinstance(how, signal.Signals):
            self.process.send_signal(how)
        else:
            self.press(how)
        return self.wait_until_ended(start)

    def said(self) -> str:
        """The program's output so far, for messages."""
        return "".join(f"{name}:\n{(self.folder / name).read_text()}\n" for name in _OUTPUTS)


_OUTPUTS = ("stdout", "stderr")


@contextmanager
def started(on: Desktop, folder: Path, *arguments: str, **environment: str) -> Iterator[App]:
    """app.py, just started. It is killed if it still runs at the end."""
    app = App(on, folder, *arguments, **environment)
    try:
        yield app
    finally:
        if app.process.poll() is None:
            app.process.kill()
            app.process.wait()


@contextmanager
def playing(on: Desktop, folder: Path, *arguments: str, **environment: str) -> Iterator[App]:
    """As `started`, with the picture on the screen."""
    with started(on, folder, *arguments, **environment) as app:
        app.wait_until_playing()
        yield app


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two pictures are the same, to the last pixel."""
    return a.shape == b.shape and bool((a == b).all())


def changed_box(a: np.ndarray, b: np.ndarray) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of where two pictures of one size differ; None: nowhere."""
    differs = (a != b).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def read_png(path: Path) -> np.ndarray:
    """A PNG file's picture as 8-bit RGB (height, width, 3). Raises where the file is not whole."""
    with Image.open(path) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB"))


@cache
def _shader_cache() -> tempfile.TemporaryDirectory:
    """Mesa's cache for this run of the tests; removed at its end."""
    return tempfile.TemporaryDirectory(prefix="watch-it-learn-kernels-")


class _ClientMessage(ctypes.Structure):
    """Xlib's XClientMessageEvent, as long as an XEvent."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("padding", ctypes.c_long * 12),
    )


def _send_delete_window(display: str, window: int) -> None:
    """Sends WM_DELETE_WINDOW, as the ICCCM wants it, through the Xlib that GLFW needs, too."""
    xlib = ctypes.CDLL("libX11.so.6")
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    xlib.XInternAtom.restype = ctypes.c_ulong
    opened = ctypes.c_void_p(xlib.XOpenDisplay(display.encode()))
    assert opened, f"no display {display}"
    protocols, delete = (
        xlib.XInternAtom(opened, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")
    )
    client_message = 33
    event = _ClientMessage(type=client_message, window=window, message_type=protocols, format=32)
    event.data[0] = delete
    xlib.XSendEvent(opened, ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(event))
    xlib.XCloseDisplay(opened)
