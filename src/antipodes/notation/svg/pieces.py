"""Stones, rods, pawns, and marks that distinguish their colours without colour."""

from __future__ import annotations

from collections.abc import Iterable

from antipodes.boards import Place
from antipodes.core import Color
from antipodes.notation.scene import Scene
from antipodes.notation.svg.elements import element, group, number, path, placed, text
from antipodes.notation.svg.layout import SvgLayout
from antipodes.notation.svg.style import INK, PAINTS, ROD_WIDTH, STONE_RADIUS
from antipodes.notation.words import colors_on_board

_BEAD_RADIUS = 0.19
# A chessman's body and the centre and radius of its head, in the picture's units.
_PAWN_BODY = "M-8 11.5V9C-8 6.6-3.4 6-2.8 .6H-5V-2H5V.6H2.8C3.4 6 8 6.6 8 9V11.5Z"
_PAWN_HEAD = (-6.4, 5.6)


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
        if stone is not None and pawn is None:
            lines.append(placed(f"{scope}-{stone}", place.x, place.y))
        if rod is not None:
            lines.append(placed(_rod_id(scope, rod.color, rod.diagonal), place.x, place.y))
        if pawn is not None:
            lines.append(placed(f"{scope}-{pawn}-pawn", place.x, place.y))
    return lines


def numbers(scene: Scene, layout: SvgLayout) -> list[str]:
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
    if place.cell in scene.pawns:
        return _badge(place, shown)
    if place.cell in scene.rods:
        # In the corner that the rod leaves free, so that its direction stays visible.
        below = 1 if scene.rods[place.cell].diagonal == "/" else -1
        return [text(shown, place.x + 0.23, y + 0.23 * below, size - 0.06, fill=INK)]
    if paint.mark:
        size -= 0.06
        plate = element("path", d=_plate(paint.mark), fill="#ffffff", stroke=paint.edge)
        background = [
            element("g", plate, transform=f"translate({number(place.x)} {number(place.y)})")
        ]
        y += 0.06 if paint.mark == "triangle" else 0
    return [*background, text(shown, place.x, y, size, fill=paint.text)]


def _badge(place: Place, shown: str) -> list[str]:
    """Return a small number beside a pawn, at the lower right of its token."""
    x, y = place.x + 0.23, place.y + 0.23
    disc = element(
        "circle", cx=number(x), cy=number(y), r=number(0.19), fill="#ffffff", stroke="#1f1d1b"
    )
    return [disc, text(shown, x, y, 0.22, fill="#1f1d1b")]


def _stone(color: Color, shape_id: str) -> str:
    mark = PAINTS[color].mark
    marked = element("path", d=_mark(mark, 0.2), fill="#ffffff") if mark else ""
    return element("g", _disc(color), marked, id=shape_id)


def _disc(color: Color) -> str:
    paint = PAINTS[color]
    radius = number(STONE_RADIUS)
    return element("circle", r=radius, fill=paint.fill, stroke=paint.edge, stroke_width="1.6")


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
    """Return a token with a pawn on it, which bears the mark of its colour on its head."""
    paint = PAINTS[color]
    centre, radius = _PAWN_HEAD
    body = element("path", d=_PAWN_BODY, stroke_linejoin="round")
    head = element("circle", cy=f"{centre}", r=f"{radius}")
    figure = element("g", body, head, fill="#ffffff", stroke="#1f1d1b", stroke_width="1.3")
    mark = element("path", d=_mark(paint.mark, 0.085), fill=paint.fill)
    on_head = element("g", mark, transform=f"translate(0 {centre})")
    return element("g", _disc(color), figure, on_head, id=shape_id)


_SHAPES = {
    "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "triangle": [(0.0, -1.2), (1.1, 0.7), (-1.1, 0.7)],
    "upright": [(-0.35, -1.1), (0.35, -1.1), (0.35, 1.1), (-0.35, 1.1)],
    "level": [(-1.1, -0.35), (1.1, -0.35), (1.1, 0.35), (-1.1, 0.35)],
}
# Bars are broader where a number stands in them.
_PLATES = {
    **_SHAPES,
    "upright": [(-0.7, -1.2), (0.7, -1.2), (0.7, 1.2), (-0.7, 1.2)],
    "level": [(-1.3, -0.55), (1.3, -0.55), (1.3, 0.55), (-1.3, 0.55)],
}


def _mark(mark: str, reach: float) -> str:
    """Return the outline of a mark around (0, 0) that reaches about so far from it."""
    return path(((x * reach, y * reach) for x, y in _SHAPES[mark]), closed=True)


def _plate(mark: str) -> str:
    """Return the outline of a mark that has room for a number."""
    return path(((x * 0.33, y * 0.33) for x, y in _PLATES[mark]), closed=True)
