"""A migrated SQLite database that tests copy, since migrating takes seconds of CPU time."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from filelock import FileLock

_ROOT = Path(__file__).resolve().parents[2]
_FOLDER = _ROOT / "build/test-database"
NAME = "site.sqlite3"


@cache
def migrated() -> Path:
    """Return the path of a database with all migrations; make it if a migration has changed."""
    path = _FOLDER / f"{_fingerprint()}.sqlite3"
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with FileLock(_FOLDER / "lock"):
        if not path.exists():
            for old in _FOLDER.glob("*.sqlite3"):
                old.unlink()
            _migrate(path)
    return path


def copy_to(folder: Path) -> None:
    """Put the migrated database into a data folder that has none."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (folder / NAME).exists():
        shutil.copyfile(migrated(), folder / NAME)
        (folder / NAME).chmod(0o600)


def _migrate(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ANTIPODES_DATA": folder}
        for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL"):
            environment.pop(name, None)
        command = [sys.executable, "-m", "antipodes", "migrate"]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        shutil.copyfile(Path(folder, NAME), path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def _fingerprint() -> str:
    """Return a hash of our migrations, of what they import, and of other packages' versions."""
    web = _ROOT / "src/antipodes/web"
    files = [*web.glob("*/migrations/*.py"), web / "moderation/moderators.py", _ROOT / "uv.lock"]
    contents = hashlib.sha256()
    for file in sorted(files):
        contents.update(file.read_bytes())
    return contents.hexdigest()[:16]
