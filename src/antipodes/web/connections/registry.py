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
from typing import TypeVar

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

# Of the files that a process may open: others are the database, Redis, and plain requests.
_SHARE_OF_FILES = 0.75
_SHARE_OF_ADDRESS = 0.25  # of all connections of a process, however much an address is allowed

_WAIT = 10  # seconds after which to try again

Result = TypeVar("Result")


class Kind(Enum):
    """Kind of connection."""

    SOCKET = "socket"
    STREAM = "stream"


class Ending(Enum):
    """Why the site ends a connection; the value is the close code of a WebSocket."""

    SIGNED_OUT = 4401
    TOO_MANY = 4429
    RESTART = 1012


class EndedError(Exception):
    """A connection was ended while something was awaited for it."""


class TooManyConnectionsError(InputError):
    """A limit on connections is reached; ``seconds`` is how long to wait."""

    seconds = _WAIT

    def __init__(self, limit: CountLimit) -> None:
        """Create the error for a limit."""
        template = _("There are too many open connections (%(limit)s); close some first.")
        message = template % {"limit": limit.name}
        super().__init__([Fault("limits/too-many-connections", message)])


class Connection:
    """One WebSocket or stream.

    Attributes:
        kind: which of them.
        address: where it comes from, if that is known.
        credentials: what it was opened with; ``None`` for anonymous clients.
        active: when the client was last heard, by the monotonic clock.
        ending: why the site has ended it; ``None`` as long as it has not.
    """

    def __init__(self, kind: Kind, address: Address | None = None) -> None:
        """Create a connection that is not registered yet."""
        self.kind = kind
        self.address = address
        self.credentials: Credentials | None = None
        self.active = time.monotonic()
        self.ending: Ending | None = None
        self._ended = asyncio.Event()
        self._checks = 0
        self._settled = asyncio.Event()
        self._settled.set()
        self._places: list[tuple[str, str]] = []

    def open(self) -> None:
        """Register the connection with the limits of the process and the client's address.

        Raises:
            TooManyConnectionsError: a limit is reached; nothing was registered.
        """
        try:
            self._take(CONNECTIONS, "process", most_connections())
            if self.address is not None and not self.address.is_loopback:
                limit = SOCKETS_OF_ADDRESS if self.kind is Kind.SOCKET else STREAMS_OF_ADDRESS
                ceiling = max(1, int(_SHARE_OF_ADDRESS * most_connections()))
                for network, multiple in networks(self.address):
                    self._take(limit, network, min(multiple * limit.value, ceiling))
        except TooManyConnectionsError:
            self.leave()
            raise
        _open[self] = None

    def identify(self, credentials: Credentials | None) -> None:
        """Note what the connection was opened with, and take a place of the user and token.

        Raises:
            TooManyConnectionsError: a stream is one too many; all its places are given back.
        """
        self.credentials = credentials
        if credentials is None:
            return
        try:
            self._take_for(credentials)
        except TooManyConnectionsError:
            self.leave()
            raise

    def _take_for(self, credentials: Credentials) -> None:
        user = str(credentials.user)
        if self.kind is Kind.SOCKET:
            if _taken[SOCKETS_OF_USER.name, user] >= SOCKETS_OF_USER.value:
                self._end_oldest_of(credentials.user)
            self._take(SOCKETS_OF_USER, user)
            return
        if credentials.token is not None:
            self._take(STREAMS_OF_TOKEN, str(credentials.token))
        self._take(STREAMS_OF_USER, user)

    def _end_oldest_of(self, user: int) -> None:
        """End the WebSocket of a user that has been idle for the longest time."""
        own = [
            one
            for one in _open
            if one.kind is Kind.SOCKET
            and one is not self
            and one.ending is None
            and one.credentials is not None
            and one.credentials.user == user
        ]
        min(own, key=lambda one: one.active).end(Ending.TOO_MANY)

    def watch(self, slug: str) -> None:
        """Take a place among the spectators of a match.

        Raises:
            TooManyConnectionsError: there is none left.
        """
        self._take(SPECTATORS, slug)

    def _take(self, limit: CountLimit, who: str, most: int | None = None) -> None:
        key = (limit.name, who)
        if _taken[key] >= (limit.value if most is None else most):
            raise TooManyConnectionsError(limit)
        _taken[key] += 1
        self._places.append(key)

    def end(self, why: Ending) -> None:
        """End the connection: nothing is told any more; call it in the event loop's thread."""
        if self.ending is None:
            self.ending = why
            self._ended.set()
            self.leave()

    def leave(self) -> None:
        """Give all places back; doing it twice does it once."""
        _open.pop(self, None)
        for key in self._places:
            _taken[key] -= 1
            if not _taken[key]:
                del _taken[key]
        self._places.clear()

    def begin_check(self) -> None:
        """Hold back what is sent until a check of the credentials has ended."""
        self._checks += 1
        self._settled.clear()

    def end_check(self) -> None:
        """Send what was held back, unless the connection was ended or is checked again."""
        self._checks -= 1
        if not self._checks:
            self._settled.set()

    async def may_send(self) -> bool:
        """Await a check that is under way; return whether the connection still lasts."""
        await self._settled.wait()
        return self.ending is None

    async def unless_ended(self, awaited: Awaitable[Result]) -> Result:
        """Await something, for no longer than the connection lasts.

        Raises:
            EndedError: the connection was ended; what was awaited is cancelled.
        """
        task = asyncio.ensure_future(awaited)
        end = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait({task, end}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            end.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
        if not await self.may_send():
            if not task.cancelled():
                task.exception()  # mark the exception as retrieved
            raise EndedError
        return task.result()


_open: dict[Connection, None] = {}
_taken: Counter[tuple[str, str]] = Counter()


def open_here() -> list[Connection]:
    """Return the open connections of this process, the oldest first."""
    return list(_open)


def end_streams() -> None:
    """End all streams of this process: it stops, and clients connect again."""
    for one in open_here():
        if one.kind is Kind.STREAM:
            one.end(Ending.RESTART)


def most_connections() -> int:
    """Return how many connections this process may have: fewer than the files it may open."""
    files, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return CONNECTIONS.value
    return min(CONNECTIONS.value, int(_SHARE_OF_FILES * files))


_MOST_FILES = 65_536  # some programs try to close each file that they might have open


def allow_many_files() -> None:
    """Raise the limit of open files of this process as far as it may be raised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
