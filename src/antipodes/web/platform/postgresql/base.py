"""PostgreSQL backend with persistent connections that detects broken ones without a query."""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that polls its socket before it queries the server.

    Django would send a query before each request and each message of a socket. An idle connection
    is readable only if the server has closed it or sent something; only then it is queried.
    """

    def is_usable(self) -> bool:
        connection: Any = self.connection
        if connection is None or connection.closed:
            return False
        if not self.errors_occurred and not _is_readable(connection.fileno()):
            return True
        return bool(super().is_usable())


def _is_readable(file: int) -> bool:
    poll = select.poll()
    poll.register(file, select.POLLIN | select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))
