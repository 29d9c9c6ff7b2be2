"""Storage of rate limits in the memory of a process.

The limits library's own storage starts a thread with each use, which looks at all keys: with
thousands of clients that costs more than what the limits protect. Here each use looks at two
further keys, and drops those whose uses have all expired, so its cost does not depend on their
number.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque

from limits.storage.base import MovingWindowSupport, Storage

_LOOKS = 2  # keys, for each use; so keys are dropped faster than added


class RateWindows(Storage, MovingWindowSupport):
    """The times of the latest uses of each key, for moving windows only."""

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        # The instants at which uses expire, in order; the keys are in the order of the latest look.
        self._expiries: OrderedDict[str, deque[float]] = OrderedDict()

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count uses unless there are too many; return whether they are counted.

        Args:
            key: by which uses are counted.
            limit: number of uses that are allowed.
            expiry: seconds for which a use counts.
            amount: number of uses.
        """
        at = time.time()
        with self._lock:
            expiries = self._current(key, at)
            if len(expiries) + amount > limit:
                return False
            expiries.extend([at + expiry] * amount)
            self._expiries[key] = expiries
            for _ in range(_LOOKS):
                self._look(at)
        return True

    def _current(self, key: str, at: float) -> deque[float]:
        """Return the instants at which the uses of a key expire, without those in the past."""
        expiries = self._expiries.get(key) or deque()
        while expiries and expiries[0] <= at:
            expiries.popleft()
        return expiries

    def _look(self, at: float) -> None:
        """Drop the key whose latest look is the earliest, if all its uses have expired."""
        key, expiries = self._expiries.popitem(last=False)
        if expiries and expiries[-1] > at:
            self._expiries[key] = expiries

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:  # noqa: ARG002
        """Return when the oldest use that counts was made, and the number of uses."""
        at = time.time()
        with self._lock:
            expiries = self._current(key, at)
            return (expiries[0] - expiry, len(expiries)) if expiries else (at, 0)

    def clear(self, key: str) -> None:
        """Forget the uses of a key."""
        with self._lock:
            self._expiries.pop(key, None)

    def reset(self) -> int:
        """Forget all uses; return the number of keys."""
        with self._lock:
            count = len(self._expiries)
            self._expiries.clear()
            return count

    def check(self) -> bool:
        """Return whether uses can be counted."""
        return True

    def __len__(self) -> int:
        return len(self._expiries)

    # The library's other strategies would need these.

    @property
    def base_exceptions(self) -> type[Exception]:
        """No error is expected."""
        return MemoryError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Refuse to count in fixed windows."""
        raise NotImplementedError

    def get(self, key: str) -> int:
        """Refuse to count in fixed windows."""
        raise NotImplementedError

    def get_expiry(self, key: str) -> float:
        """Refuse to count in fixed windows."""
        raise NotImplementedError
