"""How to install a package that is missing. Uses nothing but the standard library."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

_DISTRIBUTIONS = {"imgui_bundle": "imgui-bundle", "PIL": "pillow"}
_PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def install_command(module: str) -> str | None:
    """The command that installs the package of `module`, or None if the program needs no such."""
    name = module.partition(".")[0]
    distribution = _DISTRIBUTIONS.get(name, name)
    for requirement in _requirements():
        if re.split(r"[^\w.-]", requirement)[0].lower() == distribution.lower():
            return f'python -m pip install "{requirement}"'
    return None


def _requirements() -> list[str]:
    """The program's requirements: from pyproject.toml in a checkout, else as installed."""
    if _PYPROJECT.is_file():
        return tomllib.loads(_PYPROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    try:
        return metadata.requires("watch-it-learn") or []
    except metadata.PackageNotFoundError:
        return []
