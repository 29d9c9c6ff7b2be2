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
    """Return all courses, in the order of the games, rules before strategy."""
    found = [
        read_course(path.read_text(encoding="utf-8"), path.stem)
        for path in sorted(FOLDER.glob("*.toml"))
    ]
    games = game_ids()
    return tuple(sorted(found, key=lambda one: (games.index(one.game_id), KINDS.index(one.kind))))


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
