"""Store the database of this version, for the tests that upgrade it with every later one.

``python -m tests.upgrades.make VERSION`` makes a small site in which each table has a row, and
writes it as ``VERSION.sql``.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.live import database
from tests.upgrades.versions import FOLDER


def main(version: str) -> None:
    """Make the site, and write its database as SQL."""
    with tempfile.TemporaryDirectory() as folder:
        database.copy_to(Path(folder))
        os.environ.update(ANTIPODES_DATA=folder, DATABASE_URL="", REDIS_URL="")
        from antipodes.web.server import serve

        serve.load()
        from tests.upgrades import site

        site.fill()
        with closing(sqlite3.connect(Path(folder, database.NAME))) as stored:
            text = "\n".join(stored.iterdump())
    (FOLDER / f"{version}.sql").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
