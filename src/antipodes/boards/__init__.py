"""Boards without stones: cells, neighbours, rims, symmetries, names and drawing coordinates.

Each function returns a cached, immutable :class:`Topology` for each size.
"""

from antipodes.boards.cylinder import cylinder
from antipodes.boards.grid import square_grid
from antipodes.boards.hexhex import hexhex
from antipodes.boards.rhombus import rhombus
from antipodes.boards.sphere import sphere
from antipodes.boards.topology import Label, Place, Shape, Topology

__all__ = [
    "Label",
    "Place",
    "Shape",
    "Topology",
    "cylinder",
    "hexhex",
    "rhombus",
    "sphere",
    "square_grid",
]
