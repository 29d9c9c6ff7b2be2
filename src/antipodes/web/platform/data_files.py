"""Checks and permissions of the data folder."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform import env_file
from antipodes.web.platform.config import data_folder, database, is_sqlite, named_data_folder

_OTHERS = 0o077  # permissions of group and others
_NEEDED = 64 * 1024  # bytes without which SQLite cannot open a database

_BACKED_UP = "backed-up"  # a file that is touched by each backup

_OWN = ("site.sqlite3", "jobs.sqlite3", "studies.sqlite3", "secret-key", "alive")

Say = Callable[[str], object]


def set_private_umask() -> None:
    """Set the umask, so that other users cannot read new files of this process and its children."""
    os.umask(_OTHERS)


def require_database() -> None:
    """Require an existing database; create nothing.

    Raises:
        InvalidOptionsError: the file of the database is missing or empty.
    """
    settings = database()
    if not is_sqlite(settings) or _has_content(Path(settings["NAME"])):
        return
    message = (
        f"there is no site in {settings['NAME']}, and nothing was created. {env_file.source}"
        " Choose the site with --env-file FILE or ANTIPODES_DATA;"
        " create a new one with: antipodes serve, or antipodes migrate"
    )
    raise InvalidOptionsError([Fault("serve/no-site", message)])


def _has_content(file: Path) -> bool:
    return str(file) == ":memory:" or (file.exists() and file.stat().st_size > 0)


def check_owner() -> None:
    """Refuse to run as root on a data folder of another user, who could not write the new files.

    Raises:
        InvalidOptionsError: the data folder belongs to another user.
    """
    folder = named_data_folder()
    if os.name != "posix" or os.geteuid() != 0 or not folder.exists():
        return
    if folder.stat().st_uid == 0:
        return
    owner = _owner_name(folder)
    message = (
        f"{folder} belongs to {owner}, and root would leave files there that {owner} cannot write:"
        f" run this as {owner}, such as sudo -u {owner} antipodes ..."
    )
    raise InvalidOptionsError([Fault("serve/data-folder", message)])


def _owner_name(folder: Path) -> str:
    try:
        return folder.owner()
    except KeyError:
        return f"'#{folder.stat().st_uid}'"


def check_writable() -> None:
    """Check that the data folder can be written.

    Raises:
        InvalidOptionsError: it cannot; the message says why.
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


def note_backup() -> None:
    """Note that a backup was made now."""
    with suppress(OSError):  # the disk of the site is full, while that of the backup is not
        (data_folder() / _BACKED_UP).touch(mode=0o600)


def backup_age() -> float | None:
    """Return the seconds since the latest backup, or ``None`` if there is none."""
    try:
        return time.time() - (named_data_folder() / _BACKED_UP).stat().st_mtime
    except OSError:
        return None


def restrict_permissions(say: Say) -> None:
    """Remove permissions of other users from the site's files; warn about a chosen folder."""
    folder = data_folder()
    for path in exposed_files():
        _restrict(path, say)
    if _is_private(folder):
        return
    if os.environ.get("ANTIPODES_DATA"):
        say(f"Warning: other users can read {folder}; keep them out: chmod 700 {folder}")
    else:
        _restrict(folder, say)


def exposed_files() -> list[Path]:
    """Return the site's files that other users of the machine can read or write."""
    settings = database()
    files = {path for path in data_folder().iterdir() if path.name.startswith(_OWN)}
    if is_sqlite(settings):
        known = Path(settings["NAME"])
        files.update(known.parent.glob(f"{known.name}*"))
    return [path for path in sorted(files) if path.is_file() and not _is_private(path)]


def _is_private(path: Path) -> bool:
    return os.name != "posix" or not path.stat().st_mode & _OTHERS


def _restrict(path: Path, say: Say) -> None:
    try:
        path.chmod(path.stat().st_mode & 0o700)
    except OSError as error:
        say(f"Warning: others can read {path}; its permissions cannot be set: {error.strerror}")
