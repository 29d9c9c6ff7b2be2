"""Pictures of Antipod in plain text, in the layout of the classic mail server."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.boards import Topology
from antipodes.boards.topology import letter

_MIDDLE = 6  # column of the first point of the middle row
_LETTER_GAP = 5  # distance from a row's letter to its first point


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
        # Numbers lean to the right like the diagonals, so their second digit is a line higher.
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
