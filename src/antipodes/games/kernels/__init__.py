"""The rules of the games: functions on flat arrays in a plain and a compiled edition.

A kernel is a plain Python function; Numba builds the compiled edition from the same functions.
:func:`rules` returns the plain edition at first, so that a program starts at once, and the compiled
one after it was loaded or after enough calls to make loading worthwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import jit

Array = npt.NDArray[np.int64]

# Plain calls that take about as long as loading the compiled edition.
_PATIENCE = 2_000

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
    chain: Callable[..., int]


@dataclass(frozen=True)
class Walks:
    """Kernels that walk through any game, given the kernels of its rules."""

    count_positions: Callable[..., int]
    play_out: Callable[..., int]
    play_outs: Callable[..., int]


class _Patience:
    """The number of plain calls in the whole program."""

    calls = 0


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")


def _pick(edition: Mapping[str, Callable[..., Any]], kind: type[Any]) -> Any:
    return kind(**{name: edition[name] for name in kind.__dataclass_fields__})


def _pick_compiled(module: ModuleType, kind: type[Any]) -> Any:
    return _pick(jit.compiled(module.__name__, tuple(kind.__dataclass_fields__)), kind)


@cache
def plain_rules(family: str) -> Rules:
    """Return the kernels of a family as plain Python functions."""
    rules: Rules = _pick(vars(_module(family)), Rules)
    return rules


_LOADED: dict[str, Rules] = {}


def compiled_rules(family: str) -> Rules:
    """Return the compiled kernels of a family; compile or load them first where needed.

    With ``ANTIPODES_JIT=0`` in the environment these are the plain ones.
    """
    if not jit.enabled():
        return plain_rules(family)
    if family not in _LOADED:
        _LOADED[family] = _pick_compiled(_module(family), Rules)
    return _LOADED[family]


def are_rules_ready(family: str) -> bool:
    """Return whether the compiled kernels of a family are loaded or in the cache."""
    return jit.is_ready(_module(family).__name__)


def edition(module: ModuleType, kernel: str) -> Callable[..., int]:
    """Return a kernel of a module by name, compiled if compilation is enabled."""
    functions = jit.compiled(module.__name__, (kernel,)) if jit.enabled() else vars(module)
    function: Callable[..., int] = functions[kernel]
    return function


def rules(family: str) -> Rules:
    """Return the best edition of a family's kernels that is loaded."""
    loaded = _LOADED.get(family)
    if loaded is not None:
        return loaded
    _Patience.calls += 1
    # While another thread or process compiles, the plain edition stays in use.
    if _Patience.calls > _PATIENCE and jit.enabled() and not jit.is_busy():
        return compiled_rules(family)
    return plain_rules(family)


@cache
def plain_walks() -> Walks:
    """Return the walking kernels as plain Python functions."""
    walks: Walks = _pick(vars(_module("perft")), Walks)
    return walks


@cache
def compiled_walks() -> Walks:
    """Return the compiled walking kernels."""
    if not jit.enabled():
        return plain_walks()
    walks: Walks = _pick_compiled(_module("perft"), Walks)
    return walks


def warm_up(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile or load all kernels; ``progress(done, total)`` is called after each family."""
    steps: list[Callable[[], object]] = [
        *(lambda family=family: compiled_rules(family) for family in FAMILIES),
        compiled_walks,
    ]
    for done, step in enumerate(steps, start=1):
        step()
        if progress is not None:
            progress(done, len(steps))
