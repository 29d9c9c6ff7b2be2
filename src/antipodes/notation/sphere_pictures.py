"""Antipod's picture in plain text: the layout of the classic mail server, written and read."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.boards import Topology
from antipodes.boards.topology import letter
from antipodes.core import Color, Setup
from antipodes.errors import Fault, InvalidPictureError
from antipodes.notation.text import plain_lines, shorten

_COLORS = {"x": Color.BLACK, "o": Color.WHITE}
_MIDDLE = 6  # column of the first point of the middle row
_LETTER_GAP = 5  # a row's letter stands this far left of its first point


def draw_sphere(board: Topology, symbols: Mapping[int, str]) -> list[str]:
    """Return the lines of the picture; ``symbols`` has a character for each stone."""
    side = board.size[0]
    rows = 2 * side - 1
    lines = [[" "] * (2 * _MIDDLE + 4 * rows + 4 * side) for _ in range(rows + 4)]
    for index in (0, 1):
        _write_numbers(lines, side, index)
    for row in range(rows):
        _write(lines[row + 4], _first_column(side, row, 0) - _LETTER_GAP, letter(row))
    for place in board.places:
        row = ord(place.name[0]) - ord("a")
        diagonal = int(place.name[1:]) - place.board * rows
        column = _column(side, row, diagonal, place.board)
        lines[row + 4][column] = symbols.get(place.cell, ".")
    return ["".join(line).rstrip() for line in lines]


def _first_column(side: int, row: int, board: int) -> int:
    """Return the column of the first point of a row."""
    return _MIDDLE + abs(row - side + 1) + board * (4 * side + 2)


def _column(side: int, row: int, diagonal: int, board: int) -> int:
    first = max(1, row - side + 2)
    return _first_column(side, row, board) + 2 * (diagonal - first)


def _write(line: list[str], column: int, text: str) -> None:
    line[column : column + len(text)] = text


def _write_numbers(lines: list[list[str]], side: int, board: int) -> None:
    """Write the numbers of the diagonals: above the first row, then down the upper right edge."""
    shift = board * (2 * side - 1)
    first = _first_column(side, 0, board)
    for i in range(side):
        # Numbers lean to the right like the diagonals, so their second digit stands a line higher.
        digits = str(i + 1 + shift)
        lines[2][first + 2 + 2 * i] = "/"
        for height, digit in enumerate(digits):
            lines[1 - height][first + 3 + 2 * i + height] = digit
    for i in range(side):
        column = first + 2 * side + i
        if i > 0:
            lines[2 + i][column] = "/"
        if i < side - 1:
            _write(lines[2 + i], column + 2, str(side + 1 + i + shift))


def read_sphere(text: str, board: Topology) -> Setup:
    """Read a picture; what stands around the boards (numbers, captions) is not looked at.

    A picture's rows are the lines with a row's letter followed by the right number of points on
    each of the two boards.

    Raises:
        InvalidPictureError: with all faults: rows that are missing, have the wrong number of
            points or unknown characters, and rim points on which the two boards disagree.
    """
    side = board.size[0]
    faults: list[Fault] = []
    found: dict[str, str] = {}
    rows_seen: set[str] = set()
    for number, line in enumerate(plain_lines(text), start=1):
        words = line.lstrip("> ").split()
        if _is_row(words, side):
            _read_row(words, f"line {number}", side, found, rows_seen, faults)
    for row in range(2 * side - 1):
        if letter(row) not in rows_seen:
            message = f"row {letter(row)} is missing"
            faults.append(Fault("picture/missing-row", message, letter(row)))
    faults.extend(_rim_faults(board, found))
    if faults:
        raise InvalidPictureError(faults)
    names = (names[0] for names in board.names)
    return Setup(
        stones=tuple((name, _COLORS[found[name]].value) for name in names if found[name] != ".")
    )


def _is_row(words: list[str], side: int) -> bool:
    """Tell whether a line is a row of the boards: its letter, then single characters."""
    letters = [letter(row) for row in range(2 * side - 1)]
    rest = [word for word in words[1:] if word != "/" and not word.isdecimal()]
    return bool(words) and words[0] in letters and bool(rest) and max(map(len, rest)) == 1


def _read_row(
    words: list[str],
    where: str,
    side: int,
    found: dict[str, str],
    rows_seen: set[str],
    faults: list[Fault],
) -> None:
    """Read one row's points into ``found`` (name -> character)."""
    name = words[0]
    if name in rows_seen:
        faults.append(Fault("picture/row-twice", f"row {name} appears twice", where))
        return
    rows_seen.add(name)
    points = [word.lower() for word in words[1:] if word != "/" and not word.isdecimal()]
    for point in points:
        if point not in "xo.":
            message = f"row {name} has {shorten(point)}; points are x, o or ."
            faults.append(Fault("picture/unknown-character", message, where))
            return
    row = ord(name) - ord("a")
    length = 2 * side - 1 - abs(row - side + 1)
    if len(points) != 2 * length:
        message = f"row {name} has {len(points)} points, but must have {length} on each board"
        faults.append(Fault("picture/row-length", message, where))
        return
    first = max(1, row - side + 2)
    for board in (0, 1):
        for i in range(length):
            diagonal = first + i + board * (2 * side - 1)
            found[f"{name}{diagonal}"] = points[i + board * length]


def _rim_faults(board: Topology, found: Mapping[str, str]) -> list[Fault]:
    """Return a fault for each rim point that the two boards show differently."""
    faults = []
    for names in board.names:
        seen = [found[name] for name in names if name in found]
        if len(seen) == 2 and seen[0] != seen[1]:
            message = f"{names[0]} shows {seen[0]} but {names[1]}, the same point, shows {seen[1]}"
            faults.append(Fault("picture/rim-disagrees", message, names[0]))
    return faults
