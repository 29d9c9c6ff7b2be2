"""Models of learners' progress."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SolvedStepRow(models.Model):
    """A step of a course that a user has solved, or the first game of a game that they finished.

    Steps are named by their ids; rows of steps that no longer exist are kept.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="solved_steps"
    )
    course = models.CharField(max_length=64)
    step = models.CharField(max_length=64)
    solved_at = models.BigIntegerField(help_text="milliseconds since 1970")

    class Meta:
        """A step is solved once."""

        constraints = [
            models.UniqueConstraint(fields=["user", "course", "step"], name="solved_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.course} {self.step}"
