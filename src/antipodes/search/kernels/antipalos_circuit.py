r"""Electrical circuits of Antipalos: how well each colour connects opposite borders.

The coordinates of the two grid points of a rod both have even sums, or both have odd sums: so the
diagonals form two lattices that never touch. For each colour a free diagonal has conductance 1, an
own rod conducts almost perfectly, and squares with other rods do not conduct. With one volt between
opposite borders the current measures how many paths there are and how short they
are (Shannon's machine for the switching game, in Gardner's Mathematical Games of October 1958;
Anshelevich 2002 for Hex), and the drop of voltage across a diagonal how much hangs on it.

Each colour has four circuits, the *lanes*: the even lattice between bottom and top, the odd one,
and the same two between left and right. They are solved side by side as four columns, which the
compiler turns into one vector: a banded LDL' elimination, the points in rising rows.

Two chains that free diagonals of two squares join are virtually connected, since the opponent can
take only one of them: such diagonals may conduct better than others (as virtual connections do in
Anshelevich's circuits for Hex).
"""

from __future__ import annotations

from antipodes.games.kernels.antipalos import SIZE
from antipodes.games.kernels.header import HEADER
from antipodes.games.kernels.registry import kernel

LANES = 4
ACROSS = 2  # added to a lattice's lane: between left and right
WIRE = 1000.0  # what an own rod conducts
_LEAK = 1e-7  # keeps points without any rod solvable
_FIXED = 1e12  # on the diagonal of a border point: whatever flows there, its voltage stays


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


@kernel("i8(f8[:,::1], f8[:,::1], i8, i8, i8, i8, f8, f8, f8)")
def join(band, volts, rows, lane, low, high, conductance, low_fixed, high_fixed):
    """Add a diagonal between two points of a lane; a fixed voltage is given, a free one is -1."""
    if low_fixed < 0.0:
        band[low * rows, lane] += conductance
        if high_fixed >= 0.0:
            volts[low, lane] += conductance * high_fixed
    if high_fixed < 0.0:
        band[high * rows, lane] += conductance
        if low_fixed >= 0.0:
            volts[high, lane] += conductance * low_fixed
        else:
            band[high * rows + high - low, lane] -= conductance
    return 0


@kernel("i8(f8[:,::1], i8, i8, i8, i8, f8, f8)")
def join_free(band, rows, lane, low, high, upright, across):
    """Add a diagonal between two points that are free in a lattice's both lanes."""
    band[low * rows, lane] += upright
    band[low * rows, lane + ACROSS] += across
    band[high * rows, lane] += upright
    band[high * rows, lane + ACROSS] += across
    band[high * rows + high - low, lane] -= upright
    band[high * rows + high - low, lane + ACROSS] -= across
    return 0


@kernel("i8(i8[::1], i8)")
def chain_of(chains, point):
    """Return the point that stands for the chain through a grid point."""
    while chains[point] != point:
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


@kernel("i8(i8[::1], i8[::1], i8, f8, i8[::1], i8[::1], f8[:,::1])")
def lay_diagonals(tables, state, color, paired, chains, pairs, conductances):
    """Write what each diagonal of a colour conducts, see :func:`measure`.

    ``paired`` is for free diagonals of two squares that join the same chains. ``pairs`` is scratch,
    all zeros before and after.
    """
    size = tables[SIZE]
    squares = size * size
    points = (size + 1) * (size + 1)
    own = 1 + 2 * color
    for square in range(squares):
        rod = state[HEADER + square]
        corner = (square % size + square // size) & 1
        for lane in range(LANES):
            diagonal = corner ^ (lane % ACROSS)
            conductance = 0.0
            if rod == 0:
                conductance = 1.0
            elif rod == own + diagonal:
                conductance = WIRE
            conductances[color * squares + square, lane] = conductance
    if paired == 1.0:
        return 0
    for across in range(2):
        find_chains(tables, state, color, across, chains)
        for step in range(3):  # count the squares that join two chains, use the counts, clear them
            for square in range(squares):
                if state[HEADER + square] != 0:
                    continue
                x = square % size
                y = square // size
                for diagonal in range(2):
                    one = chain_of(chains, y * (size + 1) + x + diagonal)
                    other = chain_of(chains, (y + 1) * (size + 1) + x + 1 - diagonal)
                    pair = min(one, other) * points + max(one, other)
                    if step == 0:
                        pairs[pair] += 1
                    elif step == 2:
                        pairs[pair] = 0
                    elif pairs[pair] > 1:
                        lane = ACROSS * across + (((x + y) & 1) ^ diagonal)
                        conductances[color * squares + square, lane] = paired
    return 0


@kernel("i8(i8[::1], i8, f8[:,::1], f8[:,::1], f8[:,::1])")
def lay_circuit(tables, color, conductances, band, volts):
    """Write the equations of a colour's four circuits: their matrices and right sides."""
    size = tables[SIZE]
    rows = band_width(size) + 1
    band[:] = 0.0
    volts[:] = 0.0
    for i in range(points_a_lattice(size)):
        for lane in range(LANES):
            band[i * rows, lane] = _LEAK
    for i in range(size + 1):
        band[(i >> 1) * rows, i & 1] = _FIXED
        band[((size * (size + 1) + i) >> 1) * rows, (size + i) & 1] = _FIXED
        band[((i * (size + 1)) >> 1) * rows, (i & 1) + ACROSS] = _FIXED
        band[((i * (size + 1) + size) >> 1) * rows, ((i + size) & 1) + ACROSS] = _FIXED
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


@kernel("i8(i8[::1], f8[:,::1])")
def fix_borders(tables, volts):
    """Write the voltages of the border points, which the equations take as given."""
    size = tables[SIZE]
    for i in range(size + 1):
        volts[i >> 1, i & 1] = 0.0
        volts[(size * (size + 1) + i) >> 1, (size + i) & 1] = 1.0
        volts[(i * (size + 1)) >> 1, (i & 1) + ACROSS] = 0.0
        volts[(i * (size + 1) + size) >> 1, ((i + size) & 1) + ACROSS] = 1.0
    return 0


@kernel("i8(i8, i8, f8[:,::1], f8[:,::1])")
def eliminate(points, width, band, volts):
    """Solve the equations of all four lanes in place; ``volts`` becomes the voltages.

    All four columns are read before one is written, so that they fit one vector instruction.
    """
    rows = width + 1
    for j in range(points):
        pivot = j * rows
        p0 = 1.0 / band[pivot, 0]
        p1 = 1.0 / band[pivot, 1]
        p2 = 1.0 / band[pivot, 2]
        p3 = 1.0 / band[pivot, 3]
        last = min(j + width, points - 1)
        for i in range(j + 1, last + 1):
            at = i * rows + i - j
            f0 = band[at, 0] * p0
            f1 = band[at, 1] * p1
            f2 = band[at, 2] * p2
            f3 = band[at, 3] * p3
            for k in range(j + 1, i + 1):
                to = i * rows + i - k
                by = k * rows + k - j
                a0 = band[to, 0] - f0 * band[by, 0]
                a1 = band[to, 1] - f1 * band[by, 1]
                a2 = band[to, 2] - f2 * band[by, 2]
                a3 = band[to, 3] - f3 * band[by, 3]
                band[to, 0] = a0
                band[to, 1] = a1
                band[to, 2] = a2
                band[to, 3] = a3
            v0 = volts[i, 0] - f0 * volts[j, 0]
            v1 = volts[i, 1] - f1 * volts[j, 1]
            v2 = volts[i, 2] - f2 * volts[j, 2]
            v3 = volts[i, 3] - f3 * volts[j, 3]
            volts[i, 0] = v0
            volts[i, 1] = v1
            volts[i, 2] = v2
            volts[i, 3] = v3
    for step in range(points):
        j = points - 1 - step
        s0 = volts[j, 0]
        s1 = volts[j, 1]
        s2 = volts[j, 2]
        s3 = volts[j, 3]
        for i in range(j + 1, min(j + width, points - 1) + 1):
            at = i * rows + i - j
            s0 -= band[at, 0] * volts[i, 0]
            s1 -= band[at, 1] * volts[i, 1]
            s2 -= band[at, 2] * volts[i, 2]
            s3 -= band[at, 3] * volts[i, 3]
        pivot = j * rows
        volts[j, 0] = s0 / band[pivot, 0]
        volts[j, 1] = s1 / band[pivot, 1]
        volts[j, 2] = s2 / band[pivot, 2]
        volts[j, 3] = s3 / band[pivot, 3]
    return 0


@kernel("i8(i8, i8, f8[:,::1], f8[:,::1])")
def invert(points, width, band, near):
    """Write the inverse of the eliminated matrices, as far as it lies in the band.

    Takahashi, Fagan and Chen (1973): from the last row up, each entry follows from later ones.
    """
    rows = width + 1
    for step in range(points):
        j = points - 1 - step
        pivot = j * rows
        p0 = 1.0 / band[pivot, 0]
        p1 = 1.0 / band[pivot, 1]
        p2 = 1.0 / band[pivot, 2]
        p3 = 1.0 / band[pivot, 3]
        d0 = 1.0
        d1 = 1.0
        d2 = 1.0
        d3 = 1.0
        last = min(j + width, points - 1)
        for i in range(j + 1, last + 1):
            s0 = 0.0
            s1 = 0.0
            s2 = 0.0
            s3 = 0.0
            for k in range(j + 1, last + 1):
                at = k * rows + k - j
                to = i * rows + i - k if k <= i else k * rows + k - i
                s0 -= band[at, 0] * near[to, 0]
                s1 -= band[at, 1] * near[to, 1]
                s2 -= band[at, 2] * near[to, 2]
                s3 -= band[at, 3] * near[to, 3]
            at = i * rows + i - j
            near[at, 0] = s0 * p0
            near[at, 1] = s1 * p1
            near[at, 2] = s2 * p2
            near[at, 3] = s3 * p3
            d0 -= band[at, 0] * near[at, 0]
            d1 -= band[at, 1] * near[at, 1]
            d2 -= band[at, 2] * near[at, 2]
            d3 -= band[at, 3] * near[at, 3]
        near[pivot, 0] = d0 * p0
        near[pivot, 1] = d1 * p1
        near[pivot, 2] = d2 * p2
        near[pivot, 3] = d3 * p3
    return 0


@kernel(
    "i8(i8[::1], i8[::1], i8, f8, i8[::1], i8[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    " f8[:,::1], f8[:,::1], f8[:,::1])"
)
def measure(
    tables,
    state,
    color,
    paired,
    chains,
    pairs,
    band,
    volts,
    near,
    conductances,
    drops,
    ties,
    currents,
):
    """Solve a colour's circuits.

    In row ``color * squares + square`` and column ``lane``, for the diagonal of a square that
    belongs to the lane's lattice: ``conductances`` becomes what it conducts, ``drops`` the voltage
    across it, ``ties`` the resistance of the whole circuit between its ends.
    ``currents[color, lane]`` becomes the current of one volt.
    """
    size = tables[SIZE]
    squares = size * size
    rows = band_width(size) + 1
    lay_diagonals(tables, state, color, paired, chains, pairs, conductances)
    lay_circuit(tables, color, conductances, band, volts)
    eliminate(points_a_lattice(size), rows - 1, band, volts)
    invert(points_a_lattice(size), rows - 1, band, near)
    fix_borders(tables, volts)
    for lane in range(LANES):
        currents[color, lane] = 0.0
    for square in range(squares):
        x = square % size
        y = square // size
        corner = (x + y) & 1
        row = color * squares + square
        for diagonal in range(2):
            low = (y * (size + 1) + x + diagonal) >> 1
            high = ((y + 1) * (size + 1) + x + 1 - diagonal) >> 1
            lattice = corner ^ diagonal
            for lane in range(lattice, LANES, ACROSS):
                drop = volts[high, lane] - volts[low, lane]
                drops[row, lane] = drop
                tie = near[low * rows, lane] + near[high * rows, lane]
                ties[row, lane] = tie - 2.0 * near[high * rows + high - low, lane]
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
