"""The program runs from anywhere: another folder, odd paths, a symlink, an installed wheel."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ("app.py", "demo", "shaders", "assets", "pyproject.toml", "README.md", "LICENSE")
RUN = ("--headless", "--frames", "2", "--stats", "-")


def check_runs(*command: str | Path, cwd: Path, **environment: str) -> None:
    """The command plays two frames in `cwd` and leaves nothing there."""
    before = sorted(cwd.iterdir())
    done = subprocess.run(
        [sys.executable, *command, *RUN],
        cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["epoch"] == 6
    assert sorted(cwd.iterdir()) == before


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program in a read-only folder whose path has a space and an accent."""
    copy = tmp_path_factory.mktemp("my café") / "a b"
    copy.mkdir()
    for name in PROGRAM:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    return copy


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if "__pycache__" not in path.parts)


def test_from_another_folder(elsewhere: Path) -> None:
    check_runs(ROOT / "app.py", cwd=elsewhere)


def test_from_a_path_with_a_space_and_an_accent(checkout: Path, elsewhere: Path) -> None:
    before = files(checkout)
    for path in (checkout, *before):
        path.chmod(path.stat().st_mode & ~0o222)
    check_runs(checkout / "app.py", cwd=elsewhere)
    check_runs(checkout / "app.py", cwd=elsewhere, LC_ALL="C", PYTHONUTF8="0")
    assert files(checkout) == before, "nothing is written beside the code"


def test_through_a_symlink(elsewhere: Path, tmp_path: Path) -> None:
    link = tmp_path / "demo link"
    link.symlink_to(ROOT / "app.py")
    check_runs(link, cwd=elsewhere)


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an unpacked wheel, which is what installing one leaves."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=checkout, check=True, capture_output=True,
    )  # fmt: skip
    (built,) = folder.glob("*.whl")
    installed = folder / "site é"
    with zipfile.ZipFile(built) as archive:
        archive.extractall(installed)
    return installed


def test_the_wheel_holds_shaders_and_assets_and_no_other_package(wheel: Path) -> None:
    packaged = {path.relative_to(wheel / "watch_it_learn") for path in wheel.rglob("*.wgsl")}
    assert packaged == {path.relative_to(ROOT) for path in (ROOT / "shaders").rglob("*.wgsl")}
    assert (wheel / "watch_it_learn" / "assets").is_dir()
    assert [path.name for path in wheel.iterdir() if not path.name.endswith(".dist-info")] == [
        "watch_it_learn"
    ]


def test_the_installed_module_runs(wheel: Path, elsewhere: Path) -> None:
    check_runs("-m", "watch_it_learn", cwd=elsewhere, PYTHONPATH=str(wheel))


def test_the_installed_command_runs(wheel: Path, elsewhere: Path) -> None:
    entry_points = ConfigParser()
    entry_points.read(next(wheel.glob("*.dist-info")) / "entry_points.txt")
    module, function = entry_points["console_scripts"]["watch-it-learn"].split(":")
    command = f"import sys; from {module} import {function}; sys.exit({function}())"
    check_runs("-c", command, cwd=elsewhere, PYTHONPATH=str(wheel))
