"""The loops between engines and two text streams."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import TextIO

from antipodes.engine.analysis import AnalysisEngine
from antipodes.engine.analysis_queries import MAX_QUERY
from antipodes.engine.gtp import GtpEngine
from antipodes.engine.wire import MAX_LINE


def serve(engine: GtpEngine, stdin: TextIO, stdout: TextIO) -> None:
    """Answer line by line until ``quit``, the end of the input, or Ctrl-C.

    Each answer is followed by an empty line and sent at once. Bytes that are not text reach the
    engine as escapes, and a line of any length is read in pieces of a limited size. A client that
    goes away ends the loop like the end of the input.
    """
    _take_any_bytes(stdin, stdout)
    try:
        while not engine.quit_requested and (line := _read_line(stdin, MAX_LINE)):
            answer = engine.handle_line(line)
            if answer is not None:
                stdout.write(answer + "\n\n")
                stdout.flush()
    except KeyboardInterrupt:
        return
    except BrokenPipeError:
        # Nothing can be sent any more; closed, the stream does not try again when Python ends.
        with contextlib.suppress(OSError):
            stdout.close()


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
