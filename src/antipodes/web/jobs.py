"""The queues of work that is done beside the pages, and what works them off.

What waits in a queue is lost with it, and what is taken from it is lost with whoever took it. So
rows in the database say what is to be done; what they still ask for is put into the queues again
when an engine starts, and in the caretaker's rounds.
"""

from __future__ import annotations

import threading
from typing import Any

from django.db import close_old_connections
from huey import PriorityRedisHuey, SqliteHuey
from huey.api import Huey
from huey.consumer import Consumer

from antipodes.web.config import data_folder, redis_options, redis_url

_IMPATIENCE = 0.05  # seconds until an idle worker looks for work again


def _queue(name: str, file: str) -> Huey:
    """Return a queue: in Redis where several machines share it, else in a file."""
    url = redis_url()
    if url:
        from redis import ConnectionPool  # one machine alone does without

        pool = ConnectionPool.from_url(url, **redis_options())
        return PriorityRedisHuey(f"antipodes-{name}", results=False, connection_pool=pool)
    return SqliteHuey(name, results=False, filename=str(data_folder() / file))


# The computer's moves; nothing else may keep players waiting.
queue = _queue("antipodes", "jobs.sqlite3")

# Analyses, hints and reviews of finished matches.
studies = _queue("studies", "studies.sqlite3")


class Worker(Consumer):  # type: ignore[misc]  # huey has no types
    """Works a queue off in threads of this process; the process itself hears the signals."""

    def __init__(self, work: Huey = queue) -> None:
        """Take one thread: a search uses a whole core."""
        super().__init__(
            work, workers=1, initial_delay=_IMPATIENCE, max_delay=_IMPATIENCE, periodic=False
        )

    def _set_signal_handlers(self) -> None:
        """Leave signals alone."""


_lock = threading.Lock()
_done = 0


def done_here() -> int:
    """Return how many pieces of work this process has done."""
    return _done


def _begin(_task: Any) -> None:
    """Let a connection that broke meanwhile be replaced."""
    close_old_connections()


def _end(_task: Any, _value: Any, _error: Any) -> None:
    global _done  # noqa: PLW0603
    close_old_connections()
    with _lock:
        _done += 1


for _one in (queue, studies):
    _one.pre_execute("antipodes")(_begin)
    _one.post_execute("antipodes")(_end)
