"""A WGSL file, its libraries and the scene's constants become one source, and what it declares.

The kernel's file is the home of its bindings, entry point and workgroup size; this module reads
them. A header line `// uses: hash, mlp` names libraries, looked up in the kernel's own folder and
then in `shaders/lib`; each is appended once. Constants come last, so that line numbers in compiler
messages are those of the kernel's file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .resources import SHADERS
from .scene import Constant

_USES = re.compile(r"^//\s*uses:\s*(.+)$", re.MULTILINE)
_BINDING = re.compile(
    r"@group\(0\)\s*@binding\((\d+)\)\s*var<(uniform|storage)(?:,\s*(read_write|read))?>\s*(\w+)\s*:"
)
_ENTRY = re.compile(r"@compute\s*@workgroup_size\(([^)]*)\)\s*fn\s+(\w+)")
_FIELD = re.compile(r"^\s*(\w+)\s*:\s*(f32|u32|i32)\s*,", re.MULTILINE)
_NUMPY_TYPES = {"f32": "<f4", "u32": "<u4", "i32": "<i4"}

Access = str
"""How a kernel binds a buffer, in WebGPU's terms: uniform, storage or read-only-storage."""


@dataclass(frozen=True)
class Binding:
    """A declared binding: its slot in group 0, its name, and how it is accessed."""

    slot: int
    name: str
    access: Access


@dataclass(frozen=True)
class Shader:
    """A whole WGSL source and its reflection."""

    name: str
    source: str
    entry_point: str
    workgroup_size: tuple[int, int, int]
    bindings: tuple[Binding, ...]


def load(folder: str, kernel: str, constants: Mapping[str, Constant]) -> Shader:
    """The kernel `shaders/<folder>/<kernel>.wgsl` with its libraries and `constants`.

    Raises FileNotFoundError for a kernel or library that does not exist, ValueError for a file
    without exactly one compute entry point.
    """
    path = SHADERS / folder / f"{kernel}.wgsl"
    own = _read(path)
    parts = [own, *(_read(library) for library in _libraries(path, own))]
    source = "\n".join([*parts, declarations(constants)])
    entry_point, workgroup_size = _entry(path, own)
    return Shader(f"{folder}/{kernel}", source, entry_point, workgroup_size, _bindings(own))


def declarations(constants: Mapping[str, Constant]) -> str:
    """`constants` as WGSL: int as u32, float as f32, three floats as vec3f."""
    return "".join(f"const {name} = {_literal(value)};\n" for name, value in constants.items())


def struct_dtype(folder: str, struct: str) -> np.dtype:
    """The numpy twin of `struct`, declared in `shaders/<folder>/<struct, lower case>.wgsl`.

    Only 4-byte scalars are allowed in it, so that numpy's packed layout is WGSL's.
    """
    text = _read(SHADERS / folder / f"{struct.lower()}.wgsl")
    body = re.search(rf"struct {struct}\s*{{(.*?)}}", text, re.DOTALL)
    if body is None:
        raise ValueError(f"{folder}/{struct.lower()}.wgsl declares no struct {struct}")
    declared = re.sub(r"//.*", "", body[1])
    fields = _FIELD.findall(declared)
    if len(fields) != declared.count(":"):
        raise ValueError(f"struct {struct} may hold only f32, u32 and i32")
    return np.dtype([(name, _NUMPY_TYPES[kind]) for name, kind in fields])


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _libraries(path: Path, source: str) -> list[Path]:
    """The library files that `source` uses, each once, those that they use in turn included."""
    found: list[Path] = []
    queue = [source]
    while queue:
        for names in _USES.findall(queue.pop()):
            for name in names.split(","):
                library = _library(path, name.strip())
                if library not in found:
                    found.append(library)
                    queue.append(_read(library))
    return found


def _library(path: Path, name: str) -> Path:
    for folder in (path.parent, SHADERS / "lib"):
        if (folder / f"{name}.wgsl").is_file():
            return folder / f"{name}.wgsl"
    raise FileNotFoundError(f"{path.name} uses {name}, but there is no {name}.wgsl")


def _literal(value: Constant) -> str:
    if isinstance(value, tuple):
        return f"vec3f({', '.join(str(float(v)) for v in value)})"
    return f"{value}u" if isinstance(value, int) else f"{value}f"


def _entry(path: Path, source: str) -> tuple[str, tuple[int, int, int]]:
    entries = _ENTRY.findall(source)
    if len(entries) != 1:
        raise ValueError(f"{path.name} needs one compute entry point, it has {len(entries)}")
    sizes, name = entries[0]
    x, y, z = (*(int(size) for size in sizes.split(",")), 1, 1)[:3]
    return name, (x, y, z)


def _bindings(source: str) -> tuple[Binding, ...]:
    return tuple(
        Binding(int(slot), name, _access(space, access))
        for slot, space, access, name in _BINDING.findall(source)
    )


def _access(space: str, access: str) -> Access:
    if space == "uniform":
        return "uniform"
    return "storage" if access == "read_write" else "read-only-storage"
