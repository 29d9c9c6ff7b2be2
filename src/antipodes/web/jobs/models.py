"""Rows of waiting jobs, and of the networks of their users."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class JobKind(models.TextChoices):
    """Kind of job."""

    MOVE = "move"  # the computer's, in a match
    SHOW = "show"  # the computer's, in its game against itself on TV
    ANALYSIS = "analysis"  # of a position; hints too
    REVIEW = "review"  # of the next position of a finished match
    PUZZLE = "puzzle"  # a judgement of a solver's move
    MISTAKE = "mistake"  # the search for the only good move that a player missed
    PROOF = "proof"  # of the result of a game of a tournament


class Group(models.TextChoices):
    """Group of jobs that the same lanes run."""

    QUICK_MOVE = "quick-move"
    MOVE = "move"
    QUICK_STUDY = "quick-study"
    STUDY = "study"
    SHOW = "show"


class JobRow(models.Model):
    """A waiting or running job.

    Its data is in the row of a match, analysis, review or judgement. Periodic tasks add missing
    jobs again from those rows.

    To choose a job, lanes read only the rows at the front of the indexes: the oldest ones, and the
    first ones of each client. So the work of a choice does not grow with the queue.
    """

    kind = models.CharField(max_length=12, choices=JobKind.choices)
    key = models.CharField(max_length=32, help_text="of its match, analysis or review")
    version = models.PositiveIntegerField(default=0, help_text="of the match, analysis or review")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="jobs"
    )
    group = models.CharField(max_length=12, choices=Group.choices, default=Group.STUDY)
    client = models.CharField(
        max_length=32, default="", help_text="the outermost one that it counts for"
    )
    place = models.PositiveIntegerField(
        default=0, help_text="among the client's jobs when it was added"
    )
    place_of_user = models.PositiveIntegerField(
        default=0, help_text="among the user's jobs when it was added"
    )
    seconds = models.FloatField(help_text="expected CPU time")
    since = models.BigIntegerField(help_text="milliseconds since 1970")

    class Meta:
        """There is one job of a kind for each key."""

        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="waits_once")]
        indexes = [
            models.Index(fields=["group", "id"]),
            models.Index(fields=["group", "place", "id"]),
            models.Index(fields=["group", "place_of_user", "id"]),
            models.Index(fields=["group", "client", "place"]),
            models.Index(fields=["group", "user", "place_of_user"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class ClientRow(models.Model):
    """The network from which a user last signed in, as a keyed hash; for fair scheduling."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="client"
    )
    network = models.CharField(max_length=16, db_index=True, help_text="IPv4 address, or /56")
    wider = models.CharField(max_length=16, db_index=True, help_text="of IPv6 the /48; or empty")

    def __str__(self) -> str:
        return f"network of {self.user}"
