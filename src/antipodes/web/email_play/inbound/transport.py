"""Base class of transports that run in a thread and reconnect after failures."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod

from django.db import connections

from antipodes.web.platform.outages import OUTAGES

logger = logging.getLogger(__name__)

_BACKOFF = (1.0, 5.0, 15.0, 60.0, 300.0)  # seconds before the next attempt after each failure
_STOP_TIMEOUT = 5.0  # seconds


class Transport(ABC):
    """A way for mail to come in, which runs in a thread from :meth:`start` to :meth:`stop`.

    Attributes:
        name: stored with each mail, and logged.
        is_connected: whether it can receive mail now.
        failures: the exceptions after which it tries again without a traceback in the log.
    """

    name: str
    failures: tuple[type[Exception], ...] = (OSError,)

    def __init__(self) -> None:
        """Create the transport without connecting."""
        self.stopping = threading.Event()
        self.is_connected = False
        self._thread: threading.Thread | None = None
        self._failures_in_a_row = 0

    @abstractmethod
    def check(self) -> None:
        """Check that the transport can run, by connecting or listening once.

        Raises:
            InvalidOptionsError: it cannot; the message says why.
        """

    @abstractmethod
    def run(self) -> None:
        """Receive mail until :attr:`stopping` is set or a failure occurs."""

    @abstractmethod
    def __str__(self) -> str:
        """Return protocol and address."""

    def start(self) -> None:
        self._thread = threading.Thread(
            target=self._run_forever, name=f"mail by {self.name}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread after the mail that it is receiving."""
        self.stopping.set()
        self.wake()
        if self._thread is not None:
            self._thread.join(_STOP_TIMEOUT)

    def wake(self) -> None:
        """Make :meth:`run` notice :attr:`stopping`; not needed if it polls."""
        return

    def mark_connected(self) -> None:
        """Note that the transport works, so that the next failure is the first of a series."""
        if self._failures_in_a_row:
            logger.warning("mail transport recovered transport=%s", self)
        self._failures_in_a_row = 0
        self.is_connected = True

    def _run_forever(self) -> None:
        while not self.stopping.is_set():
            try:
                self.run()
            except (*self.failures, *OUTAGES) as error:
                self._back_off(error)
            except Exception as error:
                logger.exception("mail transport error transport=%s", self)
                self._back_off(error)
            finally:
                self.is_connected = False
                connections.close_all()

    def _back_off(self, error: Exception) -> None:
        """Wait before the next attempt; log only the first failure of a series."""
        self.is_connected = False
        seconds = _BACKOFF[min(self._failures_in_a_row, len(_BACKOFF) - 1)]
        level = logging.DEBUG if self._failures_in_a_row else logging.WARNING
        logger.log(
            level, "mail transport failed transport=%s retry_in=%ss error=%s", self, seconds, error
        )
        self._failures_in_a_row += 1
        self.stopping.wait(seconds)
