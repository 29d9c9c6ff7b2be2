"""The transposition table of a proof search: bounded in memory, saved and loaded."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from antipodes.boards import Topology
from antipodes.errors import Fault, FileError, InputError
from antipodes.files import replace_file
from antipodes.games.kernels import edition
from antipodes.search.arrays import new_keyed_rows
from antipodes.search.kernels import keyed_rows
from antipodes.search.kernels import proof_table as kernels
from antipodes.search.kernels.keyed_rows import KeyedRows
from antipodes.search.kernels.proof_fill import BITS as _WORD
from antipodes.search.kernels.proof_fill import key_of_turn

FORMAT = "antipodes-solver-table"
VERSION = 1


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
        self._capacity = max((memory << 20) // self.ENTRY_BYTES, 1000)
        self._board = ""
        self._is_recording = False  # whether changes were asked for
        self._keyed = self._room_for(1)

    def _room_for(self, words: int) -> KeyedRows:
        """Return empty rows with room for carriers of so many words."""
        return new_keyed_rows(self._capacity, kernels.CARRIER + words)

    def arrays(self, words: int) -> KeyedRows:
        """Return the entries as kernels take them, with room for so many words of a carrier."""
        if self._keyed.rows.shape[1] < kernels.CARRIER + words:
            old, count = self._keyed, len(self)
            self._keyed = self._room_for(words)
            if count:
                self._keyed.rows[:count, : old.rows.shape[1]] = old.rows[:count]
                edition(keyed_rows, "forget_rows")(self._keyed, count)
        self._keyed.numbers[keyed_rows.CAPACITY] = self._capacity
        return self._keyed

    def _entries(self) -> npt.NDArray[np.int64]:
        """Return the rows in use."""
        rows: npt.NDArray[np.int64] = self._keyed.rows[: len(self)]
        return rows

    def __len__(self) -> int:
        return int(self._keyed.numbers[keyed_rows.COUNT])

    def get(self, key: int) -> TableEntry | None:
        """Return the entry of a position."""
        row = edition(keyed_rows, "find_row")(self._keyed, key)
        return None if row < 0 else TableEntry(*_row(self._keyed.rows[row])[1:])

    def put(self, key: int, entry: TableEntry) -> None:
        """Store an entry; a full table first drops the half of its entries with the least work."""
        keyed = self.arrays(-(-entry.carrier.bit_length() // _WORD))
        row = edition(kernels, "put_entry")(keyed, key, entry.proof, entry.disproof, entry.work)
        carrier = keyed.rows[row, kernels.CARRIER :]
        carrier[:] = _split(entry.carrier, len(carrier))

    def changes(self) -> list[Row]:
        """Return the entries that were put since the last call, and record those to come."""
        entries = self._entries()
        changed = entries[entries[:, kernels.CHANGED] != 0] if self._is_recording else entries[:0]
        rows = [_row(entry) for entry in changed]
        entries[:, kernels.CHANGED] = 0
        self._is_recording = True
        return rows

    def largest(self, count: int) -> list[Row]:
        """Return the entries with the most work, so many at most."""
        entries = self._entries()
        order = np.argsort(-entries[:, kernels.WORK], kind="stable")[:count]
        return [_row(entry) for entry in entries[order]]

    def merge(self, rows: Iterable[Row]) -> None:
        """Add the entries of another table; of two for a position the one with more work stays.

        A proven result stays in any case.
        """
        changed = set(self._entries()[self._entries()[:, kernels.CHANGED] != 0, 0].tolist())
        for key, *numbers in rows:
            new, old = TableEntry(*numbers), self.get(key)
            if old is None or (not old.is_proven and (new.is_proven or new.work >= old.work)):
                self.put(key, new)
        entries = self._entries()
        entries[:, kernels.CHANGED] = np.isin(entries[:, 0], list(changed))

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
            FileError: the file cannot be written.
        """
        entries = self._entries()
        keys = np.stack([entries[:, 0] >> 1, entries[:, 0] & 1], axis=1)
        numbers = entries[:, [kernels.PROOF, kernels.DISPROOF, kernels.WORK]]
        carriers = entries[:, kernels.CARRIER :]
        about = json.dumps({"format": FORMAT, "version": VERSION, "board": self._board})
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer, about=np.array(about), keys=keys, numbers=numbers, carriers=carriers
        )
        try:
            replace_file(path, buffer.getvalue())
        except (OSError, ValueError) as error:
            raise FileError.about("file/unwritable", "written", path, error) from None

    @classmethod
    def load(cls, path: str, memory: int) -> ProofTable:
        """Read a table from a file.

        Raises:
            FileError: the file cannot be read.
            InputError: it is not a table.
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
            raise FileError.about("table/unreadable", "read", path, error) from None
        except (ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError):
            message = f"{path!r} is not a table of this version of the solver"
            raise InputError([Fault("table/unreadable", message)]) from None
        for (key, color), row, words in zip(keys, numbers, carriers, strict=True):
            table.put(key_of_turn(key, color), TableEntry(row[0], row[1], row[2], _joined(words)))
        return table


def _row(entry: npt.NDArray[np.int64]) -> Row:
    key, proof, disproof, work, _, *words = entry.tolist()
    return key, proof, disproof, work, _joined(words)


def _joined(words: list[int]) -> int:
    return sum(word << (_WORD * i) for i, word in enumerate(words))


def _split(carrier: int, words: int) -> list[int]:
    return [(carrier >> (_WORD * i)) & ((1 << _WORD) - 1) for i in range(words)]
