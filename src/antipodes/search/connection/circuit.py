"""Electrical circuits of a position: how well each colour is connected, and through which cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.boards import Topology
from antipodes.games.kernels import Array, edition
from antipodes.games.placement import PlacementGame, PlacementPosition
from antipodes.search.kernels import connection_circuit as kernels

Floats = npt.NDArray[np.float64]


class Circuits:
    """A solver of the circuits of both colours in positions of one placement game.

    It owns its memory and may be used repeatedly, by one thread at a time.
    """

    def __init__(self, game: PlacementGame[Any, Any]) -> None:
        """Allocate the equations of a game."""
        cells = game.topology.cell_count
        self._tables = game.tables
        self._places, band = narrow_order(game.topology)
        self._matrix = np.zeros((cells, band + 1))
        self._potential = np.zeros(cells)
        self._conduct = edition(kernels, "conduct")

    def conductance(
        self, where: PlacementPosition[Any] | Array, color: int
    ) -> tuple[float, Floats]:
        """Return the conductance of a colour (0 Black, 1 White), and each cell's part of it."""
        state = where if isinstance(where, np.ndarray) else where.kernel_state
        energy = np.zeros(len(self._places))
        total = self._conduct(
            self._tables,
            state,
            color,
            self._places,
            self._matrix,
            self._potential,
            energy,
        )
        return float(total), energy

    def potentials(self, where: PlacementPosition[Any] | Array) -> tuple[float, Floats]:
        """Return Black's share of both conductances, and how much each cell matters.

        The share is 1 where Black has won and 0 where White has. The weight of a cell is the sum of
        its shares of both circuits; stones have small weights of their own.
        """
        black, black_energy = self.conductance(where, 0)
        white, white_energy = self.conductance(where, 1)
        # Because of the leak, the conductance of a cut circuit is not exactly 0.
        weight = black_energy / max(black, 1e-6) + white_energy / max(white, 1e-6)
        return black / (black + white), weight


def narrow_order(board: Topology) -> tuple[Array, int]:
    """Return an order of the cells with neighbours near each other, and its bandwidth.

    After Cuthill and McKee ("Reducing the bandwidth of sparse symmetric matrices", 1969): breadth
    first, beside the order by number; the best of all starts.
    """
    best = list(range(board.cell_count))
    width = _width(board, best)
    for start in range(board.cell_count):
        order = _breadth_first(board, start)
        places = [0] * len(order)
        for place, cell in enumerate(order):
            places[cell] = place
        found_width = _width(board, places)
        if found_width < width:
            best, width = places, found_width
    return np.array(best, np.int64), width


def _width(board: Topology, places: list[int]) -> int:
    return max(
        abs(places[cell] - places[near])
        for cell, cells in enumerate(board.neighbours)
        for near in cells
    )


def _breadth_first(board: Topology, start: int) -> list[int]:
    order = [start]
    known = {start}
    for cell in order:
        fresh = [near for near in board.neighbours[cell] if near not in known]
        known.update(fresh)
        order += fresh
    return order
