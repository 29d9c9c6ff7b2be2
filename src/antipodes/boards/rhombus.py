"""The board of Hex: a rhombus of hexagons."""

from __future__ import annotations

import math
from functools import lru_cache

from antipodes.boards.topology import Label, Place, Shape, Topology, letter

# Steps to the six neighbours as (rows down, columns right).
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))


@lru_cache(maxsize=32)
def rhombus(size: int) -> Topology:
    """Return the rhombus with ``size`` rows and columns; cell ``row * size + column``.

    Columns are letters from the left, rows numbers from the top: a1 is the acute corner at the
    upper left. Rims: ``top``, ``bottom``, ``left``, ``right``. The symmetries are the identity and
    the half turn; the reflection that exchanges rows and columns also exchanges the colours' goals
    and is therefore not among them.
    """
    neighbours = []
    for row in range(size):
        for column in range(size):
            near = [(row + dr, column + dc) for dr, dc in STEPS]
            neighbours.append(
                tuple(sorted(r * size + c for r, c in near if 0 <= r < size and 0 <= c < size))
            )
    count = size * size
    names, places = cell_names_and_places(size, size)
    return Topology(
        kind="rhombus",
        size=(size,),
        neighbours=tuple(neighbours),
        names=names,
        places=places,
        labels=edge_labels(size, size),
        rims={
            "top": tuple(range(size)),
            "bottom": tuple(range(count - size, count)),
            "left": tuple(range(0, count, size)),
            "right": tuple(range(size - 1, count, size)),
        },
        symmetries=(tuple(range(count)), tuple(range(count - 1, -1, -1))),
        shape=Shape.POINTY,
        factory=rhombus,
    )


def cell_names_and_places(
    rows: int, columns: int
) -> tuple[tuple[tuple[str, ...], ...], tuple[Place, ...]]:
    """Return names (a1, b1, ...) and places of a slanted board, row by row."""
    names = tuple(
        (f"{letter(column)}{row + 1}",) for row in range(rows) for column in range(columns)
    )
    places = tuple(
        Place(
            row * columns + column,
            0,
            column + row / 2,
            row * math.sqrt(3) / 2,
            names[row * columns + column][0],
        )
        for row in range(rows)
        for column in range(columns)
    )
    return names, places


def edge_labels(rows: int, columns: int) -> tuple[Label, ...]:
    """Return letters above the columns and numbers left of the rows."""
    height = math.sqrt(3) / 2
    above = [Label(letter(column), column - 0.5, -height) for column in range(columns)]
    beside = [Label(str(row + 1), row / 2 - 1, row * height) for row in range(rows)]
    return (*above, *beside)
