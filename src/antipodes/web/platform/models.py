"""Rows about processes, locks, clocks and secrets of the site."""

from __future__ import annotations

from django.db import models
from django.db.models import Value


class ProcessKind(models.TextChoices):
    """Kind of process."""

    WEB = "web"  # serves requests and sockets
    ENGINE = "engine"  # runs jobs and the scheduler


class ProcessRow(models.Model):
    """A running process of the site."""

    name = models.CharField(max_length=120, unique=True, help_text="unique on all machines")
    kind = models.CharField(max_length=12, choices=ProcessKind.choices)
    host = models.CharField(max_length=80)
    begun_at = models.BigIntegerField(help_text="milliseconds since 1970")
    seen_at = models.BigIntegerField(help_text="milliseconds since 1970")
    done = models.PositiveBigIntegerField(default=0, help_text="jobs that it has run")
    unreadable = models.PositiveBigIntegerField(
        default=0, help_text="client addresses from proxies that it could not read"
    )
    online = models.JSONField(
        default=list, db_default=Value([], models.JSONField()), help_text="ids of users with a page"
    )

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class LockRow(models.Model):
    """A lease: which process holds it, and when it expires unless renewed."""

    name = models.CharField(max_length=40, unique=True)
    holder = models.CharField(max_length=120, blank=True)
    until = models.BigIntegerField(default=0, help_text="milliseconds since 1970")

    def __str__(self) -> str:
        return f"{self.name} by {self.holder}"


class HeartbeatRow(models.Model):
    """When the site could last accept moves: a row for people's moves, and one for the computer's.

    It also holds the bounds of a downtime while players are given back its time, so that another
    process can continue if this one is killed.
    """

    at = models.BigIntegerField(help_text="milliseconds since 1970")
    stopped_at = models.BigIntegerField(null=True, help_text="begin of a downtime")
    resumed_at = models.BigIntegerField(null=True, help_text="when clocks run again")

    def __str__(self) -> str:
        return f"alive at {self.at}"


class ClockRow(models.Model):
    """The difference between the site's clock and the reference clock; there is one row."""

    ahead = models.BigIntegerField(default=0, help_text="milliseconds")
    since = models.BigIntegerField(default=0, help_text="milliseconds of the reference clock")

    def __str__(self) -> str:
        return f"ahead by {self.ahead} ms since {self.since}"


class SecretRow(models.Model):
    """A secret that all machines of the site share, such as its VAPID key."""

    name = models.CharField(max_length=40, unique=True)
    value = models.TextField()

    def __str__(self) -> str:
        return self.name
