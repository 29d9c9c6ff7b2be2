r"""Electrical circuits of Antipalos: how well each colour connects opposite borders.

The coordinates of the two grid points of a rod both have even sums, or both have odd sums: so the
diagonals form two lattices that never touch. For each colour a free diagonal has conductance 1, an
own rod conducts almost perfectly, and squares with other rods do not conduct. With one volt between
opposite borders the current measures how many paths there are and how short they
are (Shannon's machine for the switching game, in Gardner's Mathematical Games of October 1958;
Anshelevich 2002 for Hex), and the drop of voltage across a diagonal how much hangs on it.

Each colour has four circuits, the *lanes*: the even lattice between bottom and top, the odd one,
and the same two between left and right. They are solved side by side, the points in rising rows, by
:mod:`antipodes.search.kernels.banded`.

Two chains that free diagonals of two squares join are virtually connected, since the opponent can
take only one of them: such diagonals may conduct better than others (as virtual connections do in
Anshelevich's circuits for Hex).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels.antipalos import SIZE
from antipodes.games.kernels.header import HEADER
from antipodes.games.kernels.registry import F8, F8_2, I8, Float, Int, kernel
from antipodes.search.kernels.banded import LANES, eliminate, inverse_room, invert, matrix_room

Floats = npt.NDArray[np.float64]

ACROSS = 2  # added to a lattice's lane: between left and right
WIRE = 1000.0  # what an own rod conducts
_LEAK = 1e-7  # keeps points without any rod solvable
_FIXED = 1e12  # on the diagonal of a border point: whatever flows there, its voltage stays


class Circuits(NamedTuple):
    """The circuits of all colours.

    In row ``color * squares + square`` and column ``lane``, for the diagonal of a square that
    belongs to the lane's lattice: ``conductances`` has what it conducts, ``drops`` the voltage
    across it, ``ties`` the resistance of the whole circuit between its ends. ``currents[color,
    lane]`` is the current of one volt, and ``standings`` has a number for each colour, see
    :mod:`antipodes.search.kernels.antipalos_evaluation`.
    """

    conductances: F8_2
    drops: F8_2
    ties: F8_2
    currents: F8_2
    standings: F8


class Scratch(NamedTuple):
    """The arrays in which the circuits of a board are solved."""

    chains: I8
    pairs: I8
    band: F8
    volts: F8
    near: F8


def circuits(size: int, colors: int) -> Circuits:
    """Return the arrays for the circuits of a board."""
    conductances, drops, ties = np.zeros((3, colors * size * size, LANES))
    return Circuits(
        conductances=conductances,
        drops=drops,
        ties=ties,
        currents=np.zeros((colors, LANES)),
        standings=np.zeros(colors),
    )


def scratch(size: int) -> Scratch:
    """Return the scratch for the circuits of a board."""
    points, width = points_a_lattice(size), band_width(size)
    return Scratch(
        chains=np.zeros((size + 1) ** 2, np.int64),
        pairs=np.zeros((size + 1) ** 4 + 2 * size * size, np.int64),
        band=np.zeros(matrix_room(points, width)),
        volts=np.zeros(LANES * (points + width)),
        near=np.zeros(inverse_room(points, width)),
    )


@kernel("i8(i8)")
def points_a_lattice(size: int) -> int:
    """Return the number of points of the larger lattice of a board."""
    return ((size + 1) * (size + 1) + 1) // 2


@kernel("i8(i8)")
def band_width(size: int) -> int:
    """Return the largest distance between the indices of a rod's two points in a lattice."""
    return (size + 1) // 2 + 1


@kernel("f8(i8, i8)")
def border_voltage(coordinate, size):
    """Return the voltage of a point by its coordinate between the borders; -1 if it is free."""
    if coordinate == 0:
        return 0.0
    return 1.0 if coordinate == size else -1.0


@kernel("i8(f8[::1], f8[::1], i8, i8, i8, i8, f8, f8, f8)")
def join(band, volts, rows, lane, low, high, conductance, low_fixed, high_fixed):
    """Add a diagonal between two points of a lane; a fixed voltage is given, a free one is -1."""
    if low_fixed < 0.0:
        band[LANES * low * rows + lane] += conductance
        if high_fixed >= 0.0:
            volts[LANES * low + lane] += conductance * high_fixed
    if high_fixed < 0.0:
        band[LANES * high * rows + lane] += conductance
        if low_fixed >= 0.0:
            volts[LANES * high + lane] += conductance * low_fixed
        else:
            band[LANES * (low * rows + high - low) + lane] -= conductance
    return 0


@kernel("i8(f8[::1], i8, i8, i8, i8, f8, f8)")
def join_free(band, rows, lane, low, high, upright, across):
    """Add a diagonal between two points that are free in a lattice's both lanes."""
    at = LANES * low * rows + lane
    band[at] += upright
    band[at + ACROSS] += across
    between = at + LANES * (high - low)
    band[between] -= upright
    band[between + ACROSS] -= across
    at = LANES * high * rows + lane
    band[at] += upright
    band[at + ACROSS] += across
    return 0


@kernel("i8(i8[::1], i8)")
def chain_of(chains, point):
    """Return the point that stands for the chain through a grid point."""
    while chains[point] != point:
        # Path halving (Tarjan and van Leeuwen 1984) keeps the ways short for later calls.
        chains[point] = chains[chains[point]]
        point = chains[point]
    return point


@kernel("i8(i8[::1], i8[::1], i8, i8, i8[::1])")
def find_chains(tables, state, color, across, chains):
    """Join the grid points of each chain of a colour, and of each border of a pair of lanes.

    Points that no rod touches are chains of their own. The lattices stay apart.
    """
    size = tables[SIZE]
    rows = size + 1
    for point in range(rows * rows):
        chains[point] = point
    step = rows if across == 1 else 1
    beyond = size if across == 1 else size * rows
    for i in range(2, rows):
        chains[i * step] = (i & 1) * step
        chains[beyond + i * step] = beyond + (i & 1) * step
    own = 1 + 2 * color
    for y in range(size):
        for x in range(size):
            diagonal = state[HEADER + y * size + x] - own
            if diagonal in (0, 1):
                low = chain_of(chains, y * rows + x + diagonal)
                high = chain_of(chains, (y + 1) * rows + x + 1 - diagonal)
                chains[high] = low
    return 0


@kernel("i8(i8[::1], i8[::1], i8, i8, i8[::1], i8[::1])")
def count_pairs(tables, state, color, across, chains, pairs):
    """Count the free diagonals that join two chains, for each two chains that some join.

    In ``pairs`` the counts come first, then for each diagonal (``2 * square`` or one more) the
    index of the count of its two chains, or -1 if it is not free.
    """
    size = tables[SIZE]
    points = (size + 1) * (size + 1)
    place = points * points
    find_chains(tables, state, color, across, chains)
    for y in range(size):
        for x in range(size):
            empty = state[HEADER + y * size + x] == 0
            for diagonal in range(2):
                pairs[place] = -1
                if empty:
                    chain = chain_of(chains, y * (size + 1) + x + diagonal)
                    other = chain_of(chains, (y + 1) * (size + 1) + x + 1 - diagonal)
                    pair = min(chain, other) * points + max(chain, other)
                    pairs[place] = pair
                    pairs[pair] += 1
                place += 1
    return 0


@kernel("i8(i8[::1], i8[::1], i8, f8, i8[::1], i8[::1], f8[:,::1])")
def lay_diagonals(tables, state, color, paired, chains, pairs, conductances):
    """Write what each diagonal of a colour conducts, see :func:`measure`.

    ``paired`` is for free diagonals of two squares that join the same chains. The counts of
    ``pairs`` are zeros before and after.
    """
    size = tables[SIZE]
    squares = size * size
    own = 1 + 2 * color
    for square in range(squares):
        rod = state[HEADER + square]
        row = color * squares + square
        even = 1.0 if rod == 0 else 0.0
        odd = even
        if rod == own or rod == own + 1:
            if (square % size + square // size + rod - own) & 1 == 0:
                even = WIRE
            else:
                odd = WIRE
        for across in range(0, LANES, ACROSS):
            conductances[row, across] = even
            conductances[row, across + 1] = odd
    if paired == 1.0:
        return 0
    first = (size + 1) ** 4
    for across in range(2):
        count_pairs(tables, state, color, across, chains, pairs)
        for place in range(first, first + 2 * squares):
            pair = pairs[place]
            if pair >= 0 and pairs[pair] > 1:
                square = (place - first) // 2
                diagonal = (place - first) & 1
                lattice = (square % size + square // size + diagonal) & 1
                conductances[color * squares + square, ACROSS * across + lattice] = paired
        for place in range(first, first + 2 * squares):
            if pairs[place] >= 0:
                pairs[pairs[place]] = 0
    return 0


@kernel("i8(i8[::1], i8, f8[:,::1], f8[::1], f8[::1])")
def lay_circuit(tables, color, conductances, band, volts):
    """Write the equations of a colour's four circuits: their matrices and right sides."""
    size = tables[SIZE]
    width = band_width(size)
    rows = width + 1
    points = points_a_lattice(size)
    band[:] = 0.0
    volts[:] = 0.0
    for i in range(points + width):
        for lane in range(LANES):
            band[LANES * i * rows + lane] = _LEAK if i < points else 1.0
    for i in range(size + 1):
        band[LANES * (i >> 1) * rows + (i & 1)] = _FIXED
        band[LANES * ((size * (size + 1) + i) >> 1) * rows + ((size + i) & 1)] = _FIXED
        band[LANES * ((i * (size + 1)) >> 1) * rows + (i & 1) + ACROSS] = _FIXED
        band[LANES * ((i * (size + 1) + size) >> 1) * rows + ((i + size) & 1) + ACROSS] = _FIXED
    for y in range(size):
        bottom = border_voltage(y, size)
        top = border_voltage(y + 1, size)
        inner_row = bottom < 0.0 and top < 0.0
        for x in range(size):
            row = (color * size + y) * size + x
            for diagonal in range(2):
                # "/" rises to the right from (x, y), the other falls to the right to (x + 1, y).
                lane = (x + y + diagonal) & 1
                upright = conductances[row, lane]
                across = conductances[row, lane + ACROSS]
                if upright == 0.0:
                    continue
                low = (y * (size + 1) + x + diagonal) >> 1
                high = ((y + 1) * (size + 1) + x + 1 - diagonal) >> 1
                if inner_row and 0 < x < size - 1:
                    join_free(band, rows, lane, low, high, upright, across)
                    continue
                left = border_voltage(x + diagonal, size)
                right = border_voltage(x + 1 - diagonal, size)
                join(band, volts, rows, lane, low, high, upright, bottom, top)
                join(band, volts, rows, lane + ACROSS, low, high, across, left, right)
    return 0


@kernel("i8(i8[::1], f8[::1])")
def fix_borders(tables, volts):
    """Write the voltages of the border points, which the equations take as given."""
    size = tables[SIZE]
    for i in range(size + 1):
        volts[LANES * (i >> 1) + (i & 1)] = 0.0
        volts[LANES * ((size * (size + 1) + i) >> 1) + ((size + i) & 1)] = 1.0
        volts[LANES * ((i * (size + 1)) >> 1) + (i & 1) + ACROSS] = 0.0
        volts[LANES * ((i * (size + 1) + size) >> 1) + ((i + size) & 1) + ACROSS] = 1.0
    return 0


@kernel()
def measure(
    tables: I8, state: I8, color: Int, paired: Float, scratch: Scratch, circuits: Circuits
) -> Int:
    """Solve a colour's circuits; ``paired`` as in :func:`lay_diagonals`."""
    band = scratch.band
    volts = scratch.volts
    near = scratch.near
    conductances = circuits.conductances
    currents = circuits.currents
    size = tables[SIZE]
    squares = size * size
    width = band_width(size)
    full = 2 * width + 1
    lay_diagonals(tables, state, color, paired, scratch.chains, scratch.pairs, conductances)
    lay_circuit(tables, color, conductances, band, volts)
    eliminate(points_a_lattice(size), width, band, volts)
    invert(points_a_lattice(size), width, band, near)
    fix_borders(tables, volts)
    for lane in range(LANES):
        currents[color, lane] = 0.0
    for y in range(size):
        for x in range(size):
            row = color * squares + y * size + x
            for diagonal in range(2):
                low = (y * (size + 1) + x + diagonal) >> 1
                high = ((y + 1) * (size + 1) + x + 1 - diagonal) >> 1
                for lane in range((x + y + diagonal) & 1, LANES, ACROSS):
                    drop = volts[LANES * high + lane] - volts[LANES * low + lane]
                    circuits.drops[row, lane] = drop
                    # The resistance between two points of a network with the inverse G of its
                    # matrix is G_aa + G_bb - 2 G_ab.
                    own = LANES * (low * full + width) + lane
                    tie = near[own] + near[LANES * (high * full + width) + lane]
                    circuits.ties[row, lane] = tie - 2.0 * near[own + LANES * (high - low)]
                    # At one volt, power and current are equal.
                    currents[color, lane] += conductances[row, lane] * drop * drop
    return 0


@kernel("f8(f8, f8, f8, f8)")
def changed(current, drop, tie, change):
    """Return the current after the conductance of one diagonal has changed.

    Exact (Sherman and Morrison 1950): the change acts through the resistance of the circuit between
    the ends of the diagonal.
    """
    # If the only path is cut, the divisor is 0 except for rounding.
    return max(current + change * drop * drop / max(1.0 + change * tie, 1e-9), 0.0)
