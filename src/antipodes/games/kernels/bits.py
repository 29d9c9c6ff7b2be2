"""What kernels share: random numbers, bit counting, the clearing of queues."""

from __future__ import annotations

from antipodes.games.kernels.registry import kernel


@kernel("i8(i8[::1])")
def advance(rng):
    """Return the next state of the random generator; ``rng[0]`` holds it and is never 0.

    Marsaglia's xorshift with 64 bits (Journal of Statistical Software 8(14), 2003).
    """
    x = rng[0]
    x ^= x << 13
    x ^= (x >> 7) & 0x01FFFFFFFFFFFFFF
    x ^= x << 17
    rng[0] = x
    return x


@kernel("i8(i8[::1], i8)")
def below(rng, bound):
    """Return a random number from 0 below ``bound`` < 2**31."""
    x = advance(rng)
    # A product and a shift in place of a remainder: division is slow.
    return (((x >> 32) & 0xFFFFFFFF) * bound) >> 32


@kernel("i8(i8[::1], i8, i8)")
def clear_queue(work, queue, end):
    """Zero a queue in the work array, and the marks of the ``end`` places that stand in it."""
    for i in range(end):
        work[work[queue + i]] = 0
        work[queue + i] = 0
    return 0


@kernel("i8(i8)")
def popcount(x):
    """Return the number of one bits of a non-negative ``x`` below 2**62."""
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x = x + (x >> 8)
    x = x + (x >> 16)
    x = x + (x >> 32)
    return x & 0x7F


@kernel("i8(i8)")
def lowest(x):
    """Return the index of the lowest one bit of ``x`` > 0."""
    return popcount((x & -x) - 1)
