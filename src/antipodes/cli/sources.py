"""Input of the commands on files: records, and pictures of boards, from files or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from antipodes.errors import Fault, InputError, InvalidOptionsError, InvalidRecordError

if TYPE_CHECKING:
    from antipodes.games.position import Position
    from antipodes.records import Record

STDIN = "-"


@dataclass(frozen=True)
class Source:
    """A record or picture that was read.

    Attributes:
        record: the record, or ``None`` if it was a picture.
        position: the position of the picture, or where the record's main line ends.
    """

    record: Record | None
    position: Position


def read_bytes(path: str) -> bytes:
    """Return what is in a file, or with ``-`` on standard input.

    Raises:
        InvalidRecordError: it cannot be read.
    """
    from antipodes.records.files import read_bytes as read_file

    if path != STDIN:
        return read_file(path)
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        message = f"standard input cannot be read: {error.strerror}"
        raise InvalidRecordError([Fault("record/unreadable-file", message)]) from None


def read_record(path: str, *, lenient: bool = False) -> Record:
    """Read a record from a file, or with ``-`` from standard input.

    With ``lenient`` errors are printed on standard error, and the rest is read.

    Raises:
        InvalidRecordError: with everything that is wrong and where.
    """
    return as_record(read_bytes(path), lenient=lenient)


def as_record(data: bytes, *, lenient: bool, game: int | None = None) -> Record:
    """Read a record; see ``read_record``.

    Args:
        data: of the file.
        lenient: whether a record with faults is read as far as it goes.
        game: its number in a file of several games, counted from 1.

    Raises:
        InvalidRecordError: with everything that is wrong and where.
    """
    from antipodes.records import read_leniently
    from antipodes.records import read_record as read

    if not lenient:
        return read(data, game=game)
    record, faults = read_leniently(data, game=game)
    for fault in faults:
        click.echo(f"antipodes: warning: {fault}", err=True)
    return record


def read_source(path: str, settings: Sequence[str] = (), *, lenient: bool = False) -> Source:
    """Read a record or a picture of a board.

    Args:
        path: the file, or ``-`` for standard input.
        settings: options of the game in a picture, as ``--set`` gives them; its side is found
            by its rows where they do not say it. A record has its own options.
        lenient: whether a record with faults is read as far as it goes.

    Raises:
        InvalidRecordError: it is neither, or a record with faults.
        InvalidPictureError: a picture with faults, or of no possible position.
        InvalidOptionsError: settings that the game does not have.
    """
    from antipodes.cli.parameters import read_settings
    from antipodes.records.pictures import picture_text, read_picture

    data = read_bytes(path)
    picture = picture_text(data)
    if picture is not None:
        return Source(None, read_picture(picture, read_settings(settings)))
    record = as_record(data, lenient=lenient)
    if settings:
        message = "a record has its options in it; --set is for pictures"
        raise InvalidOptionsError([Fault("option/conflict", message, "--set")])
    return Source(record, record.final_position())


def position_at(source: Source, ply: int | None) -> tuple[Position, dict[int, int]]:
    """Return the position after ``ply`` moves of the main line, and the numbers of its pieces.

    Args:
        source: the record or picture.
        ply: how many moves; from the end if negative; all if ``None``.

    Raises:
        InvalidRecordError: there are not so many moves.
    """
    if source.record is None:
        if ply not in (None, 0):
            message = f"ply is {ply}, but a picture has no moves"
            raise InvalidRecordError([Fault("record/no-such-ply", message, "--ply")])
        return source.position, {}
    positions = list(source.record.positions())
    last = len(positions) - 1
    wanted = last if ply is None else ply + len(positions) if ply < 0 else ply
    if not 0 <= wanted <= last:
        message = f"ply is {ply}, but the record has {last} moves"
        raise InvalidRecordError([Fault("record/no-such-ply", message, "--ply")])
    return positions[wanted], move_numbers(positions[: wanted + 1])


def move_numbers(positions: Sequence[Position]) -> dict[int, int]:
    """Return cell -> number of the move that brought the piece on it."""
    numbers = {
        position.last_cell: number
        for number, position in enumerate(positions[1:], start=1)
        if position.last_cell is not None
    }
    scene = positions[-1].scene()
    return {cell: n for cell, n in numbers.items() if cell in scene.stones or cell in scene.rods}


def write_output(path: str | None, text: str) -> None:
    """Write text to a file, or to standard output if there is no path or it is ``-``.

    Raises:
        InputError: the file cannot be written.
    """
    whole = text.rstrip("\n") + "\n"
    if path is None or path == STDIN:
        click.echo(whole, nl=False)
        return
    write_bytes(path, whole.encode())


def write_bytes(path: str, data: bytes) -> None:
    """Write data to a file.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        Path(path).write_bytes(data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"{path!r} cannot be written: {reason[:1].lower()}{reason[1:]}"
        raise InputError([Fault("file/unwritable", message)]) from None


def chosen_position(
    source: str, settings: tuple[str, ...], ply: int | None, *, lenient: bool
) -> Position:
    """Return the position that FILE|GAME and ``--ply`` mean: of a file, or the start of a game.

    Raises:
        UnknownGameError: it is neither a file nor a game.
        InputError: the file, the settings or the ply are wrong.
    """
    from antipodes.cli.parameters import chosen_game
    from antipodes.games.registry import game_ids

    if source in game_ids():
        if ply not in (None, 0):
            message = f"ply is {ply}, but a game that was only named has no moves"
            raise InvalidOptionsError([Fault("option/conflict", message, "--ply")])
        start: Position = chosen_game(source, settings).initial()
        return start
    return position_at(read_source(path_of(source), settings, lenient=lenient), ply)[0]


def begin_from(
    source: str, game_id: str | None, settings: Sequence[str], ply: int | None
) -> Record:
    """Return a new record that begins at the position in which FILE|MOVES ends.

    Its main line has the moves to the position; players, comments and result are left out.

    Args:
        source: a file with a record or a picture, or moves with spaces or commas between them.
        game_id: the game, which moves need.
        settings: options of the game.
        ply: how many of the moves; from the end if negative; all if ``None``.

    Raises:
        InputError: the source cannot be read, is of another game, or has no such moves; or the
            game is over in the position.
    """
    from antipodes.cli.parameters import chosen_game
    from antipodes.games.registry import game_class
    from antipodes.records import Record

    texts = source.replace(",", " ").split()
    is_file = source == STDIN or Path(source).exists()
    if not is_file and game_id is None:
        message = f"{source!r} is no file; moves need the game before them"
        raise InputError.single("record/unreadable-file", message)
    if is_file:
        given = read_source(source, settings)
        record = given.record or Record(given.position.game, given.position.to_setup())
    else:
        assert game_id is not None
        record = Record.from_moves(chosen_game(game_id, tuple(settings)), texts)
    if game_id is not None and game_class(game_id).id != record.game.id:
        message = f"{source!r} is of {record.game.id}, not of {game_id}"
        raise InvalidRecordError([Fault("record/other-game", message)])
    position, _ = position_at(Source(record, record.final_position()), ply)
    if position.outcome is not None:
        fault = Fault.of(
            "match/decided",
            "the game is over in this position: {outcome}",
            outcome=position.outcome,
        )
        raise InputError([fault])
    moves = record.moves()
    count = len(moves) if ply is None else ply if ply >= 0 else len(moves) + 1 + ply
    beginning = Record(record.game, record.start)
    node = beginning.root
    for move in moves[:count]:
        node = node.add(move)
    return beginning


def path_of(source: str) -> str:
    """Return the path of a file; a word that is no file may have been meant as a game.

    Raises:
        UnknownGameError: there is neither.
    """
    from antipodes.games.registry import game_class

    looks_like_word = source.replace("-", "").isalpha() and source != "-"
    if looks_like_word and not Path(source).exists():
        game_class(source)
    return source
