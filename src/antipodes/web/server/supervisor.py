"""Supervisor of several web processes on one address."""

from __future__ import annotations

import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from antipodes.web.platform import kernel_warmup, pubsub, shared_metrics
from antipodes.web.server.web_process import READY

logger = logging.getLogger(__name__)

_LOOK = 0.1  # seconds between two looks at who lives
_STARTING = 120.0  # seconds that a process has to get ready
_ENDING = 12.0  # seconds that it has to end what it has begun
_PAUSES = (0.2, 1.0, 5.0, 15.0)  # seconds before the next attempt after each early end
_SILENT = 20.0  # seconds without a sign after which a process hangs, and is killed
_LONG_ENOUGH = 60.0  # seconds of life after which an end counts as the first one again


class WebProcess:
    """A web process."""

    def __init__(self, listening: socket.socket, news: list[str]) -> None:
        """Start it, with all messages so far."""
        number = listening.fileno()
        self.begun = time.monotonic()
        self.silence = 0.0
        self.is_ready = threading.Event()
        # In a session of its own it does not hear Ctrl-C, which is for this process to answer.
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "antipodes.web.server.web_process", str(number)],
            text=True,
            start_new_session=True,
            pass_fds=[number],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        threading.Thread(target=self._listen, daemon=True).start()
        for line in news:
            self.hear(line)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.silence = 0.0
            if line.strip() == READY:
                self.is_ready.set()

    def hear(self, line: str) -> None:
        """Send a line to it, unless it has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            logger.debug("process %s has ended and hears nothing", self.process.pid)

    @property
    def lives(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    def hangs_after(self, seconds: float) -> bool:
        """Count time without a heartbeat of its event loop; return whether it hangs."""
        self.silence += seconds
        return self.is_ready.is_set() and self.silence > _SILENT

    def end(self) -> None:
        """Terminate it gracefully."""
        if self.lives:
            self.process.terminate()

    def wait(self) -> None:
        """Wait until it has ended; kill it after a timeout."""
        try:
            self.process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            logger.warning("process %s does not end; it is killed", self.process.pid)
            self.process.kill()
            self.process.wait()
        shared_metrics.forget(self.process.pid)


class Supervisor:
    """Runs a number of web processes."""

    def __init__(self, listening: socket.socket, workers: int) -> None:
        """Create the supervisor without starting processes."""
        self._listening = listening
        self._members: list[WebProcess | None] = [None] * workers
        self._failures = [0] * workers
        self._not_before = [0.0] * workers
        self._news: list[str] = []
        self._lock = threading.Lock()
        self._is_ending = False
        self._is_renewing = False

    def tell_all(self, use: kernel_warmup.Use | None, family: str) -> None:
        """Report ready kernels to all processes, also to those started later."""
        line = pubsub.format_line(kernel_warmup.KERNELS_READY, {"use": use, "family": family})
        with self._lock:
            self._news.append(line)
            members = [member for member in self._members if member]
        for member in members:
            member.hear(line)

    def run(self, started: Callable[[], object]) -> None:
        """Keep the processes running until SIGTERM or SIGINT.

        SIGHUP replaces them one after another without downtime.

        Args:
            started: called when the first one is ready.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        signal.signal(signal.SIGHUP, self._renew)
        try:
            while not self._is_ending:
                self._look()
                first = self._members[0]
                if first is not None and first.is_ready.is_set():
                    started()
                    started = _nothing
                if self._is_renewing:
                    self._is_renewing = False
                    self._replace_all()
                time.sleep(_LOOK)
        finally:
            members = [member for member in self._members if member]
            for member in members:
                member.end()
            for member in members:
                member.wait()

    def _end(self, *_: object) -> None:
        self._is_ending = True

    def _renew(self, *_: object) -> None:
        self._is_renewing = True

    def _start(self) -> WebProcess:
        with self._lock:
            return WebProcess(self._listening, self._news)

    def _look(self) -> None:
        """Start those that do not run, and kill those that hang."""
        for at, member in enumerate(self._members):
            # Time is counted in looks: if this process was suspended too, the others did not hang.
            if member is not None and member.lives and member.hangs_after(_LOOK):
                logger.error("web process hangs and is killed pid=%s", member.process.pid)
                member.process.kill()
                member.process.wait()
            if member is not None and not member.lives:
                self._note_end(at, member)
            if self._members[at] is None and time.monotonic() >= self._not_before[at]:
                self._members[at] = self._start()

    def _note_end(self, at: int, member: WebProcess) -> None:
        lasted = time.monotonic() - member.begun
        self._failures[at] = 0 if lasted > _LONG_ENOUGH else self._failures[at] + 1
        pause = _PAUSES[min(max(self._failures[at], 1), len(_PAUSES)) - 1]
        logger.error(
            "web process %s has ended with code %s; another is started in %s s",
            member.process.pid,
            member.process.returncode,
            pause,
        )
        shared_metrics.forget(member.process.pid)
        self._not_before[at] = time.monotonic() + pause
        self._members[at] = None

    def _replace_all(self) -> None:
        """Start a new process beside each old one, and end that when the new one answers."""
        for at, old in enumerate(self._members):
            new = self._start()
            end = time.monotonic() + _STARTING
            while not new.is_ready.wait(_LOOK):
                if self._is_ending or not new.lives or time.monotonic() > end:
                    logger.error("a new web process does not get ready; the old ones stay")
                    new.end()
                    new.wait()
                    return
            self._members[at] = new
            if old is not None:
                old.end()
                old.wait()


def _nothing() -> None:
    """Do nothing."""
