"""Games of an archive from which puzzles are taken, such as the open data of a site."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from antipodes.errors import Fault, InvalidRecordError, RecordFileError
from antipodes.games.position import Position
from antipodes.records import Record, read_record

_LINES = ".jsonl"  # ends the names of files with a record on each line


@dataclass(frozen=True, slots=True)
class _Entry:
    """A record that has not been read yet.

    Attributes:
        file: its name.
        place: the file with the number of the line, for messages.
        source: the record.
    """

    file: str
    place: str
    source: bytes


class Archive:
    """The games of one kind in some files.

    Attributes:
        digest: a hash of the files' contents in their order.
    """

    def __init__(self, paths: Sequence[Path], game_id: str) -> None:
        """Look for the games.

        Args:
            paths: records in JSON or SGF, or with the ending ``.jsonl`` one record a line; each may
                be compressed (``.gz``).
            game_id: the game; others are left out.

        Raises:
            InvalidRecordError: a file cannot be read, or is no record.
        """
        digest = hashlib.sha256()
        self._entries: list[_Entry] = []
        for path in paths:
            data = _read(path)
            digest.update(hashlib.sha256(data).digest())
            self._entries += [one for one in _entries(path, data) if _game_of(one) == game_id]
        self.digest = digest.hexdigest()

    def __len__(self) -> int:
        return len(self._entries)

    def file(self, number: int) -> str:
        """Return the name of the file that has a game."""
        return self._entries[number].file

    def positions(self, number: int) -> list[Position]:
        """Return the positions of a game from its start.

        Raises:
            InvalidRecordError: the record is wrong.
        """
        return list(_record(self._entries[number]).positions())


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError) as error:
        raise RecordFileError.about("record/unreadable-file", "read", path, error) from None


def _entries(path: Path, data: bytes) -> Iterator[_Entry]:
    if not path.name.removesuffix(".gz").endswith(_LINES):
        yield _Entry(path.name, str(path), data)
        return
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            yield _Entry(path.name, f"{path}, line {number}", line)


def _game_of(entry: _Entry) -> str:
    """Return the game of a record; only what is not JSON is read for it.

    Raises:
        InvalidRecordError: it is no record.
    """
    try:
        data = json.loads(entry.source)
    except (ValueError, RecursionError):
        return _record(entry).game.id
    game = data.get("game") if isinstance(data, dict) else None
    return str(game.get("id") if isinstance(game, dict) else game)


def _record(entry: _Entry) -> Record:
    try:
        return read_record(entry.source)
    except InvalidRecordError as error:
        faults = [Fault(one.code, f"{entry.place}: {one.message}") for one in error.faults]
        raise InvalidRecordError(faults) from None
