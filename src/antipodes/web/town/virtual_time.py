"""Virtual time: an event loop whose clock stands still until nothing is left to do.

Threads that the loop has started run in real time, but the loop waits for them before its clock
moves. So a run takes as long as its work, and its order does not depend on the machine's speed as
long as one event is handled at a time.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import time_machine

_THREAD_WAIT = 60.0  # seconds of real time without a sign of life from a thread


class StuckError(Exception):
    """Nothing is left to do, but the director waits."""


class _Selector(selectors.DefaultSelector):
    """A selector that tells the loop when it would wait."""

    def __init__(self) -> None:
        super().__init__()
        self.on_idle: Callable[[float | None], bool] = lambda _seconds: False

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        return super().select(_THREAD_WAIT) if self.on_idle(timeout) else []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time."""

    def __init__(self, begin: datetime) -> None:
        """Begin at an instant."""
        selector = _Selector()
        super().__init__(selector)
        selector.on_idle = self._on_idle
        self._now = 1_000.0
        self._in_threads = 0
        self._settling: asyncio.Future[float | None] | None = None
        self._travel = time_machine.travel(begin.astimezone(UTC), tick=False)
        self._world: Any = None
        self._real = {name: vars(time)[name] for name in ("monotonic", "monotonic_ns", "sleep")}

    def __enter__(self) -> VirtualLoop:
        """Make the clocks of this process virtual, but those that measure what work costs."""
        self._world = self._travel.start()
        vars(time).update(
            monotonic=self.time,
            monotonic_ns=lambda: int(self.time() * 1e9),
            sleep=lambda seconds: self._set(self._now + seconds),
        )
        return self

    def __exit__(self, *_: object) -> None:
        """Make the clocks real again."""
        vars(time).update(self._real)
        self._travel.stop()

    def time(self) -> float:
        """Return virtual seconds."""
        return self._now

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Run a function in a thread, for which the clock waits."""
        future = super().run_in_executor(executor, func, *args)
        self._in_threads += 1
        future.add_done_callback(self._leave_thread)
        return future

    def _leave_thread(self, _future: Any) -> None:
        self._in_threads -= 1

    def _on_idle(self, seconds: float | None) -> bool:
        """Act when no callback is ready; return whether to wait for a thread.

        Args:
            seconds: until the next timer; ``None`` without one.
        """
        if self._in_threads:
            return True
        if self._settling is not None:
            self._settling.set_result(seconds)
            self._settling = None
        elif seconds is None:
            raise StuckError("nothing is left to do")
        else:
            # Everybody waits for something later: time goes on to it.
            self._set(self._now + seconds)
        return False

    async def settle(self) -> float | None:
        """Wait until nothing is left to do at this instant; return the seconds to the next timer.

        ``None`` means that there is no timer.
        """
        self._settling = self.create_future()
        return await self._settling

    async def advance(self, seconds: float) -> None:
        """Let time pass, with all timers on the way."""
        end = self._now + seconds
        while (wait := await self.settle()) is not None and self._now + wait <= end:
            self._set(self._now + wait)
        self._set(end)
        await self.settle()

    def set_wall_clock(self, seconds: float) -> None:
        """Set the machine's clock forward or back; the time of the loop stays."""
        self._world.shift(seconds)

    def _set(self, now: float) -> None:
        if now > self._now:
            self._world.shift(now - self._now)
            self._now = now
