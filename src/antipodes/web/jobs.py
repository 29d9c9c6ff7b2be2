"""The queues of work that is done beside the pages, and what works them off.

What waits in a queue is lost with it. So rows in the database say what is to be done, and when the
site starts everything that they still ask for is put into fresh queues.
"""

from __future__ import annotations

from huey import SqliteHuey
from huey.consumer import Consumer

from antipodes.web.config import data_folder

# The computer's moves; nothing else may keep players waiting.
queue = SqliteHuey("antipodes", filename=str(data_folder() / "jobs.sqlite3"))

# Analyses, hints and reviews of finished matches.
studies = SqliteHuey("studies", filename=str(data_folder() / "studies.sqlite3"))

_IMPATIENCE = 0.05  # seconds until an idle worker looks for work again


class Worker(Consumer):  # type: ignore[misc]  # huey has no types
    """Works a queue off in threads of this process; the server itself hears the signals."""

    def __init__(self, work: SqliteHuey = queue) -> None:
        """Take one thread: a search uses a whole core."""
        super().__init__(
            work, workers=1, initial_delay=_IMPATIENCE, max_delay=_IMPATIENCE, periodic=False
        )

    def _set_signal_handlers(self) -> None:
        """Leave signals alone."""
