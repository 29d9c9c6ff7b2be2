"""Topologies: immutable descriptions of boards without stones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property


class Shape(Enum):
    """The shape in which cells are drawn."""

    POINTY = "pointy hexagon"
    FLAT = "flat hexagon"
    SQUARE = "square"


_RECTANGLES = ("cylinder", "grid", "rhombus")  # kinds of boards


@dataclass(frozen=True, slots=True)
class Place:
    """The place where a cell is drawn. A rim point of the sphere has two, any other cell one.

    Attributes:
        cell: index of the cell.
        board: index of the drawn board.
        x: distance to the right, in steps between neighbours.
        y: distance downwards, in the same unit.
        name: of the point at this place.
    """

    cell: int
    board: int
    x: float
    y: float
    name: str


@dataclass(frozen=True, slots=True)
class Label:
    """A coordinate letter or number beside the board, in the coordinates of places."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Topology:
    """A board without stones.

    Equality is identity: there is one cached instance for each kind and size.

    Attributes:
        kind: ``sphere``, ``hexhex``, ``grid``, ``rhombus`` or ``cylinder``.
        size: the arguments of ``factory``.
        neighbours: for each cell the indices of the adjacent cells.
        names: for each cell all its names; the first one is used in output.
        places: the places where cells are drawn.
        labels: coordinates beside the drawn boards.
        rims: named sets of cells, such as ``top``.
        symmetries: permutations of the cells (``image = permutation[cell]``) that preserve
            adjacency, and rims up to their names; the identity first.
        shape: of drawn cells.
        factory: the function that makes the board from ``size``; a pickle calls it.
    """

    kind: str
    size: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    names: tuple[tuple[str, ...], ...]
    places: tuple[Place, ...]
    labels: tuple[Label, ...]
    rims: Mapping[str, tuple[int, ...]]
    symmetries: tuple[tuple[int, ...], ...]
    shape: Shape
    factory: Callable[..., Topology]

    @property
    def cell_count(self) -> int:
        """The number of cells."""
        return len(self.neighbours)

    @property
    def rectangle(self) -> tuple[int, int] | None:
        """Rows and columns, if the cells are numbered row by row; ``None`` for other boards."""
        return (self.size[0], self.size[-1]) if self.kind in _RECTANGLES else None

    @cached_property
    def _cells_by_name(self) -> dict[str, int]:
        return {name.lower(): cell for cell, names in enumerate(self.names) for name in names}

    def cell(self, name: str) -> int | None:
        """Return the cell called ``name`` (upper or lower case), or ``None``."""
        return self._cells_by_name.get(name.lower())

    def name(self, cell: int) -> str:
        """Return the name of ``cell`` for output."""
        return self.names[cell][0]

    @cached_property
    def places_of(self) -> tuple[tuple[Place, ...], ...]:
        """The places of each cell; the first one has the name for output."""
        found: list[list[Place]] = [[] for _ in self.neighbours]
        for place in self.places:
            found[place.cell].append(place)
        return tuple(tuple(places) for places in found)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the call of the factory, so that identity survives."""
        return self.factory, self.size

    def __repr__(self) -> str:
        return f"{self.kind}{self.size}"


def letter(index: int) -> str:
    """Return the lower-case letter that names row or column ``index`` (0 is ``a``)."""
    return "abcdefghijklmnopqrstuvwxyz"[index]
