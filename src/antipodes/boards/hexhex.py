"""The board of Antipode: a hexagon with files from bottom to top."""

from __future__ import annotations

import math
from functools import lru_cache

from antipodes.boards.topology import Label, Place, Shape, Topology, letter

# Steps to the six neighbours as (files to the right, half cells upwards).
STEPS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))


@lru_cache(maxsize=8)
def hexhex(side: int) -> Topology:
    """Return the hexagon with ``side`` cells along each edge.

    Cells are numbered file by file from the left, each file from the bottom. The rim ``corners``
    holds the six corners clockwise from the lower left one of the first file (a1, a5, e9, i5,
    i1, e1 for side 5), so that ``corners[i]`` and ``corners[i + 3]`` are opposite.
    """
    cells = hexhex_coordinates(side)
    index = {point: cell for cell, point in enumerate(cells)}
    names = []
    places = []
    for cell, (file, height) in enumerate(cells):
        rank = (height + file_length(side, file) - 1) // 2 + 1
        name = f"{letter(file)}{rank}"
        names.append((name,))
        places.append(Place(cell, 0, file * math.sqrt(3) / 2, -height / 2, name))
    reach = side - 1
    last = 2 * reach
    corner_points = (
        (0, -reach),
        (0, reach),
        (reach, 2 * reach),
        (last, reach),
        (last, -reach),
        (reach, -2 * reach),
    )
    return Topology(
        kind="hexhex",
        size=(side,),
        neighbours=tuple(
            tuple(sorted(index[f + df, h + dh] for df, dh in STEPS if (f + df, h + dh) in index))
            for f, h in cells
        ),
        names=tuple(names),
        places=tuple(places),
        labels=_labels(side),
        rims={"corners": tuple(index[point] for point in corner_points)},
        symmetries=_symmetries(side, index),
        shape=Shape.FLAT,
        factory=hexhex,
    )


def file_length(side: int, file: int) -> int:
    """Return the number of cells in ``file``, counted from 0."""
    return 2 * side - 1 - abs(file - side + 1)


def hexhex_coordinates(side: int) -> list[tuple[int, int]]:
    """Return each cell's file and its height over the middle in half cells."""
    return [
        (file, 2 * rank - file_length(side, file) + 1)
        for file in range(2 * side - 1)
        for rank in range(file_length(side, file))
    ]


def _labels(side: int) -> tuple[Label, ...]:
    labels = []
    for file in range(2 * side - 1):
        x = file * math.sqrt(3) / 2
        half = file_length(side, file) / 2
        labels.append(Label(letter(file), x, half + 0.45))
        labels.append(Label(str(file_length(side, file)), x, -half - 0.35))
    return tuple(labels)


def _symmetries(side: int, index: dict[tuple[int, int], int]) -> tuple[tuple[int, ...], ...]:
    """Return the six turns, each with and without a reflection that exchanges left and right."""
    reach = side - 1
    images = []
    for mirror in (False, True):
        for turns in range(6):
            image = [0] * len(index)
            for (file, height), cell in index.items():
                f, h = file - reach, height
                if mirror:
                    f = -f
                for _ in range(turns):
                    # A sixth of a turn. The numbers of file and half cells are both even or both
                    # odd, so halves are whole.
                    f, h = (f + h) // 2, (h - 3 * f) // 2
                image[cell] = index[f + reach, h]
            images.append(tuple(image))
    return tuple(dict.fromkeys(images))
