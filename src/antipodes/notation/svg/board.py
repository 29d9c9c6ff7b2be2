"""The empty board: cells, coordinates, goal borders, seams."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

from antipodes.boards import Place, Shape
from antipodes.core import Color
from antipodes.notation.scene import Scene
from antipodes.notation.svg.elements import Point, element, group, number, path, placed, text
from antipodes.notation.svg.layout import SvgLayout, corner, outline
from antipodes.notation.svg.style import (
    CELL,
    CELL_EDGE,
    FAINT_INK,
    FRAME_WIDTH,
    GOAL_WIDTH,
    INK,
    LABEL_SIZE,
    PAINTS,
    REPEATED_CELL,
    SHADED_CELL,
)

# Corners of a cell, in degrees, that bound it towards a rim, from left to right or top to bottom.
_RIM_CORNERS: Mapping[Shape, Mapping[str, tuple[int, ...]]] = {
    Shape.POINTY: {
        "top": (210, 270, 330),
        "bottom": (150, 90, 30),
        "left": (210, 150, 90),
        "right": (270, 330, 30),
    },
    Shape.SQUARE: {
        "top": (225, 315),
        "bottom": (135, 45),
        "left": (225, 135),
        "right": (315, 45),
    },
}
_RIM_SIDES = {"top": (0, -1), "bottom": (0, 1), "left": (-1, 0), "right": (1, 0)}


def definitions(scene: Scene, layout: SvgLayout, scope: str) -> list[str]:
    """Return the shapes of the kinds of cells that the board has."""
    data = path(outline(scene.topology.shape), closed=True)
    fills = {"cell": CELL}
    if shaded_cells(scene):
        fills["shaded"] = SHADED_CELL
    if layout.repeated:
        fills["repeated"] = REPEATED_CELL
    return [
        element("path", id=f"{scope}-{kind}", d=data, fill=fill) for kind, fill in fills.items()
    ]


def shaded_cells(scene: Scene) -> frozenset[int]:
    """Return the cells that are part of the goal: a sphere's rim, a hexagon's corners."""
    rims = scene.topology.rims
    return frozenset((*rims.get("equator", ()), *rims.get("corners", ())))


def cells(scene: Scene, layout: SvgLayout, scope: str) -> list[str]:
    """Return all cells with their names as tooltips."""
    shaded = shaded_cells(scene)
    lines = [
        placed(
            f"{scope}-{'shaded' if place.cell in shaded else 'cell'}",
            place.x,
            place.y,
            element("title", " = ".join(scene.topology.names[place.cell])),
        )
        for place in layout.places
    ]
    return [group(lines, stroke=CELL_EDGE, stroke_width="1.5")]


def repeated_cells(layout: SvgLayout, scope: str) -> list[str]:
    """Return the cells that are repeated beyond a seam."""
    lines = [placed(f"{scope}-repeated", place.x, place.y) for place in layout.repeated]
    return [group(lines, stroke=CELL_EDGE, stroke_width="1.5", stroke_dasharray="4 4")]


def seams(layout: SvgLayout) -> list[str]:
    """Return a dashed line along each of the two edges of a seam."""
    lines = [element("path", d=path(points)) for points in seam_lines(layout)]
    return [group(lines, fill="none", stroke=INK, stroke_width="2.5", stroke_dasharray="7 5")]


def seam_lines(layout: SvgLayout) -> list[list[Point]]:
    """Return the two edges of the seam; none on most boards."""
    if not layout.repeated:
        return []
    columns = layout.board.size[1]
    firsts = [place for place in layout.places if place.cell % columns == 0]
    lasts = [place for place in layout.places if place.cell % columns == columns - 1]
    return [
        _rim_path(firsts, (210, 150), layout.board.shape),
        _rim_path(lasts, (330, 30), layout.board.shape),
    ]


def grid_points(layout: SvgLayout) -> list[str]:
    """Return dots on the grid points where rods touch."""
    if layout.board.shape is not Shape.SQUARE:
        return []
    size = layout.board.size[0]
    dots = "".join(
        f"M{number(x - 0.5)} {number(y - 0.5)}h0" for y in range(size + 1) for x in range(size + 1)
    )
    return [element("path", d=dots, stroke=CELL_EDGE, stroke_width="6", stroke_linecap="round")]


def coordinates(layout: SvgLayout, scale: float) -> list[str]:
    """Return the letters and numbers beside the board."""
    size = LABEL_SIZE * min(scale, 1.3)
    lines = [text(label.text, label.x, label.y, size) for label in layout.labels]
    return [group(lines, fill=FAINT_INK)]


def goal_borders(scene: Scene, layout: SvgLayout) -> list[str]:
    """Return the goal borders of colours, or a neutral frame if all colours have the same goal."""
    lines = [
        line
        for color, band in border_bands(scene, layout)
        for line in _goal_border(layout, color, band)
    ]
    if not lines and scene.topology.shape is Shape.SQUARE:
        size = scene.topology.size[0]
        frame = element(
            "rect",
            x=number(-0.5 - FRAME_WIDTH),
            y=number(-0.5 - FRAME_WIDTH),
            width=number(size + 2 * FRAME_WIDTH),
            height=number(size + 2 * FRAME_WIDTH),
            rx="6",
            fill=CELL_EDGE,
        )
        return [frame]
    return [group(lines, stroke_width="2", stroke_linejoin="round")]


def border_bands(scene: Scene, layout: SvgLayout) -> list[tuple[Color, list[Point]]]:
    """Return each goal border of a colour as the outline of a band beside the cells.

    The first half of its points lies along the cells, the other half leads back outside of them.
    Bands that meet in a corner of the board share its ends.
    """
    lines = {
        rim: _clockwise_rim(scene, layout, rim)
        for rims in scene.goals.values()
        for rim in rims
        if rim in _RIM_SIDES
    }
    starts = {line[0]: line for line in lines.values()}
    ends = {line[-1]: line for line in lines.values()}
    width = FRAME_WIDTH if scene.topology.shape is Shape.SQUARE else GOAL_WIDTH
    bands = []
    for color, rims in scene.goals.items():
        for rim in rims:
            line = lines.get(rim, [])
            if not line:
                continue
            before = ends[line[0]][-2:-1] if line[0] in ends else []
            after = starts[line[-1]][1:2] if line[-1] in starts else []
            outside = _beside(line, before, after, width)
            bands.append((color, [*line, *reversed(outside)]))
    return bands


def _clockwise_rim(scene: Scene, layout: SvgLayout, rim: str) -> list[Point]:
    """Return the line along the cells of a rim, with the board on the right."""
    shape = scene.topology.shape
    everywhere = (*layout.places, *layout.repeated)
    near = [place for place in everywhere if place.cell in scene.topology.rims[rim]]
    if rim in ("top", "bottom"):
        near.sort(key=lambda place: place.x)
    else:
        near.sort(key=lambda place: place.y)
    points = _rim_path(near, _RIM_CORNERS[shape][rim], shape)
    if scene.topology.kind == "rhombus":
        points = _without_half_edge(points, at_start=rim in ("right", "bottom"))
    return points[::-1] if rim in ("bottom", "left") else points


def _beside(
    line: list[Point], before: list[Point], after: list[Point], width: float
) -> list[Point]:
    """Return a line parallel to another one, at its left side.

    Args:
        line: at least two points.
        before: the point before the line where it goes on, else empty.
        after: the point after it, likewise.
        width: how far the lines are apart.
    """
    points = [*before, *line, *after]
    sides = [_left_of(a, b) for a, b in pairwise(points)]
    # A line that ends here is cut at a right angle.
    sides = [*sides[: not before], *sides, *(sides[-1:] if not after else [])]
    parallel = []
    for (x, y), (ax, ay), (bx, by) in zip(line, sides, sides[1:], strict=False):
        stretch = width / (1 + ax * bx + ay * by)
        parallel.append((round(x + stretch * (ax + bx), 6), round(y + stretch * (ay + by), 6)))
    return parallel


def _left_of(a: Point, b: Point) -> Point:
    """Return the direction to the left of a line, as a vector of length 1; y runs downwards."""
    length = math.dist(a, b)
    return (b[1] - a[1]) / length, (a[0] - b[0]) / length


def _goal_border(layout: SvgLayout, color: Color, band: list[Point]) -> list[str]:
    """Return one border; beside squares it has stripes across it: upright ones for Vert."""
    paint = PAINTS[color]
    if layout.board.shape is not Shape.SQUARE:
        return [element("path", d=path(band, closed=True), fill=paint.fill, stroke=paint.edge)]
    ends = [_middle(a, b) for a, b in ((band[0], band[-1]), _outer_ends(band))]
    stripes = element(
        "path",
        d=path(ends),
        stroke="#ffffff",
        stroke_width=number(FRAME_WIDTH),
        stroke_dasharray="3 17",
        stroke_dashoffset="-8.5",  # the first stripe stands clear of the corner
    )
    return [element("path", d=path(band, closed=True), fill=paint.fill), stripes]


def _outer_ends(band: list[Point]) -> tuple[Point, Point]:
    """Return the two points where a band turns back."""
    half = len(band) // 2
    return band[half - 1], band[half]


def _rim_path(places: Iterable[Place], corners: tuple[int, ...], shape: Shape) -> list[Point]:
    """Return the corners along the outside of cells that follow each other."""
    points: list[Point] = []
    for place in places:
        for degrees in corners:
            dx, dy = corner(shape, degrees)
            point = (round(place.x + dx, 6), round(place.y + dy, 6))
            if not points or point != points[-1]:
                points.append(point)
    return points


def _without_half_edge(points: list[Point], *, at_start: bool) -> list[Point]:
    """Return a rim cut in the middle of the edge that it shares with the next one."""
    if at_start:
        return [_middle(*points[:2]), *points[1:]]
    return [*points[:-1], _middle(*points[-2:])]


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
