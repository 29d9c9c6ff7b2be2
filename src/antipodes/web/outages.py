"""When the database or Redis are away: people are asked to come back, and lose nothing."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

from django.db import InterfaceError, OperationalError

logger = logging.getLogger(__name__)

try:
    from redis.exceptions import ConnectionError as RedisConnectionError
    from redis.exceptions import TimeoutError as RedisTimeoutError
except ImportError:  # one machine alone does without
    _REDIS: tuple[type[Exception], ...] = ()
else:
    _REDIS = (RedisConnectionError, RedisTimeoutError)

OUTAGES: tuple[type[Exception], ...] = (OperationalError, InterfaceError, *_REDIS)

_TRY_AGAIN = 1013  # the code with which browsers are asked to connect again later


class ClosedInOutages:
    """Closes a socket whose command cannot be carried out now.

    Pages connect again by themselves, and then send what was not acknowledged once more.
    """

    def __init__(self, application: Any) -> None:
        """Keep what serves the sockets."""
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a socket."""
        try:
            await self._application(scope, receive, send)
        except OUTAGES as error:
            logger.warning("a socket is closed, because something is away: %s", error)
            with suppress(Exception):  # the browser may have left at the same time
                await send({"type": "websocket.close", "code": _TRY_AGAIN})
