"""Drawing of a board as a body."""

from __future__ import annotations

from antipodes.core import Color
from antipodes.notation.scene import Scene
from antipodes.notation.svg import graph, highlights, overlay, pieces
from antipodes.notation.svg.board import shaded_cells
from antipodes.notation.svg.bodies import Body, ProjectedCell
from antipodes.notation.svg.elements import Point, element, group, number, path
from antipodes.notation.svg.style import (
    CELL,
    CELL_EDGE,
    CHAIN,
    LAST,
    PAGE_EDGE,
    PAINTS,
    REPEATED_CELL,
    RING_SCALE,
    SHADED_CELL,
)

_RIM_WIDTH = 0.1


def drawing(scene: Scene, body: Body, name: str) -> list[str]:
    """Return all elements of a board from bottom to top."""
    net, scene = graph.lines(scene, body), graph.shown(scene)
    above = [
        *([] if body.is_round else highlights.chain_halo(scene, body, name)),
        *net,
        *_pieces(scene, body, name),
        *(highlights.chain_line(scene, body) if body.is_round else []),
        *highlights.poles(scene, body),
        *pieces.numbers(scene, body),
        *_last_move(scene, body),
        *highlights.hints(scene, body),
        *overlay.marks(scene, body),
    ]
    return [
        *_filled(body.grounds, REPEATED_CELL),
        *_filled(body.openings, SHADED_CELL),
        *_cells(scene, body),
        *_rims(scene, body),
        group(above, pointer_events="none"),
    ]


def _filled(shapes: tuple[tuple[tuple[float, float], ...], ...], fill: str) -> list[str]:
    return [
        element("path", d=path(shape, closed=True), fill=fill, stroke=PAGE_EDGE) for shape in shapes
    ]


def _cells(scene: Scene, body: Body) -> list[str]:
    """Return the outlines of all cells with their names as tooltips."""
    fills = dict.fromkeys(shaded_cells(scene), SHADED_CELL)
    if body.is_round:  # a broad band would stand out over the edge
        fills |= dict.fromkeys(scene.chain, CHAIN)
    lines = [
        element(
            "path",
            element("title", " = ".join(scene.topology.names[spot.place.cell])),
            d=path(spot.corners, closed=True),
            fill=fills.get(spot.place.cell, CELL),
        )
        for spot in body.spots
    ]
    return [group(lines, stroke=CELL_EDGE, stroke_width="1.5", stroke_linejoin="round")]


def _rims(scene: Scene, body: Body) -> list[str]:
    """Return the rims of a cylinder in the colour that joins them."""
    color = next((one for one, goals in scene.goals.items() if "top" in goals), Color.BLACK)
    lines = [element("path", d=path(rim)) for rim in body.rims]
    return [group(lines, fill="none", stroke=PAINTS[color].edge, stroke_width=number(_RIM_WIDTH))]


def _pieces(scene: Scene, body: Body, name: str) -> list[str]:
    """Return the stones, flat on their cells."""
    return [
        element("use", href=f"#{name}-{scene.stones[spot.place.cell]}", transform=_transform(spot))
        for spot in body.spots
        if spot.is_seen and spot.place.cell in scene.stones
    ]


def _transform(spot: ProjectedCell) -> str:
    turned = " ".join(f"{round(part, 3) + 0:g}" for part in spot.matrix)
    return f"matrix({turned} {number(spot.place.x)} {number(spot.place.y)})"


def _last_move(scene: Scene, body: Body) -> list[str]:
    """Return a strong outline of the cell of the last piece."""
    lines = [
        element("path", d=path(_inside(spot), closed=True))
        for spot in body.spots
        if spot.place.cell == scene.last and spot.is_seen
    ]
    return [group(lines, fill="none", stroke=LAST, stroke_width="4", stroke_linejoin="round")]


def _inside(spot: ProjectedCell) -> list[Point]:
    """Return the outline of a cell drawn smaller, for a line that stays on it."""
    x, y = spot.place.x, spot.place.y
    return [
        (x + RING_SCALE * (corner_x - x), y + RING_SCALE * (corner_y - y))
        for corner_x, corner_y in spot.corners
    ]
