"""Pondering: searching in the opponent's time."""

from __future__ import annotations

import math
import threading
from types import TracebackType
from typing import Self

from antipodes.core import Move
from antipodes.search.interface import Limits, Search

_PATIENCE = 0.02  # seconds between two requests to stop


class Ponder:
    """A search that runs in a thread of its own until the opponent has moved.

    Meanwhile other threads may query the search, but must not run it or play moves on it. As a
    context manager it stops at the end of the block::

        with Ponder(search) as ponder:
            move = ask_the_opponent()
            ponder.play(move)
    """

    def __init__(self, search: Search, visits: int | None = None) -> None:
        """Start the search.

        Args:
            search: of the position in which the opponent is to move.
            visits: at which it stops by itself; no limit by default.
        """
        self._search = search
        self._limits = Limits(visits=visits, seconds=math.inf)
        self._trouble: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="pondering", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the search still runs; it ends when it is stopped or the root is proven."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop within a few hundredths of a second; raise an exception of the search once."""
        while self._thread.is_alive():
            # Repeatedly, since a run that is just starting clears the request.
            self._search.stop()
            self._thread.join(_PATIENCE)
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            raise trouble

    def play(self, move: Move) -> Search:
        """Stop, and return the search moved on to the position after ``move``.

        Raises:
            IllegalMoveError: the move is not legal; the search keeps its position.
        """
        self.stop()
        self._search.play(move)
        return self._search

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def _run(self) -> None:
        try:
            self._search.run(self._limits)
        except Exception as error:  # noqa: BLE001
            self._trouble = error
