"""Shader sources: reflection, constants, libraries, and rules that every kernel keeps."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from demo import gpu, shader
from demo.resources import SHADERS
from demo.scene import Buffer, Pass, Scene
from demo.scenes import SCENES, neural, scene_module

WGSL = sorted(SHADERS.rglob("*.wgsl"))


def all_shaders() -> list[shader.Shader]:
    scenes = [scene_module(name).scene(trainer=t) for name in SCENES for t in neural.TRAINERS]
    kernels = {(s.name, k): s.constants for s in scenes for k in s.kernels}
    return [shader.load(name, k, constants) for (name, k), constants in kernels.items()]


def test_reflection_reads_the_kernels_file() -> None:
    train = shader.load("neural", "train_single", neural.scene().constants)
    assert train.entry_point == "train_single"
    assert train.workgroup_size == (1, 1, 1)
    assert [(b.slot, b.name, b.access) for b in train.bindings] == [
        (0, "frame", "uniform"),
        (1, "w", "uniform"),
        (2, "v", "uniform"),
        (3, "data", "uniform"),
        (4, "w_next", "storage"),
        (5, "v_next", "storage"),
    ]


def test_libraries_are_appended_once_and_constants_last() -> None:
    train = shader.load("neural", "train_single", {"SAMPLES": 7})
    assert train.source.count("fn hash_u32") == 1
    assert train.source.startswith("// Pass 1")
    assert train.source.endswith("const SAMPLES = 7u;\n")


def test_constants_are_typed() -> None:
    text = shader.declarations({"N": 3, "RATE": 0.25, "BLUE": (0.16, 0.31, 1.0)})
    assert text == ("const N = 3u;\nconst RATE = 0.25f;\nconst BLUE = vec3f(0.16, 0.31, 1.0);\n")


def test_the_frame_struct_is_packed() -> None:
    dtype = shader.struct_dtype("neural", "Frame")
    assert dtype.names == ("band_phase", "pulse_phase", "shape", "restart", "key_base", "epochs")
    assert dtype.itemsize == 4 * len(dtype.names)


def test_a_struct_with_other_types_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "frame.wgsl").write_text("struct Frame { a: f32, b: vec3f, }")
    monkeypatch.setattr(shader, "SHADERS", tmp_path)
    with pytest.raises(ValueError, match="only f32, u32 and i32"):
        shader.struct_dtype("odd", "Frame")


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "k.wgsl").write_text("// uses: magic\n")
    monkeypatch.setattr(shader, "SHADERS", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"k\.wgsl uses magic"):
        shader.load("odd", "k", {})


@pytest.mark.parametrize("path", WGSL, ids=lambda p: p.name)
def test_one_file_alone_calls_tanh(path: Path) -> None:
    """Some drivers return NaN for large |x|; the helper in activation.wgsl clamps."""
    code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    calls = re.findall(r"\btanh\s*\(", code)
    assert len(calls) == (1 if path.name == "activation.wgsl" else 0)


@pytest.mark.parametrize("path", WGSL, ids=lambda p: p.name)
def test_no_bool_in_workgroup_memory(path: Path) -> None:
    """Lanes that write neighbouring bools lose each other's writes on some GPUs."""
    shared = re.findall(r"var<workgroup>[^;]*;", path.read_text(encoding="utf-8"))
    assert not [declaration for declaration in shared if "bool" in declaration]


@pytest.mark.parametrize("loaded", all_shaders(), ids=lambda s: s.name)
def test_kernels_keep_webgpus_default_limits(loaded: shader.Shader) -> None:
    """As browsers enforce them; what the device itself checks is asked of it by name."""
    accesses = [binding.access for binding in loaded.bindings]
    assert sum("storage" in access for access in accesses) <= 8
    assert accesses.count("uniform") <= 12
    assert np.prod(loaded.workgroup_size) <= 256
    assert [b.slot for b in loaded.bindings] == list(range(len(loaded.bindings)))


def test_the_device_enforces_the_default_limits(device) -> None:
    for name, value in gpu.DEFAULT_LIMITS.items():
        assert device.limits[name] == value


@pytest.mark.parametrize("loaded", all_shaders(), ids=lambda s: s.name)
def test_barriers_stand_in_uniform_control_flow(loaded: shader.Shader) -> None:
    """naga accepts a barrier after a return or under a condition; browsers refuse it. Kernels here
    keep barriers in no block but loops, whose bounds are uniform, and with no return before."""
    body = loaded.source[loaded.source.index(f"fn {loaded.entry_point}(") :]
    body = re.sub(r"//.*", "", body)
    blocks: list[str] = []
    opener, returned = "fn", False
    for token in re.findall(r"[{}]|\b(?:for|if|else|switch|return)\b|workgroupBarrier", body):
        if token == "{":
            blocks.append(opener)
        elif token == "}":
            blocks.pop()
            if not blocks:
                break
        elif token == "return":
            returned = True
        elif token == "workgroupBarrier":
            assert not returned
            assert set(blocks) <= {"fn", "for"}
        else:
            opener = token


def test_an_unknown_binding_is_named(device) -> None:
    table = neural.scene()
    buffers = {name: buffer for name, buffer in table.buffers.items() if name != "stats"}
    scene = Scene(table.name, table.constants, buffers, (), (Pass("stats", (1,)),), ())
    with pytest.raises(ValueError, match="binds stats, which is no buffer of the scene"):
        gpu.Runner(device, scene).step()


def test_the_next_side_of_a_buffer_that_is_no_pair_is_refused(device) -> None:
    table = neural.scene()
    buffers = {**table.buffers, "w": Buffer((208,))}
    scene = Scene(table.name, table.constants, buffers, (Pass("init", (52,)),), (), ())
    with pytest.raises(ValueError, match="binds w_next"):
        gpu.Runner(device, scene).start()


def test_writing_another_shape_is_refused(device) -> None:
    runner = gpu.Runner(device, neural.scene((8, 8)))
    with pytest.raises(ValueError, match=r"w has shape \(208,\), not \(3,\)"):
        runner.write("w", np.zeros(3, np.float32))
