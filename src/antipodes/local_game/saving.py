"""Records of local games: saving one, and going on from one."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from antipodes.local_game.game import HUMAN, LocalGame

if TYPE_CHECKING:
    from antipodes.records import Record, Result

GameT = TypeVar("GameT", bound=LocalGame)


def save(game: LocalGame, path: str | Path) -> None:
    """Write a game to a file; the name's ending chooses the format.

    Raises:
        InvalidRecordError: the format cannot hold the game, or the file cannot be written.
    """
    # Records are imported when they are needed, so that the first picture comes sooner.
    from antipodes import records

    records.save(path, record_of(game))


def record_of(game: LocalGame) -> Record:
    """Return a game as a record.

    The record that the game goes on from keeps its names, comments and variations. The moves that
    were played become its main line; those that were taken back are left out.
    """
    record = game.record if game.record is not None else _new_record(game)
    node = record.root
    for move in game.moves:
        node = node.play(move)
        node.promote()
    for child in node.children:
        child.remove()
    record.result = _result(game)
    return record


def _new_record(game: LocalGame) -> Record:
    from antipodes.records import Record
    from antipodes.search.players import make_player

    start = game.positions[0]
    record = Record(game.game, None if start == game.game.initial() else start.to_setup())
    record.players = tuple(
        "" if player == HUMAN else make_player(player, 0).name for player in game.players
    )
    record.date = dt.datetime.now(tz=dt.UTC).astimezone().date().isoformat()
    return record


def _result(game: LocalGame) -> Result | None:
    from antipodes.records import Reason, Result

    if game.position.outcome is not None:
        return Result.of(game.position.outcome)
    if game.resigned is None:
        return None
    loser = game.resigned if game.winner is None else None
    return Result(game.winner, Reason.RESIGNATION, loser=loser)


def continued(game: GameT, record: Record) -> GameT:
    """Return a game after the main line of a record, which its saved file keeps up.

    Args:
        game: a game that begins where the record does.
        record: the record to go on from.
    """
    from antipodes.records import Reason

    for move in record.moves():
        game.play(move)
    game.record = record
    result = record.result
    if result is not None and result.reason is Reason.RESIGNATION:
        game.resigned = result.loser
        if result.winner is not None:
            game.resigned = record.game.opponent_of(result.winner)
    return game
