"""Claims on work in a folder that several processes share, so that none does another's work.

Each process has a file with the names of what it is working on, and keeps a lock while it lives.
The system gives the lock back when the process ends, however it ends, and its claims end with it.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from antipodes.errors import Fault, InputError
from antipodes.files import replace_file

_FOLDER = "folder.lock"


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Name a folder that cannot be read or written, such as on a full disk.

    Raises:
        InputError: the block has met an error of the system.
    """
    try:
        yield
    except OSError as error:
        message = f"{str(folder)!r} cannot be used for results: {error.strerror or error}"
        raise InputError([Fault("lab/folder", message)]) from None


class Claims:
    """The claims of this process.

    Attributes:
        lock: held while files of the folder are read and written.
        held: names that this process has claimed.
    """

    def __init__(self, folder: Path) -> None:
        """Use a folder of lock files, which is made if it is not there.

        Raises:
            OSError: it cannot be made.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self.lock = FileLock(folder / _FOLDER)
        self.held: set[str] = set()
        self._name = uuid.uuid4().hex
        self._alive = FileLock(self._path(self._name, "lock"))

    def take(self, names: Iterable[str]) -> set[str]:
        """Claim names; return those that this process has now, without those of others.

        The caller must then look whether the work has been done meanwhile.

        Raises:
            InputError: the folder cannot be written.
        """
        wanted = set(names)
        with usable(self._folder), self.lock:
            if not self._alive.is_locked:
                self._alive.acquire()
            free = wanted - self.of_others()
            if not free <= self.held:
                self.held |= free
                self._write()
        return free

    def release(self, names: Iterable[str]) -> None:
        """Give claims back.

        Raises:
            InputError: the folder cannot be written; the claims end with this process then.
        """
        before = len(self.held)
        self.held -= set(names)
        if len(self.held) != before:
            with usable(self._folder), self.lock:
                self._write()

    def close(self) -> None:
        """Give all claims back."""
        self.held.clear()
        if self._alive.is_locked:
            with self.lock:
                self._remove(self._name)
                self._alive.release()

    def _path(self, name: str, kind: str) -> Path:
        return self._folder / f"{name}.{kind}"

    def _write(self) -> None:
        replace_file(self._path(self._name, "json"), json.dumps(sorted(self.held)).encode())

    def of_others(self) -> set[str]:
        """Return what other processes work on; files of processes that have ended are removed."""
        claimed: set[str] = set()
        for path in self._folder.glob("*.lock"):
            if path.name == _FOLDER or path.stem == self._name:
                continue
            lock = FileLock(path)
            try:
                lock.acquire(blocking=False)
            except Timeout:
                with suppress(FileNotFoundError):  # of a process that has not written any yet
                    claimed.update(json.loads(self._path(path.stem, "json").read_bytes()))
            else:
                self._remove(path.stem)
                lock.release()
        return claimed

    def _remove(self, name: str) -> None:
        """Remove the files of a process, also those that it was killed while writing."""
        unfinished = self._folder.glob(f".{name}.json.*.part")
        for path in (*unfinished, self._path(name, "json"), self._path(name, "lock")):
            with suppress(OSError):
                path.unlink()
