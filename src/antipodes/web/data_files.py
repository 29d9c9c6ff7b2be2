"""The data folder: whether it can be written, and that nobody else reads what is in it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.config import data_folder, database, is_sqlite

_OTHERS = 0o077  # what others may do with a file
_NEEDED = 64 * 1024  # bytes without which SQLite cannot open a database

_OWN = ("site.sqlite3", "jobs.sqlite3", "studies.sqlite3", "secret-key", "vapid-key", "alive")

Say = Callable[[str], object]


def keep_private() -> None:
    """Let nobody else read the files that this process and those that it starts make."""
    os.umask(_OTHERS)


def check_writable() -> None:
    """Write a file into the data folder and delete it.

    Raises:
        InvalidOptionsError: that fails; the message says why.
    """
    folder = data_folder()
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_NEEDED))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        message = (
            f"{folder} cannot be written: {error.strerror};"
            " make room or repair it, or name another folder in ANTIPODES_DATA"
        )
        raise InvalidOptionsError([Fault("serve/data-folder", message)]) from None


def tighten(say: Say) -> None:
    """Take others' rights to read the site's files; warn where that is for the host to decide."""
    folder = data_folder()
    settings = database()
    files = [path for path in folder.iterdir() if path.name.startswith(_OWN)]
    if is_sqlite(settings):
        known = Path(settings["NAME"])
        files += known.parent.glob(f"{known.name}*")
    for path in files:
        if path.is_file() and not _is_private(path):
            _take_rights(path, say)
    if _is_private(folder):
        return
    if os.environ.get("ANTIPODES_DATA"):
        say(f"Warning: others can look into {folder}; keep them out: chmod 700 {folder}")
    else:
        _take_rights(folder, say)


def _is_private(path: Path) -> bool:
    return os.name != "posix" or not path.stat().st_mode & _OTHERS


def _take_rights(path: Path, say: Say) -> None:
    try:
        path.chmod(path.stat().st_mode & 0o700)
    except OSError as error:
        say(f"Warning: others can read {path}, and that cannot be changed: {error.strerror}")
