"""The registry of kernels, filled by the decorator ``@kernel(signature)``.

A kernel module is plain Python, and the decorator only records the signature;
:mod:`antipodes.games.kernels.jit` builds the compiled edition from the same functions on demand. So
rules are written once and run in both editions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# Numba signatures shared by all games: tables, state, work and further arguments.
START = "i8(i8[::1], i8[::1], i8[::1])"
JUDGE = "i8(i8[::1], i8[::1], i8[::1], i8)"
LISTING = "i8(i8[::1], i8[::1], i8[::1], i8[::1])"

KERNELS: dict[str, dict[str, tuple[Callable[..., Any], str]]] = {}


def kernel(signature: str) -> Callable[[Function], Function]:
    """Register a function as a kernel with an eager Numba ``signature``, after its callees."""

    def mark(function: Function) -> Function:
        KERNELS.setdefault(function.__module__, {})[function.__name__] = (function, signature)
        return function

    return mark
