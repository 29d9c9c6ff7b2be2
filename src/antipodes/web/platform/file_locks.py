"""Locks on files of this machine, which end with the process that holds them, however it ends."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path
from types import TracebackType

logger = logging.getLogger(__name__)

_LONGEST = 20  # bytes of a process id


class HeldError(Exception):
    """Another process holds the lock; ``pid`` is its number, or empty if it has not said."""

    def __init__(self, pid: str) -> None:
        """Keep who holds it."""
        super().__init__(pid)
        self.pid = pid


class FileLock:
    """A lock that one process holds; processes that it starts do not inherit it."""

    def __init__(self, file: Path) -> None:
        """Take the lock.

        Raises:
            HeldError: another process has it.
            OSError: the file cannot be opened or made.
        """
        self._number = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._take(file)
        except BaseException:
            os.close(self._number)
            raise

    def _take(self, file: Path) -> None:
        if os.name != "posix":
            return
        import fcntl

        try:
            fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held_by = os.pread(self._number, _LONGEST, 0).decode("ascii", "replace").strip()
            raise HeldError(held_by) from None
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):
                raise
            logger.warning("the file system has no locks: file=%s", file)
            return
        try:
            os.ftruncate(self._number, 0)
            os.pwrite(self._number, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:  # the lock holds all the same
            logger.warning("a lock does not name its process: file=%s error=%s", file, error)

    def release(self) -> None:
        """Let others have the lock."""
        os.close(self._number)

    def __enter__(self) -> FileLock:
        """Hold it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release it."""
        self.release()
