"""Shared kernels: random numbers, bit counting, copies and queues."""

from __future__ import annotations

from antipodes.games.kernels.registry import kernel


@kernel("i8(i8)")
def step(x):
    """Return the state of the random generator that follows ``x``; neither is ever 0.

    Marsaglia's xorshift with 64 bits (Journal of Statistical Software 8(14), 2003).
    """
    x ^= x << 13
    x ^= (x >> 7) & 0x01FFFFFFFFFFFFFF
    x ^= x << 17
    return x


@kernel("i8(i8[::1])")
def advance(rng):
    """Advance a random generator with the state ``rng[0]``; return its new state."""
    x = step(rng[0])
    rng[0] = x
    return x


@kernel("i8(i8[::1], i8)")
def below(rng, bound):
    """Return a random number from 0 below ``bound`` < 2**31."""
    x = advance(rng)
    # A product and a shift instead of a remainder, since division is slow.
    return (((x >> 32) & 0xFFFFFFFF) * bound) >> 32


@kernel("i8(i8[::1], i8, i8)")
def clear_queue(work, queue, end):
    """Zero the ``end`` entries of a queue in the work array, and the marks of these entries."""
    for i in range(end):
        work[work[queue + i]] = 0
        work[queue + i] = 0
    return 0


@kernel("i8(i8[::1], i8[::1])")
def copy(source, target):
    """Copy an array to another one of its length, without the memory that slices would take."""
    for i in range(len(source)):
        target[i] = source[i]
    return 0


@kernel("i8(f8[::1], f8[::1])")
def copy_numbers(source, target):
    """Copy an array like :func:`copy`, of fractional numbers."""
    for i in range(len(source)):
        target[i] = source[i]
    return 0


@kernel("i8(i8)")
def popcount(x):
    """Return the number of one bits of ``x`` >= 0; compilers emit a single instruction."""
    count = 0
    while x != 0:
        x &= x - 1
        count += 1
    return count


@kernel("i8(i8)")
def lowest(x):
    """Return the index of the lowest one bit of ``x`` > 0."""
    return popcount((x & -x) - 1)
