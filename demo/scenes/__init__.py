"""The scenes by name. A new scene is a module here and a line in `SCENES`."""

from importlib import import_module
from types import ModuleType

SCENES = {"neural": "a small network learns to tell two kinds of points apart"}
"""Each scene's name and what it shows, in a few words. The first is the default."""


def scene_module(name: str) -> ModuleType:
    """The scene's module, imported only when asked for."""
    return import_module(f".{name}", __name__)
