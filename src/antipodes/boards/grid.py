"""The board of Antipalos: squares, at whose corners rods touch."""

from __future__ import annotations

from functools import lru_cache

from antipodes.boards.topology import Label, Place, Shape, Topology, letter


@lru_cache(maxsize=32)
def square_grid(size: int) -> Topology:
    """Return ``size`` by ``size`` squares; cell ``row * size + column``, row 0 at the bottom.

    Columns are letters from the left, rows numbers from the bottom. Neighbours share an edge.
    Rims: ``bottom``, ``top``, ``left``, ``right``. The eight symmetries are those of the square:
    identity, three quarter turns clockwise, then the same after a reflection left to right.
    """
    count = size * size
    neighbours = []
    names = []
    places = []
    for row in range(size):
        for column in range(size):
            near = ((row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column))
            neighbours.append(
                tuple(sorted(r * size + c for r, c in near if 0 <= r < size and 0 <= c < size))
            )
            name = f"{letter(column).upper()}{row + 1}"
            names.append((name,))
            places.append(Place(row * size + column, 0, column, size - 1 - row, name))
    labels = [Label(letter(column).upper(), column, size - 0.2) for column in range(size)]
    labels += [Label(str(row + 1), -0.9, size - 1 - row) for row in range(size)]
    symmetries = []
    for mirror in (False, True):
        for turns in range(4):
            image = []
            for row in range(size):
                for column in range(size):
                    r, c = row, (size - 1 - column if mirror else column)
                    for _ in range(turns):
                        r, c = size - 1 - c, r
                    image.append(r * size + c)
            symmetries.append(tuple(image))
    return Topology(
        kind="grid",
        size=(size,),
        neighbours=tuple(neighbours),
        names=tuple(names),
        places=tuple(places),
        labels=tuple(labels),
        rims={
            "bottom": tuple(range(size)),
            "top": tuple(range(count - size, count)),
            "left": tuple(range(0, count, size)),
            "right": tuple(range(size - 1, count, size)),
        },
        symmetries=tuple(symmetries),
        shape=Shape.SQUARE,
        factory=square_grid,
    )
