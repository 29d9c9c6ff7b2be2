"""Registry of periodic tasks; the scheduler runs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Task = Callable[[], None]


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """A function that the scheduler calls at an interval.

    Attributes:
        task: the function; it is idempotent.
        seconds: the interval.
    """

    task: Task
    seconds: int


periodic_tasks: list[PeriodicTask] = []


def every(seconds: int) -> Callable[[Task], Task]:
    """Register a task that runs at the start and then every so many seconds.

    A task finds its work in the database, so that it also does what a killed process left.
    """

    def note(task: Task) -> Task:
        periodic_tasks.append(PeriodicTask(task, seconds))
        return task

    return note
