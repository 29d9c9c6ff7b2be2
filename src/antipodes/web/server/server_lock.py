"""Server lock: only one server runs for a site whose processes could not exchange messages.

With SQLite it is a file lock; with PostgreSQL and no Redis, an advisory lock on a connection that
is kept open. Both end with the process, even if it is killed. With PostgreSQL and Redis any number
of servers may run. Commands such as ``antipodes backup`` take no lock.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from django.db import DatabaseError, connections

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform.config import data_folder, database, is_sqlite, redis_url

logger = logging.getLogger(__name__)

_MAX_PID = 20  # bytes


class HeldError(Exception):
    """Another process holds the lock; ``pid`` is its id, or empty if it is unknown."""

    def __init__(self, pid: str) -> None:
        super().__init__(pid)
        self.pid = pid


class FileLock:
    """A lock that one process holds; child processes do not inherit it."""

    def __init__(self, file: Path) -> None:
        """Acquire the lock.

        Raises:
            HeldError: another process holds it.
            OSError: the file cannot be opened or created.
        """
        self._number = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._acquire(file)
        except BaseException:
            os.close(self._number)
            raise

    def _acquire(self, file: Path) -> None:
        if os.name != "posix":
            return
        import fcntl

        try:
            fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held_by = os.pread(self._number, _MAX_PID, 0).decode("ascii", "replace").strip()
            raise HeldError(held_by) from None
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):
                raise
            logger.warning("file system without locks file=%s", file)
            return
        try:
            os.ftruncate(self._number, 0)
            os.pwrite(self._number, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:  # the process holds the lock all the same
            logger.warning("process id not written to lock file=%s error=%s", file, error)

    def release(self) -> None:
        os.close(self._number)

    def __enter__(self) -> FileLock:
        """Return the lock, which is held already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


_NUMBER = 0x616E7470  # of the advisory lock
_WAIT = 5.0  # seconds in which PostgreSQL notices that the holder was killed
_PAUSE = 0.2  # seconds between two attempts
_CHECK_EVERY = 5.0  # seconds

_MAX_NAME = 60  # characters of PostgreSQL's application_name


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
    """Hold the locks of the data folder and of a database file outside of it.

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
                place = folder if lock.parent == folder else file
                raise _already_runs(
                    f"the site in {place} is in use by process {error.pid or 'of another host'};"
                    " stop that first, or name another folder in ANTIPODES_DATA"
                ) from None
        yield


def _already_runs(message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault("serve/already-runs", message)])


class _AdvisoryLock:
    """A lock in PostgreSQL, held by a connection of its own."""

    def __init__(self) -> None:
        self._connection: Any = connections["default"].copy()
        self._connection.inc_thread_sharing()
        self._is_ending = threading.Event()

    def __enter__(self) -> None:
        """Take the lock.

        Raises:
            InvalidOptionsError: another server holds it.
        """
        end = time.monotonic() + _WAIT
        while not self._acquire():
            if time.monotonic() > end:
                holder = self._holder()
                self._connection.close()
                raise _already_runs(
                    f"the database is in use by {holder}, and without Redis only one server can use"
                    " it: stop that first, or set REDIS_URL for both"
                )
            time.sleep(_PAUSE)
        threading.Thread(target=self._keep, name="server lock", daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._is_ending.set()
        self._connection.close()

    def _acquire(self) -> bool:
        name = f"antipodes serve {socket.gethostname()}:{os.getpid()}"[:_MAX_NAME]
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
            row = cursor.fetchone()
        return f"{row[0]!r}" if row else "another server"

    def _keep(self) -> None:
        """Acquire the lock again after an outage; end the server if another one has it now."""
        while not self._is_ending.wait(_CHECK_EVERY):
            try:
                if self._connection.connection is not None and self._connection.is_usable():
                    continue
                self._connection.close()
                if not self._acquire() and not self._is_ending.is_set():
                    logger.error("server stops: database in use by=%s", self._holder())
                    os.kill(os.getpid(), signal.SIGTERM)
                    return
            except DatabaseError as error:
                logger.warning("server lock not acquired again yet error=%s", error)
