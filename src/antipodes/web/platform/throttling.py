"""Throttling of background work, so that it does not delay moves and pages.

SQLite has one writer at a time, and Python one running thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_LONGEST: Final = 1.0  # seconds of one pause


@contextmanager
def share_of_time(share: float) -> Iterator[None]:
    """Run the block, then sleep so that it takes no more than a share of the time.

    Args:
        share: above 0, at most 1.
    """
    begun = time.monotonic()
    try:
        yield
    finally:
        took = time.monotonic() - begun
        time.sleep(min(_LONGEST, took * (1 / share - 1)))
