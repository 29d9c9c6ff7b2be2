"""Move ordering by electrical currents in the reduced graph.

There is a unit of voltage between Black's terminals, and each empty cell is a resistor. Adjacent
cells are joined, and so are those with a bridge between them. Cells with much current are urgent
for both sides. After V. Anshelevich, "A hierarchical approach to computer
Hex", Artificial Intelligence 134 (2002), where virtual connections join more.
"""

from __future__ import annotations

import numpy as np

from antipodes.games.kernels import Array, edition
from antipodes.search.kernels import proof_currents as kernels


class Currents:
    """The equations of the circuits of one board, for one thread at a time."""

    def __init__(self, cells: int) -> None:
        self._inner = np.zeros(cells, np.int64)
        self._matrix = np.zeros((cells, cells))
        self._potential = np.zeros(cells)
        self._out = np.zeros(cells)
        self._find_currents = edition(kernels, "find_currents")

    def of(self, rows: Array) -> list[float]:
        """Return the current through each cell, given the rows of the reduced graph."""
        self._find_currents(rows, self._inner, self._matrix, self._potential, self._out)
        found: list[float] = self._out.tolist()
        return found
