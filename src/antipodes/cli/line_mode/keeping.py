"""The game at a table as a record, to be written to a file."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from antipodes.cli.seats import HUMAN

if TYPE_CHECKING:
    from antipodes.cli.line_mode.table import Table
    from antipodes.records import Record, Result


def save_table(table: Table, path: str) -> None:
    """Write the game to a file; the name's ending chooses the format.

    Raises:
        InvalidRecordError: the format cannot hold the game, or the file cannot be written.
    """
    from antipodes.records import save

    save(path, record_of(table))


def record_of(table: Table) -> Record:
    """Return the game as a record.

    A record that was loaded keeps its names, comments and variations. What was taken back is left
    out; what was played otherwise than before becomes the main line.
    """
    record = table.record if table.record is not None else _new_record(table)
    node = record.root
    for move in table.moves:
        node = node.play(move)
        node.promote()
    for child in node.children:
        child.remove()
    record.result = _result(table)
    return record


def _new_record(table: Table) -> Record:
    from antipodes.records import Record
    from antipodes.search.players import make_player

    game = table.position.game
    start = table.positions[0]
    record = Record(game, None if start == game.initial() else start.to_setup())
    record.players = tuple(
        "" if seat == HUMAN else make_player(seat, 0).name for seat in table.seats
    )
    record.date = dt.datetime.now(tz=dt.UTC).astimezone().date().isoformat()
    return record


def _result(table: Table) -> Result | None:
    from antipodes.records import Reason, Result

    if table.position.outcome is not None:
        return Result.of(table.position.outcome)
    if table.resigned is None:
        return None
    if table.winner is None:
        return Result(None, Reason.ABANDONED, f"{table.resigned.title} resigned")
    return Result(table.winner, Reason.RESIGNATION)
