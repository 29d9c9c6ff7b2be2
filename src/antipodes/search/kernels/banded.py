"""Four banded systems of linear equations side by side: solutions, and inverses within the band.

The *lanes* are four symmetric positive definite matrices of the same size and width; each step is
done for all of them, as one vector. Numbers of the same place are adjacent. With
``rows = width + 1``, entry (i, j) of the matrices, j <= i <= j + width, is at
``LANES * (j * rows + i - j)``: a column from its diagonal down. Below the last column there are
``width`` more columns of a unit matrix, so no column is cut off.
"""

from __future__ import annotations

import numpy as np

from antipodes.games.kernels.registry import kernel

LANES = 4

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)


@kernel("i8(i8, i8)")
def matrix_room(points: int, width: int) -> int:
    """Return the length of the array for matrices."""
    return LANES * (points + width) * (width + 1)


@kernel("i8(i8, i8)")
def inverse_room(points: int, width: int) -> int:
    """Return the length of the array for inverses, see :func:`invert`."""
    return LANES * (points + width) * (2 * width + 1)


@kernel("i8(f8[::1], u8, f8, f8, f8, f8)")
def store(numbers, at, n0, n1, n2, n3):
    """Write the numbers of all lanes at a place."""
    numbers[at] = n0
    numbers[at + _ONE] = n1
    numbers[at + _TWO] = n2
    numbers[at + _THREE] = n3
    return 0


@kernel("i8(i8, i8, f8[::1], f8[::1])")
def substitute(points, width, band, volts):
    """Solve the equations of the factors from the last row up."""
    count = np.uint64(points)
    rows = np.uint64(width) + _ONE
    for step in range(_ZERO, count):
        own = _FOUR * (count - _ONE - step)
        start = own * rows
        s0 = volts[own]
        s1 = volts[own + _ONE]
        s2 = volts[own + _TWO]
        s3 = volts[own + _THREE]
        row = own + _FOUR
        for at in range(start + _FOUR, start + _FOUR * rows, _FOUR):
            s0 -= band[at] * volts[row]
            s1 -= band[at + _ONE] * volts[row + _ONE]
            s2 -= band[at + _TWO] * volts[row + _TWO]
            s3 -= band[at + _THREE] * volts[row + _THREE]
            row += _FOUR
        s0 /= band[start]
        s1 /= band[start + _ONE]
        s2 /= band[start + _TWO]
        s3 /= band[start + _THREE]
        store(volts, own, s0, s1, s2, s3)
    return 0


@kernel("i8(i8, i8, f8[::1], f8[::1])")
def eliminate(points, width, band, volts):
    """Solve the equations in place (LDL').

    ``volts[LANES * i + lane]`` are the right sides, and become the solutions; there are ``width``
    more rows of zeros. ``band`` becomes the factors.
    """
    count = np.uint64(points)
    rows = np.uint64(width) + _ONE
    for j in range(_ZERO, count):
        own = _FOUR * j
        start = own * rows
        end = start + _FOUR * rows
        p0 = 1.0 / band[start]
        p1 = 1.0 / band[start + _ONE]
        p2 = 1.0 / band[start + _TWO]
        p3 = 1.0 / band[start + _THREE]
        y0 = volts[own]
        y1 = volts[own + _ONE]
        y2 = volts[own + _TWO]
        y3 = volts[own + _THREE]
        row = own + _FOUR
        for at in range(start + _FOUR, end, _FOUR):
            f0 = band[at] * p0
            f1 = band[at + _ONE] * p1
            f2 = band[at + _TWO] * p2
            f3 = band[at + _THREE] * p3
            to = row * rows
            for by in range(at, end, _FOUR):
                a0 = band[to] - f0 * band[by]
                a1 = band[to + _ONE] - f1 * band[by + _ONE]
                a2 = band[to + _TWO] - f2 * band[by + _TWO]
                a3 = band[to + _THREE] - f3 * band[by + _THREE]
                store(band, to, a0, a1, a2, a3)
                to += _FOUR
            v0 = volts[row] - f0 * y0
            v1 = volts[row + _ONE] - f1 * y1
            v2 = volts[row + _TWO] - f2 * y2
            v3 = volts[row + _THREE] - f3 * y3
            store(volts, row, v0, v1, v2, v3)
            row += _FOUR
    substitute(points, width, band, volts)
    return 0


@kernel("i8(i8, i8, f8[::1], f8[::1])")
def invert(points, width, band, near):
    """Write the inverses, as far as they lie in the band, from the factors.

    Takahashi, Fagan and Chen (1973): from the last row up, each entry follows from later ones.
    With ``full = 2 * width + 1``, entry (i, j) of the inverses is at
    ``LANES * (i * full + width + j - i)``; ``near`` must be zeros at first.
    """
    count = np.uint64(points)
    reach = np.uint64(width)
    rows = reach + _ONE
    full = reach + rows
    for step in range(_ZERO, count):
        j = count - _ONE - step
        start = _FOUR * j * rows
        end = start + _FOUR * rows
        p0 = 1.0 / band[start]
        p1 = 1.0 / band[start + _ONE]
        p2 = 1.0 / band[start + _TWO]
        p3 = 1.0 / band[start + _THREE]
        d0 = 1.0
        d1 = 1.0
        d2 = 1.0
        d3 = 1.0
        diagonal = _FOUR * (j * full + reach)
        right = diagonal  # along row j
        below = diagonal  # down column j
        for own in range(start + _FOUR, end, _FOUR):
            right += _FOUR
            below += _FOUR * (full - _ONE)
            s0 = 0.0
            s1 = 0.0
            s2 = 0.0
            s3 = 0.0
            to = below + _FOUR
            for at in range(start + _FOUR, end, _FOUR):
                s0 -= band[at] * near[to]
                s1 -= band[at + _ONE] * near[to + _ONE]
                s2 -= band[at + _TWO] * near[to + _TWO]
                s3 -= band[at + _THREE] * near[to + _THREE]
                to += _FOUR
            s0 *= p0
            s1 *= p1
            s2 *= p2
            s3 *= p3
            store(near, right, s0, s1, s2, s3)
            store(near, below, s0, s1, s2, s3)
            d0 -= band[own] * s0
            d1 -= band[own + _ONE] * s1
            d2 -= band[own + _TWO] * s2
            d3 -= band[own + _THREE] * s3
        d0 *= p0
        d1 *= p1
        d2 *= p2
        d3 *= p3
        store(near, diagonal, d0, d1, d2, d3)
    return 0
