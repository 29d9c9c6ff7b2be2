"""The stored databases of earlier versions, as SQL."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

FOLDER = Path(__file__).parent
_MIGRATION = re.compile(r"""INTO "django_migrations" VALUES\(\d+,'(\w+)','(\w+)',""")


def _order(path: Path) -> list[int]:
    """Return the numbers of a version; the first one has none."""
    return [int(number) for number in re.findall(r"\d+", path.stem)]


VERSIONS = sorted(FOLDER.glob("*.sql"), key=_order)


def store(version: Path, path: Path) -> None:
    """Make the database of a version."""
    with closing(sqlite3.connect(path)) as stored:
        stored.executescript(version.read_text(encoding="utf-8"))


def latest_migrations() -> set[str]:
    """Return the names of the migrations, also of other packages, that the latest one has."""
    text = VERSIONS[-1].read_text(encoding="utf-8")
    return {".".join(names) for names in _MIGRATION.findall(text)}
