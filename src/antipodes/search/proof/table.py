"""The transposition table of a proof search: bounded in memory, saved and loaded."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nlargest
from pathlib import Path

import numpy as np

from antipodes.boards import Topology
from antipodes.errors import Fault, InputError
from antipodes.files import replace_file

FORMAT = "antipodes-solver-table"
VERSION = 1

_WORD = 62  # bits of a carrier that one number holds


@dataclass(slots=True)
class TableEntry:
    """The entry of a position.

    Attributes:
        proof: work left to prove that the side to move wins; 0 if it does.
        disproof: work left to prove that it loses; 0 if it does.
        work: positions evaluated below.
        carrier: of the winner once it is known, in the frame of the key.
    """

    proof: int = 1
    disproof: int = 1
    work: int = 0
    carrier: int = 0

    @property
    def is_proven(self) -> bool:
        """Whether the winner is known."""
        return not (self.proof and self.disproof)


# Key, proof, disproof, work and carrier of an entry, to be sent to another process.
Row = tuple[int, int, int, int, int]


class ProofTable:
    """A table of entries by the key of the reduced graph and the side to move."""

    ENTRY_BYTES = 300

    def __init__(self, memory: int) -> None:
        """Make an empty table of at most ``memory`` MiB."""
        self._entries: dict[int, TableEntry] = {}
        self._capacity = max((memory << 20) // self.ENTRY_BYTES, 1000)
        self._board = ""
        self._changed: set[int] | None = None  # keys of entries that changed, while recorded

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: int) -> TableEntry | None:
        """Return the entry of a position."""
        return self._entries.get(key)

    def put(self, key: int, entry: TableEntry) -> None:
        """Store an entry; a full table first drops the half of its entries with the least work."""
        if len(self._entries) >= self._capacity and key not in self._entries:
            ranked = sorted(self._entries.items(), key=lambda item: item[1].work)
            self._entries = dict(ranked[len(ranked) // 2 :])
        self._entries[key] = entry
        if self._changed is not None:
            self._changed.add(key)

    def changes(self) -> list[Row]:
        """Return the entries that were put since the last call, and record those to come."""
        changed, self._changed = self._changed or set(), set()
        return [_row(key, self._entries[key]) for key in changed if key in self._entries]

    def largest(self, count: int) -> list[Row]:
        """Return the entries with the most work, so many at most."""
        items = self._entries.items()
        return [_row(*item) for item in nlargest(count, items, lambda item: item[1].work)]

    def merge(self, rows: Iterable[Row]) -> None:
        """Add the entries of another table; of two for a position the one with more work stays.

        A proven result stays in any case.
        """
        changed, self._changed = self._changed, None
        for key, *numbers in rows:
            new, old = TableEntry(*numbers), self._entries.get(key)
            if old is None or (not old.is_proven and (new.is_proven or new.work >= old.work)):
                self.put(key, new)
        self._changed = changed

    def belong_to(self, topology: Topology) -> None:
        """Tie the table to a board.

        Raises:
            InputError: it belongs to another board.
        """
        board = f"{topology.kind} {'x'.join(map(str, topology.size))}"
        if self._board not in ("", board):
            message = f"the table is for the board {self._board}, but the position's is {board}"
            raise InputError([Fault("table/other-board", message)])
        self._board = board

    def save(self, path: str) -> None:
        """Write the table to a file atomically.

        Raises:
            InputError: the file cannot be written.
        """
        entries = self._entries.values()
        words = max((-(-e.carrier.bit_length() // _WORD) for e in entries), default=0) or 1
        numbers = np.array([(e.proof, e.disproof, e.work) for e in entries], np.int64)
        carriers = np.array([_split(e.carrier, words) for e in entries], np.int64)
        keys = np.array([(key >> 1, key & 1) for key in self._entries], np.int64)
        about = json.dumps({"format": FORMAT, "version": VERSION, "board": self._board})
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer, about=np.array(about), keys=keys, numbers=numbers, carriers=carriers
        )
        try:
            replace_file(path, buffer.getvalue())
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"{path!r} cannot be written: {reason[:1].lower()}{reason[1:]}"
            raise InputError([Fault("file/unwritable", message)]) from None

    @classmethod
    def load(cls, path: str, memory: int) -> ProofTable:
        """Read a table from a file.

        Raises:
            InputError: the file cannot be read, or is not a table.
        """
        table = cls(memory)
        try:
            with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as data:
                about = json.loads(str(data["about"]))
                if about["format"] != FORMAT or about["version"] != VERSION:
                    raise ValueError("another version")
                table._board = str(about["board"])
                keys = data["keys"].tolist()
                numbers = data["numbers"].tolist()
                carriers = data["carriers"].tolist()
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"{path!r} cannot be read: {reason[:1].lower()}{reason[1:]}"
            raise InputError([Fault("table/unreadable", message)]) from None
        except (ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError):
            message = f"{path!r} is not a table of this version of the solver"
            raise InputError([Fault("table/unreadable", message)]) from None
        for (key, color), row, words in zip(keys, numbers, carriers, strict=True):
            carrier = sum(word << (_WORD * i) for i, word in enumerate(words))
            table.put(2 * key + color, TableEntry(row[0], row[1], row[2], carrier))
        return table


def _row(key: int, entry: TableEntry) -> Row:
    return key, entry.proof, entry.disproof, entry.work, entry.carrier


def _split(carrier: int, words: int) -> list[int]:
    return [(carrier >> (_WORD * i)) & ((1 << _WORD) - 1) for i in range(words)]
