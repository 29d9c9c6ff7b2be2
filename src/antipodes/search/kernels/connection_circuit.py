"""Boards as electrical circuits: the conductance of each colour, and where the current flows.

Anshelevich ("A hierarchical approach to computer Hex", Artificial Intelligence 134, 2002) values a
position by the resistance between the sides that a colour joins: its own stones conduct well, empty
cells a little, the opponent's not at all. Black's circuit has a unit of potential between the
terminals. White's ring has no ends; its circuit has a unit of potential *round* the terminals: each
closed path sums up its winding. Both are the least of the same sum, over the steps of the board,

    conductance * (potential there - potential here + winding of the step) ** 2,

with all windings 0 for Black and the terminals held at 1 and 0. That least sum is the conductance
of the whole; the part of it that falls on a cell's steps is the cell's energy.

The equations are solved by Cholesky's factorization of a matrix in a band, since cells can be put
in an order that keeps neighbours near each other.
"""

from __future__ import annotations

import math

from antipodes.games.kernels.header import HEADER
from antipodes.games.kernels.placement import (
    CELLS,
    DEGREE,
    NEIGHBOURS,
    SOURCE,
    TARGET,
    WINDINGS,
)
from antipodes.games.kernels.registry import kernel

STONE = 0.01  # resistance of a stone; of an empty cell it is 1
LEAK = 1e-9  # conductance to ground, which fixes the potential of isolated cells
HOLD = 1e9  # conductance to the potential of a terminal


@kernel("f8(i8[::1], i8[::1], i8, i8)")
def resistance(tables, state, color, node):
    """Return the resistance of a node for a colour, or -1 if it does not conduct."""
    if node >= tables[CELLS]:
        return 0.0 if state[HEADER + node] == 1 + color else -1.0
    owner = state[HEADER + node]
    if owner == 0:
        return 1.0
    return STONE if owner == 1 + color else -1.0


@kernel("i8(i8[::1], i8[::1], i8, i8[::1], f8[:,::1], f8[::1])")
def set_up(tables, state, color, places, matrix, potential):
    """Write the equations: lower band of the matrix, and the right-hand side."""
    cells = tables[CELLS]
    degree = tables[DEGREE]
    band = matrix.shape[1] - 1
    for place in range(cells):
        for k in range(band + 1):
            matrix[place, k] = 0.0
        matrix[place, band] = LEAK
        potential[place] = 0.0
    for cell in range(cells):
        here = resistance(tables, state, color, cell)
        if here < 0.0:
            continue
        place = places[cell]
        if color == 0 and cell == tables[SOURCE]:
            matrix[place, band] += HOLD
            potential[place] += HOLD
        elif color == 0 and cell == tables[TARGET]:
            matrix[place, band] += HOLD
        for i in range(cell * degree, (cell + 1) * degree):
            near = tables[tables[NEIGHBOURS] + i]
            if near < 0:
                continue
            there = resistance(tables, state, color, near)
            if there < 0.0:
                continue
            conductance = 1.0 / (here + there)
            winding = tables[tables[WINDINGS] + i] if color == 1 else 0
            matrix[place, band] += conductance
            potential[place] += conductance * winding
            if near >= cells:
                if color == 0 and near == tables[SOURCE]:
                    potential[place] += conductance
            elif places[near] < place:
                matrix[place, band + places[near] - place] -= conductance
    return 0


@kernel("i8(f8[:,::1], f8[::1])")
def solve(matrix, potential):
    """Solve the equations in place; ``matrix`` is symmetric, positive, and holds its lower band."""
    count = matrix.shape[0]
    band = matrix.shape[1] - 1
    for row in range(count):
        first = max(0, row - band)
        for column in range(first, row):
            total = matrix[row, band + column - row]
            for k in range(max(first, column - band), column):
                total -= matrix[row, band + k - row] * matrix[column, band + k - column]
            matrix[row, band + column - row] = total / matrix[column, band]
        total = matrix[row, band]
        for k in range(first, row):
            total -= matrix[row, band + k - row] ** 2
        matrix[row, band] = math.sqrt(total)
    for row in range(count):
        total = potential[row]
        for k in range(max(0, row - band), row):
            total -= matrix[row, band + k - row] * potential[k]
        potential[row] = total / matrix[row, band]
    for row in range(count - 1, -1, -1):
        potential[row] /= matrix[row, band]
        for k in range(max(0, row - band), row):
            potential[k] -= matrix[row, band + k - row] * potential[row]
    return 0


@kernel("f8(i8[::1], i8[::1], i8, i8[::1], f8[:,::1], f8[::1], f8[::1])")
def conduct(tables, state, color, places, matrix, potential, energy):
    """Return the conductance of a colour's circuit, and write each cell's part of it.

    ``places`` is the order of the cells in the equations, ``potential`` gets their solution.
    """
    cells = tables[CELLS]
    degree = tables[DEGREE]
    set_up(tables, state, color, places, matrix, potential)
    solve(matrix, potential)
    total = 0.0
    for cell in range(cells):
        energy[cell] = 0.0
        here = resistance(tables, state, color, cell)
        if here < 0.0:
            continue
        for i in range(cell * degree, (cell + 1) * degree):
            near = tables[tables[NEIGHBOURS] + i]
            if near < 0:
                continue
            there = resistance(tables, state, color, near)
            if there < 0.0:
                continue
            drop = -potential[places[cell]]
            if color == 1:
                drop += tables[tables[WINDINGS] + i]
            if near < cells:
                drop += potential[places[near]]
            elif color == 0 and near == tables[SOURCE]:
                drop += 1.0
            # A step's energy is divided between its two cells by their resistances.
            energy[cell] += drop * drop * here / ((here + there) * (here + there))
        total += energy[cell]
    return total
