"""Pictures of Antipod in plain text, in the layout of the classic mail server."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.boards import Topology
from antipodes.boards.topology import letter

_MIDDLE = 6  # column of the first point of the middle row
_LETTER_GAP = 5  # distance from a row's letter to its first point
_HEAD = 4  # lines with numbers of diagonals, above the first row
_WIDEST = 8  # side of the largest boards that fit a terminal side by side


def draw_sphere(
    board: Topology, symbols: Mapping[int, str], *, stacked: bool | None = None
) -> list[str]:
    """Return the lines of the picture.

    Args:
        board: the two boards.
        symbols: a character for each stone.
        stacked: whether the right board stands below the left one; ``None`` where it would not fit
            80 columns beside it.
    """
    side = board.size[0]
    rows = 2 * side - 1
    if stacked is None:
        stacked = side > _WIDEST
    # Column of the first board's left end and the second's, and the line where each begins.
    corners = ((0, 0), (0, rows + _HEAD + 1) if stacked else (4 * side + 2, 0))
    height = corners[1][1] + rows + _HEAD
    lines = [[" "] * (2 * _MIDDLE + 4 * rows + 4 * side) for _ in range(height)]
    for index, (left, top) in enumerate(corners):
        _write_numbers(lines[top:], side, left, index * rows)
        for row in range(rows if left == 0 else 0):
            column = _first_column(side, row) - _LETTER_GAP
            _write(lines[top + row + _HEAD], column, letter(row))
    for place in board.places:
        left, top = corners[place.board]
        row = ord(place.name[0]) - ord("a")
        diagonal = int(place.name[1:]) - place.board * rows
        column = left + _column(side, row, diagonal)
        lines[top + row + _HEAD][column] = symbols.get(place.cell, ".")
    return ["".join(line).rstrip() for line in lines]


def _first_column(side: int, row: int) -> int:
    return _MIDDLE + abs(row - side + 1)


def _column(side: int, row: int, diagonal: int) -> int:
    first = max(1, row - side + 2)
    return _first_column(side, row) + 2 * (diagonal - first)


def _write(line: list[str], column: int, text: str) -> None:
    line[column : column + len(text)] = text


def _write_numbers(lines: list[list[str]], side: int, left: int, shift: int) -> None:
    """Write the numbers of the diagonals: above the first row, then down the upper right edge."""
    first = left + _first_column(side, 0)
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
