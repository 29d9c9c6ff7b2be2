"""One run of a search: slices of visits in each of its threads, until a limit is met."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Generic, Protocol, TypeVar

from antipodes.search.thinking import Limits

_SLICE = 0.01  # seconds between two looks at the clock and the caller
_SHORTEST = 16  # visits of the first slice
_NEVER = 1 << 62  # visits


class Grower(Protocol):
    """What one thread adds visits to, such as a tree."""

    @property
    def visits(self) -> int:
        """Visits made so far."""
        ...

    @property
    def begun(self) -> bool:
        """Whether enough was looked at for a run to end when its time is up."""
        ...

    @property
    def done(self) -> bool:
        """Whether nothing is left to find."""
        ...

    def add(self, visits: int) -> object:
        """Add visits; fewer where nothing is left to find."""
        ...


G = TypeVar("G", bound=Grower)


class Run(Generic[G]):
    """A run of a search, in as many threads as there are growers."""

    def __init__(
        self,
        growers: Sequence[G],
        limits: Limits,
        stopped: threading.Event,
        report: Callable[[float, float], object],
        *,
        advise: Callable[[G], object] | None = None,
        look: int = _NEVER,
        least: int = 2,
    ) -> None:
        """Prepare a run.

        Args:
            growers: what grows; the first in the calling thread.
            limits: when to end.
            stopped: set by whoever ends the run early.
            report: is told after each slice which share of the run is done, and the seconds.
            advise: asks an advisor about what is due in a tree.
            look: visits after which it is called. The number is fixed, and not one of seconds, so
                that seeds decide everything.
            least: visits of each grower that a limit leaves. Two, since the first visit of a tree
                may only give the root its children.
        """
        self._growers = growers
        self._limits = limits
        self._stopped = stopped
        self._advise = advise or (lambda _: None)
        self._look = look
        self._report = report
        self._began = time.perf_counter()
        self._over = threading.Event()
        self._trouble: BaseException | None = None
        visits = limits.visits
        self._room = _NEVER if visits is None else max(least, -(-visits // len(growers)))

    def make(self) -> None:
        """Let all grow; what is raised in any thread ends the run and is raised here."""
        # Each thread uses the edition of kernels that the caller chose.
        helpers = [
            threading.Thread(target=copy_context().run, args=(self._help, one))
            for one in self._growers[1:]
        ]
        for helper in helpers:
            helper.start()
        try:
            self._grow(self._growers[0], self._report)
        except BaseException:
            self._over.set()
            raise
        finally:
            for helper in helpers:
                helper.join()
        if self._trouble is not None:
            raise self._trouble

    def _help(self, grower: G) -> None:
        """Let one grow in a thread of its own."""
        try:
            self._grow(grower, lambda share, seconds: None)  # noqa: ARG005
        except BaseException as error:  # noqa: BLE001
            self._trouble = error
            self._over.set()

    def _grow(self, grower: G, report: Callable[[float, float], object]) -> None:
        """Add slices of visits until the run is over."""
        size = _SHORTEST
        if grower.visits == 0 and self._room > 1:
            grower.add(1)
        self._advise(grower)
        share = 0.0
        while share < 1.0 and not (self._over.is_set() or self._stopped.is_set()):
            before = time.perf_counter()
            left = max(self._room - grower.visits, 1)
            grower.add(min(size, left, self._look - grower.visits % self._look))
            after = time.perf_counter()
            if after - before < _SLICE / 2:
                size *= 2
            elif after - before > _SLICE * 2 and size > 1:
                size //= 2
            if grower.visits % self._look == 0:
                self._advise(grower)
            share = self._share(grower, time.perf_counter() - self._began)
            report(share, after - self._began)

    def _share(self, grower: G, seconds: float) -> float:
        """Return how much of the run is done by one thread; 1 when it is over."""
        if grower.done:
            self._over.set()
            return 1.0
        share = grower.visits / self._room
        if self._limits.seconds is not None and grower.begun:
            limit = self._limits.seconds
            share = max(share, seconds / limit if limit > 0 else 1.0)
        return min(share, 1.0)
