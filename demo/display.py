"""Which front end plays: a window where there is a display, else the terminal.

The window is on the screen before anything heavy is imported.
"""

from __future__ import annotations

import logging
import sys
import warnings

from .errors import UserError
from .settings import Settings

TITLE = "Watch it learn"


def run(settings: Settings) -> int:
    """Opens the window and plays; returns the exit code.

    Without a display the demo plays in the terminal. Raises UserError where there is none either.
    """
    if has_display():
        return _run_window(settings)
    if sys.stdin.isatty() and sys.stdout.isatty():
        return run_terminal(settings)
    raise UserError("There is no display to open a window on: use --headless --frames N.")


def run_terminal(settings: Settings) -> int:
    """Plays in the terminal; returns the exit code. Raises UserError where there is none."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError("There is no terminal to play in: use --headless --frames N.")
    from .terminal import TerminalPlayer, create_canvas

    canvas, loop = create_canvas(TITLE)
    return TerminalPlayer(canvas, loop, settings).run()


def has_display() -> bool:
    """Asks GLFW before a canvas is made: rendercanvas would abort the process without a display."""
    import glfw

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", glfw.GLFWError)
        return bool(glfw.init())


def _run_window(settings: Settings) -> int:
    from rendercanvas.glfw import RenderCanvas, loop

    # It would report an empty frame, or Ctrl-C, as a warning.
    logging.getLogger("rendercanvas").setLevel(logging.ERROR)
    canvas = RenderCanvas(size=settings.window, title=TITLE, update_mode="fastest", vsync=True)
    try:
        from .window import WindowPlayer

        return WindowPlayer(canvas, loop, settings).run()
    finally:
        canvas.close()
