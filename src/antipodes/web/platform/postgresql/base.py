"""The database; connections are kept long, and those that broke are noticed before use."""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that looks at its own end of the line before it asks the other one.

    Django would send a statement before each request and each message of a socket. Nothing arrives
    on an idle line unless the server has closed it or has something to say; only then is it asked.
    """

    def is_usable(self) -> bool:
        """Return whether the connection still holds."""
        connection: Any = self.connection
        if connection is None or connection.closed:
            return False
        if not self.errors_occurred and not _has_news(connection.fileno()):
            return True
        return bool(super().is_usable())


def _has_news(file: int) -> bool:
    poll = select.poll()
    poll.register(file, select.POLLIN | select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))
