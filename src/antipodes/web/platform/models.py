"""What processes keep about themselves in the database that they share."""

from __future__ import annotations

from django.db import models


class Kind(models.TextChoices):
    """What a process does."""

    WEB = "web"  # answers requests and holds sockets
    ENGINE = "engine"  # thinks, and looks after what nobody asks for


class ProcessRow(models.Model):
    """A process of the site, as long as it runs."""

    name = models.CharField(max_length=120, unique=True, help_text="of the process, on any machine")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    host = models.CharField(max_length=80)
    begun_at = models.BigIntegerField(help_text="milliseconds since 1970")
    seen_at = models.BigIntegerField(help_text="its last sign of life")
    done = models.PositiveBigIntegerField(default=0, help_text="pieces of work from the queues")

    def __str__(self) -> str:
        """Name what it does, and where."""
        return f"{self.kind} {self.name}"


class LockRow(models.Model):
    """Who does what only one process does at a time, and until when if it says nothing more."""

    name = models.CharField(max_length=40, unique=True)
    holder = models.CharField(max_length=120, blank=True)
    until = models.BigIntegerField(default=0, help_text="milliseconds since 1970")

    def __str__(self) -> str:
        """Name what is done, and by whom."""
        return f"{self.name} by {self.holder}"


class HeartbeatRow(models.Model):
    """When the site could last take moves; a row for people's moves, and one for the computer's.

    While players are given back the time of an outage, its bounds stand here too, so that another
    process goes on with it if the one that began is killed.
    """

    at = models.BigIntegerField(help_text="milliseconds since 1970")
    stopped_at = models.BigIntegerField(null=True, help_text="since when nobody could play")
    resumed_at = models.BigIntegerField(null=True, help_text="from when on clocks run again")

    def __str__(self) -> str:
        """Say when it was."""
        return f"alive at {self.at}"


class ClockRow(models.Model):
    """By how much the site's clock is ahead of the reference clock; there is one row."""

    ahead = models.BigIntegerField(default=0, help_text="milliseconds")
    since = models.BigIntegerField(default=0, help_text="milliseconds of the reference clock")

    def __str__(self) -> str:
        """Say by how much."""
        return f"ahead by {self.ahead} ms since {self.since}"


class SecretRow(models.Model):
    """A secret of the site that all its machines share, such as the key of its pushes."""

    name = models.CharField(max_length=40, unique=True)
    value = models.TextField()

    def __str__(self) -> str:
        """Name it, without the secret."""
        return self.name
