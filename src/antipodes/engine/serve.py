"""The loops between engines and two text streams."""

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
_LOOK = 0.5  # seconds


def serve(engine: GtpEngine, stdin: TextIO, stdout: TextIO) -> None:
    """Answer line by line until ``quit``, the end of the input, or Ctrl-C.

    Each answer is followed by an empty line and sent at once. Bytes that are not text reach the
    engine as escapes, and a line of any length is read in pieces of a limited size. A client that
    goes away ends the loop like the end of the input.
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
        # Nothing can be sent any more; closed, the stream does not try again when Python ends.
        with contextlib.suppress(OSError):
            stdout.close()


class _Lines:
    """Lines that a thread reads, so that one can be seen to wait while another is carried out."""

    def __init__(self, stdin: TextIO) -> None:
        self._stdin = stdin
        self._waiting: queue.Queue[str] = queue.Queue(_READ_AHEAD)
        threading.Thread(target=self._read, name="gtp-input", daemon=True).start()

    def is_one_waiting(self) -> bool:
        """Return whether a line, or the end of the input, has come."""
        return not self._waiting.empty()

    def next(self) -> str:
        """Return the next line, empty at the end of the input."""
        while True:
            # Not every system notices Ctrl-C while it waits for ever.
            with contextlib.suppress(queue.Empty):
                return self._waiting.get(timeout=_LOOK)

    def _read(self) -> None:
        line = "\n"
        while line:
            try:
                line = _read_line(self._stdin, MAX_LINE)
            except (OSError, ValueError):  # a stream that was closed meanwhile
                line = ""
            self._waiting.put(line)
            request = read_request(line)
            # What follows is not ours, and Python does not like to end while a thread reads.
            if request is not None and request.name == "quit":
                return


def serve_analysis(
    start: Callable[[Callable[[str], object]], AnalysisEngine], stdin: TextIO, stdout: TextIO
) -> None:
    """Answer queries until the end of the input, and then all that are left, or until Ctrl-C.

    Args:
        start: makes the engine around what takes its answers.
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
        engine.abandon()
    if engine.is_unheard:
        with contextlib.suppress(OSError):
            stdout.close()


def _take_any_bytes(stdin: TextIO, stdout: TextIO) -> None:
    """Make streams that could fail on a character escape it, and end lines as GTP does."""
    for stream in (stdin, stdout):
        if isinstance(stream, io.TextIOWrapper):
            # Python refuses once something was read; then the stream stays as it is.
            with contextlib.suppress(io.UnsupportedOperation):
                stream.reconfigure(errors="backslashreplace", newline="\n")


def _read_line(stdin: TextIO, most: int) -> str:
    """Return the next line, empty at the end of the input.

    Of a line that is too long comes one character more than the engine allows; the rest is read
    and dropped.
    """
    line = piece = stdin.readline(most + 1)
    while len(piece) > most and not piece.endswith("\n"):
        piece = stdin.readline(most + 1)
    return line
