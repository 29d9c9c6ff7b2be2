"""The rules of the games: functions on flat arrays in a plain and a native edition.

A kernel is a plain Python function; :mod:`tools.compiler.native` builds the native edition from the
same functions. Where that is missing the plain edition does the same, about a hundred times slower.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import native

Array = npt.NDArray[np.int64]

FAMILIES = ("placement", "antipalos", "antipode")


@dataclass(frozen=True)
class Rules:
    """The kernels of a family of games, all in the same edition.

    Each takes ``(tables, state, work, ...)``; see :mod:`antipodes.games.kernels.header`.
    """

    start: Callable[..., int]
    rebuild: Callable[..., int]
    judge: Callable[..., int]
    moves: Callable[..., int]
    play: Callable[..., int]
    sample: Callable[..., int]
    pieces: Callable[..., int]
    chain: Callable[..., int]


@dataclass(frozen=True)
class Walks:
    """Kernels that walk through the games of a family, all in the same edition."""

    count_positions: Callable[..., int]
    play_out: Callable[..., int]
    play_outs: Callable[..., int]


_Kernels = TypeVar("_Kernels", Rules, Walks)


def _all_of(kind: type[_Kernels], module: ModuleType, **given: Callable[..., int]) -> _Kernels:
    """Return kernels of a module in the edition that is in use, with those they get."""
    names = kind.__dataclass_fields__
    return kind(**{name: edition(module, name, **given) for name in names})


def _module_of(family: str) -> ModuleType:
    """Return the module with the rules of a family: one of ours, or of another package."""
    return import_module(family if "." in family else f"{__name__}.{family}")


@cache
def plain_rules(family: str) -> Rules:
    """Return the kernels of a family as plain Python functions."""
    with native.plainly():
        return _all_of(Rules, _module_of(family))


@cache
def _native_rules(family: str) -> Rules:
    return _all_of(Rules, _module_of(family))


def rules_of(family: str) -> Rules:
    """Return the kernels of a family in the edition that is in use.

    Args:
        family: one of ``FAMILIES``, or the full name of a module of another package with functions
            of the same names, which run as plain Python.
    """
    return _native_rules(family) if native.enabled() else plain_rules(family)


def walks_of(family: str) -> Walks:
    """Return the kernels that walk through the games of a family."""
    module = import_module(f"{__name__}.perft")
    plain = plain_rules(family)
    return _all_of(Walks, module, moves=plain.moves, play=plain.play, sample=plain.sample)


def edition(module: ModuleType, kernel: str, **given: Callable[..., int]) -> Callable[..., int]:
    """Return a kernel of a module in the edition that is in use.

    Args:
        module: the module.
        kernel: its name there.
        given: the plain kernels that it gets as arguments, by the names of these; others are left
            out.
    """
    function: Callable[..., int] = vars(module)[kernel]
    names: Any = function.__code__.co_varnames if given else ()
    arguments = [given[name] for name in names if name in given]
    fast = native.find(function, *arguments) if native.enabled() else None
    return fast or (partial(function, *arguments) if arguments else function)
