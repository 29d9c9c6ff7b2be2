"""The neighbours of each cell in the order of their directions, for layers of the network.

A layer has one weight for the cell itself and one for each of six directions. A rhombus and a
cylinder have the same directions everywhere. On the sphere each of the two boards has its own; the
right one is seen from its other side, so that the order round a cell is the same on both. Behind
the rim a direction leads on to the other board, as light is reflected by a mirror.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from antipodes.boards import Topology
from antipodes.boards.sphere import Coordinate, cells_by_point, ring_of
from antipodes.games.kernels import Array

# Rows down and columns right, by rows, as in a square of three by three without two corners.
TAPS = ((-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0))
HERE = TAPS.index((0, 0))
AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # the six directions in their order

KINDS = ("rhombus", "cylinder", "sphere")


@lru_cache(maxsize=16)
def directed_neighbours(topology: Topology) -> Array:
    """Return for each cell the cells at ``TAPS``, shape ``(cells, 7)``.

    Where there is no cell, the number is that of the cells.
    """
    cells = topology.cell_count
    neighbours = np.full((cells, len(TAPS)), cells, np.int64)
    neighbours[:, HERE] = np.arange(cells)
    if topology.kind == "sphere":
        _fill_sphere(topology.size[0], neighbours)
    else:
        _fill_rows(topology, neighbours)
    return neighbours


def _fill_rows(topology: Topology, neighbours: Array) -> None:
    """Fill the table of a rhombus or a cylinder."""
    size = topology.size
    rows, columns = size if len(size) > 1 else (size[0], size[0])
    is_round = topology.kind == "cylinder"
    for cell in range(rows * columns):
        for tap, (down, right) in enumerate(TAPS):
            row, column = cell // columns + down, cell % columns + right
            if is_round:
                column %= columns
            if 0 <= row < rows and 0 <= column < columns:
                neighbours[cell, tap] = row * columns + column


def _fill_sphere(side: int, neighbours: Array) -> None:
    left, right = cells_by_point(side)
    taps = [TAPS.index(step) for step in AROUND]
    for point, cell in left.items():
        around = [left.get(_moved(point, step)) for step in AROUND]
        for tap, there in zip(taps, around, strict=True):
            if there is not None:
                neighbours[cell, tap] = there
        if ring_of(point) == side - 1:
            for number, step in _behind_rim(point, side):
                neighbours[cell, taps[number]] = right[_moved(point, step)]
    for point, cell in right.items():
        if ring_of(point) < side - 1:
            for tap, step in zip(taps, AROUND, strict=True):
                neighbours[cell, tap] = right[_moved(point[::-1], step)[::-1]]


def _moved(point: Coordinate, step: Coordinate) -> Coordinate:
    """Return the point, as row and diagonal, after a step down and right."""
    row, diagonal = point
    down, along = step
    return row + down, diagonal + along + down


def _behind_rim(point: Coordinate, side: int) -> list[tuple[int, Coordinate]]:
    """Return for directions that leave the left board the step on the right board."""
    inward = [n for n, step in enumerate(AROUND) if ring_of(_moved(point, step)) < side - 1]
    # The directions lie round a circle, so the last one may come before the first.
    ends = sum(inward) + (6 if inward == [0, 5] else 0)
    mirror = ends + 3 if len(inward) > 1 else 2 * ends + 3
    return [((mirror - number) % 6, AROUND[number]) for number in inward]
