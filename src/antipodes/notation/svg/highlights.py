"""Highlights: the last move, the winning chain, hints, poles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from antipodes.boards import Place, Shape
from antipodes.notation.scene import Scene
from antipodes.notation.svg.bodies import Body
from antipodes.notation.svg.elements import element, group, number, path
from antipodes.notation.svg.layout import SvgLayout, outline
from antipodes.notation.svg.style import (
    CHAIN,
    CHAIN_EDGE,
    HALO_WIDTH,
    INK,
    LAST,
    PAGE,
    PAINTS,
    RING_SCALE,
    ROD_HALO_WIDTH,
)


def chain_halo(scene: Scene, layout: SvgLayout, scope: str) -> list[str]:
    """Return a broad band under the winning chain, as far as it lies on cells."""
    lines = [path(line) for line in _chain_lines(scene, layout)]
    if not lines:
        return []
    width = ROD_HALO_WIDTH if scene.rods else HALO_WIDTH
    bands = [
        element("path", d="".join(lines), stroke=CHAIN_EDGE, stroke_width=number(width)),
        element("path", d="".join(lines), stroke=CHAIN, stroke_width=number(width - 0.07)),
    ]
    clip = element("clipPath", element("path", d=_area(layout)), id=f"{scope}-board")
    clipped = f"url(#{scope}-board)"
    return [clip, group(bands, fill="none", stroke_linecap="round", clip_path=clipped)]


def _area(layout: SvgLayout) -> str:
    """Return the outlines of all cells."""
    if isinstance(layout, Body):
        return "".join(path(spot.corners, closed=True) for spot in layout.spots)
    corners = outline(layout.board.shape)
    return "".join(
        path(((place.x + dx, place.y + dy) for dx, dy in corners), closed=True)
        for place in (*layout.places, *layout.repeated)
    )


def chain_line(scene: Scene, layout: SvgLayout) -> list[str]:
    """Return a thin line that joins the centres of the winning chain's stones, where no halo is.

    Rods are such a line themselves; numbers and marks of colours would be hidden by it.
    """
    marked = any(PAINTS[color].mark for color in scene.stones.values())
    hidden = scene.rods or scene.numbers or marked
    lines = [] if hidden else [path(line) for line in _chain_lines(scene, layout)]
    if not lines:
        return []
    drawn = [element("path", d="".join(lines), stroke=CHAIN, stroke_width="4")]
    return [group(drawn, fill="none", stroke_linecap="round")]


def _chain_lines(scene: Scene, layout: SvgLayout) -> Iterator[list[tuple[float, float]]]:
    """Yield the pieces of the chain: rods themselves, or lines between neighbouring stones."""
    for cell in scene.chain:
        if cell in scene.rods:
            rise = 0.42 if scene.rods[cell].diagonal == "/" else -0.42
            for place in layout.of((cell,)):
                yield [(place.x - 0.42, place.y + rise), (place.x + 0.42, place.y - rise)]
    if scene.rods:
        return
    for place in layout.of(scene.chain):
        # A line of no length is drawn as a dot: a stone whose neighbours are on the other board.
        yield [(place.x, place.y), (place.x, place.y)]
    steps = list(pairwise(scene.chain))
    if len(scene.chain) > 2 and scene.chain[0] in scene.topology.neighbours[scene.chain[-1]]:
        steps.append((scene.chain[-1], scene.chain[0]))
    for first, second in steps:
        for a, b in layout.links(first, second):
            yield [(a.x, a.y), (b.x, b.y)]


def last_move(scene: Scene, layout: SvgLayout) -> list[str]:
    """Return a strong outline of the cell of the last piece."""
    if scene.last is None:
        return []
    data = path(outline(scene.topology.shape, RING_SCALE), closed=True)
    return [
        group(
            [_at(place, element("path", d=data)) for place in layout.of((scene.last,))],
            fill="none",
            stroke=LAST,
            stroke_width="4",
            stroke_linejoin="round",
        )
    ]


def hints(scene: Scene, layout: SvgLayout) -> list[str]:
    """Return a dot on each cell with a hint."""
    dots = [
        element("circle", cx=number(place.x), cy=number(place.y), r=number(0.11))
        for place in layout.of(scene.hints)
    ]
    return [group(dots, fill=INK, stroke=PAGE, stroke_width="1.5")]


def poles(scene: Scene, layout: SvgLayout) -> list[str]:
    """Return a star on each pole."""
    lines = []
    for place in layout.of(scene.poles):
        stone = scene.stones.get(place.cell)
        fill = INK if stone is None else PAINTS[stone].text
        star = element("path", d=path(_star(0.24), closed=True), fill=fill)
        lines.append(_at(place, star))
    return [group(lines)]


def _star(reach: float) -> list[tuple[float, float]]:
    """Return a star with six rays around (0, 0)."""
    rays = outline(Shape.POINTY, reach / 0.577)
    dents = outline(Shape.FLAT, reach / 0.577 * 0.45)
    # Both lists run clockwise; the first dent lies before the first ray.
    return [point for pair in zip(dents, rays, strict=True) for point in pair]


def _at(place: Place, content: str) -> str:
    return element("g", content, transform=f"translate({number(place.x)} {number(place.y)})")
