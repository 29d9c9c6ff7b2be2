"""Layouts of drawn boards: outlines, repeated columns of a cylinder, adjacent places."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from antipodes.boards import Label, Place, Shape, Topology
from antipodes.notation.rods import grid_column
from antipodes.notation.svg.elements import Point

# A hexagon whose neighbours are one step away reaches this far from centre to corner.
HEXAGON_RADIUS = 1 / math.sqrt(3)

# Half the width of a digit in the largest labels: those of the site's boards of squares.
_HALF_DIGIT = 0.17

_FIRST_CORNER = {Shape.POINTY: 30, Shape.FLAT: 0}


def corner(shape: Shape, degrees: float, scale: float = 1.0) -> Point:
    """Return a corner of a cell around (0, 0); degrees run clockwise from the right."""
    radius = scale * (math.sqrt(0.5) if shape is Shape.SQUARE else HEXAGON_RADIUS)
    angle = math.radians(degrees)
    return radius * math.cos(angle), radius * math.sin(angle)


def outline(shape: Shape, scale: float = 1.0) -> list[Point]:
    """Return the corners of a cell around (0, 0)."""
    if shape is Shape.SQUARE:
        return [corner(shape, 45 + 90 * i, scale) for i in range(4)]
    return [corner(shape, _FIRST_CORNER[shape] + 60 * i, scale) for i in range(6)]


@dataclass(frozen=True)
class SvgLayout:
    """The layout of a drawn board.

    Attributes:
        board: the board.
        places: of cells; each cell has at least one.
        repeated: places at which cells are repeated beside a seam (Cylindrical Hex).
        labels: coordinates beside the board.
    """

    board: Topology
    places: tuple[Place, ...]
    repeated: tuple[Place, ...]
    labels: tuple[Label, ...]

    def of(self, cells: Iterable[int]) -> Iterator[Place]:
        """Yield the places of cells without the repeated ones."""
        for cell in cells:
            yield from self.board.places_of[cell]

    def links(self, first: int, second: int) -> list[tuple[Place, Place]]:
        """Return the pairs of adjacent places of two cells."""
        return [
            (a, b) for a in self._seen(first) for b in self._seen(second) if self._are_near(a, b)
        ]

    def _seen(self, cell: int) -> list[Place]:
        return [*self.of((cell,)), *(place for place in self.repeated if place.cell == cell)]

    def _are_near(self, a: Place, b: Place) -> bool:
        return a.board == b.board and math.dist((a.x, a.y), (b.x, b.y)) < 1.01


@lru_cache(maxsize=16)
def layout(board: Topology, *, points_named: bool = False) -> SvgLayout:
    """Return the layout of a board; with ``points_named`` grid points have the coordinates."""
    if board.kind == "cylinder":
        return _cylinder(board)
    labels = board.labels
    if points_named:
        labels = _grid_point_labels(board.size[0])
    elif board.shape is Shape.SQUARE:
        labels = tuple(map(_beside_frame, labels))
    elif board.kind == "rhombus":
        labels = tuple(map(_beside_border, labels))
    return SvgLayout(board, board.places, (), labels)


def _left_of_rows(label: Label, gap: float) -> Label:
    """Move a row's number to the left so that its right edge stands where a single digit's does."""
    return replace(label, x=label.x - gap - _HALF_DIGIT * (len(label.text) - 1))


def _beside_frame(label: Label) -> Label:
    """Move a label outwards to make room for the frame of a square board."""
    return _left_of_rows(label, 0.12) if label.x < 0 else replace(label, y=label.y + 0.2)


def _cylinder(board: Topology) -> SvgLayout:
    """Repeat the last column at the left edge and the first one at the right edge."""
    columns = board.size[1]
    repeated = []
    for place in board.places:
        if place.cell % columns == 0:
            repeated.append(replace(place, x=place.x + columns))
        if place.cell % columns == columns - 1:
            repeated.append(replace(place, x=place.x - columns))
    beside_border = map(_beside_border, board.labels)
    labels = [
        replace(label, x=label.x - 1) if label.text.isdecimal() else label
        for label in beside_border
    ]
    return SvgLayout(board, board.places, tuple(repeated), tuple(labels))


def _beside_border(label: Label) -> Label:
    """Move a label outwards to make room for the border of a slanted board."""
    if label.text.isdecimal():
        return _left_of_rows(label, 0.2)
    return replace(label, x=label.x - 0.08, y=label.y - 0.2)


def _grid_point_labels(size: int) -> tuple[Label, ...]:
    """Name the grid points of a square board: letters below, numbers at the left."""
    below = [Label(grid_column(column), column - 0.5, size + 0.1) for column in range(size + 1)]
    numbers = [Label(str(row + 1), -1.02, size - 0.5 - row) for row in range(size + 1)]
    beside = [_left_of_rows(label, 0) for label in numbers]
    return (*below, *beside)
