"""Estimates of positions where random games are no evaluation.

Random rods hardly ever connect, so Antipalos is evaluated by the rods that each colour needs: a
shortest path between opposite borders over the grid points, where an own rod costs nothing, a rod
to be placed costs one, and a square with any other rod cannot be crossed.
"""

from __future__ import annotations

from antipodes.games.kernels.antipalos import COLORS, MAIL, SIZE
from antipodes.games.kernels.header import COLOR, HEADER, PHASE
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.exponentials import exp

FAR = 1000  # rods needed if no path is left
STEEPNESS = 0.9  # log odds of one rod less; fitted to games between the levels


@kernel("i8(i8[::1], i8[::1], i8, i8, i8, i8, i8)")
def crossing_cost(tables, state, color, x, y, dx, dy):
    """Return the cost of a step between grid points: 0 own rod, 1 empty square, else FAR."""
    size = tables[SIZE]
    column = x if dx > 0 else x - 1
    row = y if dy > 0 else y - 1
    if column < 0 or row < 0 or column >= size or row >= size:
        return FAR
    rod = state[HEADER + row * size + column]
    if rod == 0:
        return 1
    diagonal = 0 if dx == dy else 1
    return 0 if rod == 1 + 2 * color + diagonal else FAR


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8)")
def rods_needed(tables, state, work, color, across):
    """Return the rods that a colour needs to join bottom and top, or with ``across`` the sides.

    The work array holds for each grid point 1 + its distance, then two queues: the points at the
    current distance and those at the next one. All of it is zero at the end.
    """
    points = tables[SIZE] + 1
    count = points * points
    # Steps cost 0 or 1, so two queues do for Dijkstra's algorithm.
    near = count
    far = 3 * count
    near_end = 0
    for i in range(points):
        point = i * points if across == 1 else i
        work[point] = 1
        work[near + near_end] = point
        near_end += 1
    needed = 0
    answer = FAR
    while near_end > 0 and answer == FAR:
        far_end = 0
        begin = 0
        while begin < near_end and answer == FAR:
            point = work[near + begin]
            begin += 1
            x = point % points
            y = point // points
            if work[point] != 1 + needed:
                continue
            if (x if across == 1 else y) == points - 1:
                answer = needed
                break
            for i in range(4):
                dx = 1 - 2 * (i & 1)
                dy = 1 - (i & 2)
                cost = crossing_cost(tables, state, color, x, y, dx, dy)
                if cost == FAR:
                    continue
                there = point + dy * points + dx
                if work[there] == 0 or work[there] > 1 + needed + cost:
                    work[there] = 1 + needed + cost
                    if cost == 0:
                        work[near + near_end] = there
                        near_end += 1
                    else:
                        work[far + far_end] = there
                        far_end += 1
        near, far = far, near
        near_end = far_end
        needed += 1
    for i in range(5 * count):
        work[i] = 0
    return answer


@kernel("i8(i8[::1], i8[::1], i8[::1], f8[::1])")
def estimate_antipalos(tables, state, work, rewards):
    """Write each colour's win probability from the rods that all colours need."""
    colors = tables[COLORS]
    total = 0.0
    for color in range(colors):
        upright = FAR
        across = FAR
        if tables[MAIL] == 0 or color == 0:
            upright = rods_needed(tables, state, work, color, 0)
        if tables[MAIL] == 0 or color == 1:
            across = rods_needed(tables, state, work, color, 1)
        best = min(upright, across)
        other = max(upright, across)
        # The second direction counts a little, since a double option is a threat.
        distance = min(best, 40) + 0.1 * min(other, 40)
        if color == state[COLOR]:
            distance -= 0.5
        if state[PHASE] == 1:
            # A moved rod leaves a gap, so distances mean less.
            distance *= 0.8
        rewards[color] = exp(-STEEPNESS * distance)
        total += rewards[color]
    for color in range(colors):
        rewards[color] /= total
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], f8[::1])")
def no_estimate(tables, state, work, rewards):
    """Do nothing: leaves are evaluated by random games."""
    return 0
