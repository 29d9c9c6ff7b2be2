"""Electrical currents in the reduced graph: see :mod:`antipodes.search.proof.currents`."""

from __future__ import annotations

from antipodes.games.kernels.bits import popcount
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.proof_fill import linked

LEAK = 1e-9  # conductance to ground, which fixes the potential of isolated cells
TERMINAL = 2.0  # conductance of a step to a terminal, which has no resistance of its own


@kernel("i8(i8[:, ::1], i8, i8)")
def joined(rows, a, b):
    """Return 1 if two vertices are adjacent or a bridge joins them, else 0."""
    if linked(rows, a, b) == 1:
        return 1
    common = 0
    for w in range(rows.shape[1]):
        common += popcount(rows[a, w] & rows[b, w])
    return 1 if common >= 2 else 0


@kernel("i8(i8[:, ::1], i8[::1], f8[:, ::1], f8[::1], f8[::1])")
def find_currents(rows, inner, matrix, potential, out):
    """Write the current through each cell; return the number of cells in the graph.

    Args:
        rows: of the reduced graph.
        inner: scratch for the cells of the graph.
        matrix: scratch; its upper triangle has the equations, the lower one which cells are joined.
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
        cell = inner[i]
        potential[i] = TERMINAL * joined(rows, cell, source)
        matrix[i, i] = LEAK + potential[i] + TERMINAL * joined(rows, cell, target)
        for j in range(i):
            steps = joined(rows, cell, inner[j])
            matrix[i, j] = steps
            matrix[j, i] = -steps
            matrix[i, i] += steps
            matrix[j, j] += steps
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
            if j != i:
                total += matrix[max(i, j), min(i, j)] * abs(here - potential[j])
        total += TERMINAL * (1.0 - here) * joined(rows, cell, source)
        total += TERMINAL * here * joined(rows, cell, target)
        out[cell] = total
    return count
