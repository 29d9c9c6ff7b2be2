"""Store the database of this version, for the tests that upgrade it with every later one.

``python -m tests.upgrades.make`` makes a small site in which each table has a row, and writes it as
``VERSION.sql``; ``make release`` does so.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from antipodes import __version__
from tests.live import database
from tests.upgrades.versions import FOLDER


def main() -> None:
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
    path = FOLDER / f"{__version__}.sql"
    path.write_text(f"{text}\n", encoding="utf-8")
    print(f"stored the database of version {__version__}: {path}")


if __name__ == "__main__":
    main()
