"""Change feeds: hand new rows of append-only tables to handlers, outside of the writers' requests.

A feed stores a cursor, the last row that has been read. Transactions can commit in another order
than their row ids were assigned, so a feed reads the latest rows again for some seconds before it
advances its cursor. The ids in between are kept in memory only: after a crash the next process
reads those rows again. Handlers must therefore be idempotent.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Collection

from django.db import models

from antipodes.web.notifications.models import CursorRow

logger = logging.getLogger(__name__)

_BATCH = 2_000  # rows
_COMMIT_GRACE = 20.0  # seconds within which a transaction with a lower row id may still commit

# Receives primary keys of new rows in ascending order, and returns those to hand over again later.
Handler = Callable[[list[int]], Collection[int]]


class Feed:
    """The change feed of one table."""

    def __init__(self, name: str, table: type[models.Model], handle: Handler) -> None:
        """Store the cursor under a name, and hand keys of new rows to a handler."""
        self.name = name
        self._rows = table._default_manager  # noqa: SLF001 - Django's own name for it
        self._handle = handle
        self.is_pending = False  # whether the handler wants some keys again
        self._read: set[int] = set()
        self._marks: deque[tuple[float, int]] = deque()

    def forget(self) -> None:
        """Discard the in-memory state, as a restart of the process does."""
        self._read.clear()
        self._marks.clear()

    def read(self) -> None:
        """Hand new rows to the handler."""
        cursor, _ = CursorRow.objects.get_or_create(name=self.name)
        self.is_pending = False
        while self._read_batch(cursor) >= _BATCH:
            pass
        self._advance(cursor)

    def _read_batch(self, cursor: CursorRow) -> int:
        """Hand one batch of new rows to the handler; return how many it has finished."""
        later = self._rows.filter(pk__gt=cursor.position).order_by("pk")
        found = later.values_list("pk", flat=True)[: _BATCH + len(self._read)]
        new = [key for key in found if key not in self._read]
        if not new:
            return 0
        again = set(self._handle(new))
        self._read.update(key for key in new if key not in again)
        self._marks.append((time.monotonic(), new[-1]))
        self.is_pending = bool(again)
        return len(new) - len(again)

    def _advance(self, cursor: CursorRow) -> None:
        """Advance the cursor past rows that were read long enough ago."""
        position = cursor.position
        while self._marks and self._marks[0][0] < time.monotonic() - _COMMIT_GRACE:
            position = max(position, self._marks.popleft()[1])
        if position != cursor.position:
            CursorRow.objects.filter(pk=cursor.pk).update(position=position)
            self._read = {key for key in self._read if key > position}
