"""Makes wgpu-py start faster: answers cffi's questions about C types without parsing C.

wgpu-py hands cffi 40 to 90 distinct C types as text ("WGPULimits *", "void(WGPUAdapter)"). For
each, cffi lets pycparser read a page of C that has a typedef for every type of wgpu's header:
10 ms a text and 0.4 s until a first dispatch, measured with wgpu 0.32 and cffi 2.1. Yet cffi's
parser keeps those types in a table since it read the header. This module looks them up there.

It leans on private parts of cffi. Whatever is missing, unknown or new goes cffi's own way: the
worst that a change in cffi can do is a slow start.
"""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from typing import Any

model: Any = None
commontypes: Any = None
with suppress(ImportError):  # without them each look-up below fails, and goes cffi's own way
    model, commontypes = import_module("cffi.model"), import_module("cffi.commontypes")

# A name, its stars, an array's length: "uint8_t", "WGPUDevice const *", "WGPUAdapter[]".
_POINTER = re.compile(r"\s*(const\s+)?(\w+)(\s+const)?\s*((?:\*\s*)*)", re.ASCII)
_ARRAY = re.compile(_POINTER.pattern + r"(?:\[([1-9]\d*)?\]\s*)?", re.ASCII)
_FUNCTION = re.compile(r"([^()]+)\(([^()]+)\)\s*")  # "void(WGPULogLevel, void *)"


def install(ffi: Any) -> None:
    """Gives this one FFI object's parser the fast way to read a type, with its own way behind it.

    Does nothing where a private part is missing, or where the fast way disagrees with cffi.
    """
    try:
        parser = ffi._parser
        read_slowly = parser.parse_type
        if not _agrees(ffi, parser):
            return
    except Exception:
        return

    def parse_type(text: str) -> Any:
        found = _read(parser, text)
        return read_slowly(text) if found is None else found

    parser.parse_type = parse_type


def _agrees(ffi: Any, parser: Any) -> bool:
    """Whether the fast way gives what cffi found for the types that it has read so far.

    After wgpu's import those are two, a function and a pointer to a struct.
    """
    for text, known in list(ffi._parsed_types.items()):
        found = _read(parser, text) if isinstance(known, tuple) else None  # its __name__ is none
        if found is not None:
            pointer = found.as_function_pointer() if found.is_raw_function else found
            with ffi._lock:
                if (ffi._get_cached_btype(pointer), found.is_raw_function) != known:
                    return False
    return True


def _read(parser: Any, text: str) -> Any:
    """The cffi.model type that `text` names, or None where only cffi can tell."""
    try:
        function = _FUNCTION.fullmatch(text)
        return _function(parser, *function.groups()) if function else _value(parser, text)[0]
    except Exception:  # a change in cffi, or a mistake in the text, which cffi explains better
        return None


def _function(parser: Any, result: str, arguments: str) -> Any:
    """The type of a function; raises where one of its parts is none that this module reads."""
    types = [parser._as_func_arg(*_value(parser, text)) for text in arguments.split(",")]
    if types == [model.void_type]:
        types = []
    return model.RawFunctionType(tuple(types), _value(parser, result, _POINTER)[0], False)


def _value(parser: Any, text: str, pattern: re.Pattern[str] = _ARRAY) -> tuple[Any, int]:
    """The type and the qualifiers of anything but a function; raises where `pattern` is another."""
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(text)
    found, qualifiers = _named(parser, match[2])
    if match[1] or match[3]:
        qualifiers |= model.Q_CONST
    for _ in range(match[4].count("*")):
        found, qualifiers = parser._get_type_pointer(found, qualifiers), 0
    if "[" in text:
        found = model.ArrayType(found, int(match[5]) if match[5] else None)
    return found, qualifiers


def _named(parser: Any, name: str) -> tuple[Any, int]:
    """The type that a typedef, or C itself, calls `name`, and its qualifiers."""
    if f"typedef {name}" in parser._declarations:
        return parser._declarations[f"typedef {name}"]
    if name == "void":
        return model.void_type, 0
    return commontypes.resolve_common_type(parser, name)
