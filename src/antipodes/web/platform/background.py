"""Run tasks: log their errors, or run them in background threads."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable

from django.db import close_old_connections, connections

from antipodes.web.platform.outages import outage_of

Task = Callable[[], None]
PeriodicTask = tuple[int, Task]  # with the seconds between two runs; it is idempotent

logger = logging.getLogger(__name__)


def run_task(task: Task) -> bool:
    """Run a task and log its error, so that other tasks still run; return whether it succeeded."""
    close_old_connections()
    try:
        task()
    except Exception as error:
        if outage_of(error):
            logger.warning("task skipped: outage task=%s error=%s", task.__name__, error)
        else:
            logger.exception("task failed task=%s", task.__name__)
        return False
    return True


def in_background(task: Task) -> Task:
    """Run a task in a thread, such as one that calls remote servers.

    A call during a run makes the thread run the task again afterwards.
    """
    lock = threading.Lock()
    is_called = is_running = False

    def work() -> None:
        nonlocal is_called, is_running
        while True:
            with lock:
                if not is_called:
                    is_running = False
                    break
                is_called = False
            run_task(task)
        connections.close_all()

    @functools.wraps(task)
    def begin() -> None:
        nonlocal is_called, is_running
        with lock:
            is_called = True
            if is_running:
                return
            is_running = True
        threading.Thread(target=work, name=task.__name__, daemon=True).start()

    return begin
