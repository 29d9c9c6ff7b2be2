"""Only one server for a site whose processes could not tell each other of moves.

A site on one machine is locked by a file, one with PostgreSQL and no Redis by an advisory lock on a
connection that is kept. Both end with the process, however it ends. With PostgreSQL and Redis any
number of servers may run. Commands such as ``antipodes backup`` take no lock.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connections

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform.config import data_folder, database, is_sqlite, redis_url
from antipodes.web.platform.file_locks import FileLock, HeldError

logger = logging.getLogger(__name__)

_NUMBER = 0x616E7470  # of the advisory lock
_WAIT = 5.0  # seconds for the connection of a server that was killed to be noticed
_PAUSE = 0.2  # seconds between two attempts
_LOOK = 5.0  # seconds between two looks whether the connection still holds

_LONGEST_NAME = 60  # characters of an application's name


@contextmanager
def only_server() -> Iterator[None]:
    """Hold the site's lock while its server runs.

    Raises:
        InvalidOptionsError: another server runs; the message names it.
    """
    settings = database()
    with ExitStack() as held:
        if is_sqlite(settings):
            held.enter_context(sqlite_site(Path(settings["NAME"])))
        elif not redis_url():
            held.enter_context(_AdvisoryLock())
        yield


@contextmanager
def sqlite_site(file: Path) -> Iterator[None]:
    """Hold the locks of a data folder and of a database elsewhere.

    Args:
        file: of the database.

    Raises:
        InvalidOptionsError: a server or ``antipodes restore`` holds one, or it cannot be written.
    """
    folder = data_folder()
    files = [folder / "lock"]
    if file.parent.resolve() != folder.resolve():
        files.append(file.with_name(f"{file.name}.lock"))
    with ExitStack() as held:
        for lock in files:
            try:
                held.enter_context(FileLock(lock))
            except HeldError as error:
                what = folder if lock.parent == folder else file
                raise _refused(
                    f"the site in {what} is in use by process {error.pid or 'of another host'};"
                    " stop that first, or name another folder in ANTIPODES_DATA"
                ) from None
        yield


def _refused(message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault("serve/already-runs", message)])


class _AdvisoryLock:
    """A lock in PostgreSQL, on a connection of its own that is looked after."""

    def __init__(self) -> None:
        self._connection: Any = connections["default"].copy()
        self._connection.inc_thread_sharing()
        self._is_ending = threading.Event()

    def __enter__(self) -> None:
        """Take the lock.

        Raises:
            InvalidOptionsError: another server has it.
        """
        end = time.monotonic() + _WAIT
        while not self._is_taken():
            if time.monotonic() > end:
                holder = self._holder()
                self._connection.close()
                raise _refused(
                    f"the database is in use by {holder}, and without Redis only one server can use"
                    " it: stop that first, or set REDIS_URL for both"
                )
            time.sleep(_PAUSE)
        threading.Thread(target=self._look_after, name="server lock", daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._is_ending.set()
        self._connection.close()

    def _is_taken(self) -> bool:
        name = f"antipodes serve {socket.gethostname()}:{os.getpid()}"[:_LONGEST_NAME]
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT set_config('application_name', %s, false)", [name])
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [_NUMBER])
            return bool(cursor.fetchone()[0])

    def _holder(self) -> str:
        with self._connection.cursor() as cursor:
            cursor.execute(
                "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)"
                " WHERE locktype = 'advisory' AND objid = %s AND granted"
                " AND pg_locks.database = (SELECT oid FROM pg_database"
                " WHERE datname = current_database())",
                [_NUMBER],
            )
            found = cursor.fetchone()
        return f"{found[0]!r}" if found else "another server"

    def _look_after(self) -> None:
        """Take the lock again after PostgreSQL was away; end if another server has it now."""
        while not self._is_ending.wait(_LOOK):
            try:
                if self._connection.connection is not None and self._connection.is_usable():
                    continue
                self._connection.close()
                if not self._is_taken() and not self._is_ending.is_set():
                    logger.error("server ends: the database is in use by %s now", self._holder())
                    os.kill(os.getpid(), signal.SIGTERM)
                    return
            except DatabaseError as error:
                logger.warning("server lock cannot be taken again yet: error=%s", error)
