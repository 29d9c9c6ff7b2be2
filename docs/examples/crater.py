"""Crater: Black climbs from the centre of a hexagon to its rim, White closes a ring round it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from antipodes.boards import Topology, hexhex
from antipodes.core import Color
from antipodes.games.options import Options, choice, whole
from antipodes.games.placement import PlacementGame, PlacementPosition, Step
from antipodes.notation.scene import Scene


@dataclass(frozen=True, kw_only=True)
class CraterOptions(Options):
    """Options of Crater."""

    side: int = whole(5, 2, 8, "cells along each edge of the board")
    first: str = choice("white", "black", help="the colour that begins")


class Crater(PlacementGame[CraterOptions, "CraterPosition"]):
    """Black has a stone in the centre and joins it to the rim; White keeps it inside a ring."""

    id = "crater"
    title = "Crater"
    summary = "Black joins the centre of a hexagon to its rim, White closes a ring round it."
    options_type = CraterOptions
    size_options = ("side",)
    goals: ClassVar = {}  # no named rims to draw in Black's colour

    @property
    def topology(self) -> Topology:
        """The hexagon."""
        return hexhex(self.options.side)

    @property
    def first(self) -> Color:
        """The colour that begins."""
        return Color(self.options.first)

    @property
    def centre(self) -> int:
        """The cell in the middle; cells are numbered so that it has the middle number."""
        return self.topology.cell_count // 2

    def start_stones(self) -> dict[int, Color]:
        """Return Black's stone in the centre."""
        return {self.centre: Color.BLACK}

    # Behind the cells: one black node beyond the rim.

    def _border_owners(self) -> list[int]:
        return [1]

    def _borders_of(self, cell: int) -> list[Step]:
        on_rim = len(self.topology.neighbours[cell]) < 6
        return [(self.topology.cell_count, 0)] if on_rim else []

    def _terminals(self) -> tuple[int, int]:
        return self.centre, self.topology.cell_count

    def _winding(self, cell: int, neighbour: int) -> int:
        """Count steps over a seam from the centre to the rim, where the angle jumps by a turn."""
        if self.centre in (cell, neighbour):
            return 0
        return -round((self._angle(neighbour) - self._angle(cell)) / math.tau)

    def _angle(self, cell: int) -> float:
        middle = self.topology.places_of[self.centre][0]
        place = self.topology.places_of[cell][0]
        return math.atan2(place.y - middle.y, place.x - middle.x)


class CraterPosition(PlacementPosition[Crater]):
    """A position of Crater."""

    __slots__ = ()

    def scene(self) -> Scene:
        """Return what a picture shows, with a star on the centre."""
        return replace(super().scene(), poles=(self.game.centre,))


Crater.position_type = CraterPosition
