"""Composition of a picture from its parts."""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from hashlib import blake2s
from typing import TypeAlias
from xml.sax.saxutils import escape

from antipodes.boards import Place
from antipodes.notation.scene import Scene
from antipodes.notation.svg import board, curved, graph, highlights, overlay, pieces
from antipodes.notation.svg.bodies import Body, body
from antipodes.notation.svg.elements import element, group, number, text
from antipodes.notation.svg.layout import SvgLayout, layout
from antipodes.notation.svg.style import BROAD, CAPTION_SIZE, FAINT_INK, INK, PAGE, PAGE_EDGE, UNIT
from antipodes.notation.words import describe

_MARGIN = 0.55
_MIN_WIDTH = 9  # leaves room for the caption of a tiny board
_LINE_HEIGHT = 1.35  # of the caption, in heights of its font
_MAX_WIDTH = 800
_NOTES = {
    ("sphere", "flat"): "The shaded rims are one: each rim point is shown on both boards.",
    ("sphere", "hemispheres"): "The shaded rims are one: each rim point is shown on both halves.",
    (
        "cylinder",
        "flat",
    ): "The dashed edges are one; the faded columns repeat those of the other end.",
}

_Caption: TypeAlias = list[tuple[str, str]]  # lines below the board, each with its colour


def render_svg(
    scene: Scene, scope: str | None = None, *, bare: bool = False, view: str = "flat"
) -> str:
    """Return the picture of a scene as SVG text.

    The text depends on the arguments alone. ``scope`` begins all ids in it; without one, a digest
    of the scene does, so that different pictures can share a page. A ``bare`` picture has neither
    page nor caption nor coordinates: it is for small pictures on any ground. ``view`` is one of
    :func:`~antipodes.notation.svg.bodies.views_of` the board.
    """
    where, box, caption = _framed(scene, view, bare=bare)
    name = scope or _digest(scene, view)
    content = [
        element("title", escape(scene.title), id=f"{name}-title"),
        element("desc", escape(describe(scene)), id=f"{name}-desc"),
        element(
            "defs",
            "\n",
            "\n".join(_definitions(scene, where, name)),
            "\n",
        ),
        "" if bare else _page(box),
        *_drawn(scene, where, box, name),
        *_caption_lines(caption, box),
    ]
    return element(
        "svg",
        "\n",
        "\n".join(line for line in content if line),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=box.view(),
        width=str(box.pixels),
        style="max-width:100%",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        font_family="sans-serif",
        text_anchor="middle",
    )


def picture_size(scene: Scene, *, bare: bool = False, view: str = "flat") -> tuple[int, int]:
    """Return the width and height in pixels of the picture of a scene, without drawing it."""
    _where, box, _lines = _framed(scene, view, bare=bare)
    return box.pixels, round(box.pixels * box.height / box.width)


def _framed(scene: Scene, view: str, *, bare: bool) -> tuple[SvgLayout, _Box, _Caption]:
    """Return the layout of a scene, the box around it and its caption, and the caption."""
    where = layout(scene.topology, points_named=scene.points_named)
    if view != "flat":
        where = body(scene.topology, view)
    if bare:
        where = replace(where, labels=())
    box = _Box.around(where)
    caption = [] if bare else _caption(scene, box, view)
    if caption:
        box.bottom += _LINE_HEIGHT * box.caption_size * (len(caption) + 0.3)
    return where, box, caption


def _definitions(scene: Scene, where: SvgLayout, name: str) -> list[str]:
    cells = [] if isinstance(where, Body) else board.definitions(scene, where, name)
    return [*cells, *pieces.definitions(scene, name)]


def _drawn(scene: Scene, where: SvgLayout, box: _Box, name: str) -> list[str]:
    if isinstance(where, Body):
        return curved.drawing(scene, where, name)
    return _drawing(scene, where, box, name)


def _drawing(scene: Scene, where: SvgLayout, box: _Box, name: str) -> list[str]:
    """Return all elements on the board from bottom to top."""
    net, scene = graph.lines(scene, where), graph.shown(scene)
    above = [
        *overlay.shades(scene, where),
        *highlights.chain_halo(scene, where, name),
        *net,
        group(pieces.pieces(scene, where.repeated, name), opacity="0.4"),
        *pieces.pieces(scene, where.places, name),
        *highlights.poles(scene, where),
        *pieces.numbers(scene, where),
        *highlights.last_move(scene, where),
        *highlights.hints(scene, where),
        *overlay.marks(scene, where),
    ]
    return [
        *board.goal_borders(scene, where),
        *board.coordinates(where, box.scale),
        *board.repeated_cells(where, name),
        *board.cells(scene, where, name),
        *board.grid_points(where),
        *board.seams(where),
        # Pieces let the pointer through, so that the cell shows its tooltip.
        group(above, pointer_events="none"),
    ]


class _Box:
    """The visible part of the plane, in steps."""

    def __init__(self, left: float, top: float, right: float, bottom: float) -> None:
        self.left, self.top, self.right, self.bottom = left, top, right, bottom

    @classmethod
    def around(cls, where: SvgLayout) -> _Box:
        """Return the box around cells, labels and a margin."""
        places: tuple[Place, ...] = (*where.places, *where.repeated)
        xs = [p.x - 0.6 for p in places] + [p.x + 0.6 for p in places]
        ys = [p.y - 0.6 for p in places] + [p.y + 0.6 for p in places]
        lines = (*where.grounds, *where.rims) if isinstance(where, Body) else ()
        xs += [x for line in lines for x, _ in line]
        ys += [y for line in lines for _, y in line]
        xs += [label.x for label in where.labels]
        ys += [label.y for label in where.labels]
        middle = (min(xs) + max(xs)) / 2
        reach = max((max(xs) - min(xs)) / 2 + _MARGIN, _MIN_WIDTH / 2)
        return cls(middle - reach, min(ys) - _MARGIN, middle + reach, max(ys) + _MARGIN)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def pixels(self) -> int:
        """The width of the picture, unless its page is narrower."""
        return min(_MAX_WIDTH, round(self.width * UNIT))

    @property
    def scale(self) -> float:
        """The factor of the text size that keeps the caption readable on a broad board."""
        return max(1.0, self.width / BROAD)

    @property
    def caption_size(self) -> float:
        return CAPTION_SIZE * self.scale

    def view(self) -> str:
        """Return the value of viewBox."""
        return " ".join(map(number, (self.left, self.top, self.width, self.height)))


def _page(box: _Box) -> str:
    return element(
        "rect",
        x=number(box.left + 0.02),
        y=number(box.top + 0.02),
        width=number(box.width - 0.04),
        height=number(box.height - 0.04),
        rx="10",
        fill=PAGE,
        stroke=PAGE_EDGE,
    )


def _caption(scene: Scene, box: _Box, view: str) -> _Caption:
    """Return the lines below the board, each with its colour."""
    # A letter is about half as broad as high.
    letters = max(16, int((box.width - 0.6) / (0.52 * box.caption_size)))
    # A number stays with the word before it, by a non-breaking space.
    title = re.sub(r" (?=\d)", "\N{NO-BREAK SPACE}", scene.title)
    lines = [(line, INK) for line in textwrap.wrap(title, letters)]
    notes = [_NOTES.get((scene.topology.kind, view), "")]
    notes += scene.overlay.words
    if scene.overlay.marks and not scene.overlay.words:
        notes.append("Numbers are proposed moves, 1 the best.")
    if scene.overlay.weights and not scene.overlay.words:
        notes.append("The more dots, the more the game hangs on a point.")
    return lines + [(line, FAINT_INK) for note in notes for line in textwrap.wrap(note, letters)]


def _caption_lines(caption: _Caption, box: _Box) -> list[str]:
    step = _LINE_HEIGHT * box.caption_size
    first = box.bottom - step * len(caption)
    middle = (box.left + box.right) / 2
    return [
        text(line, middle, first + step * i, box.caption_size, fill=color)
        for i, (line, color) in enumerate(caption)
    ]


def _digest(scene: Scene, view: str) -> str:
    """Return a name that differs for scenes that look different."""
    parts = (
        scene.topology.kind,
        scene.topology.size,
        describe(scene),
        sorted(scene.numbers.items()),
        scene.points_named,
        *((view, scene.overlay.lines) if (view, scene.overlay.lines) != ("flat", "") else ()),
    )
    return "a" + blake2s(repr(parts).encode(), digest_size=4).hexdigest()
