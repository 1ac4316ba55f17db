"""Compares pictures with the expected ones in tests/screenshots.

Pictures of one frame differ between drivers and CPUs by a few levels, at the edges of dots and
bands by more: a share of `MAX_SHARE` of the pixels may differ by more than `MAX_LEVELS`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from demo.picture import to_png

MAX_LEVELS = 3
MAX_SHARE = 0.002
FOLDER = Path(__file__).parent / "screenshots"


def check(name: str, actual: np.ndarray, *, update: bool, folder: Path = FOLDER) -> None:
    """Fails where the picture `actual`, 8-bit RGBA (height, width, 4), is not the expected one.

    A failure leaves what was seen, the difference (amplified) and the mask of the pixels that
    differ in `folder`/failed, and says so. With `update`, the expected picture is rewritten.
    """
    path = folder / f"{name}.png"
    if update:
        path.write_bytes(to_png(actual))
        return
    left = folder / "failed" / name
    if not path.is_file():
        _save(left, actual=actual)
        raise AssertionError(
            f"There is no expected picture {path}; what was seen is {left}-actual.png. Look at "
            "it, then run pytest --update-screenshots."
        )
    expected = np.asarray(Image.open(path).convert("RGBA"))
    if actual.shape != expected.shape:
        _save(left, actual=actual)
        raise AssertionError(f"{path} has shape {expected.shape}, the picture {actual.shape}")
    difference = difference_in_levels(actual, expected)
    mask = difference > MAX_LEVELS
    if mask.mean() > MAX_SHARE:
        _save(left, actual=actual, difference=_grey(difference * 16), mask=_grey(mask * 255))
        raise AssertionError(
            f"{mask.mean():.2%} of the pixels of {path.name} differ by more than {MAX_LEVELS} "
            f"levels (up to {difference.max()}); see {left}-actual.png, -difference.png, -mask.png"
        )


def difference_in_levels(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Each pixel's largest difference in any channel, in either direction, in 8-bit levels."""
    return np.abs(a.astype(int) - b.astype(int)).max(axis=2)


def _grey(values: np.ndarray) -> np.ndarray:
    levels = np.clip(values, 0, 255).astype(np.uint8)
    return np.dstack([levels, levels, levels, np.full_like(levels, 255)])


def _save(stem: Path, **pictures: np.ndarray) -> None:
    stem.parent.mkdir(exist_ok=True)
    for kind, picture in pictures.items():
        (stem.parent / f"{stem.name}-{kind}.png").write_bytes(to_png(picture))
