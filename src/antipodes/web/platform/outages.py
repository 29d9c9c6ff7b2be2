"""Outages: the database or Redis do not answer, or the disk is full or cannot be written.

Requests that need what is missing are answered with 503 and what to do; nothing is lost, and all
works again by itself when the outage is over.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Any

from django.db import InterfaceError, InternalError, OperationalError, transaction
from django.utils.translation import gettext as _

logger = logging.getLogger(__name__)

try:
    from redis.exceptions import ConnectionError as RedisConnectionError
    from redis.exceptions import TimeoutError as RedisTimeoutError
except ImportError:  # one machine alone does without
    _REDIS: tuple[type[Exception], ...] = ()
else:
    _REDIS = (RedisConnectionError, RedisTimeoutError)

# The queues in files raise the errors of SQLite itself.
OUTAGES: tuple[type[Exception], ...] = (
    OperationalError,
    InterfaceError,
    sqlite3.OperationalError,
    *_REDIS,
)

_TRY_AGAIN = 1013  # the code with which browsers are asked to connect again later

_FULL = ("disk is full", "no space left on device", "disk quota exceeded")
_FAILING = ("readonly database", "read-only", "disk i/o error", "unable to open database file")
_FULL_NUMBERS = {errno.ENOSPC, errno.EDQUOT}
_FAILING_NUMBERS = {errno.EROFS, errno.EIO}
_FULL_STATE, _READ_ONLY_STATE = "53100", "25006"  # of PostgreSQL


class Outage(StrEnum):
    """What kind of outage it is; the values are the codes of errors."""

    AWAY = "site/away"
    DISK_FULL = "site/disk-full"
    NOT_WRITABLE = "site/not-writable"

    @property
    def is_of_disk(self) -> bool:
        """Whether everything can still be read."""
        return self is not Outage.AWAY

    @property
    def message(self) -> str:
        """What to tell a person, in their language."""
        if self is Outage.DISK_FULL:
            return _(
                "The site's disk is full; nothing was changed. Games can still be watched."
                " Try again when the host has made room."
            )
        if self is Outage.NOT_WRITABLE:
            return _(
                "The site cannot write to its disk; nothing was changed. Games can still be"
                " watched. Try again when the host has repaired it."
            )
        return _("The site has lost its database for a moment. Try again in a few seconds.")


def outage_of(error: BaseException | None) -> Outage | None:
    """Return what kind of outage an error comes from; ``None`` if it comes from something else."""
    while error is not None:
        if isinstance(error, OSError):
            if error.errno in _FULL_NUMBERS:
                return Outage.DISK_FULL
            if error.errno in _FAILING_NUMBERS:
                return Outage.NOT_WRITABLE
        if isinstance(error, Exception) and (found := _of_database(error)):
            return found
        error = error.__cause__
    return None


def _of_database(error: Exception) -> Outage | None:
    if not isinstance(error, (*OUTAGES, InternalError)):
        return None
    state = getattr(error.__cause__, "sqlstate", None)
    text = str(error).lower()
    if state == _FULL_STATE or any(words in text for words in _FULL):
        return Outage.DISK_FULL
    if state == _READ_ONLY_STATE or any(words in text for words in _FAILING):
        return Outage.NOT_WRITABLE
    return Outage.AWAY if isinstance(error, OUTAGES) else None


@contextmanager
def optional_write(what: str) -> Iterator[None]:
    """Write what a page can do without; if the disk cannot be written, log it and go on.

    Args:
        what: is written, for the log.
    """
    try:
        with transaction.atomic():
            yield
    except Exception as error:
        outage = outage_of(error)
        if outage is None or not outage.is_of_disk:
            raise
        logger.warning("not written: what=%r error=%s", what, error)


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
        except Exception as error:
            if outage_of(error) is None:
                raise
            logger.warning("a socket is closed, because something is away: %s", error)
            with suppress(Exception):  # the browser may have left at the same time
                await send({"type": "websocket.close", "code": _TRY_AGAIN})
