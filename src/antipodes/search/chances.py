"""Chances: what values of the search mean, as measured in games of the search against itself.

A value is a mean of random games, of judgements of a network or of an evaluation; it orders moves,
but it leans to one half, and in some games to one colour. The *chance* of a colour is how often it
won in games from positions with its value. It follows from the value by a logistic map with two
numbers for each game and group of sizes (Platt, "Probabilistic outputs for support vector
machines", 1999): ``log(p / (1 - p)) = shift + scale * log(v / (1 - v))`` for the first colour.
``bench/calibration.py`` measures them.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antipodes.core import Color
    from antipodes.games.position import Game

DATA = Path(__file__).with_name("chances.json")


@dataclass(frozen=True, slots=True)
class ChanceMap:
    """The map from values to chances of one game.

    Attributes:
        shift: added for the first colour, and taken from the other one.
        scale: of the logarithm of the odds.
    """

    shift: float = 0.0
    scale: float = 1.0

    def chance(self, value: float, *, is_first: bool) -> float:
        """Return the chance of a colour with a value; 0, 1 and one half of a proof are certain.

        Args:
            value: of the colour, from 0 (lost) to 1 (won).
            is_first: whether the colour is the first one of the game's colours.
        """
        if not 0.0 < value < 1.0:
            return value
        shift = self.shift if is_first else -self.shift
        return 1 / (1 + math.exp(-shift - self.scale * math.log(value / (1 - value))))


@cache
def measured_maps() -> list[dict[str, Any]]:
    """Return what was measured: ``game``, ``most_cells`` of the group, ``shift``, ``scale``.

    ``most_cells`` is ``None`` for boards of all further sizes. ``boards``, ``visits`` and ``games``
    tell where the numbers come from. ``bins`` have the number of positions, mean value and share of
    points in each tenth of values. ``losses`` are the mean logarithmic losses of values and of
    chances, in games that the fit of these chances has not seen.
    """
    maps: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))
    return maps


def chance_map(game: Game) -> ChanceMap:
    """Return the map of a game; where none was measured, chances are values."""
    if len(game.colors) == 2:
        for group in measured_maps():
            most = group["most_cells"]
            if group["game"] == game.id and (most is None or game.topology.cell_count <= most):
                return ChanceMap(group["shift"], group["scale"])
    return ChanceMap()


def chance_of(game: Game, color: Color, value: float) -> float:
    """Return the chance of a colour with a value."""
    return chance_map(game).chance(value, is_first=color is game.colors[0])


def chance_text(game: Game, color: Color, value: float | None) -> str:
    """Write the chance of a colour in whole percent.

    It has no margin: a search's standard error is that of its own judgement, and says nothing about
    the game.
    """
    return "?" if value is None else f"{chance_percent(game, color, value)} %"


def chance_percent(game: Game, color: Color, value: float) -> int:
    """Return the chance of a colour in whole percent; only a certain one is 0 or 100."""
    percent = round(100 * chance_of(game, color, value))
    return min(max(percent, 1), 99) if 0.0 < value < 1.0 else percent
