"""Games that were played, in a folder: ``games.jsonl`` has a row of JSON for each.

Contests and experiments have the same rows, and several processes may add to one folder. A process
that is killed may leave half a line behind, which readers leave out and the next row replaces. Rows
are known by their ids: one that stands there twice counts once.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import IO, TypeVar

from antipodes.errors import Fault, InputError
from antipodes.lab.claims import Claims, usable
from antipodes.lab.tasks import GameRow, is_failure

T = TypeVar("T")

ROWS = "games.jsonl"
LOCKS = "locks"  # folder in that of the results


class Results:
    """A folder with a row for each game.

    Attributes:
        folder: the folder.
    """

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is made if it is not there.

        Raises:
            InputError: it cannot be made.
        """
        with usable(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._path = folder / ROWS
        self._bytes_read = self._lines_read = 0
        self._winners: dict[str, str | None] = {}

    @cached_property
    def claims(self) -> Claims:
        """The claims of this process on games.

        Raises:
            InputError: the folder cannot be written.
        """
        with usable(self.folder):
            return Claims(self.folder / LOCKS)

    def append(self, rows: Iterable[GameRow]) -> None:
        """Add rows; when the call returns, they are safe.

        Raises:
            InputError: they cannot be written, such as on a full disk; the folder is as before.
        """
        lines = "".join(json.dumps(row.as_dict) + "\n" for row in rows).encode()
        with usable(self.folder), self.claims.lock, self._path.open("a+b", buffering=0) as file:
            end = _end_of_lines(file)
            file.truncate(end)
            try:
                while lines:
                    lines = lines[file.write(lines) :]
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise

    def new(self, read: Callable[[GameRow], T]) -> Iterator[T]:
        """Yield what ``read`` returns for each row that came since the last call.

        Raises:
            InputError: a line is no row, or ``read`` refuses it.
        """
        with suppress(FileNotFoundError), self._path.open("rb") as file:
            file.seek(self._bytes_read)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                value = _read(line, read, f"{self._path}, line {self._lines_read + 1}")
                self._bytes_read += len(line)
                self._lines_read += 1
                yield value

    def done(self) -> AbstractSet[str]:
        """Return the ids of all tasks that have a row by now, also from other processes."""
        return self.winners().keys()

    def winners(self) -> Mapping[str, str | None]:
        """Return for the id of each game that has a row by now the colour that won.

        It is ``""`` for a game without a winner, and ``None`` for one in which a player failed.
        """
        self._winners.update(self.new(lambda row: (row.id, _winner_of(row))))
        return self._winners

    def rows(self) -> Iterator[GameRow]:
        """Yield all rows, each game once."""
        seen: set[str] = set()
        for row in Results(self.folder).new(lambda row: row):
            if row.id not in seen:
                seen.add(row.id)
                yield row

    def merge(self, others: Iterable[Results]) -> int:
        """Add the rows of other folders that are missing here; return how many."""
        added = 0
        for other in others:
            done = self.done()
            missing = [row for row in other.rows() if row.id not in done]
            self.append(missing)
            added += len(missing)
        return added


def _winner_of(row: GameRow) -> str | None:
    return None if is_failure(row.reason) else sys.intern(row.winner or "")


def _read(line: bytes, read: Callable[[GameRow], T], where: str) -> T:
    try:
        return read(GameRow.of(json.loads(line)))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        message = f"cannot be read: {type(error).__name__}: {error}"
        raise InputError([Fault("lab/results", message, where)]) from None


def _end_of_lines(file: IO[bytes]) -> int:
    """Return where the last whole line ends; a killed process may have left half a line."""
    end = file.seek(0, os.SEEK_END)
    if end == 0 or (file.seek(end - 1), file.read(1))[1] == b"\n":
        return end
    file.seek(0)
    return file.read().rfind(b"\n") + 1
