"""Work that others can wait for, done in part of the time, so that moves and pages need not wait.

SQLite has one writer at a time, and Python one thread: what writes or computes all the time delays
everybody else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_LONGEST: Final = 1.0  # seconds of one pause


@contextmanager
def share_of_time(share: float) -> Iterator[None]:
    """Do something, then wait so long that it takes no more than a share of the whole time.

    Args:
        share: above 0, at most 1.
    """
    begun = time.monotonic()
    try:
        yield
    finally:
        took = time.monotonic() - begun
        time.sleep(min(_LONGEST, took * (1 / share - 1)))
