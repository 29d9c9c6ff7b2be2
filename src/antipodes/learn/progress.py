"""The steps that a learner has solved, in a file of the user's data folder."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from antipodes.files import replace_file
from antipodes.learn.model import Course, Step


def default_path() -> Path:
    """Return the file of the user's progress."""
    import platformdirs  # noqa: PLC0415 - only a part of the commands needs it

    return Path(platformdirs.user_data_dir("antipodes")) / "learn.json"


class LearningProgress:
    """The solved steps of all courses.

    A file that is missing or damaged counts as empty; steps that no longer exist are kept.
    """

    def __init__(self, path: Path) -> None:
        """Read a file."""
        self._path = path
        self._solved: dict[str, list[str]] = {}
        with suppress(OSError, ValueError, AttributeError):
            data = json.loads(path.read_text(encoding="utf-8"))
            self._solved = {
                str(course): [str(step) for step in steps]
                for course, steps in data.items()
                if isinstance(steps, list)
            }

    def is_solved(self, course: Course, step: Step) -> bool:
        """Return whether a step is solved."""
        return step.id in self._solved.get(course.id, ())

    def count(self, course: Course) -> int:
        """Return the number of solved steps of a course."""
        return sum(self.is_solved(course, step) for step in course.steps)

    def next_step(self, course: Course) -> Step | None:
        """Return the first step that is not solved; ``None`` if all are."""
        return next((step for step in course.steps if not self.is_solved(course, step)), None)

    def add(self, course: Course, step: Step) -> None:
        """Mark a step as solved and write the file.

        Raises:
            OSError: the file cannot be written.
        """
        if self.is_solved(course, step):
            return
        self._solved.setdefault(course.id, []).append(step.id)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._path, (json.dumps(self._solved, indent=1) + "\n").encode())
