"""Steps of courses for tests of the site."""

import re

from antipodes.learn.store import courses, find_course
from tests.thorough import THOROUGH

FAR = "192.0.2.7"  # an address of documentation, not of this machine
STEPS = [(course, step) for course in courses() for step in course.steps]
# A sample with every kind of task of every game; `make test-all` answers every step.
_KINDS = {(course.game_id, step.task["kind"]): (course, step) for course, step in STEPS}
SAMPLE = STEPS if THOROUGH else list(_KINDS.values())


def goal():
    """Return a step with a single move that wins."""
    course = find_course("hex-rules")
    return course, course.step("goal")


def within(page, pattern):
    """Return the group of a pattern in a page."""
    found = re.search(pattern, page.content.decode())
    assert found is not None
    return found[1]
