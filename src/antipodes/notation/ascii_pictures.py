"""Pictures in plain text, one layout for each kind of board.

Black stones are ``x``, white ones ``o``, red ``r`` and blue ``b``; rods are drawn in words of
their colour and diagonal. Every picture can be read aloud row by row: letters and numbers stand at
the ends of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from antipodes.boards.topology import Topology, letter
from antipodes.core import Color
from antipodes.notation.scene import Scene
from antipodes.notation.sphere_pictures import draw_sphere

SYMBOLS: Mapping[Color, str] = {
    Color.BLACK: "x",
    Color.WHITE: "o",
    Color.RED: "r",
    Color.BLUE: "b",
    Color.VERT: "v",
    Color.HORZ: "h",
}


def draw(scene: Scene) -> str:
    """Return the picture of a scene in plain text, without a newline at its end."""
    lines = _LAYOUTS[scene.topology.kind](scene)
    return "\n".join(line.rstrip() for line in lines)


def _sphere(scene: Scene) -> list[str]:
    symbols = {cell: SYMBOLS[color] for cell, color in scene.stones.items()}
    return draw_sphere(scene.topology, symbols)


def _slanted(scene: Scene) -> list[str]:
    """Draw Hex and Cylindrical Hex: each row half a cell further right than the one above."""
    rows, columns = _rows_and_columns(scene.topology)
    header = " ".join(letter(column) for column in range(columns))
    lines = ["   " + header]
    for row in range(rows):
        cells = [scene.stones.get(row * columns + column) for column in range(columns)]
        body = " ".join("." if color is None else SYMBOLS[color] for color in cells)
        number = str(row + 1)
        lines.append(" " * row + f"{number:>2} {body} {number}")
    lines.append(" " * rows + "   " + header)
    return lines


def _rows_and_columns(board: Topology) -> tuple[int, int]:
    return (
        (board.size[0], board.size[0]) if len(board.size) == 1 else (board.size[0], board.size[1])
    )


def _hexagon(scene: Scene) -> list[str]:
    """Draw Antipode: files run upwards; capitals are tokens under the pawn of their colour."""
    board = scene.topology
    half_rows = sorted({round(2 * place.y) for place in board.places})
    files = 2 * board.size[0] - 1
    lines = [[" "] * (4 * files + 2) for _ in range(len(half_rows) + 1)]
    for place in board.places:
        row = round(2 * place.y) - half_rows[0]
        file = ord(place.name[0]) - ord("a")
        color = scene.stones.get(place.cell)
        symbol = "." if color is None else SYMBOLS[color]
        lines[row][4 * file + 2] = symbol.upper() if place.cell in scene.pawns else symbol
    longest = "  ".join(f"{letter(file):>2}" for file in range(files))
    text = ["".join(line) for line in lines]
    numbers = _rank_notes(scene.topology, half_rows)
    text = [f"{note:>3} {line}" for note, line in zip(numbers, text, strict=False)]
    return [*text, "", "     " + longest]


def _rank_notes(board: Topology, half_rows: list[int]) -> list[str]:
    """Name the ranks of the first file at the left edge; the other files count up from below."""
    notes = {round(2 * p.y): p.name[1:] for p in board.places if p.name[0] == "a"}
    return [notes.get(row, "") for row in half_rows]


def _grid(scene: Scene) -> list[str]:
    """Draw Antipalos: a colour's symbol and the rod's diagonal in each square."""
    size = scene.topology.size[0]
    header = "    " + " ".join(f"{letter(column).upper():<2}" for column in range(size))
    lines = [header]
    for row in reversed(range(size)):
        cells = []
        for column in range(size):
            rod = scene.rods.get(row * size + column)
            cells.append(". " if rod is None else SYMBOLS[rod.color] + rod.diagonal)
        lines.append(f"{row + 1:>2}  {' '.join(cells)} {row + 1}")
    return [*lines, header]


_LAYOUTS: Mapping[str, Callable[[Scene], list[str]]] = {
    "sphere": _sphere,
    "rhombus": _slanted,
    "cylinder": _slanted,
    "hexhex": _hexagon,
    "grid": _grid,
}
