r"""Pictures in plain text, one layout for each kind of board.

A piece is one character: black stones ``x``, white ones ``o``, red ``r``, blue ``b``, Vert's ``v``
and Horz's ``h``; an empty point is a full stop. The layouts are stable, so that programs and people
can rely on them:

Antipod
    The mail server's: two hexagons side by side, from side 9 on one above the other. A row has its
    letter at its left end; diagonals have their numbers at their upper right ends.
Hex, Cylindrical Hex
    Each row half a cell further right than the one above, letters above and below, numbers at both
    ends. On the cylinder the two ends of a row are neighbours.
Antipode
    Files run upwards; the last line has their letters, and above its last cell a file has that
    cell's rank. A capital is a token under the pawn of its colour. Neighbours are two lines apart
    in a file, or one line higher or lower in the next file.
Antipalos
    In each square the rod's colour and its diagonal, ``x/`` or ``o\\``; letters below and above,
    numbers at both ends. In the mail ruleset grid points are ``+`` and bear the coordinates; rods
    stand between them.
Boards of other packages
    A line for each height at which cells are drawn.

Where an analysis marks an empty point, the first character of the mark stands there, in Antipalos
the first two.

:func:`legend` says in a line what the characters mean, and names the last move and the winning
chain, which the pictures do not show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from antipodes.boards import Place, Topology
from antipodes.boards.topology import letter
from antipodes.core import Color
from antipodes.notation.rods import grid_column
from antipodes.notation.scene import Scene
from antipodes.notation.sphere_pictures import draw_sphere
from antipodes.notation.words import colors_on_board, highlights

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
    lines = _LAYOUTS.get(scene.topology.kind, _by_places)(scene)
    return "\n".join(line.rstrip() for line in lines)


def legend(scene: Scene) -> str:
    """Return a line that explains the characters of the picture and its omissions."""
    meanings = [f"{SYMBOLS[color]} {color.title}" for color in colors_on_board(scene)]
    if scene.pawns:
        meanings.append("a capital has the pawn on it")
    sentences = [", ".join(meanings) + "."] if meanings else []
    return " ".join([*sentences, *highlights(scene)])


def _sphere(scene: Scene) -> list[str]:
    stones = {cell: SYMBOLS[color] for cell, color in scene.stones.items()}
    symbols = {cell: mark[0] for cell, mark in scene.overlay.marks.items()} | stones
    return draw_sphere(scene.topology, symbols)


def _slanted(scene: Scene) -> list[str]:
    """Draw Hex and Cylindrical Hex: each row is half a cell further right than the one above."""
    rows, columns = _rows_and_columns(scene.topology)
    header = " ".join(letter(column) for column in range(columns))
    lines = ["   " + header]
    for row in range(rows):
        body = " ".join(_stone(scene, row * columns + column) for column in range(columns))
        number = str(row + 1)
        lines.append(" " * row + f"{number:>2} {body} {number}")
    lines.append(" " * rows + "   " + header)
    return lines


def _stone(scene: Scene, cell: int) -> str:
    color = scene.stones.get(cell)
    return scene.overlay.marks.get(cell, ".")[0] if color is None else SYMBOLS[color]


def _rows_and_columns(board: Topology) -> tuple[int, int]:
    return (
        (board.size[0], board.size[0]) if len(board.size) == 1 else (board.size[0], board.size[1])
    )


def _hexagon(scene: Scene) -> list[str]:
    """Draw Antipode: each file runs upwards, to the number of its last rank."""
    board = scene.topology
    files: dict[str, list[Place]] = {}
    for place in board.places:
        files.setdefault(place.name[0], []).append(place)
    half_rows = [round(2 * place.y) for place in board.places]
    first = min(half_rows) - 1  # the number above the longest file
    lines = [[" "] * (4 * len(files)) for _ in range(max(half_rows) + 1 - first)]
    for index, places in enumerate(files.values()):
        column = 4 * index + 1
        rows = [round(2 * place.y) - first for place in places]
        for row, place in zip(rows, places, strict=True):
            lines[row][column] = _token(scene, place.cell)
        lines[min(rows) - 1][column] = str(len(places))
    # Letters are set apart, because b is also a blue token.
    return [*("".join(line) for line in lines), "", " " + "   ".join(files)]


def _token(scene: Scene, cell: int) -> str:
    symbol = _stone(scene, cell)
    return symbol.upper() if cell in scene.pawns else symbol


def _grid(scene: Scene) -> list[str]:
    """Draw Antipalos: a colour's symbol and the rod's diagonal in each square."""
    if scene.points_named:
        return _grid_of_points(scene)
    size = scene.topology.size[0]
    header = "    " + " ".join(f"{letter(column).upper():<2}" for column in range(size))
    lines = [header]
    for row in reversed(range(size)):
        cells = [_rod(scene, row, column, ". ") for column in range(size)]
        lines.append(f"{row + 1:>2}  {' '.join(cells)} {row + 1}")
    return [*lines, header]


def _grid_of_points(scene: Scene) -> list[str]:
    """Draw Antipalos of the mail server: grid points as ``+``, which moves name, rods between."""
    size = scene.topology.size[0]
    header = "    " + "".join(f"{grid_column(column):<4}" for column in range(size + 1))
    lines = [header]
    for height in reversed(range(size + 1)):
        points = "   ".join("+" * (size + 1))
        lines.append(f"{height + 1:>2}  {points}  {height + 1}")
        if height > 0:
            rods = [_rod(scene, height - 1, column, "  ") for column in range(size)]
            lines.append("     " + "  ".join(rods))
    return [*lines, header]


def _rod(scene: Scene, row: int, column: int, empty: str) -> str:
    cell = row * scene.topology.size[0] + column
    rod = scene.rods.get(cell)
    if rod is None:
        return scene.overlay.marks.get(cell, empty).ljust(2)[:2]
    return SYMBOLS[rod.color] + rod.diagonal


def _by_places(scene: Scene) -> list[str]:
    """Draw any other board: a line for each height of cells, two columns for each step across."""
    symbols = [(place.x, place.y, _stone(scene, place.cell)) for place in scene.topology.places]
    marks = symbols + [(label.x, label.y, label.text) for label in scene.topology.labels]
    left = min(x for x, _, _ in marks)
    rows: dict[float, str] = {}
    for x, y, text in sorted(marks):
        height, column = round(y, 3), round(2 * (x - left)) + 2  # room for numbers of two digits
        rows[height] = rows.get(height, "").ljust(column + 1 - len(text)) + text
    return [rows[height] for height in sorted(rows)]


_LAYOUTS: Mapping[str, Callable[[Scene], list[str]]] = {
    "sphere": _sphere,
    "rhombus": _slanted,
    "cylinder": _slanted,
    "hexhex": _hexagon,
    "grid": _grid,
}
