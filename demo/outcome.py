"""What a run leaves behind: the stats object and the picture."""

from __future__ import annotations

import json
import math
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from .files import write_whole
from .gpu import AdapterInfo
from .picture import to_png
from .playback import Playback
from .prove import Proof, finite
from .scenes.neural import SHAPES
from .settings import Settings

NOT_PROVEN = 3
"""The exit code where a proof finds the GPU beyond its bounds."""


def stats_object(
    settings: Settings,
    adapter: AdapterInfo,
    playback: Playback,
    measured: Mapping[str, float] | None,
    pass_ms: Mapping[str, float] | None,
) -> dict[str, object]:
    """The stats object that README.md describes.

    `measured` are the scene's stats, None if it never ran. A number that is not finite becomes
    null, as JSON has no word for it.
    """
    measured = measured or {"epoch": 0.0, "loss": math.nan, "accuracy": math.nan}
    return {
        "scene": settings.scene,
        "adapter": adapter.name,
        "graphics_api": adapter.graphics_api,
        "software": adapter.software,
        "frame": playback.frames,
        "time": playback.time,
        "shape": tuple(SHAPES)[playback.shape],
        "seed": settings.seed,
        "epoch": int(measured["epoch"]),
        "loss": finite(measured["loss"]),
        "accuracy": finite(measured["accuracy"]),
        "pass_ms": dict(pass_ms) if pass_ms else None,
        "trainer": playback.trainer,
        "epochs_per_frame": playback.epochs,
    }


def medians(samples: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Each pass's median milliseconds over the samples that hold it."""
    names = dict.fromkeys(name for sample in samples for name in sample)
    return {n: statistics.median(s[n] for s in samples if n in s) for n in names}


def conclude(
    settings: Settings,
    stats: Mapping[str, object],
    picture: Callable[[], np.ndarray],
    proof: Proof | None,
) -> int:
    """Writes what was asked for: the PNG of `picture()` (8-bit RGBA), and `stats` as JSON, with the
    proof, which is also said on standard error. Returns the exit code."""
    if proof is not None:
        stats = {**stats, "proof": proof.as_stats()}
        print(proof, file=sys.stderr)
    text = json.dumps(stats, allow_nan=False) + "\n"
    files: dict[Path, bytes] = {}
    if settings.screenshot is not None:
        files[settings.screenshot] = to_png(picture())
    if settings.stats is not None:
        files[settings.stats] = text.encode()
    write_whole(files)
    if settings.stats_to_stdout:
        sys.stdout.write(text)
        sys.stdout.flush()
    return 0 if proof is None or proof.holds else NOT_PROVEN
