"""Converts SVG to PNG in a child process.

The library holds the GIL for up to a second; in a web process that would delay all moves and pages.
"""

from __future__ import annotations

import subprocess
import sys
from threading import BoundedSemaphore
from typing import Final

from antipodes.web.platform.limits import BusyError

_PROGRAM: Final = """
import os, resvg_py, sys
os.nice(10)
svg = sys.stdin.buffer.read().decode()
png = resvg_py.svg_to_bytes(svg_string=svg, width=int(sys.argv[1]), shape_rendering=sys.argv[2])
sys.stdout.buffer.write(bytes(png))
"""
_TIMEOUT = 20  # seconds; the largest board takes less than one
_RETRY_AFTER = 3  # seconds
_QUEUE = 3  # concurrent requests for pictures; each occupies a thread

_one_at_a_time = BoundedSemaphore(1)
_places = BoundedSemaphore(_QUEUE)


def draw_png(svg: str, width: int, *, shape_rendering: str = "geometric_precision") -> bytes:
    """Return an SVG as a PNG; pictures are drawn one at a time.

    Args:
        svg: the picture.
        width: of the PNG, in pixels.
        shape_rendering: ``geometric_precision``, or ``crisp_edges`` for smaller files.

    Raises:
        TimeoutError: the machine has too little CPU time.
        OSError: no process could be started, or it failed.
    """
    command = [sys.executable, "-P", "-c", _PROGRAM, str(width), shape_rendering]
    try:
        with _one_at_a_time:
            done = subprocess.run(  # noqa: S603 - the constant program above
                command, input=svg.encode(), capture_output=True, timeout=_TIMEOUT, check=True
            )
    except subprocess.TimeoutExpired as error:
        message = f"a picture could not be drawn within {_TIMEOUT} seconds"
        raise TimeoutError(message) from error
    except subprocess.SubprocessError as error:
        raise OSError(f"a picture could not be drawn: {error}") from error
    return done.stdout


def draw_png_soon(svg: str, width: int) -> bytes:
    """Return an SVG as a PNG, or refuse if the machine is too busy for it.

    Raises:
        BusyError: too many requests wait already, or drawing takes too long.
        OSError: no process could be started, or it failed.
    """
    if not _places.acquire(blocking=False):
        raise BusyError(_RETRY_AFTER)
    try:
        return draw_png(svg, width)
    except TimeoutError:
        raise BusyError(_RETRY_AFTER) from None
    finally:
        _places.release()
