"""Where the shaders and assets lie: beside `demo` in a checkout, inside the package in a wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE if (_PACKAGE / "shaders").is_dir() else _PACKAGE.parent

SHADERS = _ROOT / "shaders"
ASSETS = _ROOT / "assets"
