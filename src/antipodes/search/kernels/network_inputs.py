"""Inputs of the neural network: what it sees of a position of a placement game, cell by cell.

A position is seen by the colour to move: first its own stones, borders and distances, then those of
the opponent. A distance is the number of stones that a colour still needs between a cell and one of
its two goals, through its own stones and empty cells. For a colour without goals, which has to
close a ring, it is half the number of stones that the shortest ring through the cell still needs
besides the cell; so for every colour the two distances say how long its best way through the cell
is.
"""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.header import COLOR, HEADER
from antipodes.games.kernels.placement import (
    CELLS,
    DEGREE,
    NEIGHBOURS,
    SOURCE,
    TARGET,
    WINDINGS,
)
from antipodes.games.kernels.registry import F4_3, I8, I8_2, kernel

# Planes of the inputs; those of the opponent follow those of the colour to move.
STONES = 0
BORDERS = 2
DISTANCES = 4  # two goals of each colour
PLANES = 8

GOALS = 4  # rows: two goals of each colour
ROOM = 13  # numbers of the work array for each cell

FAR = 20  # stones; also the distance of cells without a way to the goal
UNIT = 0.125  # input of a stone

# The board is unrolled for rings: a cell has a number for each of its levels, which are 0 before
# the seam, 1 and 2 behind it.
LEVELS = 3
DETACHED = 3  # stones that the two parts of a ring may count more than the ring
DETOUR = 4  # stones that a ring may need more than the shortest one; longer ones count as FAR


class Inputs(NamedTuple):
    """The planes of some positions, and what :func:`write_inputs` needs to write them.

    ``frames`` has a row for each colour to move.
    """

    scratch: I8
    goals: I8_2
    frames: I8_2
    planes: F4_3


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


@kernel("i8(i8[:,::1], i8)")
def has_goals(goals, color):
    """Return whether a colour joins two goals; otherwise it closes a ring."""
    for cell in range(goals.shape[1]):
        if goals[2 * color, cell] == 1:
            return 1
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8)")
def next_downhill(tables, state, work, cell, distance):
    """Return an empty neighbour at a distance, otherwise a stone of Black there; -1 for none."""
    degree = tables[DEGREE]
    downhill = -1
    for i in range(cell * degree, (cell + 1) * degree):
        there = tables[tables[NEIGHBOURS] + i]
        if 0 <= there < tables[CELLS] and work[there] == distance:
            owner = state[HEADER + there]
            if owner == 0:
                return there
            if owner == 1:
                downhill = there
    return downhill


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8, i8)")
def leave_chain(tables, state, work, cell, seen, stack):
    """Return an empty cell beside a chain of Black, at the same distance.

    The distances are at the start of the work array; ``seen`` and ``stack`` are places in it.
    """
    cells = tables[CELLS]
    degree = tables[DEGREE]
    for i in range(cells):
        work[seen + i] = 0
    work[seen + cell] = 1
    work[stack] = cell
    size = 1
    while size > 0:
        size -= 1
        here = work[stack + size]
        for i in range(here * degree, (here + 1) * degree):
            there = tables[tables[NEIGHBOURS] + i]
            if not 0 <= there < cells or work[there] != work[cell] or work[seen + there] == 1:
                continue
            owner = state[HEADER + there]
            if owner == 0:
                return there
            if owner == 1:
                work[seen + there] = 1
                work[stack + size] = there
                size += 1
    return -1


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[:,::1])")
def write_crossings(tables, state, work, goals):
    """Write the empty cells of a shortest way of Black between its goals; return how many.

    Every ring of White has one of them. They follow the three arrays of distances and queues.
    """
    cells = tables[CELLS]
    write_distances(tables, state, work, goals, 0, 0)
    cell = -1
    for there in range(cells):
        is_nearer = cell < 0 or work[there] < work[cell]
        if goals[1, there] == 1 and work[there] < FAR and is_nearer:
            cell = there
    count = 0
    while cell >= 0:
        if state[HEADER + cell] == 0:
            work[3 * cells + count] = cell
            count += 1
            if work[cell] == 1 and goals[0, cell] == 1:
                break
            cell = next_downhill(tables, state, work, cell, work[cell] - 1)
        elif work[cell] > 0:
            cell = leave_chain(tables, state, work, cell, cells, 2 * cells)
        else:
            break
    return count


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8, i8)")
def write_unrolled(tables, state, work, first, start, limit):
    """Write White's distances from an empty cell on the unrolled board.

    They begin at ``first`` in the work array, level by level; two queues follow. The stones at both
    ends count. Cells through which no ring with up to ``limit`` stones leads may be left out.
    """
    cells = tables[CELLS]
    degree = tables[DEGREE]
    neighbours = tables[NEIGHBOURS]
    windings = tables[WINDINGS]
    room = LEVELS * cells
    for i in range(room):
        work[first + i] = FAR
    near = first + room
    far = near + room
    work[first + cells + start] = 1
    work[near] = cells + start
    near_end = 1
    far_end = 0
    distance = 1
    while near_end > 0 and distance <= limit:
        begin = 0
        while begin < near_end:
            here = work[near + begin]
            begin += 1
            if work[first + here] < distance:
                continue
            cell = here
            while cell >= cells:
                cell -= cells
            if 2 * distance > limit + DETACHED:
                # The way back to the start, on another level, is known if it is short enough.
                back = FAR
                if here >= cells:
                    back = work[first + here - cells]
                if here + cells < room:
                    back = min(back, work[first + here + cells])
                if distance + back > limit + DETACHED:
                    continue
            for i in range(cell * degree, (cell + 1) * degree):
                node = tables[neighbours + i]
                if not 0 <= node < cells or state[HEADER + node] == 1:
                    continue
                there = here - cell + tables[windings + i] * cells + node
                if not 0 <= there < room:
                    continue
                owner = state[HEADER + node]
                if owner == 2 and work[first + there] > distance:
                    work[first + there] = distance
                    work[near + near_end] = there
                    near_end += 1
                elif owner == 0 and work[first + there] > distance + 1:
                    work[first + there] = distance + 1
                    work[far + far_end] = there
                    far_end += 1
        near, far = far, near
        near_end = far_end
        far_end = 0
        distance += 1
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[:,::1])")
def write_rings(tables, state, work, goals):
    """Write for each cell the stones that the shortest ring of White through it still needs.

    They come to the start of the work array. On the unrolled board a ring through two cells is a
    way from one to the other, and on from there to the first one a level higher.
    """
    cells = tables[CELLS]
    count = write_crossings(tables, state, work, goals)
    first = 4 * cells
    for cell in range(cells):
        work[cell] = FAR
    shortest = FAR
    for number in range(count):
        limit = min(FAR, shortest + DETOUR)
        write_unrolled(tables, state, work, first, work[3 * cells + number], limit)
        for cell in range(cells):
            owner = state[HEADER + cell]
            if owner == 1:
                continue
            shared = 2 if owner == 0 else 1
            for level in range(LEVELS - 1):
                below = first + level * cells + cell
                ring = work[below] + work[below + cells] - shared
                work[cell] = min(work[cell], ring)
                shortest = min(shortest, ring)
    for cell in range(cells):
        if work[cell] > shortest + DETOUR:
            work[cell] = FAR
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[:,::1], i8[::1], f4[:,::1])")
def write_inputs(tables, state, work, goals, frame, planes):
    """Write the inputs of a position; ``frame`` has the column of each cell in ``planes``.

    The work array has ``ROOM`` numbers for each cell.
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
        plane = DISTANCES + 2 * side
        if has_goals(goals, color) == 0:
            write_rings(tables, state, work, goals)
            for cell in range(cells):
                own = 1 if state[HEADER + cell] == 0 else 0
                half = 1.0 * FAR if work[cell] >= FAR else 0.5 * (work[cell] + own)
                planes[plane, frame[cell]] = half * UNIT
                planes[plane + 1, frame[cell]] = half * UNIT
            continue
        for goal in range(2):
            write_distances(tables, state, work, goals, color, goal)
            for cell in range(cells):
                planes[plane + goal, frame[cell]] = work[cell] * UNIT
    return 0


@kernel("i8(i1[:,::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[:,::1], i8[::1], f4[:,:,::1])")
def write_samples(cells, colors, tables, state, work, goals, frame, inputs):
    """Write the inputs of positions, given by the owners of their cells and the colours to move."""
    for sample in range(len(cells)):
        for cell in range(cells.shape[1]):
            state[HEADER + cell] = cells[sample, cell]
        state[COLOR] = colors[sample]
        write_inputs(tables, state, work, goals, frame, inputs[sample])
    return 0
