"""Commands of WebSockets, executed in batches: one check of credentials, one transaction.

While the thread of sockets executes a batch, further commands wait and form the next one. So a
quiet site executes each command at once, and a busy one executes many for little more than the
price of one: the thread is called once, and SQLite waits for the disk once.

Commands that may take long, such as edits of studies, have a queue and a thread of their own, and
each makes its own transactions, so that none delays moves or holds a lock while it reads.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import connection as database
from django.db import transaction
from django.utils import translation

from antipodes.web.connections.credentials import Credentials, still_valid
from antipodes.web.connections.registry import Connection, EndedError, Ending
from antipodes.web.platform.outages import outage_of

_MOST = 32  # commands of a batch; until it is committed other processes cannot write

P = ParamSpec("P")
R = TypeVar("R")

Call = Callable[[], object]


async def execute(connection: Connection, call: Call, queue: Queue | None = None) -> None:
    """Run a function that executes a client's command, in the thread of a queue.

    In the usual queue, `quick`, it may share a transaction with other clients' commands, but an
    error undoes only its own changes. It runs in the caller's context, so with the caller's
    language.

    Raises:
        EndedError: the client's credentials are no longer valid; nothing was executed.
        Exception: whatever the function raises.
    """
    run, language = contextvars.copy_context().run, translation.get_language()

    def call_in_language() -> None:
        # Django keeps the language with the thread as well, so a context alone does not bring it.
        with translation.override(language):
            call()

    error = await (queue or quick).put(
        _Command(connection.credentials, lambda: run(call_in_language))
    )
    if isinstance(error, EndedError):
        connection.end(Ending.SIGNED_OUT)
    if error is not None:
        raise error


@dataclass(frozen=True, slots=True)
class _Command:
    credentials: Credentials | None
    call: Call


Execute = Callable[[Sequence[_Command]], Awaitable[list[Exception | None]]]


class Queue:
    """Commands that wait for the next batch."""

    def __init__(self, execute_in_thread: Execute, most: int = _MOST) -> None:
        """Begin without commands.

        Args:
            execute_in_thread: executes a batch in the thread of the queue.
            most: number of commands of a batch.
        """
        self._execute = execute_in_thread
        self._most = most
        self._waiting: list[tuple[_Command, asyncio.Future[Exception | None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def put(self, command: _Command) -> Exception | None:
        """Execute a command in a batch; return its error."""
        loop = asyncio.get_running_loop()
        if self._task is None or self._task.get_loop() is not loop:
            self._waiting, self._task = [], None  # this process has a new event loop
        answer: asyncio.Future[Exception | None] = loop.create_future()
        self._waiting.append((command, answer))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._work())
        return await answer

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            try:
                errors = await self._execute([command for command, _ in batch])
            except Exception as failure:  # noqa: BLE001 - passed to the clients
                errors = [failure] * len(batch)
            for (_, answer), error in zip(batch, errors, strict=True):
                if not answer.done():  # else the client has left
                    answer.set_result(error)


def _execute(commands: Sequence[_Command]) -> list[Exception | None]:
    """Execute commands of clients whose credentials are valid; return the error of each."""
    given = {one.credentials for one in commands if one.credentials is not None}
    valid = {None, *(still_valid(given) if given else ())}
    errors = iter(run_together([one.call for one in commands if one.credentials in valid]))
    return [next(errors) if one.credentials in valid else EndedError() for one in commands]


def _execute_alone(commands: Sequence[_Command]) -> list[Exception | None]:
    """Execute one command without a transaction around it; return its error."""
    [command] = commands
    if command.credentials is not None and not still_valid([command.credentials]):
        return [EndedError()]
    try:
        command.call()
    except Exception as error:  # noqa: BLE001 - passed to the client
        return [error]
    return [None]


_slow_thread = ThreadPoolExecutor(1, thread_name_prefix="slow commands")


def in_slow_thread(call: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return a coroutine function that calls a function in the thread of slow commands."""
    return database_sync_to_async(call, thread_sensitive=False, executor=_slow_thread)


quick = Queue(database_sync_to_async(_execute))
slow = Queue(in_slow_thread(_execute_alone), most=1)


def run_together(calls: Sequence[Call]) -> list[Exception | None]:
    """Call functions in one transaction of SQLite; return the error of each.

    An error undoes the changes of its function only. If the database is unavailable, or the disk
    full, all of them fail and nothing has changed. Elsewhere each has a transaction of its own:
    several processes that lock many rows in any order would wait for each other.
    """
    if len(calls) == 1 or database.vendor != "sqlite":
        return [_error_of(call) for call in calls]
    try:
        with transaction.atomic():
            return [_error_of(call) for call in calls]
    except Exception as error:  # noqa: BLE001 - passed to the clients
        return [error] * len(calls)


def _error_of(call: Call) -> Exception | None:
    """Call a function; return its error, after undoing what it has changed."""
    try:
        with transaction.atomic():
            call()
    except Exception as error:
        if database.in_atomic_block and outage_of(error) is not None:
            raise  # the whole transaction may be rolled back already
        return error
    return None
