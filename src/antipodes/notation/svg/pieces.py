"""Stones, rods, pawns, and the marks that tell their colours apart without colour."""

from __future__ import annotations

from collections.abc import Iterable

from antipodes.boards import Place
from antipodes.core import Color
from antipodes.notation.scene import Scene
from antipodes.notation.svg.elements import element, group, number, path, placed, text
from antipodes.notation.svg.layout import Layout
from antipodes.notation.svg.style import PAINTS, ROD_WIDTH, STONE_RADIUS
from antipodes.notation.words import colors_on_board

_BEAD_RADIUS = 0.19
_PAWN = (
    "M-5.2 9.4C-5.2 6.8-2.9 6.2-2.5 3L-2 -1.2H-3.6V-3.2H3.6V-1.2H2L2.5 3"
    "C2.9 6.2 5.2 6.8 5.2 9.4V11.2H-5.2Z"
)


def definitions(scene: Scene, scope: str) -> list[str]:
    """Return the shapes of the pieces that are on the board."""
    shapes = [
        _stone(color, f"{scope}-{color}")
        for color in colors_on_board(scene)
        if color in scene.stones.values()
    ]
    rods = {(rod.color, rod.diagonal) for rod in scene.rods.values()}
    shapes += [
        _rod(color, diagonal, _rod_id(scope, color, diagonal))
        for color in Color
        for diagonal in "/\\"
        if (color, diagonal) in rods
    ]
    shapes += [
        _pawn(color, f"{scope}-{color}-pawn") for color in Color if color in scene.pawns.values()
    ]
    return shapes


def pieces(scene: Scene, places: Iterable[Place], scope: str) -> list[str]:
    """Return the pieces on the cells of some places."""
    lines = []
    for place in places:
        stone = scene.stones.get(place.cell)
        rod = scene.rods.get(place.cell)
        pawn = scene.pawns.get(place.cell)
        if stone is not None:
            lines.append(placed(f"{scope}-{stone}", place.x, place.y))
        if rod is not None:
            lines.append(placed(_rod_id(scope, rod.color, rod.diagonal), place.x, place.y))
        if pawn is not None:
            lines.append(placed(f"{scope}-{pawn}-pawn", place.x, place.y))
    return lines


def numbers(scene: Scene, layout: Layout) -> list[str]:
    """Return the move numbers on the pieces."""
    lines = []
    for place in layout.of(sorted(scene.numbers)):
        rod = scene.rods.get(place.cell)
        color = rod.color if rod is not None else scene.stones.get(place.cell)
        if color is not None:
            lines += _number(scene, place, color, str(scene.numbers[place.cell]))
    return [group(lines, font_weight="bold")]


def _number(scene: Scene, place: Place, color: Color, shown: str) -> list[str]:
    """Return a number; a colour's mark grows and becomes its background."""
    paint = PAINTS[color]
    size = 0.36 if len(shown) < 3 else 0.29
    y = place.y
    background = []
    if paint.mark:
        size -= 0.06
        plate = element("path", d=_mark(paint.mark, 0.33), fill="#ffffff", stroke=paint.edge)
        background = [
            element("g", plate, transform=f"translate({number(place.x)} {number(place.y)})")
        ]
        y += 0.06 if paint.mark == "triangle" else 0
    elif place.cell in scene.rods:
        size -= 0.06
        bead = element(
            "circle",
            cx=number(place.x),
            cy=number(place.y),
            r=number(0.28),
            fill=paint.fill,
            stroke=paint.edge,
        )
        background = [bead]
    return [*background, text(shown, place.x, y, size, fill=paint.text)]


def _stone(color: Color, shape_id: str) -> str:
    paint = PAINTS[color]
    radius = number(STONE_RADIUS)
    disc = element("circle", r=radius, fill=paint.fill, stroke=paint.edge, stroke_width="1.6")
    mark = element("path", d=_mark(paint.mark, 0.2), fill="#ffffff") if paint.mark else ""
    return element("g", disc, mark, id=shape_id)


def _rod_id(scope: str, color: Color, diagonal: str) -> str:
    return f"{scope}-{color}-{'rise' if diagonal == '/' else 'fall'}"


def _rod(color: Color, diagonal: str, shape_id: str) -> str:
    """Return a rod whose round ends reach the grid points that it joins."""
    paint = PAINTS[color]
    end = 0.5 - ROD_WIDTH / 2 * 0.7
    rise = end if diagonal == "/" else -end
    data = path([(-end, rise), (end, -rise)])
    lines = [
        element("path", d=data, stroke=paint.edge, stroke_width=number(ROD_WIDTH)),
        element("path", d=data, stroke=paint.fill, stroke_width=number(ROD_WIDTH - 0.07)),
    ]
    rod = element("g", *lines, stroke_linecap="round")
    if not paint.mark:
        return element("g", rod, id=shape_id)
    bead = element("circle", r=number(_BEAD_RADIUS), fill=paint.fill, stroke=paint.edge)
    mark = element("path", d=_mark(paint.mark, 0.115), fill="#ffffff")
    return element("g", rod, bead, mark, id=shape_id)


def _pawn(color: Color, shape_id: str) -> str:
    """Return a pawn with the mark of its colour on its head."""
    paint = PAINTS[color]
    body = element("path", d=_PAWN)
    head = element("circle", cy="-7", r="5.2")
    figure = element("g", body, head, fill="#ffffff", stroke="#1f1d1b", stroke_width="1.4")
    mark = element("path", d=_mark(paint.mark, 0.07), fill=paint.fill)
    return element("g", figure, element("g", mark, transform="translate(0 -7)"), id=shape_id)


def _mark(mark: str, reach: float) -> str:
    """Return the outline of a mark around (0, 0) that reaches about so far from it."""
    corners = {
        "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        "triangle": [(0.0, -1.2), (1.1, 0.7), (-1.1, 0.7)],
        "upright": [(-0.35, -1.1), (0.35, -1.1), (0.35, 1.1), (-0.35, 1.1)],
        "level": [(-1.1, -0.35), (1.1, -0.35), (1.1, 0.35), (-1.1, 0.35)],
    }
    return path(((x * reach, y * reach) for x, y in corners[mark]), closed=True)
