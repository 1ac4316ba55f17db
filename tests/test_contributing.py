"""Follows the steps by which CONTRIBUTING.md says a dataset is added, in a copy of the program."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def code_blocks() -> list[str]:
    """The code of the section on datasets, block by block, without the list's indentation."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Adding a dataset")[1].split("\n## ")[0]
    blocks = re.findall(r"^   ```\w+\n(.*?)^   ```", section, re.MULTILINE | re.DOTALL)
    return ["".join(line[3:] for line in block.splitlines(keepends=True)) for block in blocks]


def insert(path: Path, before: str, text: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert content.count(before) == 1, f"{path.name} has {before!r} {content.count(before)} times"
    path.write_text(content.replace(before, text + before), encoding="utf-8")


def append_to(path: Path, start: str, end: str, item: str) -> None:
    """Adds `item` at the end of the collection that begins with `start` and ends with `end`."""
    content = path.read_text(encoding="utf-8")
    head, tail = content.split(start, 1)
    members, rest = tail.split(end, 1)
    path.write_text(f"{head}{start}{members}, {item}{end}{rest}", encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("demo", "shaders", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", "failed")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("app.py", "pyproject.toml", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def run(copy: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=copy, capture_output=True, text=True, timeout=100
    )


def test_a_dataset_is_added_by_the_steps(copy: Path) -> None:
    function, case, name, twin = code_blocks()
    kernel = copy / "shaders" / "neural" / "dataset.wgsl"
    reference = copy / "demo" / "reference" / "neural.py"
    insert(kernel, "@compute", function + "\n")
    insert(kernel, "    default:", case)
    append_to(copy / "demo" / "scenes" / "neural.py", "SHAPES = {", "}", name.strip())
    insert(reference, "SHAPES = (", twin + "\n\n")
    append_to(reference, "SHAPES = (", ")", "stripes")

    played = run(
        copy, "app.py", "--headless", "--frames", "200", "--shape", "stripes", "--stats", "-"
    )
    assert played.returncode == 0, played.stderr
    stats = json.loads(played.stdout)
    assert stats["shape"] == "stripes"
    assert stats["accuracy"] > 0.9

    tested = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_kernels.py",
                 "-k", "shape_is_its_twin or training_stays")  # fmt: skip
    assert tested.returncode == 0, tested.stdout
    assert "6 passed" in tested.stdout, "the new shape takes part by itself"

    missing = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                  "tests/test_screenshots.py", "-k", "stripes")  # fmt: skip
    assert missing.returncode == 1
    assert "no expected picture" in missing.stdout
