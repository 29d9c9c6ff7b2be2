"""Progress of many games: how many, how fast, and how long it will take."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from antipodes.cli.terminal import Terminal

_LOOKS = 30  # times that results were written, by which the rate is known


class GameProgress:
    """Tells how far an experiment is, each time that results were written."""

    def __init__(
        self, done: Callable[[], int], wanted: Callable[[], int], terminal: Terminal
    ) -> None:
        """Count the games of earlier runs.

        Args:
            done: counts the games so far, those of earlier runs too.
            wanted: says how many games there will be at the end.
            terminal: shows the progress.
        """
        self._done = done
        self._wanted = wanted
        self._terminal = terminal
        self._times: deque[tuple[float, int]] = deque([(time.monotonic(), done())], _LOOKS)

    def tell(self) -> None:
        """Show games, rate and time left."""
        text = self.text()
        self._terminal.remark(text)
        self._terminal.status(text)

    def text(self) -> str:
        """Look at the games so far; return a line on the progress."""
        self._times.append((time.monotonic(), self._done()))
        (first, before), (last, done) = self._times[0], self._times[-1]
        text = f"{done} of {self._wanted()} games"
        if done == before or last == first:
            return text
        rate = (done - before) / (last - first)
        left = round((self._wanted() - done) / rate)
        hours, minutes = divmod(left // 60, 60)
        return f"{text}, {rate:.3g} a second, {hours}:{minutes:02}:{left % 60:02} left"

    def wait(self, others: int) -> None:
        """Say that other processes play the last games."""
        self._terminal.status(f"Waiting for {others} games that other processes play")
