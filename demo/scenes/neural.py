"""The neural scene: document 001's four passes as a table.

A 2-12-12-1 network with tanh learns 100 points of a shape by full-batch momentum SGD, and is
painted as a decision field.
"""

from math import ceil

from ..scene import Buffer, Pass, Scene

SHAPES = {"spiral": "Spiral", "rings": "Rings", "xor": "XOR"}
"""Each shape's name and its title, in the order of `dataset.wgsl`'s cases."""

CYCLE = 3
"""The first shapes, which take turns as in document 001; any further ones can be held."""

SECONDS_PER_SHAPE = 6.0

TRAINERS = {
    "single": "one thread walks the whole batch",
    "parallel": "a thread a sample, then a thread a row of parameters",
    "difference": "a forward difference, a thread a parameter",
}
"""The ways to take the gradient, and what each does in a few words."""

DEFAULT_TRAINER = "single"
"""Document 001's."""

EPOCHS_PER_FRAME = 3
MAX_EPOCHS_PER_FRAME = 1000
EPOCHS_PER_DISPATCH = 32
"""Epochs that one dispatch of the parallel trainer takes at most: bounded work for any driver."""

SAMPLES = 100
PARAMETERS = 205
PARAMETER_ROWS = 52
"""Rows of four floats: the 205 parameters, the epoch count, and two of padding."""

FOLDED_ROWS = 55

FIELD_RUN = 4
FIELD_RUN_SOFTWARE = 60
"""Pixels of a row that one invocation of the field kernel paints: a GPU wants many invocations, a
CPU few loads of weights. The software figure leaves eight invocations a workgroup of 960 busy."""

DOT_THREADS = 128

MAX_WORKGROUPS = 65535
"""A side of a dispatch, by WebGPU's default limits."""

SIZE = (960, 540)
MAX_PIXELS = (128 << 20) // 16
"""What fits WebGPU's default storage binding of 128 MiB, at 16 bytes a pixel."""

CLASS_COLOURS = ((0.16, 0.31, 0.82), (1.0, 0.84, 0.24))
"""Blue and gold: what the field shows for class 0 and class 1."""


def training(trainer: str, epochs: int) -> Pass:
    """The pass that trains `epochs` epochs in the way `trainer`, a name of TRAINERS."""
    dispatches = ceil(epochs / EPOCHS_PER_DISPATCH) if trainer == "parallel" else epochs
    threads = 4 * PARAMETER_ROWS if trainer == "difference" else 1
    return Pass(f"train_{trainer}", (threads,), part_of="train", repeat=dispatches)


def scene(
    size: tuple[int, int] = SIZE,
    *,
    software: bool = False,
    trainer: str = DEFAULT_TRAINER,
    epochs: int = EPOCHS_PER_FRAME,
) -> Scene:
    """The table for a picture of `size` (width, height) in pixels, on a GPU or a `software` one,
    trained by `trainer` for `epochs` a frame."""
    width, height = size
    field_run = min(FIELD_RUN_SOFTWARE if software else FIELD_RUN, width)
    # For pictures beyond all measure: a dispatch has at most MAX_WORKGROUPS workgroups a side.
    field_run = max(field_run, ceil(width / MAX_WORKGROUPS))
    field_rows = min(height, MAX_WORKGROUPS)
    return Scene(
        name="neural",
        constants={
            "SAMPLES": SAMPLES,
            "PARAMETER_ROWS": PARAMETER_ROWS,
            "EPOCHS_PER_DISPATCH": EPOCHS_PER_DISPATCH,
            "LEARNING_RATE": 0.25,
            "MOMENTUM": 0.9,
            "FOLDED_ROWS": FOLDED_ROWS,
            "FIELD_RUN": field_run,
            "FIELD_ROWS": field_rows,
            "WIDTH": width,
            "HEIGHT": height,
            "PIXELS": width * height,
            "BASE_COLOUR": (0.012, 0.02, 0.046),
            "CLASS_0_COLOUR": CLASS_COLOURS[0],
            "CLASS_1_COLOUR": CLASS_COLOURS[1],
            "DOT_0_COLOUR": (0.45, 0.62, 1.0),
            "DOT_1_COLOUR": (1.0, 0.88, 0.40),
            "RIM_COLOUR": (0.01, 0.02, 0.05),
        },
        buffers={
            "w": Buffer((PARAMETER_ROWS * 4,), pair=True),
            "v": Buffer((PARAMETER_ROWS * 4,), pair=True),
            "data": Buffer((SAMPLES, 4)),
            "stats": Buffer((4,)),
            "folded": Buffer((FOLDED_ROWS, 4)),
            "paint": Buffer((height, width, 4)),
        },
        start=(Pass("init", (PARAMETER_ROWS,)), Pass("dataset", (SAMPLES,))),
        update=(
            training(trainer, epochs),
            Pass("stats", (1,)),
            Pass("dataset", (SAMPLES,)),
        ),
        draw=(
            Pass("fold", (1,), part_of="field"),
            Pass("field", (ceil(width / field_run), field_rows)),
            Pass("dots", (SAMPLES * DOT_THREADS,)),
        ),
        stats=("loss", "accuracy", "epoch"),
    )
