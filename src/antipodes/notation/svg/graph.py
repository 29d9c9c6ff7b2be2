"""Lines between cells: adjacency, and the game graph of a colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from antipodes.boards import Place
from antipodes.core import Color
from antipodes.notation.scene import Scene
from antipodes.notation.svg.elements import element, group, number, path
from antipodes.notation.svg.layout import SvgLayout
from antipodes.notation.svg.style import NET, NET_OF_SECOND, PAINTS

_CHAIN_WIDTH = 0.5


def joiner(scene: Scene) -> Color | None:
    """Return the colour that joins the poles, if there are any."""
    return next((color for color, goals in scene.goals.items() if "poles" in goals), None)


def shown(scene: Scene) -> Scene:
    """Return a scene with the drawn stones: with a game graph only the joining colour's."""
    color = joiner(scene)
    if scene.overlay.lines != "graph":
        return scene
    stones = {cell: one for cell, one in scene.stones.items() if one is color}
    chain = scene.chain if any(cell in stones for cell in scene.chain) else ()
    last = scene.last if scene.last in stones else None
    return replace(scene, stones=stones, chain=chain, last=last)


def parts(scene: Scene) -> list[set[int]]:
    """Return the cells that can still be joined to each pole: own stones and empty points."""
    color = joiner(scene)
    connected = []
    for pole in scene.poles:
        reached, todo = {pole}, [pole]
        for cell in todo:
            for other in scene.topology.neighbours[cell]:
                if other not in reached and scene.stones.get(other, color) is color:
                    reached.add(other)
                    todo.append(other)
        connected.append(reached)
    return connected


def graph_words(scene: Scene) -> str:
    """Return a description of a game graph."""
    color = joiner(scene)
    if color is None:
        return ""
    others = [one.title for one in Color if one in scene.stones.values() and one is not color]
    told = f"{color.title}'s chains and the empty points."
    told += "".join(f" {one}'s stones are taken out." for one in others)
    first, second = parts(scene)
    if first == second:
        return f"{told} The poles are in one part: they can be joined."
    return f"{told} The poles are cut off from each other: one part has dashed lines."


def lines(scene: Scene, layout: SvgLayout) -> list[str]:
    """Return the lines of the overlay of a scene."""
    if scene.overlay.lines == "neighbours":
        return [_net(_pairs(scene, layout, range(scene.topology.cell_count)), NET)]
    if scene.overlay.lines == "graph":
        return _graph(scene, layout)
    return []


def _graph(scene: Scene, layout: SvgLayout) -> list[str]:
    first, second = parts(scene)
    color = joiner(scene)
    drawn = [_net(_pairs(scene, layout, first), NET)]
    if second != first:
        drawn.append(_net(_pairs(scene, layout, second), NET_OF_SECOND, dashes="7 5"))
    others = {
        cell for cell in range(scene.topology.cell_count) if scene.stones.get(cell, color) is color
    } - first.union(second)
    drawn.append(_net(_pairs(scene, layout, others), NET, dashes="2 5"))
    own = [cell for cell, one in scene.stones.items() if one is color]
    links = "".join(path(((a.x, a.y), (b.x, b.y))) for a, b in _pairs(scene, layout, own))
    if links and color is not None:
        width = number(_CHAIN_WIDTH)
        drawn.append(element("path", d=links, stroke=PAINTS[color].fill, stroke_width=width))
    return drawn


def _pairs(scene: Scene, layout: SvgLayout, cells: Iterable[int]) -> Iterator[tuple[Place, Place]]:
    """Yield the places of each pair of neighbours among some cells."""
    wanted = set(cells)
    for cell in sorted(wanted):
        for other in scene.topology.neighbours[cell]:
            if other > cell and other in wanted:
                yield from layout.links(cell, other)


def _net(pairs: Iterable[tuple[Place, Place]], color: str, dashes: str = "") -> str:
    """Return lines with a dot at each of their ends."""
    drawn = list(pairs)
    ends = {(place.x, place.y) for pair in drawn for place in pair}
    data = "".join(path(((a.x, a.y), (b.x, b.y))) for a, b in drawn)
    dots = "".join(f"M{number(x)} {number(y)}h0" for x, y in sorted(ends))
    if not drawn:
        return ""
    more = {"stroke_dasharray": dashes} if dashes else {}
    return group(
        [
            element("path", d=data, stroke_width="3", **more),
            element("path", d=dots, stroke_width="9", stroke_linecap="round"),
        ],
        fill="none",
        stroke=color,
    )
