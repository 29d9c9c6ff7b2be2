"""Move ordering by electrical currents in the reduced graph.

There is a unit of voltage between Black's terminals, and each empty cell is a resistor. Cells with
much current are urgent for both sides. After V. Anshelevich, "A hierarchical approach to computer
Hex", Artificial Intelligence 134 (2002), without its virtual connections.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import Array
from antipodes.search.kernels.proof_fill import BITS

Floats = npt.NDArray[np.float64]


def currents(rows: Array) -> Floats:
    """Return the current through each cell, given the rows of the reduced graph."""
    vertices = len(rows)
    bits = (rows[:, :, None] >> np.arange(BITS)) & 1
    near = bits.reshape(vertices, -1)[:, :vertices].astype(np.float64)
    inner = np.flatnonzero(near[:-2].any(axis=1))
    # Terminals have no resistance, so a step to one has twice the conductance of one between cells.
    near[:, -2:] *= 2
    conductance = near[inner]
    to_source = conductance[:, -2]
    among = conductance[:, inner]
    laplacian = np.diag(conductance.sum(axis=1) + 1e-9) - among
    potential = np.linalg.solve(laplacian, to_source)
    flows = np.abs(potential[:, None] - potential[None, :]) * among
    through = flows.sum(axis=1) + to_source * (1 - potential) + conductance[:, -1] * potential
    found = np.zeros(vertices - 2)
    found[inner] = through
    return found
