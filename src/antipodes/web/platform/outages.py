"""Outages: the database or Redis is unavailable, or the disk is full or read-only.

Requests that fail in an outage get a 503 page with advice, and work again when it is over.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum

from django.conf import settings
from django.db import InterfaceError, InternalError, OperationalError, transaction
from django.utils.translation import gettext as _

logger = logging.getLogger(__name__)

_REDIS: tuple[type[Exception], ...] = ()
if settings.REDIS_URL:
    with suppress(ImportError):  # Redis is optional
        from redis.exceptions import ConnectionError as RedisConnectionError
        from redis.exceptions import TimeoutError as RedisTimeoutError

        _REDIS = (RedisConnectionError, RedisTimeoutError)

# Errors of SQLite itself come from code without Django.
OUTAGES: tuple[type[Exception], ...] = (
    OperationalError,
    InterfaceError,
    sqlite3.OperationalError,
    *_REDIS,
)

_FULL = ("disk is full", "no space left on device", "disk quota exceeded")
_FAILING = ("readonly database", "read-only", "disk i/o error", "unable to open database file")
_FULL_NUMBERS = {errno.ENOSPC, errno.EDQUOT}
_FAILING_NUMBERS = {errno.EROFS, errno.EIO}
_FULL_STATE, _READ_ONLY_STATE = "53100", "25006"  # of PostgreSQL


class Outage(StrEnum):
    """Kind of outage; values are error codes."""

    AWAY = "site/away"
    DISK_FULL = "site/disk-full"
    NOT_WRITABLE = "site/not-writable"

    @property
    def is_of_disk(self) -> bool:
        """Whether reads still work."""
        return self is not Outage.AWAY

    @property
    def message(self) -> str:
        """The message for users, translated."""
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
    """Return the outage that caused an error; ``None`` for other errors."""
    while error is not None:
        if isinstance(error, OSError):
            if error.errno in _FULL_NUMBERS:
                return Outage.DISK_FULL
            if error.errno in _FAILING_NUMBERS:
                return Outage.NOT_WRITABLE
        if isinstance(error, Exception) and (outage := _of_database(error)):
            return outage
        error = error.__cause__
    return None


def _of_database(error: Exception) -> Outage | None:
    if not isinstance(error, (*OUTAGES, InternalError)):
        return None
    state = getattr(error.__cause__, "sqlstate", None)
    number = getattr(error.__cause__ or error, "sqlite_errorcode", None)
    text = str(error).lower()
    if state == _FULL_STATE or any(words in text for words in _FULL):
        return Outage.DISK_FULL
    if state == _READ_ONLY_STATE or any(words in text for words in _FAILING):
        return Outage.NOT_WRITABLE
    # The statement is wrong, or the tables are those of another version: that does not pass.
    is_mistake = number == sqlite3.SQLITE_ERROR
    return Outage.AWAY if isinstance(error, OUTAGES) and not is_mistake else None


@contextmanager
def optional_write(what: str) -> Iterator[None]:
    """Run an optional write; if the disk cannot be written, log that and continue.

    Args:
        what: describes the write, for the log.
    """
    try:
        with transaction.atomic():
            yield
    except Exception as error:
        outage = outage_of(error)
        if outage is None or not outage.is_of_disk:
            raise
        logger.warning("optional write failed what=%r error=%s", what, error)
