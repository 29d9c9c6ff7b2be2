"""Board themes of pictures, in the light and the dark colours of the site's themes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from antipodes.core import Color
from antipodes.notation.svg.style import (
    CELL,
    CELL_EDGE,
    CHAIN,
    FAINT_INK,
    HEAT,
    INK,
    LAST,
    NET,
    NET_OF_SECOND,
    PAGE,
    PAGE_EDGE,
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

_BLACK_EDGE = PAINTS[Color.BLACK].edge

_DARK = {
    **_board("#6e634c", "#4d4431", "#332b1f", "#ffb27d"),
    PAGE: "#1d1b18",
    PAGE_EDGE: "#3d372f",
    INK: "#f3ede0",
    FAINT_INK: "#b9ad97",
    CHAIN: "#d99e00",
    NET: "#a0d2e0",
    NET_OF_SECOND: "#ffb27d",
    HEAT: "#ff9df0",
    _BLACK_EDGE: "#d8c9a6",
    PAINTS[Color.RED].fill: "#f0706a",
    PAINTS[Color.BLUE].fill: "#7aa8f5",
    PAINTS[Color.VERT].fill: "#3cb8a0",
}
# What stands for the colours of the default theme on dark pages.
DARK_THEMES: Mapping[str, Mapping[str, str]] = {
    DEFAULT_THEME: _DARK,
    "slate": _DARK | _board("#5a6673", "#3e4853", "#262d34", "#ffb27d"),
    "meadow": _DARK | _board("#576a4d", "#3c4c34", "#24301f", "#ffb98a") | {HEAT: "#f5a8ff"},
    "walnut": _DARK | _board("#7d5839", "#583b25", "#2a1a0f", "#ffc08f") | {NET: "#a5d5e3"},
    "clear": {
        **_DARK,
        **_board("#646464", "#454545", "#282828", "#7cc8f5"),
        CHAIN: "#d8cc2e",
        NET: "#c4c4c4",
        HEAT: "#f0b4d6",
        PAINTS[Color.RED].fill: "#f08a3c",
        PAINTS[Color.BLUE].fill: "#56b4e9",
        PAINTS[Color.VERT].fill: "#2fc29a",
    },
}
# White stones keep their edges, which have the colour of ink, and black stones those that have
# the colour of the edges of black borders.
_PARTS = {INK: ("", ("fill",)), _BLACK_EDGE: ("path", ("stroke",))}
_ANY_PART = ("", ("fill", "stroke"))


def in_theme(svg: str, theme: str) -> str:
    """Return a picture of the default theme in the colours of another one.

    Raises:
        KeyError: there is no such theme.
    """
    colors = THEMES[theme]
    return _COLOR.sub(lambda found: colors.get(found[0], found[0]), svg) if colors else svg


def on_any_page(svg: str, theme: str) -> str:
    """Return a picture in a theme, which is dark in pages with dark colours.

    Browsers take the media query in an image from the ``color-scheme`` of its element.

    Raises:
        KeyError: there is no such theme.
    """
    themed, colors = in_theme(svg, theme), THEMES[theme]
    rules = []
    for color in sorted(DARK_THEMES[theme].keys() & set(_COLOR.findall(svg))):
        part, attributes = _PARTS.get(color, _ANY_PART)
        seen, dark = colors.get(color, color), DARK_THEMES[theme][color]
        rules += [f'{part}[{name}="{seen}"]{{{name}:{dark}}}' for name in attributes]
    style = f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"
    return themed.replace(">", f">{style}", 1) if rules else themed
