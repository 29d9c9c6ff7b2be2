"""Inputs of the neural network: what it sees of a position of a placement game, cell by cell.

A position is seen by the colour to move: first its own stones, borders and distances, then those of
the opponent. A distance is the number of stones that a colour still needs between a cell and one of
its two goals, through its own stones and empty cells.
"""

from __future__ import annotations

from antipodes.games.kernels.header import COLOR, HEADER
from antipodes.games.kernels.placement import (
    CELLS,
    DEGREE,
    NEIGHBOURS,
    SOURCE,
    TARGET,
    WINDINGS,
)
from antipodes.games.kernels.registry import kernel

# Planes of the inputs; those of the opponent follow those of the colour to move.
STONES = 0
BORDERS = 2
DISTANCES = 4  # two goals of each colour
PLANES = 8

GOALS = 4  # rows: two goals of each colour
ROOM = 3  # numbers of the work array for each cell

FAR = 20  # stones; also the distance of cells without a way to the goal
UNIT = 0.125  # input of a stone


@kernel("i8(i8[::1], i8[:,::1])")
def write_goals(tables, goals):
    """Mark the cells next to the goals: a row for each of Black's two goals and of White's.

    Black's are two nodes. In Hex one node is behind both of White's borders, and the winding of the
    step tells them apart. A ring has no goals.
    """
    degree = tables[DEGREE]
    for cell in range(tables[CELLS]):
        for i in range(cell * degree, (cell + 1) * degree):
            node = tables[tables[NEIGHBOURS] + i]
            if node < 0:
                continue
            if node == tables[SOURCE]:
                goals[0, cell] = 1
            elif node == tables[TARGET]:
                goals[1, cell] = 1
            elif node >= tables[CELLS]:
                goals[3 if tables[tables[WINDINGS] + i] != 0 else 2, cell] = 1
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[:,::1], i8, i8)")
def write_distances(tables, state, work, goals, color, goal):
    """Write the distance of each cell from a goal of a colour to the start of the work array.

    The rest of the work array holds two queues of cells: those at a distance, and the next.
    """
    cells = tables[CELLS]
    degree = tables[DEGREE]
    neighbours = tables[NEIGHBOURS]
    near = cells
    far = 2 * cells
    near_end = 0
    far_end = 0
    for cell in range(cells):
        work[cell] = FAR
        if goals[2 * color + goal, cell] == 1:
            owner = state[HEADER + cell]
            if owner == 0:
                work[cell] = 1
                work[far + far_end] = cell
                far_end += 1
            elif owner == 1 + color:
                work[cell] = 0
                work[near + near_end] = cell
                near_end += 1
    distance = 0
    while near_end + far_end > 0 and distance < FAR:
        begin = 0
        while begin < near_end:
            cell = work[near + begin]
            begin += 1
            for i in range(neighbours + cell * degree, neighbours + (cell + 1) * degree):
                there = tables[i]
                if there < 0 or there >= cells or work[there] <= distance:
                    continue
                owner = state[HEADER + there]
                if owner == 1 + color:
                    work[there] = distance
                    work[near + near_end] = there
                    near_end += 1
                elif owner == 0 and work[there] > distance + 1:
                    work[there] = distance + 1
                    work[far + far_end] = there
                    far_end += 1
        near, far = far, near
        near_end = far_end
        far_end = 0
        distance += 1
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[:,::1], i8[::1], f4[:,::1])")
def write_inputs(tables, state, work, goals, frame, planes):
    """Write the inputs of a position; ``frame`` has the column of each cell in ``planes``.

    The work array has three numbers for each cell.
    """
    cells = tables[CELLS]
    mover = state[COLOR]
    for cell in range(cells):
        place = frame[cell]
        owner = state[HEADER + cell]
        planes[STONES, place] = 1.0 if owner == 1 + mover else 0.0
        planes[STONES + 1, place] = 1.0 if owner == 2 - mover else 0.0
    for side in range(2):
        color = mover if side == 0 else 1 - mover
        for cell in range(cells):
            planes[BORDERS + side, frame[cell]] = (
                goals[2 * color, cell] | goals[2 * color + 1, cell]
            )
        for goal in range(2):
            write_distances(tables, state, work, goals, color, goal)
            plane = DISTANCES + 2 * side + goal
            for cell in range(cells):
                planes[plane, frame[cell]] = work[cell] * UNIT
    return 0


@kernel("i8(i1[:,::1], i8[::1], i8[::1], i8[::1], i8[:,::1], i8[::1], f4[:,:,::1])")
def write_samples(cells, tables, state, work, goals, frame, inputs):
    """Write the inputs of positions with Black to move, given by the owners of their cells."""
    for sample in range(len(cells)):
        for cell in range(cells.shape[1]):
            state[HEADER + cell] = cells[sample, cell]
        write_inputs(tables, state, work, goals, frame, inputs[sample])
    return 0
