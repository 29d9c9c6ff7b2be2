"""Overlays of analyses: shades with dots that count them, numbers of proposed moves."""

from __future__ import annotations

from antipodes.boards import Shape
from antipodes.notation.scene import Scene
from antipodes.notation.svg.elements import element, group, number, path, text
from antipodes.notation.svg.layout import SvgLayout, outline
from antipodes.notation.svg.style import HEAT, INK, PAGE
from antipodes.notation.words import shade_level

_DOT = 0.05
_DOT_STEP = 0.14


def shades(scene: Scene, layout: SvgLayout) -> list[str]:
    """Return coloured cells, and on each as many dots as its shade has steps of four.

    Cells with pieces are left out.
    """
    levels = {
        cell: shade_level(weight)
        for cell, weight in sorted(scene.overlay.weights.items())
        if shade_level(weight) and cell not in scene.stones and cell not in scene.rods
    }
    if not levels:
        return []
    data = path(outline(scene.topology.shape, 0.93), closed=True)
    # The edge of a square is nearer to its middle than its corner, that of a hexagon less so.
    low = 0.4 if scene.topology.shape is Shape.SQUARE else 0.38
    areas = [
        element(
            "path",
            d=data,
            transform=f"translate({number(place.x)} {number(place.y)})",
            fill_opacity=f"{0.14 * level:.2f}",
        )
        for place in layout.of(levels)
        for level in [levels[place.cell]]
    ]
    dots = [
        element(
            "circle",
            cx=number(place.x + _DOT_STEP * (index - (levels[place.cell] - 1) / 2)),
            cy=number(place.y + low),
            r=number(_DOT),
        )
        for place in layout.of(levels)
        for index in range(levels[place.cell])
    ]
    return [group(areas, fill=HEAT), group(dots, fill=INK)]


def marks(scene: Scene, layout: SvgLayout) -> list[str]:
    """Return the proposed moves as numbers on discs; the best has the strongest outline."""
    lines = []
    has_best = not scene.overlay.words
    for place in layout.of(sorted(scene.overlay.marks)):
        shown = scene.overlay.marks[place.cell]
        is_best = has_best and shown[0] == "1" and not shown[1:2].isdecimal()
        disc = element(
            "circle",
            cx=number(place.x),
            cy=number(place.y - 0.04),
            r=number(0.29),
            fill=PAGE,
            stroke=INK,
            stroke_width="3.5" if is_best else "1.2",
        )
        size = 0.36 if len(shown) == 1 else 0.3
        lines += [disc, text(shown, place.x, place.y - 0.04, size, fill=INK)]
    return [group(lines, font_weight="bold")]
