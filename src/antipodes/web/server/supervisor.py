"""Supervisor of several web processes that listen on one socket.

uvicorn's own supervisor would not do: it checks a thread of each process and not its event loop,
restarts a process that fails at its start at once and for ever, cannot send messages to processes,
and leaves them running when it is killed itself.
"""

from __future__ import annotations

import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from antipodes.web.connections import registry
from antipodes.web.platform import kernel_warmup, pubsub, shared_metrics
from antipodes.web.server.web_process import READY

logger = logging.getLogger(__name__)

_CHECK_EVERY = 0.1  # seconds
_START_TIMEOUT = 120.0  # seconds until a process is ready
_STOP_TIMEOUT = 7.0  # seconds in which a process ends, after it has finished its requests
_PAUSES = (0.2, 1.0, 5.0, 15.0)  # seconds before a restart, after each early failure in a row
_HEARTBEAT_TIMEOUT = 20.0  # seconds without a heartbeat after which a process is killed
_STABLE_AFTER = 60.0  # seconds of running after which a failure counts as the first again


class WebProcess:
    """A web process, as a child of the supervisor."""

    def __init__(self, listening: socket.socket, messages: list[str]) -> None:
        """Start it, and send it all messages so far."""
        number = listening.fileno()
        self.started_at = time.monotonic()
        self.silence = 0.0
        self.is_ready = threading.Event()
        # A session of its own: Ctrl-C is for the supervisor alone.
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "antipodes.web.server.web_process", str(number)],
            text=True,
            start_new_session=True,
            pass_fds=[number],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        threading.Thread(target=self._read, daemon=True).start()
        for line in messages:
            self.send(line)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.silence = 0.0
            if line.strip() == READY:
                self.is_ready.set()

    def send(self, line: str) -> None:
        """Send it a line, unless it has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            logger.debug("message not sent to ended process pid=%s", self.process.pid)

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    def is_hanging_after(self, seconds: float) -> bool:
        """Count time without a heartbeat of its event loop; return whether that is too long."""
        self.silence += seconds
        return self.is_ready.is_set() and self.silence > _HEARTBEAT_TIMEOUT

    def terminate(self) -> None:
        """Terminate it gracefully."""
        if self.is_running:
            self.process.terminate()

    def wait(self) -> None:
        """Wait until it has ended; kill it after a timeout."""
        try:
            self.process.wait(registry.DRAIN_SECONDS.value + _STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            logger.warning("web process does not stop, killed pid=%s", self.process.pid)
            self.process.kill()
            self.process.wait()
        shared_metrics.forget(self.process.pid)


class Supervisor:
    """Runs a number of web processes and restarts them when they fail."""

    def __init__(self, listening: socket.socket, workers: int) -> None:
        """Create the supervisor without starting processes."""
        self._listening = listening
        self._processes: list[WebProcess | None] = [None] * workers
        self._failures = [0] * workers
        self._not_before = [0.0] * workers
        self._messages: list[str] = []
        self._lock = threading.Lock()
        self._is_stopping = False
        self._is_reloading = False

    def report_kernels(self, use: kernel_warmup.Use | None, family: str) -> None:
        """Report ready kernels to all processes, also to those started later."""
        line = pubsub.format_line(kernel_warmup.KERNELS_READY, {"use": use, "family": family})
        with self._lock:
            self._messages.append(line)
            processes = [process for process in self._processes if process]
        for process in processes:
            process.send(line)

    def run(self, started: Callable[[], object]) -> None:
        """Keep the processes running until SIGTERM or SIGINT.

        SIGHUP replaces them one after another, without downtime.

        Args:
            started: called when the first one is ready.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGHUP, self._on_reload)
        is_started = False
        try:
            while not self._is_stopping:
                self._check()
                first = self._processes[0]
                if not is_started and first is not None and first.is_ready.is_set():
                    is_started = True
                    started()
                if self._is_reloading:
                    self._is_reloading = False
                    self._replace_all()
                time.sleep(_CHECK_EVERY)
        finally:
            processes = [process for process in self._processes if process]
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()

    def _on_stop(self, *_: object) -> None:
        self._is_stopping = True

    def _on_reload(self, *_: object) -> None:
        self._is_reloading = True

    def _start(self) -> WebProcess:
        with self._lock:
            return WebProcess(self._listening, self._messages)

    def _check(self) -> None:
        """Kill processes that hang, and start those that do not run."""
        for at, process in enumerate(self._processes):
            # Counted in checks, not by a clock: a machine that slept did not hang.
            if process and process.is_running and process.is_hanging_after(_CHECK_EVERY):
                logger.error("web process hangs, killed pid=%s", process.process.pid)
                process.process.kill()
                process.process.wait()
            if process and not process.is_running:
                self._note_failure(at, process)
            if self._processes[at] is None and time.monotonic() >= self._not_before[at]:
                self._processes[at] = self._start()

    def _note_failure(self, at: int, process: WebProcess) -> None:
        lasted = time.monotonic() - process.started_at
        self._failures[at] = 0 if lasted > _STABLE_AFTER else self._failures[at] + 1
        pause = _PAUSES[min(max(self._failures[at], 1), len(_PAUSES)) - 1]
        logger.error(
            "web process ended, restarting pid=%s code=%s seconds=%s",
            process.process.pid,
            process.process.returncode,
            pause,
        )
        shared_metrics.forget(process.process.pid)
        self._not_before[at] = time.monotonic() + pause
        self._processes[at] = None

    def _replace_all(self) -> None:
        """Replace each process: start a new one, and stop the old one when the new one is ready."""
        for at, old in enumerate(self._processes):
            new = self._start()
            end = time.monotonic() + _START_TIMEOUT
            while not new.is_ready.wait(_CHECK_EVERY):
                if self._is_stopping or not new.is_running or time.monotonic() > end:
                    logger.error("new web process not ready, keeping the old ones")
                    new.terminate()
                    new.wait()
                    return
            self._processes[at] = new
            if old is not None:
                old.terminate()
                old.wait()
