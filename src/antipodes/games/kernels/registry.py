"""The registry of kernels, filled by the decorator ``@kernel(signature)``.

A kernel module is plain Python, and the decorator only records the signature;
:mod:`antipodes.games.kernels.jit` builds the compiled edition from the same functions on demand. So
rules are written once and run in both editions.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# Numba signatures shared by all games: tables, state, work and further arguments.
START = "i8(i8[::1], i8[::1], i8[::1])"
JUDGE = "i8(i8[::1], i8[::1], i8[::1], i8)"
LISTING = "i8(i8[::1], i8[::1], i8[::1], i8[::1])"

KERNELS: dict[str, dict[str, tuple[Callable[..., Any], str, bool]]] = {}


def kernel(signature: str, *, inline: bool = False) -> Callable[[Function], Function]:
    """Register a function as a kernel with an eager Numba ``signature``, after its callees.

    With ``inline`` its machine code becomes part of that of its callers, whatever its length.
    """

    def mark(function: Function) -> Function:
        kernels = KERNELS.setdefault(function.__module__, {})
        kernels[function.__name__] = function, signature, inline
        return function

    return mark


def bound(template: Any, module: str, **kernels: Callable[..., Any]) -> FunctionType:
    """Return a function of a module: a template whose calls by these names go to these kernels.

    So the machine code of a template contains that of its callees, as if it were written for them:
    a call of a kernel that comes as an argument takes longer than a move of Hex.
    """
    function = FunctionType(template.__code__, template.__globals__ | kernels)
    function.__module__, function.__doc__ = module, template.__doc__
    return function
