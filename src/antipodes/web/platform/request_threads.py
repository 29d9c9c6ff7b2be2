"""The threads in which pages are made: few, and kept with their connections to the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext

_THREADS = 8  # of each process; each may hold one connection to the database

Application = Callable[[Any, Any, Any], Awaitable[None]]


class FewThreads:
    """Runs an application so that what blocks is done in one of a few threads.

    Otherwise each request has a new thread, and with it a new connection to the database. Two
    requests share a thread only if all threads have something to do, so answers that are streamed
    for hours hold no connection of their own.
    """

    def __init__(self, application: Application, threads: int = _THREADS) -> None:
        """Prepare; threads begin when they are needed."""
        self._application = application
        names = [f"pages {number}" for number in range(threads)]
        self._executors = [ThreadPoolExecutor(1, thread_name_prefix=name) for name in names]
        self._requests = [0] * threads

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        at = self._requests.index(min(self._requests))
        self._requests[at] += 1
        try:
            async with ThreadSensitiveContext(executor=self._executors[at]):
                await self._application(scope, receive, send)
        finally:
            self._requests[at] -= 1
