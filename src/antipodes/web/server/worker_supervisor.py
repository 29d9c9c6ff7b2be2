"""Supervisor of the worker process."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress

from antipodes.web.platform import pubsub

logger = logging.getLogger(__name__)

_PAUSES = (0.2, 1.0, 5.0, 30.0)  # seconds before a restart, after each early failure in a row
_STABLE_AFTER = 60.0  # seconds of running after which a failure counts as the first again
_STOP_TIMEOUT = 5.0  # seconds in which the process ends


class WorkerProcess(threading.Thread):
    """Starts the worker process, restarts it when it dies, and forwards its messages."""

    def __init__(self) -> None:
        """Create the thread without starting it."""
        super().__init__(name="worker process", daemon=True)
        self._process: subprocess.Popen[str] | None = None
        self._is_stopping = threading.Event()

    @property
    def pid(self) -> int | None:
        """The id of the running process."""
        return self._process.pid if self._process else None

    def send(self, line: str) -> None:
        """Send a line to the process; it is lost if the process does not read.

        Never blocks: a suspended worker must not stop the site.
        """
        process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError, ValueError):  # full, or closed
                os.write(process.stdin.fileno(), f"{line}\n".encode())

    def run(self) -> None:
        """Keep a process running until :meth:`stop`."""
        pubsub.set_worker(self.send)
        failures = 0
        while not self._is_stopping.is_set():
            started_at = time.monotonic()
            self._run_once()
            if self._is_stopping.is_set():
                return
            failures = 0 if time.monotonic() - started_at > _STABLE_AFTER else failures + 1
            pause = _pause_after(failures)
            logger.error("worker process ended, restarting seconds=%s", pause)
            self._is_stopping.wait(pause)

    def _run_once(self) -> None:
        command = [sys.executable, "-m", "antipodes.web.server.worker"]
        # A session of its own: Ctrl-C is for the server alone.
        self._process = subprocess.Popen(  # noqa: S603
            command,
            text=True,
            start_new_session=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        for line in self._process.stdout:
            try:
                pubsub.forward_line(line)
            except Exception:
                logger.exception("message of the worker not forwarded")
        self._process.wait()

    def stop(self) -> None:
        """Stop the process and the thread."""
        self._is_stopping.set()
        process = self._process
        if process is not None and process.poll() is None:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(_STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
        if self.is_alive():
            self.join(_STOP_TIMEOUT)


def _pause_after(failures: int) -> float:
    """Return the seconds before a restart, by the number of early failures in a row."""
    return _PAUSES[min(max(failures, 1), len(_PAUSES)) - 1]
