"""Files appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from .errors import UserError


def check_writable(path: Path) -> None:
    """Raises UserError, before any work is done, where a file could not be written."""
    if path.is_dir():
        raise UserError(f"{path} is a folder, not a file.")
    if not path.parent.is_dir():
        raise UserError(f"There is no folder {path.parent} to write {path.name} into.")
    if not os.access(path.parent, os.W_OK):
        raise UserError(f"The folder {path.parent} can't be written to.")


def write_whole(files: Mapping[Path, bytes]) -> None:
    """Writes all `files` under temporary names, then renames them; none is left if one fails.

    Raises UserError where the system refuses.
    """
    written: list[tuple[Path, Path]] = []
    try:
        for path, content in files.items():
            written.append((_write_temporary(path, content), path))
        for temporary, path in written:
            temporary.replace(path)
    except OSError as error:
        raise UserError(f"Could not write {error.filename}: {error.strerror}.") from None
    finally:
        for temporary, _ in written:
            temporary.unlink(missing_ok=True)


def _write_temporary(path: Path, content: bytes) -> Path:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    umask = os.umask(0)
    os.umask(umask)
    os.chmod(name, 0o666 & ~umask)  # mkstemp's files are private
    return Path(name)
