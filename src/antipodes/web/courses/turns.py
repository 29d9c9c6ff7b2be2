"""Turns of the searches that judge lessons: few at a time, so that pages stay quick.

A search runs in the thread of its request. Few may wait for their turn, since the threads of a
process are few too.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.web.platform.kernel_warmup import Use, is_cold
from antipodes.web.platform.limits import BusyError

_AT_ONCE: Final = 2
_WAITING: Final = 2
_PATIENCE: Final = 5  # seconds

_running = threading.BoundedSemaphore(_AT_ONCE)
_places = threading.BoundedSemaphore(_AT_ONCE + _WAITING)


class PreparingError(BusyError):
    """The kernels of a game are not compiled yet; ``seconds`` is how long to wait."""

    def __init__(self, seconds: int) -> None:
        """Create the error."""
        message = _("The computer still prepares for this game, which takes a minute or two.")
        InputError.__init__(self, [Fault("learn/preparing", message)])
        self.seconds = seconds


@contextmanager
def turn(game: Game, use: Use | None) -> Iterator[None]:
    """Wait for a turn to search.

    Args:
        game: the game to search.
        use: of the kernels that the search needs; ``None`` if it needs none.

    Raises:
        PreparingError: the kernels are not compiled yet.
        BusyError: too many searches are waiting.
    """
    if use is not None and is_cold(game, use):
        raise PreparingError(_PATIENCE)
    if not _places.acquire(blocking=False):
        raise BusyError(_PATIENCE)
    try:
        if not _running.acquire(timeout=_PATIENCE):
            raise BusyError(_PATIENCE)
        try:
            yield
        finally:
            _running.release()
    finally:
        _places.release()
