"""Periodic tasks that run in background threads, such as those that call remote servers."""

from __future__ import annotations

import functools
import logging
import threading

from django.db import connections

from antipodes.web.platform.outages import outage_of
from antipodes.web.platform.periodic import Task

logger = logging.getLogger(__name__)


def in_background(task: Task) -> Task:
    """Run a periodic task in a thread of its own; skip a run while the previous one lasts."""
    is_busy = threading.Lock()

    def work() -> None:
        try:
            task()
        except Exception as error:
            if outage_of(error):
                logger.warning("task skipped: outage task=%s error=%s", task.__name__, error)
            else:
                logger.exception("task failed task=%s", task.__name__)
        finally:
            connections.close_all()
            is_busy.release()

    @functools.wraps(task)
    def begin() -> None:
        if is_busy.acquire(blocking=False):
            threading.Thread(target=work, name=task.__name__, daemon=True).start()

    return begin
