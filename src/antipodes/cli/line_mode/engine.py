"""Getting the computer ready in the background while a person looks at the board."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antipodes.games.base import BoardGame

Report = Callable[[int, int], object]


class EngineRoom:
    """Loads the compiled kernels that one game and its search need, in a thread of its own.

    The first time on a machine they are compiled, which takes a while; later they are loaded in a
    second or two. Until then the plain kernels serve the person at the board.
    """

    def __init__(self, game: BoardGame[Any, Any]) -> None:
        """Take a game; nothing is loaded yet."""
        self._game = game
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None
        self._done = 0
        self._total = 1

    def start(self) -> None:
        """Begin loading; a second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._load, name="kernels", daemon=True)
            self._thread.start()

    def wait(self, report: Report) -> None:
        """Wait until all is loaded; ``report(done, total)`` is called several times a second.

        Whatever went wrong in loading is raised here.
        """
        self.start()
        assert self._thread is not None
        while self._thread.is_alive():
            report(self._done, self._total)
            self._thread.join(0.1)
        if self._error is not None:
            raise self._error

    def _load(self) -> None:
        try:
            self._load_steps()
        except Exception as error:  # noqa: BLE001 - raised again by wait, in the main thread
            self._error = error

    def _load_steps(self) -> None:
        from antipodes.games.kernels import compiled_rules
        from antipodes.search.players import make_player

        game = self._game
        steps: list[Callable[[], object]] = [
            lambda: compiled_rules(game.family),
            # A short search loads all that a long one needs.
            lambda: make_player("computer:1", seed=0).choose(game.initial()),
        ]
        self._total = len(steps)
        for step in steps:
            step()
            self._done += 1
