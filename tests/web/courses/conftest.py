"""Fixtures of the tests of courses on the site."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from antipodes.web.courses import coaching, judging


class Learner:
    """A learner who answers through the site, as the page's script does."""

    def __init__(self, client: Any) -> None:
        """Begin without a state."""
        self.client = client
        self.state = ""

    def answer(self, course: Any, step: Any, text: str, **more: str) -> dict[str, Any]:
        """Answer a step, and return the judgement."""
        url = reverse("lesson-answer", args=[course.id, step.id])
        response = self.client.post(url, {"state": self.state, "answer": text, **more})
        found: dict[str, Any] = response.json()
        assert response.status_code == 200, found
        self.state = found["state"]
        return found

    def solution(self, course: Any, step: Any) -> str:
        """Ask for an answer that is right."""
        found: str = self.answer(course, step, "", ask="solution")["answer"]
        return found

    def solve(self, course: Any, step: Any) -> dict[str, Any]:
        """Solve a step by its examples, and by the computer's answers after them."""
        self.state = ""
        for number in range(40):
            is_given = number < len(step.right)
            text = step.right[number] if is_given else self.solution(course, step)
            found = self.answer(course, step, text)
            assert found["right"], (step.id, text, found)
            if found["solved"]:
                return found
        raise AssertionError(f"{step.id} is not solved")


@pytest.fixture(autouse=True)
def _nothing_is_cached():
    """Forget answers of earlier tests."""
    for cached in (
        judging._judged,
        judging.suggestion,
        coaching._begun,
        coaching._played,
        coaching.advice,
    ):
        cached.cache_clear()


@pytest.fixture
def learner(client):
    """A visitor without an account."""
    return Learner(client)
