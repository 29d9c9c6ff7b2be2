"""Boards drawn as bodies: the two halves of a sphere, a whole sphere, a cylinder.

x points to the right, y downwards and z towards the reader.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from antipodes.boards import Place, Topology
from antipodes.boards.sphere import directions
from antipodes.notation.svg.elements import Point
from antipodes.notation.svg.layout import HEXAGON_RADIUS, SvgLayout, outline

Vector = tuple[float, float, float]

_BEYOND = 0.56  # visible part of a half beyond the middle of the rim, in steps
_GAP = 1.0  # between two halves
_ON_EDGE = 0.07  # depth of a cell's middle below which nothing is drawn on it
_POLE_UP = 0.95  # radians by which a sphere's first pole is turned upwards
_FROM_ABOVE = -0.4  # radians by which the upper rim of a cylinder is turned towards the reader
_PINCHED = math.radians(68)  # latitude of the rims of a cylinder that is pinched to a sphere
_PARTS = 96  # of a circle that is drawn as a line


@dataclass(frozen=True, slots=True)
class ProjectedCell:
    """A cell projected onto the picture.

    Attributes:
        place: where its middle is.
        corners: its outline.
        matrix: what happens to a figure on it, as ``a b c d`` of an SVG matrix.
        is_seen: whether its middle faces the reader.
    """

    place: Place
    corners: tuple[Point, ...]
    matrix: tuple[float, float, float, float]
    is_seen: bool


@dataclass(frozen=True)
class Body(SvgLayout):
    """A board as a body.

    Attributes:
        spots: cells that can be seen, those at the back first.
        openings: edges of the openings that can be looked into.
        rims: lines along the rims that a colour joins, as far as they are seen.
        grounds: what lies under the cells.
        is_round: whether cells near its edge are seen from aside.
    """

    spots: tuple[ProjectedCell, ...] = ()
    openings: tuple[tuple[Point, ...], ...] = ()
    rims: tuple[tuple[Point, ...], ...] = ()
    grounds: tuple[tuple[Point, ...], ...] = ()
    is_round: bool = True

    def of(self, cells: Iterable[int]) -> Iterator[Place]:
        """Yield the places of the visible cells."""
        seen = self._seen_places
        for cell in cells:
            yield from seen.get(cell, ())

    def _are_near(self, a: Place, b: Place) -> bool:
        return a.board == b.board

    @property
    def _seen_places(self) -> Mapping[int, list[Place]]:
        found: dict[int, list[Place]] = {}
        for spot in self.spots:
            if spot.is_seen:
                found.setdefault(spot.place.cell, []).append(spot.place)
        return found


def views_of(board: Topology) -> tuple[str, ...]:
    """Return the views of a board; the first one is the default."""
    return ("flat", *_VIEWS.get(board.kind, ()))


@lru_cache(maxsize=16)
def body(board: Topology, view: str) -> Body:
    """Return a board as a body, for a view other than ``flat``."""
    return _VIEWS[board.kind][view](board)


# Antipod's sphere.


def _cell_corners(board: Topology) -> list[list[Vector]]:
    """Return the corners of each cell on the sphere: the middles of the triangles round it."""
    points = directions(*board.size)
    found = []
    for cell, near in enumerate(board.neighbours):
        ring = _in_order(points, cell, near)
        trios = zip(ring, [*ring[1:], ring[0]], strict=True)
        found.append([_unit(_sum(points[cell], points[a], points[b])) for a, b in trios])
    return found


def _in_order(points: Sequence[Vector], cell: int, near: Sequence[int]) -> list[int]:
    """Return a cell's neighbours in order round it."""
    middle = points[cell]
    first = _unit(_cross(middle, points[near[0]]))
    second = _cross(middle, first)
    return sorted(
        near, key=lambda one: math.atan2(_dot(points[one], second), _dot(points[one], first))
    )


def _hemispheres(board: Topology) -> Body:
    """Return the two halves as circles, both seen from outside: the second one is mirrored."""
    points, corners = directions(*board.size), _cell_corners(board)
    reach = board.size[0] - 1
    rings = sorted({round(math.acos(min(1, z)), 6) for _, _, z in points if z > -1e-6})
    width = reach + _BEYOND
    spots, grounds = [], []
    for half, side in enumerate((1, -1)):
        shift = half * (2 * width + _GAP)

        def at(point: Vector, side: int = side, shift: float = shift) -> Point:
            x, y, z = point
            far = _farness(rings, math.acos(max(-1, min(1, z * side))))
            angle = math.atan2(y, x)
            return side * far * math.cos(angle) + shift, far * math.sin(angle)

        grounds.append(tuple((x + shift, y) for x, y in _circle(width)))
        for place in board.places:
            if place.board == half:
                x, y = at(points[place.cell])
                middle = Place(place.cell, half, x, y, place.name)
                around = tuple(map(at, corners[place.cell]))
                spots.append(ProjectedCell(middle, around, (1, 0, 0, 1), is_seen=True))
    return Body(
        board,
        _places(spots),
        (),
        (),
        spots=tuple(spots),
        grounds=tuple(grounds),
        is_round=False,
    )


def _farness(rings: Sequence[float], angle: float) -> float:
    """Return the distance from the middle of a half for an angle from the pole."""
    if angle > rings[-1] + 1e-5:
        return len(rings) - 1 + _BEYOND
    inner = max(i for i, ring in enumerate(rings[:-1]) if ring <= angle + 1e-5)
    return inner + (angle - rings[inner]) / (rings[inner + 1] - rings[inner])


def _sphere(board: Topology) -> Body:
    """Return the whole sphere, with its first pole above."""
    points, corners = directions(*board.size), _cell_corners(board)
    # Its surface has the area of all cells with steps of length 1.
    radius = math.sqrt(board.cell_count * math.sqrt(3) / 2 / (4 * math.pi))
    names = [names[0] for names in board.names]
    spots = _ball(points, corners, radius, _POLE_UP, names)
    return Body(
        board, _places(spots), (), (), spots=tuple(spots), grounds=(tuple(_circle(radius)),)
    )


def _ball(
    points: Sequence[Vector],
    corners: Sequence[Sequence[Vector]],
    radius: float,
    tilt: float,
    names: Sequence[str],
) -> list[ProjectedCell]:
    """Return the visible cells of a sphere; points and corners have length 1."""
    spots = []
    for cell, point in enumerate(points):
        around = [_tilted(corner, tilt) for corner in corners[cell]]
        if all(z <= 0 for _, _, z in around):
            continue
        x, y, z = _tilted(point, tilt)
        # Corners behind the edge are drawn on it.
        lengths = [radius if one[2] >= 0 else radius / math.hypot(*one[:2]) for one in around]
        line = tuple((one[0] * r, one[1] * r) for one, r in zip(around, lengths, strict=True))
        size = min(1.0, 1.9 * radius * min(math.dist(point, one) for one in corners[cell]))
        squeeze = size / (1 + max(0.0, z))
        skew = -squeeze * x * y
        matrix = (size - squeeze * x * x, skew, skew, size - squeeze * y * y)
        place = Place(cell, 0, x * radius, y * radius, names[cell])
        spots.append(ProjectedCell(place, line, matrix, is_seen=z > _ON_EDGE))
    return spots


# The cylinder of Cylindrical Hex.


@dataclass(frozen=True, slots=True)
class _Tube:
    """The mapping from the plane of an unrolled board to a cylinder.

    Attributes:
        radius: of the cylinder, in steps.
        middle: height of its middle, in the coordinates of places.
        half: from there to its rims.
        front: x of what lies in front.
    """

    radius: float
    middle: float
    half: float
    front: float

    @classmethod
    def of(cls, board: Topology) -> _Tube:
        heights = [place.y for place in board.places]
        middle = (min(heights) + max(heights)) / 2
        half = max(heights) - middle + HEXAGON_RADIUS
        wide = [place.x for place in board.places]
        return cls(board.size[1] / (2 * math.pi), middle, half, (min(wide) + max(wide)) / 2)

    def angle(self, x: float) -> float:
        """Return the angle from the front to a place, in radians from -pi to pi."""
        return math.remainder((x - self.front) / self.radius, 2 * math.pi)


def _cylinder(board: Topology) -> Body:
    """Return the cylinder, viewed slightly from above."""
    tube = _Tube.of(board)

    def at(angle: float, y: float) -> Point:
        x, height, _ = _tilted(
            (tube.radius * math.sin(angle), y, tube.radius * math.cos(angle)), _FROM_ABOVE
        )
        return x, height

    spots = []
    for place in board.places:
        angle, y = tube.angle(place.x), place.y - tube.middle
        around = [(angle + dx / tube.radius, y + dy) for dx, dy in outline(board.shape)]
        if all(abs(one) >= math.pi / 2 for one, _ in around):
            continue
        line = tuple(at(max(-math.pi / 2, min(math.pi / 2, one)), dy) for one, dy in around)
        x, height = at(angle, y)
        turned = math.sin(angle) * math.sin(_FROM_ABOVE)
        matrix = (math.cos(angle), turned, 0.0, math.cos(_FROM_ABOVE))
        middle = Place(place.cell, 0, x, height, place.name)
        spots.append(ProjectedCell(middle, line, matrix, is_seen=math.cos(angle) > _ON_EDGE))
    around_top = tuple(at(2 * math.pi * i / _PARTS, -tube.half) for i in range(_PARTS + 1))
    front = [math.pi * (i / _PARTS - 0.5) for i in range(_PARTS + 1)]
    below = tuple(at(angle, tube.half) for angle in front)
    above = tuple(at(angle, -tube.half) for angle in reversed(front))
    return Body(
        board,
        _places(spots),
        (),
        (),
        spots=tuple(spots),
        openings=(around_top,),
        rims=(around_top, below),
        grounds=((*below, *above),),
    )


def _pinched(board: Topology) -> Body:
    """Return the cylinder pinched at both ends: a sphere with a hole at each pole."""
    tube = _Tube.of(board)

    def at(x: float, y: float) -> Vector:
        latitude = (y - tube.middle) / tube.half * _PINCHED
        angle = tube.angle(x)
        flat = math.cos(latitude)
        return flat * math.sin(angle), math.sin(latitude), flat * math.cos(angle)

    points = [at(place.x, place.y) for place in board.places]
    corners = [
        [at(place.x + dx, place.y + dy) for dx, dy in outline(board.shape)]
        for place in board.places
    ]
    radius = tube.radius * 1.15
    spots = _ball(points, corners, radius, _FROM_ABOVE, [place.name for place in board.places])
    circles = [
        [
            _tilted(
                (
                    math.cos(_PINCHED) * math.sin(2 * math.pi * i / _PARTS),
                    side * math.sin(_PINCHED),
                    math.cos(_PINCHED) * math.cos(2 * math.pi * i / _PARTS),
                ),
                _FROM_ABOVE,
            )
            for i in range(-_PARTS // 2, _PARTS // 2 + 1)
        ]
        for side in (-1, 1)
    ]
    rims = tuple(
        tuple((x * radius, y * radius) for x, y, z in circle if z >= 0) for circle in circles
    )
    return Body(
        board,
        _places(spots),
        (),
        (),
        spots=tuple(spots),
        openings=rims[:1],
        rims=tuple(rim for rim in rims if rim),
        grounds=(tuple(_circle(radius)),),
    )


_VIEWS: Mapping[str, Mapping[str, Callable[[Topology], Body]]] = {
    "sphere": {"hemispheres": _hemispheres, "sphere": _sphere},
    "cylinder": {"cylinder": _cylinder, "sphere": _pinched},
}


# Vectors.


def _places(spots: Iterable[ProjectedCell]) -> tuple[Place, ...]:
    return tuple(spot.place for spot in spots)


def _circle(radius: float) -> Iterator[Point]:
    for i in range(_PARTS):
        angle = 2 * math.pi * i / _PARTS
        yield radius * math.cos(angle), radius * math.sin(angle)


def _tilted(vector: Vector, angle: float) -> Vector:
    """Return a vector after a turn about the x axis."""
    x, y, z = vector
    sine, cosine = math.sin(angle), math.cos(angle)
    return x, y * cosine - z * sine, y * sine + z * cosine


def _sum(*vectors: Vector) -> Vector:
    x, y, z = (sum(parts) for parts in zip(*vectors, strict=True))
    return x, y, z


def _dot(a: Vector, b: Vector) -> float:
    return sum(one * other for one, other in zip(a, b, strict=True))


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _unit(vector: Vector) -> Vector:
    length = math.hypot(*vector)
    return vector[0] / length, vector[1] / length, vector[2] / length
