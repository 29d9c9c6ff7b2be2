"""A few persistent threads for synchronous request handling, with their database connections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext

_THREADS = 8  # in each process; each may hold a database connection

Application = Callable[[Any, Any, Any], Awaitable[None]]


class RequestThreads:
    """ASGI middleware that runs synchronous code of an application in a few threads.

    Otherwise each request would have a new thread and a new database connection. Requests share the
    least busy thread, so that long streams hold no connection of their own.
    """

    def __init__(self, application: Application, threads: int = _THREADS) -> None:
        """Create the executors; threads start when needed."""
        self._application = application
        names = [f"pages {number}" for number in range(threads)]
        self._executors = [ThreadPoolExecutor(1, thread_name_prefix=name) for name in names]
        self._requests = [0] * threads

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        at = self._requests.index(min(self._requests))
        self._requests[at] += 1
        try:
            async with ThreadSensitiveContext(executor=self._executors[at]):
                await self._application(scope, receive, send)
        finally:
            self._requests[at] -= 1
