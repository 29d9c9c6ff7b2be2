"""What is done again and again, as long as the site runs: each app says what, and how often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Task = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Round:
    """A task that is done again and again.

    Attributes:
        task: does nothing that it has done before, whoever else does the same.
        seconds: between two times.
    """

    task: Task
    seconds: int


rounds: list[Round] = []


def every(seconds: int) -> Callable[[Task], Task]:
    """Let a task be done every so many seconds, and once at the start.

    A task looks in the database for what is left to be done: what was lost with a killed process is
    done in the next round.
    """

    def note(task: Task) -> Task:
        rounds.append(Round(task, seconds))
        return task

    return note
