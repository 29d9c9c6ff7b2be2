"""Electrical currents in the reduced graph: see :mod:`antipodes.search.proof.currents`."""

from __future__ import annotations

from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.proof_fill import linked

LEAK = 1e-9  # conductance to ground, which fixes the potential of isolated cells
TERMINAL = 2.0  # conductance of a step to a terminal, which has no resistance of its own


@kernel("i8(i8[:, ::1], i8[::1], f8[:, ::1], f8[::1], f8[::1])")
def find_currents(rows, inner, matrix, potential, out):
    """Write the current through each cell; return the number of cells in the graph.

    Args:
        rows: of the reduced graph.
        inner: scratch for the cells of the graph.
        matrix: scratch, upper triangle of the equations.
        potential: scratch, their right-hand side and then the solution.
        out: gets the currents.
    """
    words = rows.shape[1]
    cells = rows.shape[0] - 2
    source = cells
    target = cells + 1
    count = 0
    for cell in range(cells):
        out[cell] = 0.0
        used = 0
        for w in range(words):
            used |= rows[cell, w]
        if used != 0:
            inner[count] = cell
            count += 1
    for i in range(count):
        for j in range(i, count):
            matrix[i, j] = 0.0
        potential[i] = 0.0
    for i in range(count):
        cell = inner[i]
        total = LEAK
        for j in range(count):
            if linked(rows, cell, inner[j]) == 1:
                total += 1.0
                if j > i:
                    matrix[i, j] = -1.0
        if linked(rows, cell, source) == 1:
            total += TERMINAL
            potential[i] = TERMINAL
        if linked(rows, cell, target) == 1:
            total += TERMINAL
        matrix[i, i] = total
    for k in range(count):
        for i in range(k + 1, count):
            if matrix[k, i] != 0.0:
                factor = matrix[k, i] / matrix[k, k]
                for j in range(i, count):
                    matrix[i, j] -= factor * matrix[k, j]
                potential[i] -= factor * potential[k]
    for i in range(count - 1, -1, -1):
        total = potential[i]
        for j in range(i + 1, count):
            total -= matrix[i, j] * potential[j]
        potential[i] = total / matrix[i, i]
    for i in range(count):
        cell = inner[i]
        here = potential[i]
        total = 0.0
        for j in range(count):
            if linked(rows, cell, inner[j]) == 1:
                total += abs(here - potential[j])
        if linked(rows, cell, source) == 1:
            total += TERMINAL * (1.0 - here)
        if linked(rows, cell, target) == 1:
            total += TERMINAL * here
        out[cell] = total
    return count
