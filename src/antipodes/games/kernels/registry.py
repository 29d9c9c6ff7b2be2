"""Marking functions as kernels, and finding them again in both editions.

A kernel module is plain Python: its functions run as they are. ``@kernel(signature)`` only notes
the signature; :mod:`antipodes.games.kernels.jit` builds the compiled edition from the same
functions when it is wanted. So rules are written once and run both ways.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# Signatures shared by all games, in Numba's words: tables, state, work and then the rest.
START = "i8(i8[::1], i8[::1], i8[::1])"
JUDGE = "i8(i8[::1], i8[::1], i8[::1], i8)"
LISTING = "i8(i8[::1], i8[::1], i8[::1], i8[::1])"

KERNELS: dict[str, dict[str, tuple[Callable[..., Any], str]]] = {}


def kernel(signature: str) -> Callable[[Function], Function]:
    """Mark a function as a kernel with an eager Numba ``signature``; callees come first."""

    def mark(function: Function) -> Function:
        KERNELS.setdefault(function.__module__, {})[function.__name__] = (function, signature)
        return function

    return mark
