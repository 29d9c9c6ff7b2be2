"""Building the compiled edition of kernel modules with Numba.

Numba is imported here and nowhere else below the search, and only when something is compiled. Its
cache does not notice changes of a called function in another module, nor of compiler flags; so ours
lies in a folder whose name is a hash of all kernel sources and of everything else that matters.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from antipodes.games.kernels.registry import KERNELS

_LOCK = threading.RLock()
_COMPILED: dict[str, dict[str, Callable[..., Any]]] = {}


def enabled() -> bool:
    """Return whether kernels may be compiled: not with ``ANTIPODES_JIT=0`` in the environment."""
    return os.environ.get("ANTIPODES_JIT", "1") != "0"


def is_busy() -> bool:
    """Return whether another thread is compiling: asking for compiled kernels would wait for it."""
    if _LOCK.acquire(blocking=False):
        _LOCK.release()
        return False
    return True


def compiled(module_name: str) -> dict[str, Callable[..., Any]]:
    """Return the compiled kernels of a module by name; compile or load them first."""
    with _LOCK:
        if module_name not in _COMPILED:
            with _cache_folder_set():
                _compile(module_name)
        return _COMPILED[module_name]


def _compile(module_name: str) -> None:
    """Compile a module's kernels in order, after those of the modules it takes kernels from."""
    import numba

    module = import_module(module_name)
    replaced: dict[str, Callable[..., Any]] = {}
    for other, kernels in list(KERNELS.items()):
        names = [n for n, (f, _) in kernels.items() if vars(module).get(n) is f]
        if other != module_name and names:
            replaced.update({name: compiled(other)[name] for name in names})
    own: dict[str, Callable[..., Any]] = {}
    for name, (function, signature) in KERNELS[module_name].items():
        # The same code, but with the compiled editions of the kernels that it calls.
        scope = {**vars(module), **replaced, **own}
        twin = types.FunctionType(function.__code__, scope, name)
        twin.__qualname__ = function.__qualname__
        own[name] = numba.njit(signature, cache=True, nogil=True, error_model="numpy")(twin)
    _COMPILED[module_name] = own


@contextmanager
def _cache_folder_set() -> Iterator[None]:
    """Point Numba's cache at our folder for as long as our kernels are made."""
    from numba.core import config

    settings: Any = config  # its names are made at run time
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        settings.CACHE_DIR = before


@cache
def cache_folder() -> Path:
    """Return the writable folder for compiled kernels; a temporary one where there is no other."""
    import numba
    import platformdirs

    digest = hashlib.sha256()
    package = Path(__file__).parents[2]
    for source in sorted(package.glob("**/kernels/*.py")):
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    flags = (os.environ.get("NUMBA_BOUNDSCHECK", ""), os.environ.get("NUMBA_OPT", ""))
    digest.update(repr((numba.__version__, sys.implementation.cache_tag, flags)).encode())
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("antipodes")
    folder = Path(base) / f"kernels-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="antipodes-kernels-"))
    return folder
