"""Backup and restore of a site with SQLite: its database, keys and mail in one file."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath

import antipodes
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform import data_files
from antipodes.web.platform.config import data_folder, database, is_sqlite
from antipodes.web.server import server_lock

_DATABASE = "site.sqlite3"
_ABOUT = "about.json"
_FORMAT = 1

# Names of files in a folder of backups; the order of names is that of times.
_NAME = "antipodes-%Y%m%d-%H%M%S.zip"
_NAMED = re.compile(r"antipodes-\d{8}-\d{6}\.zip")

# What a backup has beside the database. The site makes its other files again when needed; dotfiles
# and others are the user's, whose home is often the data folder.
_KEYS = ("secret-key",)
_MAIL = ("postmaster", "mail")  # folders, with all their content


def back_up(target: Path, *, keep: int | None = None) -> str:
    """Back up the database and the site's other files; return a message for the host.

    Args:
        target: the file, or a folder for a file that is named after the time (UTC).
        keep: the number of such files to keep in the folder: older ones are deleted, after the new
            one is complete. By default all are kept.

    Raises:
        InvalidOptionsError: the database is not SQLite, or there is none yet; or the file cannot be
            written. No file is deleted.
    """
    source = _database_file()
    if not source.exists():
        message = f"there is no database in {data_folder()} yet; nothing was written"
        raise _error("backup/nothing", message)
    is_folder = target.is_dir()
    file = target / time.strftime(_NAME, time.gmtime()) if is_folder else target
    try:
        message = _back_up(source, file)
        data_files.note_backup()
        deleted = _delete_older(file, keep) if is_folder and keep else 0
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror}"
        raise _error("backup/not-written", message) from None
    return f"{message}; {deleted} older ones deleted" if deleted else message


def _back_up(source: Path, file: Path) -> str:
    folder, unfinished = data_folder(), file.with_name(file.name + ".part")
    # Beside the file there is room: /tmp is often small, or in memory.
    with tempfile.TemporaryDirectory(dir=file.parent, prefix="unfinished-") as scratch:
        copy = Path(scratch) / _DATABASE
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(copy)) as whole:
            live.backup(whole)
        migrations = _migrations(copy)
        if not migrations:
            raise _error("backup/nothing", f"{source} has no site in it; nothing was written")
        files = _files_to_back_up(folder)
        about = {
            "format": _FORMAT,
            "version": antipodes.__version__,
            "made_at": int(time.time()),
            "migrations": sorted(migrations),
        }
        try:
            _write(unfinished, copy, about, {path: path.relative_to(folder) for path in files})
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)
    return f"{file}: the database and {len(files)} other files, {file.stat().st_size} bytes"


def _delete_older(file: Path, keep: int) -> int:
    """Delete all but the latest backups in the folder of a new one; return their number."""
    names = (path.name for path in file.parent.iterdir() if path != file)
    older = sorted(filter(_NAMED.fullmatch, names))
    deleted = older[: max(len(older) - (keep - 1), 0)]
    for name in deleted:
        (file.parent / name).unlink()
    return len(deleted)


def _write(file: Path, copy: Path, about: dict[str, object], others: Mapping[Path, Path]) -> None:
    file.touch(mode=0o600)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_ABOUT, json.dumps(about, indent=1))
        archive.write(copy, _DATABASE)
        for path, name in others.items():
            with suppress(FileNotFoundError):  # mail that was read and deleted meanwhile
                archive.write(path, name)


def restore(file: Path, *, replace: bool) -> str:
    """Restore a backup into the data folder; return a message for the host.

    Raises:
        InvalidOptionsError: the file is not a backup, is damaged or comes from a newer version; the
            site runs; or there is a site already and ``replace`` is not set. Nothing is changed.
    """
    target = _database_file()
    with server_lock.sqlite_site(target):
        return _restore(file, target, replace=replace)


def _restore(file: Path, target: Path, *, replace: bool) -> str:
    folder = data_folder()
    if target.exists() and not replace:
        message = f"there is already a site in {folder}; add --replace to replace it"
        raise _error("backup/is-there", message)
    with tempfile.TemporaryDirectory(dir=folder, prefix="restoring-") as scratch:
        unpacked = Path(scratch)
        _unpack(file, unpacked)
        is_used = target.exists() or any((folder / name).exists() for name in _MAIL)
        moved_to = _set_aside(folder, target) if is_used else None
        for path in sorted(unpacked.iterdir()):
            path.replace(target if path.name == _DATABASE else folder / path.name)
    before = f"; the previous files are in {moved_to}" if moved_to else ""
    return f"{file} was restored to {folder}{before}. Start the site: antipodes serve"


def _database_file() -> Path:
    settings = database()
    if not is_sqlite(settings):
        message = "the database is not SQLite; use pg_dump and pg_restore, see docs/hosting.md"
        raise _error("backup/not-sqlite", message)
    return Path(settings["NAME"])


def _files_to_back_up(folder: Path) -> list[Path]:
    keys = (folder / name for name in _KEYS)
    mails = (path for name in _MAIL for path in sorted((folder / name).rglob("*")))
    return [path for path in (*keys, *mails) if path.is_file()]


def _is_restored(name: str) -> bool:
    """Return whether a file of a backup is restored; backups of old versions have others too."""
    return PurePosixPath(name).parts[0] in (_DATABASE, *_KEYS, *_MAIL)


def _is_safe_name(name: str) -> bool:
    """Return whether a file may be unpacked: into the data folder, or into a folder of mail."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or str(path) != name:
        return False
    return len(path.parts) == 1 or path.parts[0] in _MAIL


def _migrations(copy: Path) -> list[str]:
    """Return the names of the migrations that were applied to a database."""
    with closing(sqlite3.connect(copy)) as connection:
        tables = "SELECT count(*) FROM sqlite_master WHERE name = 'django_migrations'"
        if not connection.execute(tables).fetchone()[0]:
            return []
        found = connection.execute("SELECT app, name FROM django_migrations").fetchall()
    return [f"{app}.{name}" for app, name in found]


def _unpack(file: Path, folder: Path) -> None:
    """Unpack a backup and check that it is complete."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if not all(map(_is_safe_name, names)) or _ABOUT not in names or _DATABASE not in names:
                raise _error("backup/damaged", f"{file} is not a backup of a site")
            about = json.loads(archive.read(_ABOUT))
            archive.extractall(folder, [name for name in names if _is_restored(name)])
    except (zipfile.BadZipFile, ValueError, OSError, EOFError) as error:
        raise _error("backup/damaged", f"{file} is damaged or not a backup: {error}") from None
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    _check_database(file, folder / _DATABASE, about)


def _check_database(file: Path, copy: Path, about: dict[str, object]) -> None:
    try:
        with closing(sqlite3.connect(copy)) as connection:
            integrity = connection.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise _error("backup/damaged", f"the database in {file} is damaged: {error}") from None
    if integrity != ("ok",):
        raise _error("backup/damaged", f"the database in {file} is damaged: {integrity[0]}")
    from antipodes.web.server import serve

    serve.load()
    from antipodes.web.platform import schema_version

    unknown = set(_migrations(copy)) - schema_version.known()
    if unknown:
        message = (
            f"{file} was made by version {about.get('version')}, which has the migration"
            f" {min(unknown)}; this is version {antipodes.__version__}"
        )
        raise _error("backup/newer", message)


def _set_aside(folder: Path, target: Path) -> Path:
    moved_to = folder / f"before-{time.strftime('%Y%m%d-%H%M%S')}"
    moved_to.mkdir(mode=0o700)
    for path in [*folder.iterdir()]:
        if path.name in (*_KEYS, *_MAIL) or path.name.startswith(target.name):
            shutil.move(path, moved_to / path.name)
    return moved_to


def _error(code: str, message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault(code, message)])
