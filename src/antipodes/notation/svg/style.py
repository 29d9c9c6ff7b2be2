"""Colours and measures of SVG pictures.

Lengths are in steps between neighbouring cells, as in a board's places; :data:`UNIT` turns them
into the picture's own units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from antipodes.core import Color

UNIT = 40

PAGE = "#fdfbf6"
PAGE_EDGE = "#d9d0bd"
CELL = "#f1e7d0"
REPEATED_CELL = "#faf5ea"
SHADED_CELL = "#dccfae"
CELL_EDGE = "#b8a57e"
INK = "#2b2620"
FAINT_INK = "#6a604f"
CHAIN = "#f5b301"
CHAIN_EDGE = "#8a5a00"
LAST = "#d9480f"
NET = "#2f6475"
NET_OF_SECOND = "#c2410c"
HEAT = "#b5179e"

STONE_RADIUS = 0.41
ROD_WIDTH = 0.23
HALO_WIDTH = 0.95
ROD_HALO_WIDTH = 0.44
RING_SCALE = 0.9  # of a cell, so that the line of a ring stays on it
GOAL_WIDTH = 0.3
FRAME_WIDTH = 0.2
LABEL_SIZE = 0.36
CAPTION_SIZE = 0.4
# Boards broader than this are shown smaller, so what is written beside them grows with them.
BROAD = 18


@dataclass(frozen=True, slots=True)
class Paint:
    """How pieces of one colour are painted.

    Attributes:
        fill: inside of a piece.
        edge: outline of a piece.
        mark: shape drawn on the piece so that its colour is never told by colour alone: ``square``,
            ``triangle``, ``upright``, ``level``, or empty where fill and outline tell enough.
        text: colour of a number written on the piece.
    """

    fill: str
    edge: str
    mark: str
    text: str


PAINTS: Mapping[Color, Paint] = {
    Color.BLACK: Paint("#1f1d1b", "#000000", "", "#ffffff"),
    Color.WHITE: Paint("#ffffff", "#2b2620", "", "#1f1d1b"),
    Color.RED: Paint("#c92a2a", "#6d1010", "square", "#8f1414"),
    Color.BLUE: Paint("#2563c9", "#10336e", "triangle", "#10336e"),
    Color.VERT: Paint("#17695b", "#06372f", "upright", "#06372f"),
    Color.HORZ: Paint("#e08a1e", "#6e3d00", "level", "#6e3d00"),
}
