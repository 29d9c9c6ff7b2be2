"""The courses that come with the program: one file ``<course>.toml`` each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from antipodes.errors import InputError
from antipodes.games.registry import game_ids
from antipodes.learn.model import KINDS, Course, read_course

FOLDER = Path(__file__).with_name("courses")


@cache
def courses() -> tuple[Course, ...]:
    """Return all courses: games in order, rules before strategy, each first its usual course."""
    stored_courses = [
        read_course(path.read_text(encoding="utf-8"), path.stem)
        for path in sorted(FOLDER.glob("*.toml"))
    ]
    games = game_ids()

    def place(course: Course) -> tuple[int, int, bool]:
        is_usual = course.id == f"{course.game_id}-{course.kind}"
        return games.index(course.game_id), KINDS.index(course.kind), not is_usual

    return tuple(sorted(stored_courses, key=place))


def find_course(course_id: str) -> Course:
    """Return a course by its id.

    Raises:
        InputError: there is no such course.
    """
    for course in courses():
        if course.id == course_id:
            return course
    known = ", ".join(course.id for course in courses())
    raise InputError.single(
        "learn/no-such-course", f"there is no course {course_id[:40]!r}; there are {known}"
    )
