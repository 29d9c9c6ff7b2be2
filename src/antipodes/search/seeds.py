"""States of random generators from seeds."""

from __future__ import annotations


def generator_state(seed: int) -> int:
    """Return a generator state, never 0, that differs much between neighbouring seeds."""
    mixed = (seed * 0x9E3779B97F4A7C15 + 0x5851F42D4C957F2D) & 0x7FFFFFFFFFFFFFFF
    return mixed or 1
