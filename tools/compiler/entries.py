"""The kernels that Python calls, with the kernels that these get as arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from pathlib import Path

import antipodes
from antipodes.games.kernels.native import name_of
from antipodes.games.kernels.registry import KERNELS
from antipodes.search.families import families_of, given_kernels
from tools.compiler.kinds import Kernel, read_signature
from tools.compiler.translate import Function, registered


@dataclass(frozen=True)
class Entry:
    """A kernel that a build exports, with the kernels that it gets as arguments."""

    name: str
    function: Function
    given: Mapping[str, Function] = field(default_factory=dict)


def all_entries() -> Iterator[Entry]:
    """Yield every kernel, once for each choice of kernels that the searches give it."""
    root = Path(antipodes.__file__).parent
    for path in sorted(root.glob("*/kernels/[!_]*.py")):
        name = ".".join(["antipodes", *path.relative_to(root).with_suffix("").parts])
        import_module(name)
        for function, _, _ in KERNELS.get(name, {}).values():
            yield from entries_of(function)


def entries_of(function: Function) -> Iterator[Entry]:
    """Yield a kernel, once for each choice of kernels that it may get as arguments."""
    parameters = kernel_parameters(function)
    if not parameters:
        yield Entry(name_of(function), function)
        return
    for family in families_of(function.__module__):
        choices = given_kernels(family)
        for given in product(*(choices[name] for name in parameters)):
            name = "__".join(map(name_of, (function, *given)))
            yield Entry(name, function, dict(zip(parameters, given, strict=True)))


def kernel_parameters(function: Function) -> list[str]:
    """Return the names of a kernel's parameters that are kernels."""
    kinds, _ = read_signature(function, registered(function)[1])
    names = function.__code__.co_varnames
    return [name for name, kind in zip(names, kinds, strict=False) if isinstance(kind, Kernel)]
