"""The board of Cylindrical Hex: rows of hexagons whose ends are joined."""

from __future__ import annotations

from functools import lru_cache

from antipodes.boards.rhombus import STEPS, cell_names_and_places, edge_labels
from antipodes.boards.topology import Shape, Topology


@lru_cache(maxsize=24)
def cylinder(rows: int, columns: int) -> Topology:
    """Return ``rows`` rings of ``columns`` cells each; cell ``row * columns + column``.

    The first and the last column are neighbours. Rims: ``top`` and ``bottom``. The symmetries
    are the turns about the axis, each with and without the half turn that exchanges the rims.
    """
    count = rows * columns
    cells = tuple(range(count))  # equal numbers are one object, which takes a third of the memory
    neighbours = []
    for row in range(rows):
        for column in range(columns):
            near = [(row + dr, (column + dc) % columns) for dr, dc in STEPS]
            on_board = {cells[r * columns + c] for r, c in near if 0 <= r < rows}
            neighbours.append(tuple(sorted(on_board)))
    names, places = cell_names_and_places(rows, columns)
    symmetries = []
    for half_turn in (False, True):
        for shift in range(columns):
            image = []
            for row in range(rows):
                for column in range(columns):
                    r = rows - 1 - row if half_turn else row
                    c = (-column if half_turn else column) + shift
                    image.append(cells[r * columns + c % columns])
            symmetries.append(tuple(image))
    return Topology(
        kind="cylinder",
        size=(rows, columns),
        neighbours=tuple(neighbours),
        names=names,
        places=places,
        labels=edge_labels(rows, columns),
        rims={"top": tuple(range(columns)), "bottom": tuple(range(count - columns, count))},
        symmetries=tuple(symmetries),
        shape=Shape.POINTY,
        factory=cylinder,
    )
