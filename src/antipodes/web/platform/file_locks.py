"""File locks of this machine; a lock ends with its process, even if that is killed."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path
from types import TracebackType

logger = logging.getLogger(__name__)

_MAX_PID = 20  # bytes


class HeldError(Exception):
    """Another process holds the lock; ``pid`` is its id, or empty if it is unknown."""

    def __init__(self, pid: str) -> None:
        """Create the error for the holder's process id."""
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
        """Release the lock."""
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
        """Release it."""
        self.release()
