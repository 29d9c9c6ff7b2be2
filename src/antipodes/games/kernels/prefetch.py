"""A hint to the processor, for kernels that go through more memory than its caches hold."""

from __future__ import annotations

from typing import Any


def prefetch(array: Any, index: int) -> None:
    """Begin to load the part of an array's memory that holds ``array[index]``; return at once.

    It does nothing in the plain edition. In the native one it changes no value, whatever the
    index is.
    """
