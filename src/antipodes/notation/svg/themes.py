"""Board themes of pictures: the site's themes in their light colours."""

from __future__ import annotations

import re
from collections.abc import Mapping

from antipodes.core import Color
from antipodes.notation.svg.style import (
    CELL,
    CELL_EDGE,
    CHAIN,
    LAST,
    PAINTS,
    REPEATED_CELL,
    SHADED_CELL,
)

DEFAULT_THEME = "sand"
_COLOR = re.compile("#[0-9a-f]{6}")


def _board(cell: str, shaded: str, edge: str, accent: str) -> dict[str, str]:
    """Return the colours that stand for those of the default theme."""
    return {CELL: cell, REPEATED_CELL: cell, SHADED_CELL: shaded, CELL_EDGE: edge, LAST: accent}


# Name of a theme -> colours of the default one and what stands for them.
THEMES: Mapping[str, Mapping[str, str]] = {
    DEFAULT_THEME: {},
    "slate": _board("#e4eaf1", "#bfcad6", "#8b9bad", "#b5340a"),
    "meadow": _board("#e4ecd6", "#c0d0a9", "#8fa478", "#b0300a"),
    "walnut": _board("#e6c9a4", "#c9a276", "#7f5a39", "#a52809"),
    "clear": {
        **_board("#f4f4f4", "#cfcfcf", "#8c8c8c", "#0060a0"),
        CHAIN: "#f0e442",
        PAINTS[Color.RED].fill: "#d55e00",
        PAINTS[Color.BLUE].fill: "#0072b2",
        PAINTS[Color.VERT].fill: "#00664b",
        PAINTS[Color.HORZ].fill: "#e69f00",
    },
}


def in_theme(svg: str, theme: str) -> str:
    """Return a picture of the default theme in the colours of another one.

    Raises:
        KeyError: there is no such theme.
    """
    colors = THEMES[theme]
    return _COLOR.sub(lambda found: colors.get(found[0], found[0]), svg) if colors else svg
