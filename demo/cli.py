"""The command line: arguments become Settings, and what a user can do wrong one sentence."""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from . import __version__
from .errors import UserError
from .files import check_writable
from .requirements import install_command
from .scenes import SCENES
from .settings import Settings

BAD_USE = 2
INTERRUPTED = 130
COMMANDS = {"bench": "measure what this machine does"}
"""What stands in a scene's place and is none."""

_MAX_SEED = 2**32 - 1
_MAX_WINDOW = 16384


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; returns the exit code: 0, 2 for what a user can mend, 3 where --prove finds
    the GPU beyond bounds, 130 for Ctrl-C."""
    try:
        return _dispatch(_parse(sys.argv[1:] if arguments is None else arguments))
    except UserError as error:
        print(error, file=sys.stderr)
        return BAD_USE
    except ModuleNotFoundError as error:
        command = install_command(error.name or "")
        if command is None:
            raise
        print(f"The package {error.name} is missing; install it with: {command}", file=sys.stderr)
        return BAD_USE
    except KeyboardInterrupt:
        return INTERRUPTED


def _dispatch(options: argparse.Namespace) -> int:
    if options.list_adapters:
        from .gpu import print_adapters

        return print_adapters()
    settings = _settings(options)
    if options.scene in COMMANDS:
        from .bench import run
    elif options.headless:
        from .headless import run
    elif options.terminal:
        from .display import run_terminal as run
    else:
        from .display import run
    return run(settings)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage block."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message[0].upper()}{message[1:]}.")


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    scenes = "; ".join(f"{name}: {what}" for name, what in {**SCENES, **COMMANDS}.items())
    parser = _Parser(
        prog="watch-it-learn",
        description="Watch a neural network learn, live on your GPU.",
        epilog="In the window: click for a fresh network, ? for the keys.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("scene", nargs="?", default=next(iter(SCENES)), metavar="SCENE", type=_scene, help=scenes)
    add("--headless", action="store_true", help="no window; needs --frames")
    add("--terminal", action="store_true", help="play in the terminal")
    add("--frames", type=_whole(1), metavar="N", help="end after N frames")
    add("--fps", type=_rate, metavar="F", help="fixed step of 1/F s (headless: 60)")
    add("--start", type=_seconds, default=0.0, metavar="S", help="the clock starts at S seconds")
    add("--shape", type=_shape, metavar="NAME", help="hold spiral, rings or xor")
    add("--seed", type=_whole(0, _MAX_SEED), default=0, metavar="N", help="another first network")
    add(
        "--click-at",
        type=_frame_list,
        default=frozenset(),
        metavar="K[,K...]",
        help="as if the picture were clicked before frame K",
    )
    add("--trainer", type=_trainer, metavar="NAME", help=_trainers())
    add("--epochs-per-frame", type=_epochs, metavar="K", help="epochs of a training step (3)")
    add("--prove", action="store_true", help="at the end, hold it to float64")
    add("--size", type=_paint_size, metavar="WxH", help="the paint buffer (960x540)")
    add("--window", type=_window_size, metavar="WxH", help="the window (1280x720)")
    add("--hud", action="store_true", help="headless: draw the HUD over the picture")
    add("--screenshot", type=Path, metavar="FILE", help="PNG of the last frame")
    add("--stats", metavar="FILE|-", help="one JSON object at the end; - is standard output")
    add("--adapter", metavar="NAME", help="part of the adapter's name")
    add("--list-adapters", action="store_true", help="list the adapters and leave")
    add("--version", action="version", version=f"%(prog)s {__version__}")
    return parser.parse_args(arguments)


def _settings(options: argparse.Namespace) -> Settings:
    """The settings of a run. Raises UserError for options that don't go together."""
    if options.headless and options.terminal:
        raise UserError("--headless and --terminal don't go together.")
    if options.headless and options.frames is None and options.scene in SCENES:
        raise UserError(f"--headless needs --frames for the scene {options.scene}.")
    to_stdout = options.stats == "-"
    stats = Path(options.stats) if options.stats and not to_stdout else None
    for path in (options.screenshot, stats):
        if path is not None:
            check_writable(path)
    if stats is not None and options.screenshot is not None and _same(stats, options.screenshot):
        raise UserError("--screenshot and --stats name the same file.")
    defaults = Settings()
    return Settings(
        scene=options.scene,
        frames=options.frames,
        fps=options.fps,
        start=options.start,
        shape=options.shape,
        seed=options.seed,
        click_at=options.click_at,
        trainer=options.trainer or defaults.trainer,
        epochs=options.epochs_per_frame or defaults.epochs,
        prove=options.prove,
        size=options.size or defaults.size,
        window=options.window or defaults.window,
        hud=options.hud,
        screenshot=options.screenshot,
        stats=stats,
        stats_to_stdout=to_stdout,
        adapter=options.adapter,
    )


def _same(a: Path, b: Path) -> bool:
    return a.absolute() == b.absolute()


# --- the types of the arguments: each returns the value or says what is wanted -------------------


def _wanted(text: str, what: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"{text!r} is not {what}")


def _scene(text: str) -> str:
    known = (*SCENES, *COMMANDS)
    if text not in known:
        raise argparse.ArgumentTypeError(f"there is no {text!r}, only {', '.join(known)}")
    return text


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    bounds = f"of {least} or more" if most is None else f"from {least} to {most}"

    def parse(text: str) -> int:
        if not re.fullmatch(r"\d{1,18}", text, re.ASCII):
            raise _wanted(text, f"a whole number {bounds}")
        value = int(text)
        if value < least or (most is not None and value > most):
            raise _wanted(text, f"a whole number {bounds}")
        return value

    return parse


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _rate(text: str) -> float:
    value = _number(text)
    if not 0.001 <= value <= 1e6:
        raise _wanted(text, "a rate from 0.001 to 1000000 frames a second")
    return value


def _seconds(text: str) -> float:
    value = _number(text)
    if not 0.0 <= value <= 1e12:
        raise _wanted(text, "a time from 0 to 1e12 seconds")
    return value


def _shape(text: str) -> int:
    from .scenes.neural import SHAPES

    if text not in SHAPES:
        raise _wanted(text, f"a shape: {', '.join(SHAPES)}")
    return list(SHAPES).index(text)


def _trainers() -> str:
    from .scenes.neural import TRAINERS

    return "; ".join(f"{name}: {what}" for name, what in TRAINERS.items())


def _trainer(text: str) -> str:
    from .scenes.neural import TRAINERS

    if text not in TRAINERS:
        raise _wanted(text, f"a trainer: {', '.join(TRAINERS)}")
    return text


def _epochs(text: str) -> int:
    from .scenes.neural import MAX_EPOCHS_PER_FRAME

    return _whole(1, MAX_EPOCHS_PER_FRAME)(text)


def _frame_list(text: str) -> frozenset[int]:
    parse = _whole(0)
    return frozenset(parse(part) for part in text.split(","))


def _size(text: str) -> tuple[int, int] | None:
    match = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text, re.ASCII)
    return (int(match[1]), int(match[2])) if match else None


def _paint_size(text: str) -> tuple[int, int]:
    from .scenes.neural import MAX_PIXELS

    size = _size(text)
    if size is None or not 1 <= size[0] * size[1] <= MAX_PIXELS:
        raise _wanted(text, f"a size WxH of 1x1 to {MAX_PIXELS} pixels in all (128 MiB)")
    return size


def _window_size(text: str) -> tuple[int, int]:
    size = _size(text)
    if size is None or not all(1 <= side <= _MAX_WINDOW for side in size):
        raise _wanted(text, f"a size WxH of 1x1 to {_MAX_WINDOW}x{_MAX_WINDOW}")
    return size
