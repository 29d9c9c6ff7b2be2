"""Atomic writing of files: no program ever reads one that is half written."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write beside a file and then put the new one in its place in one step.

    Raises:
        OSError: the file cannot be written; the old one is unchanged.
    """
    # A link is followed, so that what it points to is written and the link stays.
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder")
    prefix = f".{target.name[:50]}."
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _mode(path: Path) -> int:
    """Return the access rights of the old file, or those that new files get."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
