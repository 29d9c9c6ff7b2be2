"""What doors have in common that stay open: a thread that tries again, later and later."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod

from django.db import connections

from antipodes.web.platform.outages import OUTAGES

logger = logging.getLogger(__name__)

_PAUSES = (1.0, 5.0, 15.0, 60.0, 300.0)  # seconds before the next attempt after each failure
_PATIENCE = 5.0  # seconds that a door is given to close


class Door(ABC):
    """A door that is open in a thread of its own, from :meth:`start` to :meth:`stop`.

    Attributes:
        name: what it is called in logs, and where mail came from.
    """

    name: str
    failures: tuple[type[Exception], ...] = (OSError,)  # what is mended by trying again

    def __init__(self) -> None:
        """Prepare; nothing is open yet."""
        self.ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._in_vain = 0

    @abstractmethod
    def try_out(self) -> None:
        """See whether the door can be opened at all.

        Raises:
            InvalidOptionsError: it cannot; the message says why.
        """

    @abstractmethod
    def stand(self) -> None:
        """Take mail until :attr:`ending` is set, or something fails."""

    @abstractmethod
    def __str__(self) -> str:
        """Say what kind of door it is, and where."""

    def start(self) -> None:
        """Open the door."""
        self._thread = threading.Thread(target=self._run, name=f"mail by {self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close it; what is under way may end."""
        self.ending.set()
        self.wake()
        if self._thread is not None:
            self._thread.join(_PATIENCE)

    def wake(self) -> None:
        """Let :meth:`stand` see at once that it shall end; here it looks often enough."""
        return

    def works(self) -> None:
        """Note that the door is open now, so that the next failure counts as the first."""
        if self._in_vain:
            logger.warning("mail comes in again: %s", self)
        self._in_vain = 0

    def _run(self) -> None:
        while not self.ending.is_set():
            try:
                self.stand()
            except (*self.failures, *OUTAGES) as error:
                self._note(error)
            except Exception as error:
                logger.exception("%s fails", self)
                self._note(error)
            finally:
                connections.close_all()

    def _note(self, error: Exception) -> None:
        """Wait before the next attempt; say so the first time only."""
        pause = _PAUSES[min(self._in_vain, len(_PAUSES) - 1)]
        level = logging.DEBUG if self._in_vain else logging.WARNING
        logger.log(level, "no mail by %s now, it is tried again in %s s: %s", self, pause, error)
        self._in_vain += 1
        self.ending.wait(pause)
