"""Arrays of zeros that take memory only where a search writes."""

from __future__ import annotations

import math
import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.search.kernels.keyed_rows import KeyedRows

_SMALL = 1 << 20  # bytes; smaller arrays are cleared at once


def lazy_zeros(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros whose pages the system provides when they are first written.

    For tables that a search fills from the front, and a short search hardly at all. `numpy.zeros`
    clears memory that the process has used before, which takes longer than a short search, and
    asks for pages of 2 MiB, which are cleared as a whole.

    Args:
        shape: of the array.
        dtype: of its elements.
    """
    kind = np.dtype(dtype)
    length = math.prod(shape) if isinstance(shape, tuple) else shape
    if length * kind.itemsize < _SMALL:
        return np.zeros(shape, kind)
    # A private mapping: a child process does not share later changes.
    memory = mmap.mmap(-1, length * kind.itemsize, access=mmap.ACCESS_COPY)
    return np.frombuffer(memory, kind, length).reshape(shape)


def new_keyed_rows(most: int, columns: int) -> KeyedRows:
    """Return room for so many rows of numbers that are found by their keys."""
    return KeyedRows(
        rows=lazy_zeros((most, columns), np.int64),
        places=lazy_zeros(1 << (2 * most - 1).bit_length(), np.int64),
        numbers=np.array([0, most], np.int64),
    )
