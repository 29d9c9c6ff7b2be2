"""Compilation of kernel modules with Numba.

Numba is imported only here below the search, and only for a compilation. Its cache does not notice
changes of a called function in another module, nor of compiler flags; so each module has a cache
folder of its own, named by a hash of all sources and settings of its kernels.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import threading
import types
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from antipodes.games.kernels import prefetch
from antipodes.games.kernels.registry import KERNELS, types_of

_LOCK = threading.RLock()
_POLL = 0.05  # seconds between two checks for signals while the compiler works
_IMPORT = re.compile(r"^from (\S+\.kernels\.\S+) import\b", re.MULTILINE)
_WHOLE = "whole"  # a file that marks a complete cache folder
# Kernels allocate nothing, so Numba need not count references to their arguments: those counts took
# more than half of the time of kernels that call others in loops.
_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "_nrt": False}
_COMPILED: dict[str, dict[str, Callable[..., Any]]] = {}
_HELPERS: list[Callable[[], bool]] = []  # whether a helper process still compiles


_plain: ContextVar[bool] = ContextVar("plain", default=False)


def enabled() -> bool:
    """Return whether kernels may be compiled.

    Not with ``ANTIPODES_JIT=0`` in the environment, not inside :func:`plainly`, and not without
    Numba.
    """
    return os.environ.get("ANTIPODES_JIT", "1") != "0" and not _plain.get() and _has_numba()


@cache
def _has_numba() -> bool:
    """Return whether Numba is installed; warn once if it is not."""
    if find_spec("numba") is not None:
        return True
    warnings.warn(
        "Numba is not installed: everything runs as plain Python, and the computer thinks about a"
        " hundred times slower; pip install 'antipodes[engine]' installs it",
        RuntimeWarning,
        stacklevel=2,
    )
    return False


@contextmanager
def plainly(on: bool = True) -> Iterator[None]:
    """Use the plain edition in this block and the threads that a search starts in it."""
    token = _plain.set(on)
    try:
        yield
    finally:
        _plain.reset(token)


def is_ready(module_name: str) -> bool:
    """Return whether a module's kernels are loaded or in the cache."""
    return module_name in _COMPILED or (cache_folder(module_name) / _WHOLE).exists()


def leave_to(is_compiling: Callable[[], bool]) -> None:
    """Defer compilation while another process compiles, as ``is_compiling`` reports."""
    _HELPERS.append(is_compiling)


def is_busy() -> bool:
    """Return whether another thread or process is compiling."""
    if any(is_compiling() for is_compiling in _HELPERS):
        return True
    if _LOCK.acquire(blocking=False):
        _LOCK.release()
        return False
    return True


def compiled(
    module_name: str, names: Collection[str] | None = None
) -> Mapping[str, Callable[..., Any]]:
    """Return compiled kernels of a module by name; compile or load them first.

    Args:
        module_name: the module.
        names: the kernels that are needed, or ``None`` for all. The machine code of a kernel
            contains that of its callees, so these need not be loaded from the cache.
    """
    wanted = KERNELS[module_name].keys() if names is None else names
    if not _has(module_name, wanted):
        if threading.current_thread() is threading.main_thread():
            _make_aside(module_name, wanted)
        else:
            _make(module_name, wanted)
    known = _COMPILED[module_name]
    return {name: known[name] for name in wanted}


def _has(module_name: str, names: Collection[str]) -> bool:
    known = _COMPILED.get(module_name, {})
    return all(name in known for name in names)


def _make(module_name: str, names: Collection[str]) -> None:
    with _LOCK:
        if not _has(module_name, names) and not _load(module_name, names):
            _compile(module_name)


def _make_aside(module_name: str, names: Collection[str]) -> None:
    """Compile in another thread, since Ctrl-C in the main thread must not interrupt LLVM."""
    trouble: list[Exception] = []

    def work() -> None:
        try:
            _make(module_name, names)
        except Exception as error:  # noqa: BLE001 - it is raised again in the waiting thread
            trouble.append(error)

    worker = threading.Thread(target=work, name="compiling", daemon=True)
    worker.start()
    # The signal may arrive in another thread; the main thread handles it when it wakes up.
    while worker.is_alive():
        worker.join(_POLL)
    if trouble:
        raise trouble[0]


def _load(module_name: str, names: Collection[str]) -> bool:
    """Load kernels of a module from the cache; return whether that was possible."""
    if not (cache_folder(module_name) / _WHOLE).exists():
        return False
    from numba.core.errors import NumbaError

    module = import_module(module_name)
    known = _COMPILED.setdefault(module_name, {})
    with _numba_settings(module):
        try:
            for name in names:
                if name not in known:
                    known[name] = _built(module_name, name, {})
        except NumbaError:
            # The cache is for another processor, or a file is missing: Numba compiled the kernel,
            # but its callees are plain Python in this scope.
            return False
        except Exception:  # noqa: BLE001 - a broken file can raise anything when it is read
            _empty(cache_folder(module_name))
            return False
    return True


def _empty(folder: Path) -> None:
    for path in folder.rglob("*.nb[ic]"):
        with suppress(OSError):
            path.unlink()


def _compile(module_name: str) -> None:
    """Compile a module's kernels in order, after the kernels that it imports."""
    prefetch.register()
    module = import_module(module_name)
    own: dict[str, Callable[..., Any]] = {}
    with _numba_settings(module):
        for name, (function, *_) in KERNELS[module_name].items():
            editions = {
                key: own.get(callee) if home == module_name else compiled(home, (callee,))[callee]
                for key, home, callee in _kernels_in(function.__globals__)
            }
            own[name] = _built(module_name, name, editions)
    _COMPILED[module_name] = {**own, **_COMPILED.get(module_name, {})}
    with suppress(OSError):  # without it a later process looks at each kernel
        (cache_folder(module_name) / _WHOLE).touch()


def _kernels_in(scope: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield for each kernel in a scope its key there, its module and its name."""
    for key, value in scope.items():
        if isinstance(value, types.FunctionType):
            home, name = value.__module__, value.__name__
            if name in KERNELS.get(home, {}) and KERNELS[home][name][0] is value:
                yield key, home, name


def _built(module_name: str, name: str, editions: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a kernel from the cache, or compile it.

    Args:
        module_name: its module.
        name: of the kernel.
        editions: the compiled editions of its callees, by their names in its globals.
    """
    import numba

    function, signature, inline = KERNELS[module_name][name]
    twin = types.FunctionType(function.__code__, {**function.__globals__, **editions}, name)
    twin.__qualname__ = function.__qualname__
    eager = signature or _signature(function)
    return numba.njit(eager, cache=True, forceinline=inline, **_OPTIONS)(twin)


def _signature(function: Callable[..., Any]) -> Any:
    """Return the signature of a kernel with annotated parameters."""
    from numba.core import sigutils, types

    def resolved(annotated: Any) -> Any:
        if isinstance(annotated, str):
            return sigutils.normalize_signature(f"({annotated},)")[0][0]
        fields = tuple(map(resolved, types_of(annotated).values()))
        return types.BaseTuple.from_types(fields, annotated)

    *parameters, result = map(resolved, types_of(function).values())
    return result(*parameters)


@contextmanager
def _numba_settings(module: ModuleType) -> Iterator[None]:
    """Apply the Numba settings of a module in this block.

    The cache is the module's folder. LLVM vectorises straight-line code ("superwords") only if the
    module has ``SUPERWORDS = True``: Numba disables that for good reasons, so such kernels need
    tests against others.
    """
    from numba.core import config

    settings: Any = config  # its attributes are made at run time
    before = settings.CACHE_DIR, settings.SLP_VECTORIZE
    settings.CACHE_DIR = str(cache_folder(module.__name__))
    settings.SLP_VECTORIZE = int(getattr(module, "SUPERWORDS", False))
    try:
        yield
    finally:
        settings.CACHE_DIR, settings.SLP_VECTORIZE = before


@cache
def cache_folder(module_name: str) -> Path:
    """Return the writable folder for a module's compiled kernels; else a temporary one."""
    import platformdirs

    digest = hashlib.sha256()
    for source in sorted(sources(module_name)):
        digest.update(source.encode())
        digest.update(Path(str(import_module(source).__file__)).read_bytes())
    flags = (os.environ.get("NUMBA_BOUNDSCHECK", ""), os.environ.get("NUMBA_OPT", ""))
    about = (version("numba"), sys.implementation.cache_tag, flags, _OPTIONS)
    digest.update(repr(about).encode())
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("antipodes")
    folder = Path(base) / f"{module_name.rpartition('.')[2]}-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="antipodes-kernels-"))
    return folder


@cache
def sources(module_name: str) -> frozenset[str]:
    """Return the modules that determine a kernel module's machine code.

    These are the module itself, the kernel modules from which it imports kernels or constants, and
    this one, which sets the flags.
    """
    # A regular expression, since threads call this, and in Python 3.11 two threads must not use
    # ``ast`` at the same time (they share its recursion counter).
    text = Path(str(import_module(module_name).__file__)).read_text(encoding="utf-8")
    near = set(_IMPORT.findall(text)) - {module_name}
    return frozenset({module_name, __name__}).union(*(sources(name) for name in near))
