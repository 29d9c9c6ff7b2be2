"""Copies of a site with SQLite: one file with the database and the keys, and the way back."""

from __future__ import annotations

import json
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
from antipodes.web.platform.config import data_folder, database, is_sqlite
from antipodes.web.server import server_lock

_DATABASE = "site.sqlite3"
_ABOUT = "about.json"
_FORMAT = 1

# What comes back by itself: queues, signs of life, compressed copies, counters.
_TEMPORARY = ("alive", "lock", "jobs.sqlite3", "studies.sqlite3", "compressed", "metrics-")
_MAIL = ("postmaster", "mail")  # folders that are kept with all that is in them


def back_up(file: Path) -> str:
    """Write everything that the site keeps to a file; return what to tell about it.

    Raises:
        InvalidOptionsError: the database is not SQLite, or there is none yet.
    """
    folder, source = data_folder(), _database_file()
    if not source.exists():
        raise _refused(
            "backup/nothing", f"there is no database in {folder} yet; nothing was written"
        )
    unfinished = file.with_name(file.name + ".part")
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / _DATABASE
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(copy)) as kept:
            live.backup(kept)
        migrations = _migrations(copy)
        if not migrations:
            raise _refused("backup/nothing", f"{source} has no site in it; nothing was written")
        files = _kept_files(folder, source)
        about = {
            "format": _FORMAT,
            "version": antipodes.__version__,
            "made_at": int(time.time()),
            "migrations": sorted(migrations),
        }
        try:
            _write(unfinished, copy, about, {path: path.relative_to(folder) for path in files})
            unfinished.replace(file)
        except OSError as error:
            raise _refused(
                "backup/not-written", f"{file} cannot be written: {error.strerror}"
            ) from None
        finally:
            unfinished.unlink(missing_ok=True)
    return f"{file}: the database and {len(files)} other files, {file.stat().st_size} bytes"


def _write(file: Path, copy: Path, about: dict[str, object], others: Mapping[Path, Path]) -> None:
    file.touch(mode=0o600)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_ABOUT, json.dumps(about, indent=1))
        archive.write(copy, _DATABASE)
        for path, name in others.items():
            with suppress(FileNotFoundError):  # mail that was read and deleted meanwhile
                archive.write(path, name)


def restore(file: Path, *, replace: bool) -> str:
    """Put a backup into the folder for data; return what to tell about it.

    Raises:
        InvalidOptionsError: the file is no backup or of a newer version, the site runs, or there is
            something already and nobody said that it is to be replaced. Nothing has changed.
    """
    target = _database_file()
    with server_lock.sqlite_site(target):
        return _restore(file, target, replace=replace)


def _restore(file: Path, target: Path, *, replace: bool) -> str:
    folder = data_folder()
    if target.exists() and not replace:
        message = f"there is a site in {folder} already; --replace puts the backup in its place"
        raise _refused("backup/is-there", message)
    with tempfile.TemporaryDirectory(dir=folder, prefix="restoring-") as scratch:
        unpacked = Path(scratch)
        _unpack(file, unpacked)
        is_used = target.exists() or any((folder / name).exists() for name in _MAIL)
        kept = _set_aside(folder, target) if is_used else None
        for path in sorted(unpacked.iterdir()):
            path.replace(target if path.name == _DATABASE else folder / path.name)
    before = f"; what was there is in {kept}" if kept else ""
    return f"{folder} has what {file} kept{before}. Start the site: antipodes serve"


def _database_file() -> Path:
    settings = database()
    if not is_sqlite(settings):
        message = "the database is not SQLite; use pg_dump and pg_restore, see docs/hosting.md"
        raise _refused("backup/not-sqlite", message)
    return Path(settings["NAME"])


def _is_kept(path: Path, source: Path) -> bool:
    """Return whether something in the data folder belongs into a backup beside the database."""
    if path.is_dir():
        return path.name in _MAIL
    is_database = path.name.startswith(source.name)
    return path.is_file() and not is_database and not path.name.startswith(_TEMPORARY)


def _kept_files(folder: Path, source: Path) -> list[Path]:
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        if _is_kept(path, source):
            found += [path] if path.is_file() else filter(Path.is_file, sorted(path.rglob("*")))
    return found


def _is_name(name: str) -> bool:
    """Return whether a file of that name may be unpacked: into the folder, or one for mail."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or str(path) != name:
        return False
    return len(path.parts) == 1 or path.parts[0] in _MAIL


def _migrations(copy: Path) -> list[str]:
    """Return what has been done to the tables of a database."""
    with closing(sqlite3.connect(copy)) as connection:
        tables = "SELECT count(*) FROM sqlite_master WHERE name = 'django_migrations'"
        if not connection.execute(tables).fetchone()[0]:
            return []
        found = connection.execute("SELECT app, name FROM django_migrations").fetchall()
    return [f"{app}.{name}" for app, name in found]


def _unpack(file: Path, folder: Path) -> None:
    """Unpack a backup and look whether it is whole."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if not all(map(_is_name, names)) or _ABOUT not in names or _DATABASE not in names:
                raise _refused("backup/damaged", f"{file} is no backup of a site")
            about = json.loads(archive.read(_ABOUT))
            archive.extractall(folder, [name for name in names if name != _ABOUT])
    except (zipfile.BadZipFile, ValueError, OSError, EOFError) as error:
        raise _refused("backup/damaged", f"{file} is no backup, or is damaged: {error}") from None
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    _check_database(file, folder / _DATABASE, about)


def _check_database(file: Path, copy: Path, about: dict[str, object]) -> None:
    try:
        with closing(sqlite3.connect(copy)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise _refused("backup/damaged", f"the database in {file} is damaged: {error}") from None
    if found != ("ok",):
        raise _refused("backup/damaged", f"the database in {file} is damaged: {found[0]}")
    from antipodes.web.server import serve

    serve.load()
    from antipodes.web.platform import schema_version

    unknown = set(_migrations(copy)) - schema_version.known()
    if unknown:
        message = (
            f"{file} is from version {about.get('version')} of the program, which knows"
            f" {min(unknown)}; this is version {antipodes.__version__}"
        )
        raise _refused("backup/newer", message)


def _set_aside(folder: Path, target: Path) -> Path:
    kept = folder / f"before-{time.strftime('%Y%m%d-%H%M%S')}"
    kept.mkdir(mode=0o700)
    for path in [*folder.iterdir()]:
        if _is_kept(path, target) or path.name.startswith(target.name):
            shutil.move(path, kept / path.name)
    return kept


def _refused(code: str, message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault(code, message)])
