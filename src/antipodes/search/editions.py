"""Kernels in the best available edition, and random generators from seeds."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from antipodes.games.kernels import jit


def edition(module: ModuleType, kernel: str) -> Callable[..., int]:
    """Return a kernel of a module by name, compiled if compilation is enabled."""
    functions = jit.compiled(module.__name__, (kernel,)) if jit.enabled() else vars(module)
    function: Callable[..., int] = functions[kernel]
    return function


def generator_state(seed: int) -> int:
    """Return a generator state, never 0, that differs much between neighbouring seeds."""
    mixed = (seed * 0x9E3779B97F4A7C15 + 0x5851F42D4C957F2D) & 0x7FFFFFFFFFFFFFFF
    return mixed or 1
