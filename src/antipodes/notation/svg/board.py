"""The empty board: cells, coordinates, goal borders, seams."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

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
        for color, points in border_lines(scene, layout)
        for line in _goal_border(layout, color, points)
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
    return [group(lines, fill="none", stroke_linejoin="round")]


def border_lines(scene: Scene, layout: SvgLayout) -> list[tuple[Color, list[Point]]]:
    """Return each goal border of a colour as a line, along cells or beside squares."""
    return [
        (color, _border_line(scene, layout, rim))
        for color, rims in scene.goals.items()
        for rim in rims
        if rim in _RIM_SIDES
    ]


def _border_line(scene: Scene, layout: SvgLayout, rim: str) -> list[Point]:
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
    if shape is Shape.SQUARE:
        dx, dy = _RIM_SIDES[rim]
        points = [(x + dx * FRAME_WIDTH / 2, y + dy * FRAME_WIDTH / 2) for x, y in points]
    return points


def _goal_border(layout: SvgLayout, color: Color, points: list[Point]) -> list[str]:
    """Return one border as a broad line; the board covers its inner half."""
    if layout.board.shape is Shape.SQUARE:
        return _striped_border(points, color)
    paint = PAINTS[color]
    outer, inner = path(points), path(_shortened(points, 0.04))
    return [
        element("path", d=outer, stroke=paint.edge, stroke_width=number(GOAL_WIDTH)),
        element("path", d=inner, stroke=paint.fill, stroke_width=number(GOAL_WIDTH - 0.08)),
    ]


def _shortened(points: list[Point], length: float) -> list[Point]:
    """Return a line shortened by a length at both ends."""
    ends = []
    for (x, y), (x2, y2) in ((points[0], points[1]), (points[-1], points[-2])):
        part = length / math.dist((x, y), (x2, y2))
        ends.append((x + (x2 - x) * part, y + (y2 - y) * part))
    return [ends[0], *points[1:-1], ends[1]]


def _striped_border(points: list[Point], color: Color) -> list[str]:
    """Return a straight border with stripes across it: upright ones for Vert."""
    paint = PAINTS[color]
    data = path((points[0], points[-1]))
    width = number(FRAME_WIDTH)
    return [
        element("path", d=data, stroke=paint.fill, stroke_width=width),
        element("path", d=data, stroke="#ffffff", stroke_width=width, stroke_dasharray="3 17"),
    ]


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
    inner, outer = (points[1], points[0]) if at_start else (points[-2], points[-1])
    middle = ((inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2)
    return [middle, *points[1:]] if at_start else [*points[:-1], middle]
