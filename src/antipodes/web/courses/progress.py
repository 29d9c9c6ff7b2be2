"""Learners' progress: solved steps of accounts and guests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest

from antipodes.learn.model import Course, Step
from antipodes.learn.store import courses
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, ensure_user
from antipodes.web.courses.models import SolvedStepRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import TooManyError
from antipodes.web.platform.outages import optional_write


@dataclass(frozen=True)
class CourseProgress:
    """The solved steps of a learner.

    Attributes:
        solved: ids of steps by the id of their course.
        last: the course with the step that was solved last, or ``None``.
    """

    solved: Mapping[str, frozenset[str]]
    last: str | None = None

    def is_solved(self, course_id: str, step_id: str) -> bool:
        return step_id in self.solved.get(course_id, ())

    def count(self, course: Course) -> int:
        """Return the number of solved steps of a course."""
        return sum(self.is_solved(course.id, step.id) for step in course.steps)

    def next_step(self, course: Course) -> Step | None:
        """Return the first step that is not solved; ``None`` if all are."""
        return next((s for s in course.steps if not self.is_solved(course.id, s.id)), None)

    def continued(self) -> tuple[Course, Step] | None:
        """Return the step to continue with: of the last course, or of the next unfinished one.

        ``None`` for a learner who has not solved anything, or everything.
        """
        if not self.solved:
            return None
        order = list(courses())
        at = next((n for n, course in enumerate(order) if course.id == self.last), 0)
        for course in order[at:] + order[:at]:
            step = self.next_step(course)
            if step is not None:
                return course, step
        return None


NOTHING = CourseProgress({})


def progress_of(request: HttpRequest) -> CourseProgress:
    """Return the progress of a request's account or guest."""
    user = current_user(request)
    return NOTHING if user is None else progress_of_user(user)


def progress_of_user(user: User) -> CourseProgress:
    """Return the progress of an account or guest."""
    rows = user.solved_steps.order_by("solved_at", "pk").values_list("course", "step")
    solved: dict[str, set[str]] = {}
    last = None
    for last, step in rows:
        solved.setdefault(last, set()).add(step)
    return CourseProgress({course: frozenset(steps) for course, steps in solved.items()}, last)


def store_solved(request: HttpRequest, course_id: str, step_id: str) -> None:
    """Store that the learner has solved a step; a new visitor becomes a guest.

    The answer counts even if that cannot be stored: on a full disk, or if there were too many new
    guests from this network.
    """
    with optional_write("a solved step of a course"):
        try:
            user = ensure_user(request)
        except TooManyError:
            return
        store_solved_by(user, course_id, step_id)


def store_solved_by(user: User, course_id: str, step_id: str) -> None:
    SolvedStepRow.objects.get_or_create(
        user=user, course=course_id, step=step_id, defaults={"solved_at": now()}
    )
