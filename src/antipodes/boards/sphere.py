"""The board of Antipod: two hexagons joined along their rims to a sphere."""

from __future__ import annotations

import math
from functools import lru_cache

from antipodes.boards.topology import Label, Place, Shape, Topology, letter

Coordinate = tuple[int, int]
STEPS: tuple[Coordinate, ...] = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))


@lru_cache(maxsize=32)
def sphere(side: int) -> Topology:
    """Return the sphere of two hexagonal boards with ``side`` points along each edge.

    Cells are the points of the left board row by row, then the inner points of the right board.
    Rows are counted from the top, diagonals from the left; both relative to the centre, as ``(row,
    diagonal)``. On the left board, ``(0, 1)`` is to the right of the centre, and ``(1, 0)`` and
    ``(1, 1)`` are below it. The six corners have four neighbours, all other points six.

    The rims are ``equator`` (all rim points), ``corners`` (in order round the rim, from the top
    left one) and ``poles`` (left, right).
    """
    points = hexagon_points(side)
    boards = left, right = cells_by_point(side)

    neighbours: list[set[int]] = [set() for _ in range(1 + max(right.values()))]
    places = []
    names: list[list[str]] = [[] for _ in neighbours]
    for index, board in enumerate(boards):
        for row, diagonal in points:
            cell = board[row, diagonal]
            neighbours[cell].update(
                board[row + dr, diagonal + dd]
                for dr, dd in STEPS
                if (row + dr, diagonal + dd) in board
            )
            # A point of the rim is on both boards, so it gets a second name here.
            name = letter(row + side - 1) + str(diagonal + side + index * (2 * side - 1))
            names[cell].append(name)
            x, y = drawing_coordinates(row, diagonal)
            places.append(Place(cell, index, x + index * (2 * side + 0.5), y, name))
    corners = [
        left[row * (side - 1), diagonal * (side - 1)]
        for row, diagonal in ((-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1))
    ]
    return Topology(
        kind="sphere",
        size=(side,),
        neighbours=tuple(tuple(sorted(cells)) for cells in neighbours),
        names=tuple(tuple(names_of_cell) for names_of_cell in names),
        places=tuple(places),
        labels=_labels(side),
        rims={
            "equator": tuple(left[p] for p in points if ring_of(p) == side - 1),
            "corners": tuple(corners),
            "poles": (left[0, 0], right[0, 0]),
        },
        symmetries=_symmetries(points, boards),
        shape=Shape.POINTY,
        factory=sphere,
    )


def cells_by_point(side: int) -> tuple[dict[Coordinate, int], dict[Coordinate, int]]:
    """Return the cells of the left and of the right board by their points; they share the rim."""
    points = hexagon_points(side)
    inner = [point for point in points if ring_of(point) < side - 1]
    left = {point: cell for cell, point in enumerate(points)}
    right = dict(left)
    right.update({point: len(points) + i for i, point in enumerate(inner)})
    return left, right


def hexagon_points(side: int) -> list[Coordinate]:
    """Return the points of one hexagon row by row, relative to its centre."""
    reach = side - 1
    return [
        (row, diagonal)
        for row in range(-reach, reach + 1)
        for diagonal in range(max(-reach, row - reach), min(reach, row + reach) + 1)
    ]


def ring_of(point: Coordinate) -> int:
    """Return the number of steps from the centre."""
    row, diagonal = point
    return max(abs(row), abs(diagonal), abs(row - diagonal))


def drawing_coordinates(row: int, diagonal: int) -> tuple[float, float]:
    """Return x and y of a point of a hexagon whose centre is at (0, 0)."""
    return diagonal - row / 2, row * math.sqrt(3) / 2


def _labels(side: int) -> tuple[Label, ...]:
    """Return letters left of the rows of each board, numbers at the upper ends of the diagonals."""
    labels = []
    reach = side - 1
    for board in (0, 1):
        shift = board * (2 * side + 0.5)
        for row in range(-reach, reach + 1):
            x, y = drawing_coordinates(row, max(-reach, row - reach) - 1)
            labels.append(Label(letter(row + reach), x + shift, y))
        for diagonal in range(-reach, reach + 1):
            top = max(-reach, diagonal - reach) - 1
            x, y = drawing_coordinates(top, diagonal)
            number = diagonal + side + board * (2 * side - 1)
            labels.append(Label(str(number), x + shift, y))
    return tuple(labels)


def _symmetries(
    points: list[Coordinate], boards: tuple[dict[Coordinate, int], ...]
) -> tuple[tuple[int, ...], ...]:
    """Return the twelve symmetries of the hexagon, with and without exchange of hemispheres."""
    images = []
    count = max(boards[1].values()) + 1
    for exchange in (False, True):
        for mirror in (False, True):
            for turns in range(6):
                image = [0] * count
                for index, board in enumerate(boards):
                    target = boards[index ^ exchange]
                    for point in points:
                        image[board[point]] = target[_turned(point, turns, mirror=mirror)]
                images.append(tuple(image))
    return tuple(dict.fromkeys(images))


def _turned(point: Coordinate, turns: int, *, mirror: bool) -> Coordinate:
    row, diagonal = point
    if mirror:
        row, diagonal = diagonal, row
    # In these slanted coordinates a sixth of a turn needs only whole numbers.
    for _ in range(turns):
        row, diagonal = diagonal, diagonal - row
    return row, diagonal


def antipodal_turn(side: int) -> tuple[int, ...]:
    """Return the half turn about the polar axis: each point maps to its opposite on its board."""
    return sphere(side).symmetries[3]  # three sixths, without mirror or exchange


@lru_cache(maxsize=32)
def rim_in_order(side: int) -> tuple[int, ...]:
    """Return the points of the rim in order round it, from the first corner."""
    rims, angles = sphere(side).rims, longitudes(side)
    around = sorted(rims["equator"], key=lambda cell: angles[cell])
    start = around.index(rims["corners"][0])
    return tuple(around[start:] + around[:start])


@lru_cache(maxsize=32)
def longitudes(side: int) -> tuple[float, ...]:
    """Return each cell's angle about the polar axis, in radians in (-pi, pi]; 0 for the poles."""
    board = sphere(side)
    centres = [board.places_of[pole][0] for pole in board.rims["poles"]]
    places = [places[0] for places in board.places_of]
    return tuple(
        math.atan2(place.y - centres[place.board].y, place.x - centres[place.board].x)
        for place in places
    )


@lru_cache(maxsize=32)
def directions(side: int) -> tuple[tuple[float, float, float], ...]:
    """Return the position of each cell on a sphere of radius 1 with its centre at (0, 0, 0).

    The cells of each ring round a pole are evenly spaced on a circle of latitude. x points to the
    right and y downwards on the left board; z points out of it, so that its pole is (0, 0, 1) and
    the rim has z = 0. Seen from outside, the right board is mirrored.
    """
    reach = side - 1
    board = sphere(side)
    centres = [board.places_of[pole][0] for pole in board.rims["poles"]]
    vectors = []
    for places in board.places_of:
        place = places[0]
        centre = centres[place.board]
        row = round((place.y - centre.y) * 2 / math.sqrt(3))
        point = row, round(place.x - centre.x + row / 2)
        colatitude, longitude = _colatitude(ring_of(point) / reach), _longitude(point)
        z = math.cos(colatitude) * (-1 if place.board else 1)
        radius = math.sin(colatitude)
        vectors.append((radius * math.cos(longitude), radius * math.sin(longitude), z))
    return tuple(vectors)


def _colatitude(ring: float) -> float:
    """Return the angle from the pole to a ring, in radians; rings count from 0 to 1 at the rim.

    Evenly spaced rings make cells near the rim too long; a conformal map keeps their shape, but
    makes them small. The result is the mean of the two.
    """
    even = ring * math.pi / 2
    conformal = 2 * math.atan(ring ** (math.pi / 2 / math.sqrt(3)))
    return (even + conformal) / 2


def _longitude(point: Coordinate) -> float:
    """Return the angle about the polar axis of a point, in radians; points of a ring are even."""
    ring = ring_of(point)
    for sextant, (step, following) in enumerate(zip(STEPS, STEPS[1:] + STEPS[:1], strict=True)):
        for part in range(ring):
            row = (ring - part) * step[0] + part * following[0]
            diagonal = (ring - part) * step[1] + part * following[1]
            if (row, diagonal) == point:
                return (sextant + part / ring) * math.pi / 3
    return 0.0
