"""Write probe: whether the database can be written, by the latest write of this process.

Reads work on a full disk, so only a write tells. Heartbeats write every few seconds and note the
result; checks in between cause no further writes.
"""

from __future__ import annotations

import logging
import time

from django.db import OperationalError

from antipodes.web.platform.models import LockRow
from antipodes.web.platform.outages import Outage, outage_of

logger = logging.getLogger(__name__)

_ROW = "write probe"
_FRESH = 6.0  # seconds for which a result is valid; heartbeats write every five

_noted_at = float("-inf")
_failure: Exception | None = None


def note(error: Exception | None) -> None:
    """Note the result of a write; errors other than outages are ignored."""
    global _noted_at, _failure
    if error is not None and outage_of(error) is None:
        return
    if (error is None) is not (_failure is None):
        state = "work again" if error is None else f"fail error={error}"
        logger.warning("database writes %s", state)
    _noted_at, _failure = time.monotonic(), error


def try_write() -> bool:
    """Write a row and note the result; return whether it worked."""
    at = time.time_ns() // 1_000_000
    try:
        LockRow.objects.update_or_create(name=_ROW, defaults={"until": at})
    except Exception as error:  # noqa: BLE001 - any error means that writing failed
        note(error)
        return False
    note(None)
    return True


def check() -> None:
    """Refuse changes while the disk cannot be written; players' clocks are stopped meanwhile.

    Raises:
        OperationalError: the latest write failed because the disk is full or fails.
    """
    outage = outage_of(_failure)
    if outage is not None and outage.is_of_disk:
        raise OperationalError(str(_failure))


def failure() -> str | None:
    """Return why the database cannot be written, or ``None`` if it can."""
    if time.monotonic() - _noted_at > _FRESH:
        try_write()
    outage = outage_of(_failure)
    if outage is Outage.DISK_FULL:
        return "fails: the disk is full"
    if outage is Outage.NOT_WRITABLE:
        return "fails: the disk or the database cannot be written"
    return None if _failure is None else f"fails: {type(_failure).__name__}"
