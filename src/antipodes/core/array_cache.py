"""A cache of arrays that is bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    """An array, or another value that knows its size in bytes."""

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        ...


KeyT = TypeVar("KeyT", bound=Hashable)
ArrayT = TypeVar("ArrayT", bound=Sized)


class ArrayCache(Generic[KeyT, ArrayT]):
    """A cache that drops the arrays not used for the longest time beyond a number of bytes.

    For keys that users choose: however many they try, the memory is bounded.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._kept: OrderedDict[KeyT, ArrayT] = OrderedDict()
        self._lock = Lock()

    def get(self, key: KeyT, make: Callable[[], ArrayT]) -> ArrayT:
        """Return the array of a key, made if it is not in the cache.

        The latest array is kept even if it is larger than the whole cache.
        """
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        made = make()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self.nbytes += made.nbytes
            while self.nbytes > self.max_bytes and len(self._kept) > 1:
                self.nbytes -= self._kept.popitem(last=False)[1].nbytes
        return made

    def clear(self) -> None:
        """Drop all arrays."""
        with self._lock:
            self._kept.clear()
            self.nbytes = 0
