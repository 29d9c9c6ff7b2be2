"""Background compilation: searches run in plain Python while another process compiles kernels.

With an empty cache, compiling the kernels of a search takes half a minute, which a player at the
board should not have to wait.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from antipodes.games.kernels import jit
from antipodes.games.position import Game
from antipodes.search.families import kernel_modules

_POLL = 0.1  # seconds between two checks whether kernels are compiled

_STARTING = threading.Lock()
_compilers: dict[str, subprocess.Popen[bytes]] = {}  # by family


def is_ready(game: Game) -> bool:
    """Return whether a search of a game starts without compiling."""
    return all(map(jit.is_ready, kernel_modules(game.family)))


def start(game: Game) -> bool:
    """Compile the kernels of a game in another process; return whether that process still runs.

    It is started once. It outlives this process, so that the next one finds the kernels compiled.
    """
    with _STARTING:
        process = _compilers.get(game.family) or _start(game.family)
    return process.poll() is None


def _start(family: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(  # noqa: S603 - this program
        [sys.executable, "-m", __name__, family],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    _compilers[family] = process
    jit.leave_to(lambda: process.poll() is None)
    return process


def is_waited_for(game: Game) -> bool:
    """Return whether another process compiles for a game; start it if kernels are missing.

    If that process fails, this one has to compile them itself.
    """
    return jit.enabled() and not is_ready(game) and start(game) and not is_ready(game)


@contextmanager
def without_waiting(game: Game) -> Iterator[bool]:
    """Use plain Python in this block if kernels of a game are not compiled; yield whether it is."""
    plain = is_waited_for(game)
    with jit.plainly(plain):
        yield plain


def warm_up(game: Game) -> None:
    """Compile the kernels of a game if they are missing, and wait for it."""
    while is_waited_for(game):
        time.sleep(_POLL)


def compile_here(family: str) -> None:
    """Compile or load all kernels that the searches of a family call."""
    for module in kernel_modules(family):
        import_module(module)
        jit.compiled(module)


def main() -> None:
    """Compile the kernels of the families named on the command line."""
    for family in sys.argv[1:]:
        compile_here(family)


if __name__ == "__main__":
    main()
