"""Cylindrical Hex: join the rims of a cylinder, or close a ring round it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from antipodes.boards import Topology, cylinder
from antipodes.core import Color
from antipodes.games.options import Options, choice, whole
from antipodes.games.placement import PlacementGame, PlacementPosition, Step
from antipodes.games.samples import FinishedGame, FirstGame, RuleExample


@dataclass(frozen=True, kw_only=True)
class CylindricalHexOptions(Options):
    """Options of Cylindrical Hex."""

    rows: int = whole(11, 2, 26, "rings of the cylinder")
    columns: int = whole(11, 3, 26, "cells in each ring: the circumference")
    first: str = choice("black", "white", help="the colour that begins")


class CylindricalHex(PlacementGame[CylindricalHexOptions, "CylindricalHexPosition"]):
    """Black joins the two rims of a cylinder, White closes a ring round it."""

    id = "cylindrical-hex"
    title = "Cylindrical Hex"
    summary = "Black joins the two rims of a cylinder, White closes a ring round it."
    options_type = CylindricalHexOptions
    size_options = ("columns", "rows")
    goals: ClassVar = {Color.BLACK: ("top", "bottom")}
    sized_boards: ClassVar = {
        "small": {"rows": 8, "columns": 8},
        "large": {"rows": 14, "columns": 14},
    }
    first_game = FirstGame({"rows": 4, "columns": 6})
    finished_game = FinishedGame(
        "g2 e3 e1 g3 c4 f3 a3 c3 a1 d3 b4 a2 e6 b2 b3 c2 h3 h2", {"rows": 6, "columns": 8}
    )
    rule_examples: ClassVar = (
        RuleExample(
            0,
            "Left and right belong together: stones at the seam are shown faintly on both sides.",
            {"rows": 5, "columns": 6},
            "a3 c2 f3",
        ),
        RuleExample(
            1,
            "White has won: the ring goes round the cylinder and crosses the seam.",
            finished_game.options,
            finished_game.moves,
        ),
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            options: CylindricalHexOptions | None = None,
            *,
            rows: int = 11,
            columns: int = 11,
            first: Literal["black", "white"] = "black",
        ) -> None: ...

    @property
    def topology(self) -> Topology:
        """The cylinder."""
        return cylinder(self.options.rows, self.options.columns)

    @property
    def first(self) -> Color:
        """The colour that begins."""
        return Color(self.options.first)

    @property
    def goals_in_words(self) -> Mapping[Color, str]:
        """A chain for Black, a ring for White."""
        return {
            Color.BLACK: "join the top and the bottom rim",
            Color.WHITE: "close a ring round the cylinder",
        }

    @property
    def brief_goals(self) -> Mapping[Color, str]:
        """A chain for Black, a ring for White."""
        return {Color.BLACK: "top to bottom", Color.WHITE: "rings the cylinder"}

    # Behind the cells: top and bottom.

    def _border_owners(self) -> list[int]:
        return [1, 1]

    def _borders_of(self, cell: int) -> list[Step]:
        borders = (("top", self.topology.cell_count), ("bottom", self.topology.cell_count + 1))
        return [(node, 0) for rim, node in borders if cell in self.topology.rims[rim]]

    def _winding(self, cell: int, neighbour: int) -> int:
        """Count steps over the seam between the last and the first column."""
        columns = self.options.columns
        here, there = cell % columns, neighbour % columns
        if here == columns - 1 and there == 0:
            return 1
        return -1 if here == 0 and there == columns - 1 else 0

    def _terminals(self) -> tuple[int, int]:
        return self.topology.cell_count, self.topology.cell_count + 1


class CylindricalHexPosition(PlacementPosition[CylindricalHex]):
    """A position of Cylindrical Hex."""

    __slots__ = ()


CylindricalHex.position_type = CylindricalHexPosition
