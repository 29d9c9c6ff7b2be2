"""The queue of work that is done beside the pages, and what works it off."""

from __future__ import annotations

from huey import SqliteHuey
from huey.consumer import Consumer

from antipodes.web.config import data_folder

queue = SqliteHuey("antipodes", filename=str(data_folder() / "jobs.sqlite3"))

_IMPATIENCE = 0.05  # seconds until an idle worker looks for work again


class Worker(Consumer):  # type: ignore[misc]  # huey has no types
    """Works the queue off in threads of this process; the server itself hears the signals."""

    def __init__(self) -> None:
        """Take one thread: a search uses a whole core."""
        super().__init__(
            queue, workers=1, initial_delay=_IMPATIENCE, max_delay=_IMPATIENCE, periodic=False
        )

    def _set_signal_handlers(self) -> None:
        """Leave signals alone."""
