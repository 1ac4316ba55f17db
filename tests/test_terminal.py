"""The terminal, as a user meets it: in tmux, whose title and screen can be asked for.

tmux 3.3 doesn't answer when it is asked whether it reports the mouse, and so is not asked to: the
click is tested on a terminal of our own that answers.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .desktop import (
    EXIT_SECONDS,
    NO_DRIVER,
    PATIENCE,
    ROOT,
    blocking,
    clean_environment,
    wait_until,
)

SIZE = (100, 30)
EPOCHS_PER_FRAME = 3
FIXED = ("--fps", "60", "--shape", "spiral")
TITLE = re.compile(r"(\w+) · epoch ([\d,]+) · loss [\d.e+-]+ · accuracy \d+ %( · paused)?")
IN_TMUX = {"TERM": "tmux-256color", "COLORTERM": "truecolor"}


class Tmux:
    """A tmux of its own, whose only pane runs app.py and then says its exit code."""

    def __init__(
        self, folder: Path, socket: str, arguments: tuple[str, ...], more: dict[str, str]
    ) -> None:
        self.folder = folder
        self._socket = socket
        environment = clean_environment(folder, **IN_TMUX, **more)
        settings = shlex.join(f"{name}={value}" for name, value in environment.items())
        command = shlex.join([sys.executable, "app.py", *arguments])
        script = folder / "run.sh"
        script.write_text(
            f"cd {shlex.quote(str(ROOT))}\n"
            "trap : INT\n"  # else the shell dies of Ctrl-C, too
            f'env -i {settings} sh -c \'echo $$ >"$HOME/pid"; exec "$@"\' sh {command} '
            f"2>{shlex.quote(str(folder / 'stderr'))}\n"
            'echo "code=$?"\n'
            "exec sleep 1000\n"
        )
        width, height = map(str, SIZE)
        self.tmux("new-session", "-d", "-x", width, "-y", height, shlex.join(["sh", str(script)]))

    def tmux(self, *arguments: str) -> str:
        """Runs a command of tmux; returns what it printed."""
        done = subprocess.run(
            ["tmux", "-S", self._socket, "-f", "/dev/null", *arguments],
            env={**os.environ, "LC_ALL": "C.UTF-8", "TMUX": ""},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return done.stdout.strip("\n")

    def ask(self, *names: str) -> list[str]:
        """The values of tmux's variables."""
        return self.tmux("display-message", "-p", "\n".join(f"#{{{n}}}" for n in names)).split("\n")

    def press(self, *keys: str) -> None:
        """Presses keys, by tmux's names for them."""
        self.tmux("send-keys", *keys)

    def screen(self, *, colours: bool = False) -> str:
        """What the pane shows."""
        return self.tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def title(self) -> re.Match[str] | None:
        """The pane's title if it carries figures: shape, epoch, and whether it is paused."""
        return TITLE.fullmatch(self.ask("pane_title")[0])

    def epoch(self) -> int:
        """The epoch that the title tells, or 0."""
        title = self.title()
        return int(title[2].replace(",", "")) if title else 0

    def is_paused(self) -> bool:
        """Whether the title says so."""
        title = self.title()
        return bool(title and title[3])

    def wait_until(
        self, condition: Callable[[], bool], what: str, *, seconds: float = PATIENCE
    ) -> None:
        """Waits until `condition()`, or fails with what the terminal shows."""
        wait_until(condition, what, seconds=seconds, describe=self.shown)

    def shown(self) -> str:
        """Title and screen, for messages."""
        return f"{self.ask('pane_title')}\n{self.screen()}\n"

    def wait_until_playing(self) -> None:
        """Waits until the title tells of a network that is trained on."""
        self.wait_until(lambda: self.epoch() > 0, "playing")
        epoch = self.epoch()
        self.wait_until(lambda: self.epoch() > epoch, "training")

    def check_left(self, code: int = 0, *, seconds: float = PATIENCE) -> str:
        """Waits until app.py has left; fails unless the terminal is as it was before. Returns what
        it said on stderr."""
        self.wait_until(lambda: "code=" in self.screen(), "left", seconds=seconds)
        assert self.screen().split() == [f"code={code}"]
        assert self.ask("alternate_on", "cursor_flag", "mouse_any_flag") == ["0", "1", "0"]
        return (self.folder / "stderr").read_text()

    def stats(self) -> dict:
        """The content of the file that --stats named."""
        return json.loads((self.folder / "stats.json").read_text())


@contextmanager
def tmux(folder: Path, *arguments: str, **more: str) -> Iterator[Tmux]:
    """app.py, just started in tmux, with --stats written into `folder`."""
    arguments = (*arguments, "--stats", str(folder / "stats.json"))
    with tempfile.TemporaryDirectory(prefix="tmux-") as short:  # a socket's path has 107 bytes
        terminal = Tmux(folder, f"{short}/socket", arguments, more)
        try:
            yield terminal
        finally:
            terminal.tmux("kill-server")


def test_it_plays_in_a_terminal(tmp_path: Path) -> None:
    """The picture is there in colours, the title tells how training goes; keys pause, pick a shape
    and leave, and what was there before comes back."""
    with tmux(tmp_path, "--terminal", *FIXED) as terminal:
        terminal.wait_until_playing()
        assert terminal.ask("alternate_on") == ["1"]
        assert len(set(re.findall(r"\x1b\[[\d;]*38;2;[\d;]+m", terminal.screen(colours=True)))) > 50
        terminal.press("Space")
        terminal.wait_until(terminal.is_paused, "paused")
        screen, epoch = terminal.screen(colours=True), terminal.epoch()
        time.sleep(1.0)  # of some 25 frames
        assert (terminal.screen(colours=True), terminal.epoch()) == (screen, epoch)
        terminal.press("Space")
        terminal.wait_until(lambda: not terminal.is_paused(), "going on")
        terminal.press("Right")
        terminal.wait_until(lambda: (terminal.title() or ["", ""])[1] == "Rings", "rings")
        terminal.wait_until_playing()
        terminal.press("q")
        assert terminal.check_left() == ""
        stats = terminal.stats()
    assert stats["shape"] == "rings"
    assert 0 < stats["epoch"] < EPOCHS_PER_FRAME * stats["frame"]
    assert stats["time"] == (stats["frame"] - 1) / 60


def test_without_a_display_it_plays_in_the_terminal(tmp_path: Path) -> None:
    """Nothing needs to be asked for; --frames ends there, too."""
    with tmux(tmp_path, *FIXED, "--frames", "20") as terminal:
        terminal.wait_until(lambda: terminal.epoch() > 0, "playing")
        assert terminal.check_left() == ""
        stats = terminal.stats()
    assert (stats["frame"], stats["epoch"]) == (20, 20 * EPOCHS_PER_FRAME)


@pytest.mark.parametrize("how", ["Escape", "q", "C-c", "SIGTERM"])
def test_leaving(tmp_path: Path, how: str) -> None:
    """Every way out takes less than 2 s and is tidy."""
    with tmux(tmp_path, "--terminal", *FIXED) as terminal:
        terminal.wait_until_playing()
        if how == "SIGTERM":
            os.kill(int((tmp_path / "pid").read_text()), signal.SIGTERM)
        else:
            terminal.press(how)
        assert terminal.check_left(seconds=EXIT_SECONDS) == ""
        assert terminal.stats()["epoch"] == EPOCHS_PER_FRAME * terminal.stats()["frame"]


def test_without_a_driver(tmp_path: Path) -> None:
    """One sentence tells the cure."""
    with tmux(tmp_path, "--terminal", **NO_DRIVER) as terminal:
        said = terminal.check_left(2)
    assert "mesa-vulkan-drivers" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("package", ["blessed", "rendercanvas", "platformdirs"])
def test_without_a_package(tmp_path: Path, package: str) -> None:
    """One sentence tells how to install it."""
    with tmux(tmp_path, "--terminal", **blocking(tmp_path, package)) as terminal:
        said = terminal.check_left(2)
    assert f'pip install "{package}>' in said
    assert said.count("\n") == 1


# --- the mouse ---------------------------------------------------------------------------------

MOUSE_MODES = {"1006", "1003"}  # places as numbers, and every motion
CLICK = b"\x1b[<0;50;15M\x1b[<0;50;15m"  # down and up at column 50, row 15


class MouseTerminal:
    """A terminal that answers what it is asked; app.py plays in it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.modes: set[str] = set()
        self.seen = b""
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "app.py", *arguments],
            cwd=ROOT,
            env=clean_environment(folder, TERM="xterm-256color", COLORTERM="truecolor"),
            stdin=slave,
            stdout=slave,
            stderr=subprocess.PIPE,
        )
        os.close(slave)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def write(self, keys: bytes) -> None:
        """Sends what a terminal sends for keys and clicks."""
        os.write(self._master, keys)

    def epoch(self) -> int:
        """The epoch in the latest whole title, or 0."""
        epochs = re.findall(rb"\x1b\]\d;[^\x07]*epoch ([\d,]+)[^\x07]*\x07", self.seen)
        return int(epochs[-1].replace(b",", b"")) if epochs else 0

    def end(self) -> None:
        """Kills app.py where it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self._reader.join()
        os.close(self._master)

    def _read(self) -> None:
        rest = b""
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:  # what Linux answers once nobody has the other side open
                return
            self.seen += data
            rest = self._answer(rest + data)

    def _answer(self, data: bytes) -> bytes:
        """Answers questions for the cursor's place and for modes; returns what is not whole."""
        end = 0
        for found in re.finditer(rb"\x1b\[(6n|\?(\d+)\$p|\?([\d;]+)([hl]))", data):
            end = found.end()
            if found[1] == b"6n":
                self.write(b"\x1b[1;1R")
            elif found[2]:
                self.write(b"\x1b[?%s;2$y" % found[2])  # known, and off
            else:
                modes = found[3].decode().split(";")
                self.modes = self.modes | {*modes} if found[4] == b"h" else self.modes - {*modes}
        return data[end:][-20:]


def test_a_click_is_a_fresh_network(tmp_path: Path) -> None:
    """The program asks for the mouse, takes a click, and gives the mouse back."""
    path = tmp_path / "stats.json"
    terminal = MouseTerminal(tmp_path, "--terminal", *FIXED, "--stats", str(path))
    try:
        wait_until(lambda: terminal.epoch() > 30, "playing")
        assert terminal.modes >= MOUSE_MODES
        terminal.write(CLICK)
        wait_until(lambda: 0 < terminal.epoch() <= 30, "a fresh network")
        terminal.write(b"q")
        assert terminal.process.wait(PATIENCE) == 0
    finally:
        terminal.end()
    assert not terminal.modes & MOUSE_MODES
    stats = json.loads(path.read_text())
    assert stats["epoch"] < EPOCHS_PER_FRAME * stats["frame"]
