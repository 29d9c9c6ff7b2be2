"""What is kept of work: the jobs that wait, and the networks that their users came from."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Kind(models.TextChoices):
    """What is to be done."""

    MOVE = "move"  # of the computer in a match
    ANALYSIS = "analysis"  # of a position; hints are such too
    REVIEW = "review"  # of the next position of a finished match


class JobRow(models.Model):
    """A job that waits for an engine, or that one does now.

    What is to be done follows from other rows: of matches, analyses and reviews. This table says in
    one place which of them ask for something, and is made again from them if rows are missing.
    """

    kind = models.CharField(max_length=12, choices=Kind.choices)
    key = models.CharField(max_length=32, help_text="what it is done to")
    version = models.PositiveIntegerField(default=0, help_text="of what it is done to")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="jobs"
    )
    seconds = models.FloatField(help_text="CPU time that it is expected to take")
    since = models.BigIntegerField(help_text="milliseconds since 1970")

    class Meta:
        """Nothing waits twice."""

        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="waits_once")]

    def __str__(self) -> str:
        """Name what is to be done."""
        return f"{self.kind} {self.key}"


class ClientRow(models.Model):
    """The network that a user signed in from last, as a keyed hash: work is shared out by it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="client"
    )
    network = models.CharField(max_length=16, db_index=True, help_text="IPv4 address, or /56")
    wider = models.CharField(max_length=16, db_index=True, help_text="of IPv6 the /48; or empty")

    def __str__(self) -> str:
        """Name the user."""
        return f"network of {self.user}"
