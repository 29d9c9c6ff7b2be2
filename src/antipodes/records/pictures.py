"""Pictures of positions in text, as mails show them: recognising and reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from antipodes.boards import Topology, sphere
from antipodes.core import Setup
from antipodes.errors import Fault, InvalidPictureError, InvalidPositionError, InvalidRecordError
from antipodes.games.antipod import Antipod, AntipodOptions
from antipodes.games.position import Game, Position
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.notation.picture_reading import FILES, PictureReading, Piece, read_pieces, unquoted
from antipodes.notation.rods import rod_by_points, rod_by_square
from antipodes.notation.scene import Rod, Scene
from antipodes.notation.sides import turned
from antipodes.notation.sphere_reading import examine_sphere, side_of_picture
from antipodes.records.formats import recognise

_USUAL_SIDE = 6
_FIELD = re.compile(r"(Game|Options|Turn|View): (.+)")
_SEAT = re.compile(r"seat (\d+)")
_TURN = re.compile(r"; ([A-Za-z]+) \(\w\)")

# Layouts of pictures -> kinds of boards that are drawn so.
_KINDS = {
    "slanted": ("rhombus", "cylinder"),
    "squares": ("grid",),
    "points": ("grid",),
    "hexagon": ("hexhex",),
}

_Options = Mapping[str, int | str]


def picture_text(source: str | bytes) -> str | None:
    """Return the text of what looks like a picture and not like a record; else ``None``."""
    try:
        recognise(source)
    except InvalidRecordError:
        text = source if isinstance(source, str) else source.decode("utf-8", "replace")
        if read_pieces(text) is not None:
            return text
        faults = examine_sphere(text, sphere(_USUAL_SIDE)).faults
        without_rows = any(fault.code == "picture/no-board" for fault in faults)
        return None if without_rows else text
    return None


def read_picture(text: str, options: _Options | None = None) -> Position:
    """Return the position that a picture shows.

    Its layout tells the game and the size of the board. The fields of a mail around it tell the
    options, whose turn it is and from which seat the board is seen; ``options`` go before those.

    Raises:
        InvalidPictureError: the picture has faults, or shows no possible position.
        InvalidOptionsError: the game has no such options.
    """
    fields = _fields(text)
    given: dict[str, int | str] = {**_options(fields), **(options or {})}
    reading = read_pieces(text)
    if reading is None:
        side = side_of_picture(text) or _USUAL_SIDE
        antipod = Antipod(AntipodOptions.read({"side": side, **given}))
        position: Position = antipod.position_from_picture(text)
        return position
    if reading.faults:
        raise InvalidPictureError(reading.faults)
    game = _game(reading, fields, given)
    seat = _SEAT.search(fields.get("View", ""))
    turns = game.reading(int(seat[1]) - 1) if seat and 0 < int(seat[1]) <= game.seats else 0
    to_move = _TURN.search(fields.get("Turn", ""))
    scene = turned(_scene(reading, game.topology), turns)
    return _position(game, _setup(scene, to_move[1].lower() if to_move else None))


def _position(game: Game, setup: Setup) -> Position:
    """Return the position of a setup.

    Where the turn is known, the numbers of stones may disagree with it: a swap was played, which
    pictures do not show, or the game began with other stones.

    Raises:
        InvalidPictureError: there is none.
    """
    first: InvalidPositionError | None = None
    for variant in (setup, replace(setup, swapped=True), replace(setup, composed=True)):
        try:
            position: Position = game.position(variant)
        except InvalidPositionError as error:
            first = first or error
            if setup.to_move is None:
                break
        else:
            return position
    assert first is not None
    raise InvalidPictureError(first.faults) from first


def _fields(text: str) -> dict[str, str]:
    """Return the first of each of a mail's fields that say what a picture leaves out."""
    fields: dict[str, str] = {}
    name = ""
    for line in unquoted(text):
        field = _FIELD.fullmatch(line.rstrip())
        if field is not None and field[1] not in fields:
            name = field[1]
            fields[name] = field[2]
        elif name and line.startswith("    "):  # a long value continues
            fields[name] += f" {line.strip()}"
        else:
            name = ""
    return fields


def _options(fields: Mapping[str, str]) -> dict[str, int | str]:
    pairs = (word.partition("=") for word in fields.get("Options", "").split())
    return {name: value for name, equals, value in pairs if equals}


def _game(reading: PictureReading, fields: Mapping[str, str], given: _Options) -> Game:
    """Return the game that a picture's layout and size belong to, or that a mail names.

    Raises:
        InvalidPictureError: no game has such a board.
    """
    fitting = [
        game_type
        for game_type in map(game_class, game_ids())
        if game_type().topology.kind in _KINDS[reading.layout]
        and _size(game_type, reading) is not None
    ]
    if not fitting:
        fault = Fault.of(
            "picture/side",
            "the board is {columns}x{rows}, but boards here are square",
            columns=reading.columns,
            rows=reading.rows,
        )
        raise InvalidPictureError([fault])
    named = [one for one in fitting if one.id == fields.get("Game")]
    chosen = (named or fitting)[0]
    ruleset = {"ruleset": "mail"} if reading.layout == "points" else {}
    return make_game(chosen.id, {**ruleset, **given, **(_size(chosen, reading) or {})})


def _size(game: type[Game], reading: PictureReading) -> dict[str, int] | None:
    """Return the options of a board with so many rows and columns; ``None`` if there is none."""
    match game.size_options:
        case ():
            return {}
        case (size,):
            return {size: reading.rows} if reading.rows == reading.columns else None
        case _:
            return {"rows": reading.rows, "columns": reading.columns}


def _scene(reading: PictureReading, board: Topology) -> Scene:
    """Return the pieces of a picture on their cells."""
    on_cells = {_cell(reading, board, piece): piece for piece in reading.pieces}
    if reading.layout in ("squares", "points"):
        rods = {cell: Rod(piece.color, piece.mark) for cell, piece in on_cells.items()}
        return Scene(board, "", rods=rods, points_named=reading.layout == "points")
    stones = {cell: piece.color for cell, piece in on_cells.items()}
    pawns = {cell: piece.color for cell, piece in on_cells.items() if piece.mark}
    return Scene(board, "", stones=stones, pawns=pawns)


def _cell(reading: PictureReading, board: Topology, piece: Piece) -> int:
    if reading.layout != "hexagon":
        return piece.row * reading.columns + piece.column
    cell = board.cell(f"{FILES[piece.column]}{piece.row + 1}")
    assert cell is not None
    return cell


def _setup(scene: Scene, to_move: str | None) -> Setup:
    board = scene.topology
    stones = [(board.name(cell), color.value) for cell, color in scene.stones.items()]
    for cell, rod in scene.rods.items():
        row, column = divmod(cell, board.size[0])
        by_points = rod_by_points(row, column, rod.diagonal)
        by_square = rod_by_square(board.name(cell), rod.diagonal)
        stones.append((by_points if scene.points_named else by_square, rod.color.value))
    pawns = {color.value: board.name(cell) for cell, color in scene.pawns.items()}
    return Setup(tuple(stones), to_move, pawns)
