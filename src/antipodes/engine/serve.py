"""Loops that connect the engines to two text streams."""

from __future__ import annotations

import contextlib
import io
import queue
import threading
from collections.abc import Callable
from typing import TextIO

from antipodes.engine.analysis import AnalysisEngine
from antipodes.engine.analysis_queries import MAX_QUERY
from antipodes.engine.gtp import GtpEngine
from antipodes.engine.wire import MAX_LINE, read_request

_READ_AHEAD = 100  # lines
_POLL = 0.5  # seconds between two checks for signals


def serve(engine: GtpEngine, stdin: TextIO, stdout: TextIO) -> None:
    """Answer line by line until ``quit``, the end of the input, or Ctrl-C.

    Each answer is followed by an empty line and sent at once. Invalid bytes reach the engine as
    escapes, and long lines are read in pieces of a limited size. A client that disconnects ends the
    loop like the end of the input.
    """
    _take_any_bytes(stdin, stdout)

    def send(text: str) -> None:
        stdout.write(text)
        stdout.flush()

    lines = _Lines(stdin)
    engine.connect(send, lines.is_one_waiting)
    try:
        while not engine.quit_requested and (line := lines.next()):
            answer = engine.handle_line(line)
            if answer is not None:
                send(answer + "\n\n")
    except KeyboardInterrupt:
        return
    except BrokenPipeError:
        # A closed stream does not try to flush again when Python ends.
        with contextlib.suppress(OSError):
            stdout.close()


class _Lines:
    """A thread that reads lines ahead, so that a command can check whether another is waiting."""

    def __init__(self, stdin: TextIO) -> None:
        self._stdin = stdin
        self._waiting: queue.Queue[str] = queue.Queue(_READ_AHEAD)
        threading.Thread(target=self._read, name="gtp-input", daemon=True).start()

    def is_one_waiting(self) -> bool:
        """Return whether a line, or the end of the input, is waiting."""
        return not self._waiting.empty()

    def next(self) -> str:
        """Return the next line, empty at the end of the input."""
        while True:
            # Some systems do not notice Ctrl-C during a wait without a timeout.
            with contextlib.suppress(queue.Empty):
                return self._waiting.get(timeout=_POLL)

    def _read(self) -> None:
        line = "\n"
        while line:
            try:
                line = _read_line(self._stdin, MAX_LINE)
            except (OSError, ValueError):  # a stream that was closed meanwhile
                line = ""
            self._waiting.put(line)
            request = read_request(line)
            # Later input is not for this program, and Python cannot end while a thread reads.
            if request is not None and request.name == "quit":
                return


def serve_analysis(
    start: Callable[[Callable[[str], object]], AnalysisEngine], stdin: TextIO, stdout: TextIO
) -> None:
    """Answer queries until the end of the input, then all waiting ones, or until Ctrl-C.

    Args:
        start: makes the engine with a function that sends its answers.
        stdin: queries, one a line.
        stdout: answers, one a line, each sent at once.
    """
    _take_any_bytes(stdin, stdout)

    def send(line: str) -> None:
        stdout.write(line + "\n")
        stdout.flush()

    engine = start(send)
    try:
        while line := _read_line(stdin, MAX_QUERY):
            engine.handle_line(line)
        engine.finish()
    except KeyboardInterrupt:
        engine.abort()
    if engine.is_disconnected:
        with contextlib.suppress(OSError):
            stdout.close()


def _take_any_bytes(stdin: TextIO, stdout: TextIO) -> None:
    """Make streams escape invalid characters, and end lines as GTP does."""
    for stream in (stdin, stdout):
        if isinstance(stream, io.TextIOWrapper):
            # Python refuses after the first read; then the stream stays as it is.
            with contextlib.suppress(io.UnsupportedOperation):
                stream.reconfigure(errors="backslashreplace", newline="\n")


def _read_line(stdin: TextIO, most: int) -> str:
    """Return the next line, empty at the end of the input.

    A line that is too long is cut one character after the engine's maximum; the rest is dropped.
    """
    line = piece = stdin.readline(most + 1)
    while len(piece) > most and not piece.endswith("\n"):
        piece = stdin.readline(most + 1)
    return line
