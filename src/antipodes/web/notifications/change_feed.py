"""Reading what is new in tables that only grow, so that whoever writes them need not wait.

A feed remembers up to which row a table has been read. Transactions can end in another order than
their rows were numbered in; so the last rows are looked at again for a while, and only what has
been there that long counts as read for good. A process that dies loses this memory: the next one
reads those last rows again. So whatever is made of a row must be made once, by its key.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Collection

from django.db import models

from antipodes.web.notifications.models import CursorRow

logger = logging.getLogger(__name__)

_AT_ONCE = 2_000  # rows that are read in one go
_LATE = 20.0  # seconds in which a transaction with a lower number may still end

# Takes keys of new rows in rising order, and returns those that it wants to see again.
Handler = Callable[[list[int]], Collection[int]]


class Feed:
    """The new rows of one table."""

    def __init__(self, name: str, table: type[models.Model], handle: Handler) -> None:
        """Read a table under a name, and hand keys of new rows on."""
        self.name = name
        self._rows = table._default_manager  # noqa: SLF001 - Django's own name for it
        self._handle = handle
        self._read: set[int] = set()
        self._marks: deque[tuple[float, int]] = deque()

    def forget(self) -> None:
        """Forget what is remembered beside the database, as a process does that dies."""
        self._read.clear()
        self._marks.clear()

    def read(self) -> None:
        """Hand on what is new."""
        cursor, _ = CursorRow.objects.get_or_create(name=self.name)
        later = self._rows.filter(pk__gt=cursor.position).order_by("pk")
        found = later.values_list("pk", flat=True)[: _AT_ONCE + len(self._read)]
        new = [key for key in found if key not in self._read]
        if new:
            again = set(self._handle(new))
            self._read.update(key for key in new if key not in again)
            self._marks.append((time.monotonic(), new[-1]))
        self._move_on(cursor)

    def _move_on(self, cursor: CursorRow) -> None:
        """Count as read for good what has been read some time ago."""
        position = cursor.position
        while self._marks and self._marks[0][0] < time.monotonic() - _LATE:
            position = max(position, self._marks.popleft()[1])
        if position != cursor.position:
            CursorRow.objects.filter(pk=cursor.pk).update(position=position)
            self._read = {key for key in self._read if key > position}
