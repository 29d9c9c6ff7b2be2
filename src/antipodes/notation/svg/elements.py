"""SVG elements as text: numbers, attributes, paths."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from antipodes.notation.svg.style import UNIT

Point = tuple[float, float]


def number(steps: float) -> str:
    """Return a length in steps as the shortest text in the picture's units."""
    return f"{round(steps * UNIT, 1) + 0:g}"


def element(name: str, *content: str, **attributes: str) -> str:
    """Return an element; ``_`` in names of attributes becomes ``-``, and content is markup."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(value)}"
        for key, value in attributes.items()
    )
    inner = "".join(content)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def group(content: Iterable[str], **attributes: str) -> str:
    """Return a group with one element a line, or nothing if it would be empty."""
    lines = [line for line in content if line]
    return element("g", "\n", "\n".join(lines), "\n", **attributes) if lines else ""


def path(points: Iterable[Point], *, closed: bool = False) -> str:
    """Return path data along points."""
    data = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{data}{'Z' if closed else ''}"


def text(content: str, x: float, y: float, size: float, **attributes: str) -> str:
    """Return text centred on a point; its size is the height of the font in steps."""
    # Not every viewer supports dominant-baseline; capitals and digits are about 0.7 high.
    return element(
        "text",
        escape(content),
        x=number(x),
        y=number(y + 0.35 * size),
        font_size=number(size),
        **attributes,
    )


def placed(shape_id: str, x: float, y: float, *content: str) -> str:
    """Return a copy of a defined shape at a point."""
    return element("use", *content, href=f"#{shape_id}", x=number(x), y=number(y))
