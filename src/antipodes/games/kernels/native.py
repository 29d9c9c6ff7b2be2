"""The native edition: an extension module that :mod:`tools.compiler.native` makes of all kernels.

It was built from the same functions as the plain edition, and holds a digest of their sources.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

_ROOT = Path(__file__).parents[2]
PATH = _ROOT / ("_kernels.pyd" if os.name == "nt" else "_kernels.abi3.so")

_plain: ContextVar[bool] = ContextVar("plain", default=False)


def digest() -> str:
    """Return the digest of the sources of all kernels."""
    together = hashlib.sha256()
    for path in sorted(_ROOT.glob("*/kernels/*.py")):
        together.update(path.relative_to(_ROOT).as_posix().encode())
        together.update(path.read_bytes())
    return together.hexdigest()


@cache
def _library() -> ModuleType | None:
    """Return the extension module; warn once if it is missing or was made of other sources.

    With ``ANTIPODES_PLAIN=1`` in the environment it is not used.
    """
    if os.environ.get("ANTIPODES_PLAIN", "0") == "1":
        return None
    try:
        library = import_module("antipodes._kernels")
    except ImportError as error:
        trouble = f"the native edition of the kernels cannot be loaded ({error})"
    else:
        if library.digest == digest():
            return library
        trouble = "the native edition of the kernels is older than their sources"
    warnings.warn(
        f"{trouble}: everything runs as plain Python, and the computer thinks about a hundred times"
        " slower; in a checkout `make setup` builds it",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


def enabled() -> bool:
    """Return whether the native edition is in use: it is there, and not inside :func:`plainly`."""
    return not _plain.get() and _library() is not None


@contextmanager
def plainly(on: bool = True) -> Iterator[None]:
    """Use the plain edition in this block and the threads that a search starts in it."""
    token = _plain.set(on)
    try:
        yield
    finally:
        _plain.reset(token)


@cache
def find(function: Callable[..., Any], *given: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the native edition of a kernel with the kernels that it gets, if there is one.

    There is none of kernels that the build does not know. A choice that it does not know among
    those that it knows runs as plain Python too, with a warning.
    """
    kernels = (function, *given)
    if any(not kernel.__module__.startswith("antipodes.") for kernel in kernels):
        return None
    library = _library()
    name = "__".join(map(name_of, kernels))
    native: Callable[..., Any] | None = getattr(library, name, None)
    if native is None and given and all(hasattr(library, name_of(each)) for each in given):
        warnings.warn(
            f"{name} is missing in the native edition and runs as plain Python: the choice belongs"
            " to antipodes.search.families.given_kernels",
            RuntimeWarning,
            stacklevel=3,
        )
    return native


def name_of(kernel: Callable[..., Any]) -> str:
    """Return the name of a kernel in the native edition."""
    return f"{kernel.__module__.rpartition('.')[2]}_{kernel.__name__}"
