"""Preparation of the engine in the background while the player looks at the board.

The first time on a machine another process compiles the kernels of the game, and the plain edition
plays meanwhile. Later they are loaded from the cache, which takes a second or two.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from antipodes.games.position import Game
from antipodes.search import compiling
from antipodes.search.players import make_player

Tell = Callable[[bool], object]

_POLL = 0.1  # seconds between two calls of a waiting caller
THREAD = "kernels"

GETS_FASTER = "The engine is being compiled, this once; in some seconds the computer gets faster."


class Preparation:
    """A thread that loads or compiles the kernels of a game and its search."""

    def __init__(self, game: Game, tell: Tell | None = None) -> None:
        """Keep the game; :meth:`start` starts the thread.

        Args:
            game: the game.
            tell: called in the thread with ``True`` if another process compiles, and at the end
                with ``False``.
        """
        self._game = game
        self._tell = tell
        self._thread: threading.Thread | None = None
        self._error: Exception | None = None

    def start(self) -> None:
        """Start the thread; a second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=THREAD, daemon=True)
            self._thread.start()

    @property
    def is_compiling(self) -> bool:
        """Whether another process compiles, so that players answer in plain Python meanwhile."""
        return compiling.is_waited_for(self._game)

    def wait(self, look: Callable[[], object]) -> None:
        """Wait until the engine is ready; ``look`` is called several times a second, and may raise.

        An error of the preparation is raised here.
        """
        self.start()
        assert self._thread is not None
        while self._thread.is_alive():
            look()
            self._thread.join(_POLL)
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        try:
            if self._tell is not None and self.is_compiling:
                self._tell(True)
            compiling.warm_up(self._game)
            # A short search loads all that a long one needs.
            make_player("computer:1", seed=0).choose(self._game.initial())
        except Exception as error:  # noqa: BLE001 - raised again by wait, in the thread that waits
            self._error = error
        finally:
            if self._tell is not None:
                self._tell(False)
