"""Thinking in the opponent's time."""

from __future__ import annotations

import math
import threading
from types import TracebackType
from typing import Self

from antipodes.core import Move
from antipodes.search.thinking import Limits, Search

_PATIENCE = 0.02  # seconds between two requests to stop


class Ponder:
    """Runs a search in a thread of its own until the opponent has moved.

    While it runs, nobody else may run the search or play on it; asking is allowed. As a context
    manager it stops at the end of the block::

        with Ponder(search) as ponder:
            move = ask_the_opponent()
            ponder.play(move)
    """

    def __init__(self, search: Search, visits: int | None = None) -> None:
        """Start thinking.

        Args:
            search: what thinks, from the position where the opponent is to move.
            visits: where it stops by itself; it goes on without.
        """
        self._search = search
        self._limits = Limits(visits=visits, seconds=math.inf)
        self._trouble: Exception | None = None
        self._thread = threading.Thread(target=self._think, name="pondering", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it still thinks; not after it was stopped, or has proven all."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop within a few hundredths of a second; raise what the search has raised, once."""
        while self._thread.is_alive():
            # Again and again, since a run that is just beginning may not have heard it.
            self._search.stop()
            self._thread.join(_PATIENCE)
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            raise trouble

    def play(self, move: Move) -> Search:
        """Stop, and return the search moved on to the position after ``move``.

        Raises:
            IllegalMoveError: the move is not legal; the search stands where it was.
        """
        self.stop()
        self._search.play(move)
        return self._search

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop."""
        self.stop()

    def _think(self) -> None:
        try:
            self._search.run(self._limits)
        except Exception as error:  # noqa: BLE001
            self._trouble = error
