"""Rounds that may take long, such as talking to servers elsewhere: each in a thread of its own."""

from __future__ import annotations

import functools
import logging
import threading

from django.db import connections

from antipodes.web.platform.outages import outage_of
from antipodes.web.platform.periodic import Task

logger = logging.getLogger(__name__)


def beside(task: Task) -> Task:
    """Let a round be done beside the others; while it goes on it is not begun a second time."""
    is_busy = threading.Lock()

    def work() -> None:
        try:
            task()
        except Exception as error:
            if outage_of(error):
                logger.warning("%s waits for what is away: %s", task.__name__, error)
            else:
                logger.exception("%s has failed", task.__name__)
        finally:
            connections.close_all()
            is_busy.release()

    @functools.wraps(task)
    def begin() -> None:
        if is_busy.acquire(blocking=False):
            threading.Thread(target=work, name=task.__name__, daemon=True).start()

    return begin
