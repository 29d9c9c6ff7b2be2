"""Records in files: read whole, written so that a file is never left half written."""

from __future__ import annotations

import os
from pathlib import Path

from antipodes.errors import Fault, InvalidRecordError, RecordFileError
from antipodes.files import replace_file
from antipodes.records.formats import KINDS, MAX_BYTES, read_record, write_record
from antipodes.records.record import Record

_ENDINGS = {".json": "json", ".sgf": "sgf", ".txt": "hexworld", ".url": "hexworld"}


def load(
    path: str | os.PathLike[str], *, kind: str | None = None, game: int | None = None
) -> Record:
    """Read a record from a file.

    Args:
        path: of the file.
        kind: its format; recognised by what is in it if not given.
        game: its number in a file of several games, counted from 1.

    Raises:
        RecordFileError: the file cannot be read; it is an ``OSError`` too.
        InvalidRecordError: the file is not a record.
    """
    return read_record(read_bytes(path), kind=kind, game=game)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return what is in a file that may be a record.

    Raises:
        RecordFileError: there is no such file, it is a folder, or it may not be read.
        InvalidRecordError: it is too large.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RecordFileError.about("record/unreadable-file", "read", path, error) from None
    if len(data) > MAX_BYTES:
        message = f"{path} is larger than {MAX_BYTES // 1024 // 1024} MB, too large for a record"
        raise InvalidRecordError([Fault("record/too-large", message)])
    return data


def save(path: str | os.PathLike[str], record: Record, *, kind: str | None = None) -> None:
    """Write a record to a file; the name's ending chooses the format (JSON if it says nothing).

    The file appears whole or not at all: an older one stays as it is until the new one is there.

    Raises:
        InvalidRecordError: the format cannot hold the record.
        RecordFileError: the file cannot be written.
    """
    text = write_record(record, kind or kind_of(path))
    try:
        replace_file(path, f"{text.rstrip()}\n".encode())
    except (OSError, ValueError) as error:
        raise RecordFileError.about("record/unwritable-file", "written", path, error) from None


def kind_of(path: str | os.PathLike[str]) -> str:
    """Return the format that a file's name stands for."""
    kind = _ENDINGS.get(Path(path).suffix.lower(), "json")
    return kind if kind in KINDS else "json"
