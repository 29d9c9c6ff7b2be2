"""Registry of the open WebSockets and streams of this process, with their limits.

Each web process counts on its own. A connection above a limit is refused without a database query;
only a user's oldest WebSocket is closed for a new one of the same user.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections import Counter
from collections.abc import Awaitable
from enum import Enum
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.web.connections.credentials import Credentials
from antipodes.web.platform.client_addresses import Address, networks
from antipodes.web.platform.limits import CountLimit, count_limit

CONNECTIONS = count_limit(
    "connections", 10_000, per="process", what="open WebSockets and streams together"
)
SOCKETS_OF_ADDRESS = count_limit(
    "sockets-per-address", 200, per="address", what="open WebSockets of an address"
)
SOCKETS_OF_USER = count_limit(
    "sockets-per-user", 60, per="user", what="open WebSockets of a user; the oldest is closed"
)
STREAMS_OF_ADDRESS = count_limit(
    "streams-per-address", 200, per="address", what="open streams of an address"
)
STREAMS_OF_USER = count_limit(
    "streams-per-user", 60, per="user", what="open streams of all tokens of a user"
)
STREAMS_OF_TOKEN = count_limit("streams-per-token", 20, per="token", what="open streams of a token")
SPECTATORS = count_limit(
    "spectators", 1_000, per="match", what="open WebSockets of spectators of a match"
)

DRAIN_SECONDS = count_limit(
    "drain-seconds", 5, per="process", what="seconds in which requests finish when a server stops"
)

_SHARE_OF_FILES = 0.75  # of the files that a process may open; the database and Redis need some
_SHARE_OF_ADDRESS = 0.25  # of all connections of a process, whatever the limit of an address is

_RETRY_AFTER = 10  # seconds

Result = TypeVar("Result")


class ConnectionKind(Enum):
    """Kind of connection."""

    SOCKET = "socket"
    STREAM = "stream"


class Ending(Enum):
    """Why the site ends a connection; the value is the close code of a WebSocket."""

    SIGNED_OUT = 4401
    TOO_MANY = 4429
    RESTART = 1012


class EndedError(Exception):
    """A connection was ended while its application was waiting."""


class TooManyConnectionsError(InputError):
    """A limit on connections is reached; ``seconds`` is how long to wait."""

    seconds = _RETRY_AFTER

    def __init__(self, limit: CountLimit) -> None:
        template = _("There are too many open connections (%(limit)s); close some first.")
        message = template % {"limit": limit.name}
        super().__init__([Fault("limits/too-many-connections", message)])


class Connection:
    """One WebSocket or stream.

    Attributes:
        kind: WebSocket or stream.
        address: of the client, if known.
        credentials: of the client; ``None`` if it is anonymous.
        active: when the client last sent a message, by the monotonic clock.
        ending: why the site ended it; ``None`` while it is open.
        commands_are_checked: whether the application itself checks the credentials with each
            command, see `commands`.
    """

    def __init__(self, kind: ConnectionKind, address: Address | None = None) -> None:
        """Create a connection that is not registered yet."""
        self.kind = kind
        self.address = address
        self.credentials: Credentials | None = None
        self.active = time.monotonic()
        self.ending: Ending | None = None
        self.commands_are_checked = False
        self._waiting: asyncio.Future[Any] | None = None  # for a message of the client
        self._checks = 0  # in progress
        self._is_checked = asyncio.Event()
        self._is_checked.set()
        self._counted: list[tuple[str, str]] = []  # keys of `_counts`

    def open(self) -> None:
        """Register the connection with the limits of the process and the client's address.

        Raises:
            TooManyConnectionsError: a limit is reached; nothing was registered.
        """
        try:
            self._count(CONNECTIONS, "process", max_connections())
            if self.address is not None and not self.address.is_loopback:
                limit = (
                    SOCKETS_OF_ADDRESS if self.kind is ConnectionKind.SOCKET else STREAMS_OF_ADDRESS
                )
                ceiling = max(1, int(_SHARE_OF_ADDRESS * max_connections()))
                for network, multiple in networks(self.address):
                    self._count(limit, network, min(multiple * limit.value, ceiling))
        except TooManyConnectionsError:
            self.leave()
            raise
        _open[self] = None

    def identify(self, credentials: Credentials | None) -> None:
        """Set the credentials, and count the connection for its user and token.

        Raises:
            TooManyConnectionsError: a stream exceeds a limit; it is not counted any more.
        """
        self.credentials = credentials
        if credentials is None:
            return
        try:
            self._count_for(credentials)
        except TooManyConnectionsError:
            self.leave()
            raise

    def _count_for(self, credentials: Credentials) -> None:
        user = str(credentials.user)
        if self.kind is ConnectionKind.SOCKET:
            if _counts[SOCKETS_OF_USER.name, user] >= SOCKETS_OF_USER.value:
                self._end_most_idle_of(credentials.user)
            self._count(SOCKETS_OF_USER, user)
            return
        if credentials.token is not None:
            self._count(STREAMS_OF_TOKEN, str(credentials.token))
        self._count(STREAMS_OF_USER, user)

    def _end_most_idle_of(self, user: int) -> None:
        """End the WebSocket of a user that has been idle for the longest time."""
        own = [
            connection
            for connection in _open
            if connection.kind is ConnectionKind.SOCKET
            and connection is not self
            and connection.ending is None
            and connection.credentials is not None
            and connection.credentials.user == user
        ]
        min(own, key=lambda one: one.active).end(Ending.TOO_MANY)

    def watch(self, slug: str) -> None:
        """Count the connection as a spectator of a match.

        Raises:
            TooManyConnectionsError: the match has too many.
        """
        self._count(SPECTATORS, slug)

    def _count(self, limit: CountLimit, counted_by: str, value: int | None = None) -> None:
        key = (limit.name, counted_by)
        if _counts[key] >= (limit.value if value is None else value):
            raise TooManyConnectionsError(limit)
        _counts[key] += 1
        self._counted.append(key)

    def end(self, reason: Ending) -> None:
        """End the connection: nothing more is sent; call it in the event loop's thread."""
        if self.ending is None:
            self.ending = reason
            if self._waiting is not None:
                self._waiting.cancel()
            self.leave()

    def leave(self) -> None:
        """Remove the connection from the registry; idempotent."""
        _open.pop(self, None)
        for key in self._counted:
            _counts[key] -= 1
            if not _counts[key]:
                del _counts[key]
        self._counted.clear()

    def begin_check(self) -> None:
        """Hold back messages until a check of the credentials has ended."""
        self._checks += 1
        self._is_checked.clear()

    def end_check(self) -> None:
        """Release messages that were held back, unless another check is in progress."""
        self._checks -= 1
        if not self._checks:
            self._is_checked.set()

    async def may_send(self) -> bool:
        """Await checks in progress; return whether the connection is still open."""
        await self._is_checked.wait()
        return self.ending is None

    async def unless_ended(self, awaited: Awaitable[Result]) -> Result:
        """Return the result of an awaitable, unless the connection is ended first.

        Raises:
            EndedError: the connection was ended; the awaitable is cancelled.
        """
        task = asyncio.ensure_future(awaited)
        self._waiting = task
        # Ended before `end` knew of the task.
        if self.ending is not None:
            task.cancel()
        try:
            await asyncio.wait({task})
        finally:
            self._waiting = None
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
        if not await self.may_send():
            if not task.cancelled():
                task.exception()  # mark the exception as retrieved
            raise EndedError
        return task.result()


_open: dict[Connection, None] = {}
_counts: Counter[tuple[str, str]] = Counter()  # of connections, by limit and key


def open_connections() -> list[Connection]:
    """Return the open connections of this process, the oldest first."""
    return list(_open)


def users_online() -> set[int]:
    """Return the ids of the users who have a page of this process open."""
    return {
        connection.credentials.user
        for connection in open_connections()
        if connection.kind is ConnectionKind.SOCKET and connection.credentials is not None
    }


def end_streams() -> None:
    """End all streams of this process at its shutdown; clients reconnect."""
    for one in open_connections():
        if one.kind is ConnectionKind.STREAM:
            one.end(Ending.RESTART)


def max_connections() -> int:
    """Return how many connections this process may have; fewer than the files it may open."""
    files, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return CONNECTIONS.value
    return min(CONNECTIONS.value, int(_SHARE_OF_FILES * files))


_MAX_FILES = 65_536  # not more: some programs try to close every file that they might have open


def raise_file_limit() -> None:
    """Raise the limit of open files of this process as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
