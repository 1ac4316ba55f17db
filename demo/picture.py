"""From paint to PNG."""

from __future__ import annotations

import io

import numpy as np


def to_rgba8(paint: np.ndarray) -> np.ndarray:
    """Paint, float32 (height, width, 4), as the 8-bit RGBA that a screen shows: no gamma is added,
    values beyond [0, 1] are clipped, and the nearest level is taken."""
    return np.rint(np.clip(paint, 0.0, 1.0) * 255.0).astype(np.uint8)


def to_png(rgba: np.ndarray) -> bytes:
    """An 8-bit RGBA picture (height, width, 4) as a PNG file's content."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(rgba, "RGBA").save(content, "PNG")
    return content.getvalue()
