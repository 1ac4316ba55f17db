"""demo.fast_cffi against cffi's own parser, on the types that wgpu-py asks for.

Run as a program, this file uses a good part of wgpu and prints what cffi was asked for.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from array import array
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cffi
import pytest
import wgpu
from wgpu.backends.wgpu_native import _ffi as wgpu_ffi

from demo import fast_cffi

ROOT = Path(__file__).parents[1]
SIZE = (64, 64, 1)
WGSL = """
override scale = 1.0;
@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
@compute @workgroup_size(64) fn count(@builtin(global_invocation_id) id: vec3u) {
    numbers[id.x] = id.x * u32(scale);
}
struct Corner { @builtin(position) at: vec4f, @location(0) uv: vec2f }
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var picture_sampler: sampler;
@vertex fn corner(@location(0) at: vec2f) -> Corner { return Corner(vec4f(at, 0.5, 1), at); }
@fragment fn colour(in: Corner) -> @location(0) vec4f {
    return textureSample(picture, picture_sampler, in.uv);
}
"""


# --- the session -----------------------------------------------------------------------------


def run_session() -> dict[str, list[str]]:
    """Computes, draws, copies and times with the fast way installed.

    Returns every type that cffi was asked for, and those among them that were left to cffi.
    """
    ffi, left_to_cffi = wgpu_ffi.ffi, []
    read_slowly = ffi._parser.parse_type

    def record(text: str) -> Any:
        left_to_cffi.append(text)
        return read_slowly(text)

    ffi._parser.parse_type = record
    fast_cffi.install(ffi)
    wgpu.gpu.enumerate_adapters_sync()
    adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
    features = [f for f in ("timestamp-query",) if f in adapter.features]
    device = adapter.request_device_sync(required_features=features, required_limits={})
    module = device.create_shader_module(code=WGSL)
    times = device.create_query_set(type="timestamp", count=2) if features else None
    encoder = device.create_command_encoder()
    numbers = compute(device, module, encoder, times)
    target = draw(device, module, encoder, times)
    if times is not None:
        ticks = device.create_buffer(size=256, usage="QUERY_RESOLVE | COPY_SRC")
        encoder.resolve_query_set(times, 0, 2, ticks, 0)
    copy = device.create_buffer(size=64 * 256, usage="MAP_READ | COPY_DST")
    layout: dict = {"bytes_per_row": 256, "rows_per_image": 64}
    encoder.copy_texture_to_buffer({"texture": target}, {"buffer": copy} | layout, SIZE)
    device.queue.submit([encoder.finish()])
    copy.map_async("READ").sync_wait()
    assert bytes(copy.read_mapped(0, 4)) == bytes([9] * 4)  # the picture's colour
    device.queue.write_buffer(numbers, 252, bytes(4))
    assert device.queue.read_buffer(numbers).cast("I").tolist() == [*range(0, 189, 3), 0]
    device.queue.read_texture({"texture": target}, layout, SIZE)
    asked = [text for text, known in ffi._parsed_types.items() if isinstance(known, tuple)]
    return {"asked": asked, "left_to_cffi": left_to_cffi}


def compute(device: Any, module: Any, encoder: Any, times: Any) -> Any:
    """Records a compute pass; returns the buffer of 64 numbers that it writes."""
    numbers = device.create_buffer(size=256, usage="STORAGE | COPY_SRC | COPY_DST")
    layout, group = group_of(
        device,
        [{"binding": 0, "visibility": "COMPUTE", "buffer": {"type": "storage"}}],
        [{"buffer": numbers, "offset": 0, "size": 256}],
    )
    stage = {"module": module, "entry_point": "count", "constants": {"scale": 3}}
    device.create_compute_pipeline_async(layout=layout, compute=stage).sync_wait()
    work = encoder.begin_compute_pass(timestamp_writes=stamps(times))
    work.set_pipeline(device.create_compute_pipeline(layout=layout, compute=stage))
    work.set_bind_group(0, group)
    work.dispatch_workgroups(1)
    work.end()
    return numbers


def draw(device: Any, module: Any, encoder: Any, times: Any) -> Any:
    """Records a render pass; returns the texture that it covers with a picture of one colour."""
    picture = device.create_texture(
        size=SIZE, format="rgba8unorm", usage="TEXTURE_BINDING | COPY_DST"
    )
    device.queue.write_texture(
        {"texture": picture}, bytes([9] * 4 * 64 * 64), {"bytes_per_row": 256}, SIZE
    )
    layout, group = group_of(
        device,
        [
            {"binding": 0, "visibility": "FRAGMENT", "texture": {}},
            {"binding": 1, "visibility": "FRAGMENT", "sampler": {}},
        ],
        [picture.create_view(), device.create_sampler(mag_filter="linear")],
    )
    target, depth = (
        device.create_texture(size=SIZE, format=format, usage="RENDER_ATTACHMENT | COPY_SRC")
        for format in ("rgba8unorm", "depth32float")
    )
    attribute = {"format": "float32x2", "offset": 0, "shader_location": 0}
    corners = {"array_stride": 8, "attributes": [attribute]}
    blend = {"operation": "add", "src_factor": "one", "dst_factor": "zero"}
    colour = {"format": "rgba8unorm", "blend": {"color": blend, "alpha": blend}}
    pipeline = device.create_render_pipeline(
        layout=layout,
        vertex={"module": module, "entry_point": "corner", "buffers": [corners]},
        fragment={"module": module, "entry_point": "colour", "targets": [colour]},
        depth_stencil={
            "format": "depth32float",
            "depth_write_enabled": True,
            "depth_compare": "less",
        },
    )
    onto = {"view": target.create_view(), "load_op": "clear", "store_op": "store"}
    behind = {"view": depth.create_view(), "depth_load_op": "clear", "depth_store_op": "store"}
    work = encoder.begin_render_pass(
        color_attachments=[onto | {"clear_value": (0, 0, 0, 1)}],
        depth_stencil_attachment=behind | {"depth_clear_value": 1.0},
        timestamp_writes=stamps(times),
    )
    triangle = array("f", [-1, -1, 3, -1, -1, 3])
    work.set_pipeline(pipeline)
    work.set_bind_group(0, group)
    work.set_vertex_buffer(0, device.create_buffer_with_data(data=triangle, usage="VERTEX"))
    work.set_blend_constant((0, 0, 0, 0))
    work.draw(3)
    work.end()
    return target


def group_of(device: Any, entries: list[dict], resources: list[Any]) -> tuple[Any, Any]:
    """A pipeline layout with one bind group's layout, and that group."""
    layout = device.create_bind_group_layout(entries=entries)
    bindings = [{"binding": i, "resource": resource} for i, resource in enumerate(resources)]
    return (
        device.create_pipeline_layout(bind_group_layouts=[layout]),
        device.create_bind_group(layout=layout, entries=bindings),
    )


def stamps(times: Any) -> dict | None:
    """The two timestamps of a pass, where the adapter has any."""
    if times is None:
        return None
    return {
        "query_set": times,
        "beginning_of_pass_write_index": 0,
        "end_of_pass_write_index": 1,
    }


# --- the tests -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def session() -> dict[str, list[str]]:
    """What run_session returns in a process of its own."""
    ran = subprocess.run(
        [sys.executable, __file__],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    if "No suitable graphics adapter" in ran.stderr:
        pytest.skip("there is no adapter")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture
def ffi() -> cffi.FFI:
    """cffi with wgpu's types, apart from wgpu's own."""
    ffi = cffi.FFI()
    ffi.cdef(wgpu_ffi.get_wgpu_header())
    return ffi


def types_in_source() -> list[str]:
    """Every pointer, array and function type in wgpu-py's source, window surfaces' among them."""
    folder = Path(wgpu_ffi.__file__).parent
    source = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    names = re.findall(r'new_struct\(\s*"(\w+)"', source)
    texts = re.findall(r'"((?:WGPU|char|u?int\d+_t|void)\w*(?: const)? ?(?:\*|\[\]) ?)"', source)
    functions = re.findall(r'ffi\.callback\(\s*"([^"]+)"', source)
    return sorted({*texts, *(f"{name} *" for name in names), *functions})


def ctypes_of(ffi: Any, texts: list[str]) -> dict[str, Any]:
    """The ctype of each text, read afresh."""
    ffi._parsed_types.clear()
    return {text: ffi._typeof(text, consider_function_as_funcptr=True) for text in texts}


def left_to_cffi(ffi: Any) -> list[str]:
    """Installs the fast way; returns the list to which each type that it leaves to cffi goes."""
    left, read_slowly = [], ffi._parser.parse_type
    ffi._parser.parse_type = lambda text: left.append(text) or read_slowly(text)
    fast_cffi.install(ffi)
    return left


def assert_same_types(ffi: Any, texts: list[str]) -> None:
    """Both ways give one ctype, that is: one object, which cffi keeps for each distinct type."""
    models, read_slowly = {}, ffi._parser.parse_type
    ffi._parser.parse_type = lambda text: models.setdefault(text, read_slowly(text))
    slow = ctypes_of(ffi, texts)
    ffi._parsed_types.clear()  # or else install would look at them, and decline
    left = left_to_cffi(ffi)
    fast = ctypes_of(ffi, texts)
    assert [text for text in texts if fast[text] is not slow[text]] == []
    assert [text for text in texts if ffi._parser.parse_type(text) != models[text]] == []
    assert left == []


def test_a_sessions_types_are_cffis_own(ffi: cffi.FFI, session: dict[str, list[str]]) -> None:
    assert len(session["asked"]) > 60
    assert_same_types(ffi, session["asked"])


def test_types_in_wgpus_source_are_cffis_own(ffi: cffi.FFI) -> None:
    texts = types_in_source()
    assert {"WGPUSurfaceConfiguration *", "WGPUAdapter[]", "void *"} <= set(texts)
    assert_same_types(ffi, texts)


def test_other_spellings_are_cffis_own(ffi: cffi.FFI) -> None:
    texts = ["WGPULimits", "WGPULimits[3]", "WGPUDevice*", "char const*[2]", "const void **"]
    texts += ["void(void)", "WGPUBool (WGPULimits [3] , bool)", "uint8_t", "WGPUProc *", "double"]
    assert_same_types(ffi, texts)


def test_a_session_leaves_nothing_to_cffi(session: dict[str, list[str]]) -> None:
    assert session["left_to_cffi"] == []


def test_unknown_types_are_left_to_cffi(ffi: cffi.FFI) -> None:
    kinds = {
        "unsigned int *": "pointer",
        "struct WGPULimits *": "pointer",
        "int(*)(int)": "function",
        "int(char *, ...)": "function",
        "int[2][3]": "array",
        "void(WGPUNoSuchType)": "void",  # C reads it as a void of that name
    }
    mistakes = ["WGPUNoSuchType *", "WGPULimits * x y", "int[", "3"]
    left = left_to_cffi(ffi)
    assert {text: ctype.kind for text, ctype in ctypes_of(ffi, [*kinds]).items()} == kinds
    for mistake in mistakes:
        with pytest.raises(cffi.CDefError, match="cannot parse"):
            ffi.typeof(mistake)
    assert left == [*kinds, *mistakes]


@pytest.mark.parametrize("broken", ["model", "commontypes"])
def test_without_a_module_of_cffi_its_own_way_remains(
    ffi: cffi.FFI, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    texts = ["WGPULimits[]", "uint8_t *", "void(int)"]
    slow = ctypes_of(ffi, texts)
    monkeypatch.setattr(fast_cffi, broken, None)
    left = left_to_cffi(ffi)
    assert ctypes_of(ffi, texts) == slow
    assert left == {"model": ["WGPULimits[]", "void(int)"], "commontypes": texts[1:]}[broken]


PARTS = ["_declarations", "_get_type_pointer", "_as_func_arg", "_parsed_types"]


@pytest.mark.parametrize("missing", ["nothing", *PARTS])
def test_without_a_private_part_cffis_own_way_remains(missing: str) -> None:
    parser = SimpleNamespace(
        parse_type="cffi's {}".format,
        _declarations={"typedef T": (cffi.model.void_type, 0)},
        _get_type_pointer=cffi.model.PointerType,
        _as_func_arg=lambda found, qualifiers: found,
    )
    ffi = SimpleNamespace(_parser=parser, _parsed_types={})
    for owner in (parser, ffi):
        vars(owner).pop(missing, None)
    fast_cffi.install(ffi)
    expected = "<void()(void *)>" if missing == "nothing" else "cffi's T(T *)"
    assert str(parser.parse_type("T(T *)")) == expected


def test_without_a_parser_nothing_happens() -> None:
    bare = SimpleNamespace(_parsed_types={})
    fast_cffi.install(bare)
    bare._parser = parser = SimpleNamespace()
    fast_cffi.install(bare)
    assert vars(parser) == {}


def test_where_it_disagrees_with_cffi_it_is_not_installed(
    ffi: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctypes_of(ffi, ["WGPULimits *", "void(int)"])
    own = ffi._parser.parse_type
    read = fast_cffi._read
    monkeypatch.setattr(fast_cffi, "_read", lambda parser, text: read(parser, "WGPUColor *"))
    fast_cffi.install(ffi)
    assert ffi._parser.parse_type == own
    monkeypatch.undo()
    fast_cffi.install(ffi)
    assert ffi._parser.parse_type != own


if __name__ == "__main__":
    print(json.dumps(run_session()))
