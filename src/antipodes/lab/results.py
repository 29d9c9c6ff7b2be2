"""Results of games in a folder: Parquet files, to which several processes may add at once.

Each process writes files of its own, always whole ones in place of the old, so that a process that
is killed spoils none. Rows are known by their ids: one that stands in two files counts once.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antipodes.errors import Fault, InputError, NotInstalledError
from antipodes.files import replace_file
from antipodes.lab.claims import Claims, usable
from antipodes.lab.schema import schema
from antipodes.lab.tasks import GameRow, is_failure

if TYPE_CHECKING:
    import pyarrow as pa

LOCKS = "locks"  # folder in that of the results
ROWS_IN_FILE = 2000  # a file is replaced by a longer one until it has so many
_SUFFIX = ".parquet"


class Results:
    """A folder of Parquet files with one row for each game.

    Attributes:
        folder: the folder.
    """

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is made if it is not there.

        Raises:
            InputError: it cannot be made.
            NotInstalledError: the extra ``lab`` is missing.
        """
        _arrow()
        with usable(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._read: dict[Path, tuple[int, int]] = {}  # files as they were when last read
        self._winners: dict[str, str | None] = {}
        self._current: list[GameRow] = []
        self._path = self._new_path()

    @cached_property
    def claims(self) -> Claims:
        """The claims of this process on tasks, by their ids.

        Raises:
            InputError: the folder cannot be written.
        """
        with usable(self.folder):
            return Claims(self.folder / LOCKS)

    def append(self, rows: Sequence[GameRow]) -> None:
        """Add rows; when the call returns, they are safe.

        Raises:
            InputError: they cannot be written, such as on a full disk; the folder is as before.
        """
        if not rows:
            return
        current = [*self._current, *rows]
        with usable(self.folder):
            replace_file(self._path, _bytes_of(table_of(current)))
        self._current = current
        self._read[self._path] = _signature(self._path)
        self._winners.update((row.id, winner_of(row.winner, row.reason)) for row in rows)
        if len(current) >= ROWS_IN_FILE:
            self._current, self._path = [], self._new_path()

    def done(self) -> AbstractSet[str]:
        """Return the ids of all tasks that have a row by now, also from other processes."""
        return self.winners().keys()

    def winners(self) -> Mapping[str, str | None]:
        """Return for the id of each game that has a row by now the colour that won.

        It is ``""`` for a game without a winner, and ``None`` for one in which a player failed.
        """
        for path in self._paths():
            signature = _signature(path)
            if self._read.get(path) != signature:
                columns = _read(path, ["id", "winner", "reason"]).to_pydict()
                self._winners.update(
                    (name, winner_of(winner, reason))
                    for name, winner, reason in zip(*columns.values(), strict=True)
                )
                self._read[path] = signature
        return self._winners

    def table(self) -> pa.Table:
        """Return all rows as a table of pyarrow, each game once, in the order of ids."""
        pa = _arrow()
        tables = [_read(path) for path in self._paths()]
        if not tables:
            return table_of([])
        table = pa.concat_tables(tables).sort_by("id")
        ids = table["id"].to_pylist()
        first = [one != before for before, one in zip([None, *ids], ids, strict=False)]
        return table.filter(pa.array(first))

    def rows(self) -> Iterator[GameRow]:
        """Yield all rows, each game once, in the order of ids."""
        for batch in self.table().to_batches():
            yield from map(GameRow.of, batch.to_pylist())

    def merge(self, others: Iterable[Results]) -> int:
        """Add the rows of other folders that are missing here; return how many."""
        added = 0
        for other in others:
            done = self.done()
            missing = [row for row in other.rows() if row.id not in done]
            for start in range(0, len(missing), ROWS_IN_FILE):
                self.append(missing[start : start + ROWS_IN_FILE])
            added += len(missing)
        return added

    def _new_path(self) -> Path:
        return self.folder / f"{uuid.uuid4().hex}{_SUFFIX}"

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{_SUFFIX}"))


def winner_of(winner: str | None, reason: str) -> str | None:
    """Return who won, as :meth:`Results.winners` has it."""
    return None if is_failure(reason) else sys.intern(winner or "")


def _signature(path: Path) -> tuple[int, int]:
    """Return values that differ after a file was replaced."""
    status = path.stat()
    return status.st_ino, status.st_mtime_ns


def _read(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Read a file.

    Raises:
        InputError: it is no file of results.
    """
    pa = _arrow()
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow, and only with the extra

    names = arrow_schema().names if columns is None else columns
    try:
        # In one thread and without mapping: other processes replace files.
        return pq.read_table(path, columns=names, use_threads=False)
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            [Fault("lab/results", f"{str(path)!r} cannot be read: {reason}")]
        ) from None


def table_of(rows: Iterable[GameRow]) -> pa.Table:
    """Return rows as a table of pyarrow."""
    return _arrow().Table.from_pylist([row.as_dict for row in rows], schema=arrow_schema())


def _bytes_of(table: pa.Table) -> bytes:
    pa = _arrow()
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow, and only with the extra

    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    data: bytes = sink.getvalue().to_pybytes()
    return data


@cache
def arrow_schema() -> pa.Schema:
    """Return the columns, as the JSON Schema of a row has them."""
    pa = _arrow()
    described = schema()["properties"]
    return pa.schema(
        pa.field(name, _arrow_type(about), nullable="null" in about["type"])
        for name, about in described.items()
    )


def _arrow_type(about: dict[str, Any]) -> pa.DataType:
    pa = _arrow()
    kinds = about["type"] if isinstance(about["type"], list) else [about["type"]]
    if kinds[0] == "array":
        return pa.list_(pa.field("item", _arrow_type(about["items"]), nullable=False))
    types = {"string": pa.string, "integer": pa.int64, "number": pa.float64, "boolean": pa.bool_}
    return types[kinds[0]]()


def _arrow() -> Any:
    """Import pyarrow.

    Raises:
        NotInstalledError: it is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - slow, and only with the extra
    except ModuleNotFoundError as error:
        raise NotInstalledError.of("the laboratory", error.name, "lab") from None
    return pa
